"""What outcomes tell about a convention: the model's own numbers beside the truth, and nothing where there are none."""

from collections.abc import Mapping

import pytest

from affordance.core.attempt import Ended, Outcome, Verdict
from affordance.core.box import Box, Space
from affordance.core.digest import Json
from affordance.grounding.candidates import CANDIDATES
from affordance.grounding.evidence import in_words, probes
from affordance.grounding.inference import Probe
from affordance.grounding.selection import dialect_named
from affordance.grounding.truths import Truth
from errors import assert_carries

SIZE = (3840, 2160)
BOX = Box(Space.PIXEL, 100, 200, 300, 400)
BOXED = Truth(SIZE, (BOX, Box(Space.PIXEL, 0, 0, 1, 1)))
ANSWERED = Ended.ANSWERED


def outcome(verdict: Verdict | None, truth: Truth = BOXED) -> Outcome:
    return Outcome("a", "function/ground-element", "m", "zero-shot", 0, "q", "i", truth.to_text(), {}, "s", verdict)


def answered(answer: str = "box 1 2 3 4", **detail: Json) -> Verdict:
    return Verdict(ANSWERED, answer, 0.0, detail=detail)


NOT_ASKED_YET = outcome(None)
LEFT_OUT = {
    "pending": NOT_ASKED_YET,
    "failed": outcome(Verdict(Ended.FAILED, reason="HTTP 503")),
    "a polygon": outcome(answered(numbers=[1, 2]), Truth(SIZE, polygon=((0, 0), (9, 0), (0, 9)))),
    "nothing there": outcome(answered(numbers=[1, 2]), Truth(SIZE)),
}


@pytest.mark.parametrize("one", LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_what_tells_nothing(one: Outcome) -> None:
    assert probes([one], dialect_named("default")) == []


def test_what_could_not_be_read_is_counted() -> None:
    (found,) = probes([outcome(Verdict(Ended.UNPARSED, reason="no numbers"))], dialect_named("default"))
    assert found.numbers is None


NUMBERS: Mapping[str, tuple[Json, tuple[float, ...] | None]] = {
    "a box": ([10, 20, 30, 40], (10.0, 20.0, 30.0, 40.0)),
    "a point": ((10, 20), (10.0, 20.0)),
    "none": ([], None),
    "said absent": (None, None),
}


@pytest.mark.parametrize(("numbers", "expected"), NUMBERS.values(), ids=NUMBERS.keys())
def test_numbers_beside_the_target(numbers: Json, expected: tuple[float, ...] | None) -> None:
    (found,) = probes([outcome(answered(numbers=numbers))], dialect_named("claude"))
    assert found == Probe(expected, BOX, SIZE, (2560, 1440))


def test_every_convention_has_words() -> None:
    said = [in_words(dialect_named("default").with_convention(one)) for one in CANDIDATES]
    assert len(set(said)) == len(CANDIDATES), "no two are described alike"
    assert all("{" not in text for text in said)


def test_words_have_the_numbers_of_the_convention() -> None:
    assert_carries(in_words(dialect_named("default@side:1568/xyxy")), 1568)
    assert_carries(in_words(dialect_named("default@area:1568:1192464/xyxy")), 1568, "1,192,464")
    assert_carries(in_words(dialect_named("default@tiles:2048:768/xyxy")), 2048, 768)
    assert_carries(in_words(dialect_named("default@smart:28:3136:12845056/xyxy")), 28, "12,845,056")
