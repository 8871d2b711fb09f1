"""What gives an answer away."""

import random
import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.questions.leaks import complaint, guesses, names_action, option_complaint, says_text
from affordance.author.records import Choice, QuestionRecord
from affordance.core.geometry import Box, CoordinateSpace
from errors import assert_carries

LONG_TEXT = "A long list of recent documents in the cloud"
WORDS = st.lists(st.text(string.ascii_letters, min_size=3, max_size=8), min_size=1, max_size=5).map(" ".join)


@pytest.mark.parametrize(
    ("text", "own", "said"),
    [
        ("Which control sends the draft?", "Send", ""),  # another word
        ("Where do I go to send the draft?", "Send", "send"),
        ("Where is the SEND  button?", "send", "send"),
        ("Which one does Save-As?", "Save as…", "save as"),
        ("Open the e-mail", "OK", ""),  # too short to tell
        ("It is OK to go on", "OK", ""),
        ("Goal 42", "42", ""),  # numbers alone are everywhere
        ("The ﬁle menu", "File", "file"),  # a ligature
        ("Which opens the straße map?", "STRASSE", "strasse"),
        ("点击设置页面", "设置", "设置"),
        ("点击页面", "设置", ""),
        ("See a long list of recent things", LONG_TEXT, "a long list of recent"),
        ("Recent documents", LONG_TEXT, ""),
        ("Anything", "", ""),
        ("", "Send", ""),
    ],
)
def test_own_text(text: str, own: str, said: str) -> None:
    assert says_text(text, own) == said


@settings(max_examples=30)
@given(WORDS, WORDS, WORDS)
def test_own_text_is_found_wherever_it_stands(before: str, own: str, behind: str) -> None:
    assert says_text(f"{before}, {own.upper()}. {behind}", own)


@pytest.mark.parametrize(
    ("text", "action", "named"),
    [
        ("Where do I click to go on?", "click", "click"),
        ("Tapping it goes on", "click", "Tapping"),
        ("What is clickable here?", "click", ""),
        ("Which file type is set?", "type", ""),
        ("Where do I type in a name?", "type", "type in"),
        ("Where do I click to go on?", "hover", ""),
        ("Where do I click to go on?", None, ""),
    ],
)
def test_actions(text: str, action: str | None, named: str) -> None:
    assert names_action(text, action) == named


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Which element sends the draft in the second row?", None),
        ("", ""),
        ("…", ""),
        ("The one in the red box", ""),
        ("Where do I click?", "click"),
        ("Where is Archive?", "“archive”"),
    ],
)
def test_complaints(text: str, quoted: str | None) -> None:
    found = complaint(text, "Archive", "click")
    assert bool(found) == (quoted is not None)
    if quoted is not None:
        assert_carries(found, quoted)


EVEN = ["It opens the list of mails.", "It opens the set of labels.", "It closes the open mail."]


@pytest.mark.parametrize(
    ("options", "right", "own", "quoted"),
    [
        (EVEN, 0, "", None),
        ([*EVEN, "it opens: the list of MAILS"], 0, "", ("D", "A")),
        ([*EVEN, " "], 0, "", ("D",)),
        ([f"{EVEN[0]} And it marks all of them as read.", *EVEN[1:]], 0, "", (61,)),
        ([f"{EVEN[0]} And it marks all of them as read.", *EVEN[1:]], 1, "", None),  # a wrong one may be
        (["Opens it.", *EVEN[1:]], 0, "", (9,)),
        (EVEN, 0, "Labels", ("“labels”",)),
        (["It labels A.", "It labels B."], 0, "Labels", None),  # all of them
        (["Only one"], 0, "", None),
    ],
)
def test_options(options: list[str], right: int, own: str, quoted: tuple[object, ...] | None) -> None:
    found = option_complaint(options, right, own)
    assert bool(found) == (quoted is not None)
    if quoted is not None:
        assert_carries(found, *quoted)


def test_complaints_do_not_show_which_option_is_right() -> None:
    long = f"{EVEN[0]} And it marks all of them as read."
    found = option_complaint([EVEN[1], long, EVEN[2]], 1)
    assert re.findall(r"\d+", found) == ["27", "61", "24"]
    assert option_complaint([long, EVEN[1], "It goes."], 0) == option_complaint([long, EVEN[1], "It goes."], 2)
    named = [option_complaint(EVEN, right, "Labels") for right in range(3)]
    assert len(set(named)) == 1


def question(lengths: list[int], right: int, dropped: str = "") -> QuestionRecord:
    options = [
        Choice(text="x" * length, origin="target" if place == right else "hard") for place, length in enumerate(lengths)
    ]
    box = Box(CoordinateSpace.PIXEL, 0, 0, 1, 1)
    return QuestionRecord(form="outcome", level="element", target="1", box=box, options=options, dropped=dropped)


def test_a_set_that_can_be_guessed_by_length() -> None:
    rows = [question([30, 31, 32, 33, 30 + (place % 2) * 9], place % 5) for place in range(60)]
    longest, shortest, order = guesses(rows)
    assert not longest.sure
    assert not order.sure
    assert (order.right, order.chance) == (0.2, 0.2)
    biased = [question([30, 31, 32, 33, 34], 4 if place % 2 else place % 5) for place in range(60)]
    longest, shortest, order = guesses([*biased, question([9, 1], 0), question([1, 9], 0, "dropped"), *biased[:0]])
    assert longest.sure
    assert longest.n == 60
    assert longest.right == pytest.approx(0.6)
    assert not shortest.sure
    assert order.sure
    assert_carries(str(longest), "60%", 60, "20%")
    assert "E" in order.rule


def test_guesses_need_questions() -> None:
    assert guesses([]) == []
    assert guesses([question([1, 2], 5)]) == []  # none is right


def test_even_sets_are_hardly_ever_called_biased() -> None:
    generator = random.Random(5)
    sure = 0
    for _ in range(60):
        rows = [question([generator.randint(30, 60) for _ in range(5)], generator.randrange(5)) for _ in range(40)]
        sure += any(guess.sure for guess in guesses(rows))
    assert sure <= 5  # three tests at 1% each
