"""Which version a reply picks: the tolerant reader of the headline, and the published one for comparison."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.question import PairChoice
from affordance.tasks.pair_answers import ANSWER_MARKER, parse_as_published, parse_pair_choice, write_pair_choice

# A reply, what the headline reads, and what the released evaluator reads.
REPLIES = {
    "as asked": ("It is clearer.\nMore effective: First", "First", "First"),
    "bold": ("More effective: **Second**", "Second", "Second"),
    "angle brackets": ("More effective: <First>", "First", "First"),
    "with the noun": ("More effective: First version", "First", "First"),
    "a remark in brackets": ("More effective: Second (larger button)", "Second", "Second"),
    "an aside with a no": ("More effective: Second (no doubt)", "Second", "Second"),
    "an aside with the other word": ("More effective: Second (not the first)", "Second", "Second"),
    "in brackets": ("More effective: (First)", "First", None),
    "a full-width colon": ("More effective：First", "First", None),
    "no winner": ("More effective: No first choice", None, None),
    "the template afterwards": ("More effective: Second\n\n(More effective: <First/Second>)", "Second", "Second"),
    "an empty marker afterwards": ("More effective: First\nMore effective:", "First", "First"),
    "prose with a colon": ("The second is more effective: First impressions matter", None, None),
    "a reason with a not": ("More effective: Second because it isn't cluttered", "Second", None),
    "denied afterwards": ("More effective: First is not the one", None, None),
    "in a sentence": ("So, More effective: First", "First", "First"),
    "a full stop": ("More effective: Second.", "Second", None),
    "lower case": ("More effective: second", "Second", None),
    "upper case": ("MORE EFFECTIVE: FIRST", "First", None),
    "a sentence": ("More effective: The second version", "Second", None),
    "another noun": ("More effective: Second variant", "Second", None),
    "bold marker": ("**More effective:** First", "First", "First"),
    "heading": ("### More effective: Second", "Second", "Second"),
    "on the next line": ("More effective:\nSecond", "Second", "Second"),
    "quoted": ('More effective: "First"', "First", None),
    "the template, then the answer": (
        "I shall end with\nMore effective: <First/Second>\nSo:\nMore effective: Second",
        "Second",
        None,
    ),
    "a change of mind": ("More effective: First\nNo, wait.\nMore effective: Second", "Second", "First"),
    "a reason that names the other": ("More effective: Second. The first version buries it.", "Second", None),
    "and not the other": ("More effective: Second, not First", "Second", None),
    "one or the other": ("More effective: First (for some) or Second (for others)", None, "First"),
    "an answer block": ("<answer>More effective: First</answer>\nMore effective: Second", "First", None),
    "another label": ("Answer: Second", "Second", None),
    "the word alone": ("Second", "Second", None),
    "JSON": ('{"more_effective": "Second"}', "Second", None),
    "two in JSON": ('{"more_effective": ["First", "Second"]}', None, None),
    "text after it": ("More effective: First\nI hope this helps.", "First", "First"),
    "thinking beforehand": ("<think>More effective: First</think>More effective: Second", "Second", None),
    "only in thinking": ("<think>More effective: First</think>", None, None),
    "the template alone": ("More effective: <First/Second>", None, None),
    "both": ("More effective: First and Second", None, None),
    "a tie": ("More effective: Both", None, None),
    "negated": ("More effective: not the first", None, None),
    "neither": ("More effective: Neither", None, None),
    "no marker": ("The second version is better.", None, None),
    "marker and nothing": ("More effective:", None, None),
    "ordinal in a word": ("More effective: Firstly, look at it", None, None),
    "another word": ("More effective: B", None, None),
    "empty": ("", None, None),
    "not text": ("\x00\ufeff\u202e" * 50, None, None),
    "a prompt in the reply": ("Ignore this. {goal} %s More effective: Second", "Second", "Second"),
}


@pytest.mark.parametrize(("text", "tolerant", "strict"), REPLIES.values(), ids=REPLIES.keys())
def test_reading(text: str, tolerant: str | None, strict: str | None) -> None:
    assert parse_pair_choice(text, PairChoice()) == tolerant
    assert parse_as_published(text, PairChoice()) == strict


@settings(max_examples=40)
@given(st.text())
def test_without_the_words_nothing_is_picked(text: str) -> None:
    if not any(word in text.lower() for word in ("first", "second")):
        assert parse_pair_choice(text, PairChoice()) is None
    assert parse_as_published(text, PairChoice()) in (None, "First", "Second")


@settings(max_examples=40)
@given(st.text(), st.sampled_from(["First", "Second"]))
def test_the_last_marker_is_read_whatever_comes_before(text: str, word: str) -> None:
    """But thinking that never ends."""
    if "<" not in text:
        assert parse_pair_choice(write_pair_choice(word, text), PairChoice()) == word


@settings(max_examples=40)
@given(st.text(), st.text())
def test_both_readers_take_anything(before: str, after: str) -> None:
    text = f"{before}{ANSWER_MARKER}{after}"
    for read in (parse_pair_choice, parse_as_published):
        assert read(text, PairChoice("Amber", "Birch")) in (None, "Amber", "Birch")


def test_a_long_line_is_read_in_time() -> None:
    text = "more effective " * 20_000 + "\n" + ANSWER_MARKER + " " + "x" * 100_000 + " First"
    assert parse_pair_choice(text, PairChoice()) == "First"
