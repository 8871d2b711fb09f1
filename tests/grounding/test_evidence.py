"""What outcomes tell about a convention: the model's own numbers beside the truth, and nothing where there are none."""

from collections.abc import Mapping

import pytest

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import Json
from affordance.grounding.calibration import CANDIDATES, CalibrationAnswer, calibration_answers, describe_coordinates
from affordance.grounding.dialects import get_dialect
from affordance.grounding.location_scoring import TargetTruth
from errors import assert_carries

SIZE = (3840, 2160)
BOX = Box(CoordinateSpace.PIXEL, 100, 200, 300, 400)
BOXED = TargetTruth(SIZE, (BOX, Box(CoordinateSpace.PIXEL, 0, 0, 1, 1)))
ANSWERED = AttemptStatus.ANSWERED


def outcome(verdict: Verdict | None, truth: TargetTruth = BOXED) -> AttemptResult:
    return AttemptResult(
        "a", "function/ground-element", "m", "zero-shot", 0, "q", "i", truth.to_text(), {}, "s", verdict
    )


def answered(answer: str = "box 1 2 3 4", **detail: Json) -> Verdict:
    return Verdict(ANSWERED, answer, 0.0, detail=detail)


NOT_ASKED_YET = outcome(None)
LEFT_OUT = {
    "pending": NOT_ASKED_YET,
    "failed": outcome(Verdict(AttemptStatus.FAILED, reason="HTTP 503")),
    "a polygon": outcome(answered(numbers=[1, 2]), TargetTruth(SIZE, polygon=((0, 0), (9, 0), (0, 9)))),
    "nothing there": outcome(answered(numbers=[1, 2]), TargetTruth(SIZE)),
}


@pytest.mark.parametrize("one", LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_what_tells_nothing(one: AttemptResult) -> None:
    assert calibration_answers([one], get_dialect("default")) == []


def test_what_could_not_be_read_is_counted() -> None:
    (found,) = calibration_answers(
        [outcome(Verdict(AttemptStatus.UNPARSED, reason="no numbers"))], get_dialect("default")
    )
    assert found.numbers is None


NUMBERS: Mapping[str, tuple[Json, tuple[float, ...] | None]] = {
    "a box": ([10, 20, 30, 40], (10.0, 20.0, 30.0, 40.0)),
    "a point": ((10, 20), (10.0, 20.0)),
    "none": ([], None),
    "said absent": (None, None),
}


@pytest.mark.parametrize(("numbers", "expected"), NUMBERS.values(), ids=NUMBERS.keys())
def test_numbers_beside_the_target(numbers: Json, expected: tuple[float, ...] | None) -> None:
    (found,) = calibration_answers([outcome(answered(numbers=numbers))], get_dialect("claude"))
    assert found == CalibrationAnswer(expected, BOX, SIZE, (2560, 1440))


def test_every_convention_has_words() -> None:
    said = [describe_coordinates(get_dialect("default").with_coordinates(one)) for one in CANDIDATES]
    assert len(set(said)) == len(CANDIDATES), "no two are described alike"
    assert all("{" not in text for text in said)


def test_words_have_the_numbers_of_the_convention() -> None:
    assert_carries(describe_coordinates(get_dialect("default@side:1568/xyxy")), 1568)
    assert_carries(describe_coordinates(get_dialect("default@area:1568:1192464/xyxy")), 1568, "1,192,464")
    assert_carries(describe_coordinates(get_dialect("default@tiles:2048:768/xyxy")), 2048, 768)
    assert_carries(describe_coordinates(get_dialect("default@smart:28:3136:12845056/xyxy")), 28, "12,845,056")
