"""Scores: what is read, what is put right, and what is none."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.question import RatingScale
from affordance.tasks.answers import parse_rating, write_rating

FIVE = RatingScale(0, 5)

REPLIES: dict[str, tuple[str, int | None]] = {
    "strict JSON": ('{"score": 4, "reason": "Nearly the same."}', 4),
    "the lowest": ('{"score": 0, "reason": "Unrelated."}', 0),
    "the highest": ('{"score": 5, "reason": "Equal."}', 5),
    "the reason first": ('{"reason": "Equal.", "score": 5}', 5),
    "no reason": ('{"score": 3}', 3),
    "on several lines": ('{\n  "score": 2,\n  "reason": "Some overlap."\n}', 2),
    "a fence": ('```json\n{"score": 4, "reason": "x"}\n```', 4),
    "a fence without a name": ('```\n{"score": 4}\n```', 4),
    "single quotes": ("{'score': 4, 'reason': 'It is B's point.'}", 4),
    "curly quotes": ("{“score”: 4, “reason”: “x”}", 4),
    "a trailing comma": ('{"score": 4, "reason": "x",}', 4),
    "a number in quotes": ('{"score": "4", "reason": "x"}', 4),
    "a number in single quotes": ("{'score': '4'}", 4),
    "no quotes": ("{score: 4, reason: x}", 4),
    "a capital": ('{"Score": 4}', 4),
    "a missing end": ('{"score": 4, "reason": "The texts', 4),
    "a bare line break in the reason": ('{"score": 4, "reason": "one\ntwo"}', 4),
    "words before": ('Here is my judgement:\n{"score": 4, "reason": "x"}', 4),
    "words after": ('{"score": 4, "reason": "x"}\nI hope this helps.', 4),
    "braces in the words": ('{A} and {B} agree. {"score": 4}', 4),
    "no object": ("Score: 4", 4),
    "markup": ("**Score:** 4", 4),
    "a number in markup": ("Score: **4**", 4),
    "an equals sign": ("score = 4", 4),
    "as a decimal": ('{"score": 4.0}', 4),
    "nested": ('{"judgement": {"score": 4}}', 4),
    "the same twice": ('{"score": 4}\n{"score": 4, "reason": "x"}', 4),
    "after thinking": ('<think>{"score": 1}</think>{"score": 4}', 4),
    "a reason that quotes a score": ('{"score": 4, "reason": "B says that the game shows Score: 2."}', 4),
    "a reason that weighs": ('{"score": 4, "reason": "not 5, since a score of 5 takes more"}', 4),
    "two different, the last counts": ('{"score": 4}\nNo.\n{"score": 3}', 3),
    "two different on a line": ('{"score": 4} or {"score": 3}', None),
    "two different in a list": ('[{"score": 4}, {"score": 3}]', None),
    "a key twice": ('{"score": 4, "score": 3}', None),
    "another one in the words": ('Score: 3? No. {"score": 4}', 4),
    "above the scale": ('{"score": 6}', None),
    "far above": ('{"score": 10}', None),
    "below the scale": ('{"score": -1}', None),
    "between": ('{"score": 3.5}', None),
    "between, with a comma": ("Score: 3,5", None),
    "ten of ten": ("Score: 10/10", None),
    "three and a half of five": ("Score: 3.5/5", None),
    "out of five": ("Score: 4/5", 4),
    "a range": ("Score: 3-4", None),
    "a range with a dash": ("Score: 3–4", None),
    "this or that": ('{"score": 3 or 4}', None),
    "a share": ("Score: 4%", None),
    "a word": ('{"score": "high"}', None),
    "true": ('{"score": true}', None),
    "null": ('{"score": null}', None),
    "a list": ('{"score": [4]}', None),
    "not a number": ('{"score": NaN}', None),
    "no end of digits": ('{"score": ' + "9" * 5000 + "}", None),
    "another key": ('{"rating": 4}', None),
    "part of a word": ("underscore: 4", None),
    "a number alone": ("4", 4),
    "two numbers": ("3 or 4", None),
    "prose": ("The texts agree on the main points.", None),
    "the template": ('{"score": 5 | 4 | 3 | 2 | 1 | 0, "reason": "..."}', None),
    "the template with slashes": ('{"score": 5/4/3/2/1/0}', None),
    "the template and then an answer": ('In the form {"score": 5 | 4 | 3}: {"score": 4}', 4),
    "only thinking": ('<think>{"score": 4}', None),
    "empty": ("", None),
    "an open brace": ("{", None),
    "braces the wrong way": ("} {", None),
    "deeply nested": ('{"a":' * 5000, None),
}


@pytest.mark.parametrize(("text", "score"), REPLIES.values(), ids=REPLIES.keys())
def test_replies(text: str, score: int | None) -> None:
    assert parse_rating(text, FIVE) == score


@settings(max_examples=40)
@given(st.integers(0, 5), st.text())
def test_what_is_written_is_read_back(score: int, because: str) -> None:
    """Whatever the reason says, short of what counts as thinking."""
    written = write_rating(score, because.replace("<", ""))
    assert parse_rating(written, FIVE) == score
    assert json.loads(written)["score"] == score


@settings(max_examples=40)
@given(st.integers(-20, 20), st.integers(-5, 0), st.integers(1, 9))
def test_only_what_is_on_the_scale(score: int, low: int, high: int) -> None:
    assert parse_rating(write_rating(score, "x"), RatingScale(low, high)) == (score if low <= score <= high else None)


@settings(max_examples=40)
@given(st.text(alphabet="{}[]\":,|/0123456789.-– scoreSCORE\n*`'", max_size=60))
def test_a_judge_may_say_anything(text: str) -> None:
    assert parse_rating(text, FIVE) in (0, 1, 2, 3, 4, 5, None)


@pytest.mark.parametrize(
    ("scale", "score", "share"),
    [
        (FIVE, 0, 0.0),
        (FIVE, 4, 0.8),
        (RatingScale(1, 5), 1, 0.0),
        (RatingScale(1, 5), 4, 0.75),
        (RatingScale(-2, 2), 0, 0.5),
    ],
)
def test_a_share_of_a_scale_has_both_ends(scale: RatingScale, score: int, share: float) -> None:
    assert (scale.share_of(score), scale.score_of(share)) == (share, score)
