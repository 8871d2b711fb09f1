"""What a checker says, and when that is good enough."""

import pytest

from affordance.author.records import Scores
from affordance.author.regions.verifying import accepted, means, read_scores, taken_for_good, unread
from author_stage import box
from errors import assert_carries

READ = {
    "conformance 4": ("Completeness Score: 2\nBoundedness: No", (2, False)),
    "bold": ("**Completeness Score:** **3**\n**Boundedness**: **Yes**", (3, True)),
    "bold around": ("**Completeness Score: 1**\n**Boundedness: Yes.**", (1, True)),
    "bullets": ("- Completeness Score: 0\n- Boundedness: no", (0, False)),
    "of three": ("Completeness Score: 2/3\nBoundedness: Yes, it is.", (2, True)),
    "with its range": ("Completeness Score (0-3): 2\nBoundedness (Yes/No): No", (2, False)),
    "on the next line": ("Completeness Score:\n3\nBoundedness:\nYes", (3, True)),
    "only score": ("Score: 3\nBoundedness: yes", (3, True)),
    "the last counts": (
        "Completeness Score: 1\nNo wait.\nCompleteness Score: 3\nBoundedness: No\nBoundedness: Yes",
        (3, True),
    ),
    "another score": ("Completeness Score: 3\nBoundedness: Yes\nThe game's score: 12 is inside.", (3, True)),
    "thinking": (
        "<think>Completeness Score: 0\nBoundedness: No</think>Completeness Score: 3\nBoundedness: Yes",
        (3, True),
    ),
    "JSON": ('{"completeness score": 2, "boundedness": "No"}', (2, False)),
    "angle brackets": ("Completeness Score: <2>\nBoundedness: <Yes>", (2, True)),
    "order": ("Boundedness: Yes\nCompleteness Score: 2", (2, True)),
}

UNREAD = {  # with what the reason names
    "": "Completeness Score",
    "It is fine.": "Completeness Score",
    "Completeness Score: 4\nBoundedness: Yes": "'4'",
    "Completeness Score: 10\nBoundedness: Yes": "'10'",
    "Completeness Score: -1\nBoundedness: Yes": "'-1'",
    "Completeness Score: 2.5\nBoundedness: Yes": "'2.5'",
    "Completeness Score: high\nBoundedness: Yes": "'high'",
    "Completeness Score:": "3",
    "Completeness Score: 2": "Boundedness",
    "Completeness Score: 2\nBoundedness: partly": "Boundedness",
    "<think>Completeness Score: 2\nBoundedness: Yes": "Completeness Score",
}


def test_scores_are_read() -> None:
    for name, (text, expected) in READ.items():
        found = read_scores(text)
        assert isinstance(found, Scores), name
        assert (found.completeness, found.bounded) == expected, name


def test_what_cannot_be_read_is_a_reason() -> None:
    for text, data in UNREAD.items():
        found = read_scores(text)
        assert isinstance(found, str), text
        assert_carries(found, data)


def test_what_was_seen_is_the_reason() -> None:
    found = read_scores("Reason: the **Save** button\nis cut.\n\nCompleteness Score: 2\nBoundedness: No")
    assert isinstance(found, Scores)
    assert found.reason == "the Save button is cut."


def test_at_last_a_border_of_which_nothing_is_said_is_not_bounded() -> None:
    found = read_scores("Completeness Score: 2", lenient=True)
    assert isinstance(found, Scores)
    assert (found.completeness, found.bounded) == (2, False)
    assert isinstance(read_scores("Boundedness: Yes", lenient=True), str)


def scores(completeness: list[int], bounded: int) -> list[Scores]:
    return [Scores(completeness=one, bounded=place < bounded) for place, one in enumerate(completeness)]


@pytest.mark.parametrize(
    ("completeness", "bounded", "enough"),
    [
        ([3] * 5 + [2] * 5, 8, True),  # conformance 5: 2.5 and 0.8
        ([3] * 5 + [2] * 5, 7, False),
        ([3] * 4 + [2] * 6, 10, False),
        ([3] * 5, 4, True),
        ([3] * 4, 3, False),
        ([], 0, True),
    ],
)
def test_acceptance_is_inclusive(completeness: list[int], bounded: int, enough: bool) -> None:
    assert accepted(scores(completeness, bounded)) is enough


def test_the_limits_can_be_set() -> None:
    given = scores([1, 2], 1)
    assert means(given) == (1.5, 0.5)
    assert accepted(given, 1.5, 0.5)
    assert not accepted(given, 1.6, 0.5)


@pytest.mark.parametrize(("side", "good"), [(9, True), (10, False)])
def test_what_is_too_small_to_be_shown_is_taken_for_good(side: int, good: bool) -> None:
    found = taken_for_good(box(0, 0, 200, side))
    assert found == (Scores(completeness=3, bounded=True) if good else None)


def test_what_nobody_could_read_is_not_accepted() -> None:
    assert not accepted([unread("no score")])
