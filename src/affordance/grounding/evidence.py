"""What outcomes tell about the convention a model speaks."""

from collections.abc import Iterable

from affordance.core.attempt import SCORED_STATUSES, AttemptResult
from affordance.core.box import Box
from affordance.grounding.conventions import AxisOrder, Convention
from affordance.grounding.dialects import Dialect
from affordance.grounding.inference import CalibrationAnswer
from affordance.grounding.selection import sent_size
from affordance.grounding.truths import TargetTruth, centre_of


def calibration_answers(outcomes: Iterable[AttemptResult], dialect: Dialect) -> list[CalibrationAnswer]:
    """The model's own numbers beside the truth, for targets that are boxes; without numbers where there are none."""
    found = []
    for outcome in outcomes:
        if outcome.verdict is None or outcome.verdict.status not in SCORED_STATUSES:
            continue
        truth = TargetTruth.target_from_text(outcome.truth)
        if truth.boxes:
            numbers = outcome.verdict.detail.get("numbers")
            found.append(_calibration_answer(numbers, truth.boxes[0], truth, dialect))
    return found


def _calibration_answer(numbers: object, box: Box, truth: TargetTruth, dialect: Dialect) -> CalibrationAnswer:
    said = tuple(float(number) for number in numbers) if isinstance(numbers, list | tuple) and numbers else None
    return CalibrationAnswer(said, box, truth.size, sent_size(dialect, truth.size))


def count_hits(answers: Iterable[CalibrationAnswer], coordinates: Convention) -> int:
    """How many answers, read by a convention, point into their targets."""
    count = 0
    for probe in answers:
        if probe.numbers is not None and len(probe.numbers) in (2, 4):
            point = centre_of(coordinates.to_location(probe.numbers, probe.size, probe.sent))
            count += probe.box.contains(point.x, point.y)
    return count


def describe_coordinates(dialect: Dialect) -> str:
    """A dialect's convention as a sentence would have it."""
    grid, order = dialect.coordinates.grid, dialect.coordinates.axis_order
    numbers = dict(zip("abc", grid.numbers, strict=False))
    return f"{_GRIDS[grid.kind].format(**numbers)}; boxes as {_ORDERS[order]}"


_GRIDS = {
    "original": "pixels of the picture as it is",
    "sent": "pixels of the picture as it is sent",
    "unit": "shares of width and height, 0 to 1",
    "percent": "percent of width and height",
    "mille": "thousandths of width and height",
    "side": "pixels of the picture shrunk to at most {a} on its longest side",
    "area": "pixels of the picture shrunk to at most {a} on its longest side and {b:,} in all",
    "tiles": "pixels of the picture shrunk to at most {a} on its longest and {b} on its shortest side",
    "smart": "pixels of the picture as smart resizing leaves it (sides multiples of {a}, at most {c:,} pixels)",
}
_ORDERS = {
    AxisOrder.XYXY: "two corners, x first",
    AxisOrder.YXYX: "two corners, y first",
    AxisOrder.XYWH: "a corner, width and height",
}
