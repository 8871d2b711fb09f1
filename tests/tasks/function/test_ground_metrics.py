"""Overlap and floors: which attempts count, and when there is nothing to say."""

import pytest

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.geometry import Box, CoordinateSpace
from affordance.grounding.location_scoring import TargetTruth
from affordance.tasks.function.ground import GROUND_ELEMENT
from task_numbers import baselines_of, counts_of, metrics_of, published_of

TRUTH = TargetTruth((100, 100), (Box(CoordinateSpace.PIXEL, 0, 0, 10, 10),))
MIDDLE = TargetTruth((100, 100), (Box(CoordinateSpace.PIXEL, 40, 40, 60, 60),))
BOX = Verdict(AttemptStatus.ANSWERED, "box 0 0 10 5", 1.0, detail={"iou": 0.5})
POINT = Verdict(AttemptStatus.ANSWERED, "point 5 5", 1.0)
ABSENT = Verdict(AttemptStatus.ANSWERED, "absent", 0.0, detail={"iou": 0.0})
UNREAD = Verdict(AttemptStatus.UNPARSED, reason="no coordinates")


def outcomes(*verdicts: Verdict, truth: TargetTruth = TRUTH) -> list[AttemptResult]:
    return [
        AttemptResult(f"a{n}", "t", "m", "s", 0, f"q{n}", f"i{n}", truth.to_text(), {}, f"c{n}", verdict, verdict)
        for n, verdict in enumerate(verdicts)
    ]


@pytest.mark.parametrize(
    ("verdicts", "iou", "n"),
    [
        pytest.param([BOX, BOX], 0.5, 2, id="boxes"),
        pytest.param([BOX, UNREAD], 0.25, 2, id="what was not read counts as none"),
        pytest.param([BOX, ABSENT], 0.25, 2, id="so does what was denied"),
        pytest.param([UNREAD, UNREAD], 0.0, 2, id="nothing was read"),
        pytest.param([ABSENT], 0.0, 1, id="everything was denied"),
        pytest.param([POINT, POINT], None, None, id="points have none"),
        pytest.param([POINT, UNREAD], None, None, id="points, and something that was not read"),
        pytest.param([POINT, BOX], 0.5, 1, id="a point among boxes is left out"),
    ],
)
def test_overlap(verdicts: list[Verdict], iou: float | None, n: int | None) -> None:
    assert metrics_of(GROUND_ELEMENT, outcomes(*verdicts))["iou"] == iou
    assert counts_of(GROUND_ELEMENT, outcomes(*verdicts)).get("iou") == n


def test_overlaps_of_readable_answers_have_an_n_of_their_own() -> None:
    assert counts_of(GROUND_ELEMENT, outcomes(BOX, UNREAD, POINT))["iou_parsed"] == 1


def test_as_others_count() -> None:
    found = published_of(GROUND_ELEMENT, outcomes(BOX, UNREAD))
    assert (found["accuracy_parsed"], found["iou_parsed"]) == (1.0, 0.5)


def test_floors_are_over_the_same_attempts_as_accuracy() -> None:
    """Three attempts at equal targets are three attempts."""
    found = baselines_of(GROUND_ELEMENT, [*outcomes(BOX, BOX, BOX), *outcomes(BOX, truth=MIDDLE)])
    assert found == {"area share": pytest.approx((3 * 0.01 + 0.04) / 4), "screen centre": 0.25}
