"""Boxes in other units than stated, such as thousandths taken as pixels."""

import math
from collections.abc import Sequence

from affordance.core.geometry import Box, CoordinateSpace

MIN_MISFIT_SHARE = 0.05  # of the boxes; fewer are single mistakes
MIN_MISFITS = 3  # boxes
MAX_LOG_PROBABILITY = math.log(1e-6)  # that all boxes end so early by chance if they may be anywhere on the screen

UNIT_NAMES = {
    CoordinateSpace.PIXEL: "pixels",
    CoordinateSpace.MILLE: "thousandths",
    CoordinateSpace.UNIT: "shares of 0 to 1",
}

BoxOnImage = tuple[Box, tuple[int, int]]


def find_unit_mismatch(boxes: Sequence[BoxOnImage]) -> str | None:
    """What speaks against the unit of these boxes of one space, each with the size of its image; None if nothing
    does."""
    if not boxes:
        return None
    space = boxes[0][0].space
    if space is not CoordinateSpace.UNIT and all(max(box.xyxy) <= 1 for box, _ in boxes):
        return _mismatch_message(space, CoordinateSpace.UNIT, f"none of {len(boxes)} boxes has a number above 1")
    outside = [(box, size) for box, size in boxes if not _fits(box, space, size)]
    fitting = [
        other for other in CoordinateSpace if other is not space and all(_fits(box, other, size) for box, size in boxes)
    ]
    if fitting and len(outside) >= max(MIN_MISFITS, MIN_MISFIT_SHARE * len(boxes)):
        closest = min(fitting, key=lambda other: sum(sum(_extent(other, size)) for _, size in boxes))
        largest = max(max(box.xyxy) for box, _ in outside)
        found = f"{len(outside)} of {len(boxes)} boxes extend outside their images, with numbers up to {largest:g}"
        return _mismatch_message(space, closest, found)
    for other in fitting:
        if CoordinateSpace.UNIT not in (space, other) and _ends_early(boxes, space, other):
            return _mismatch_message(space, other, f"all of {len(boxes)} boxes end where {UNIT_NAMES[other]} would")
    return None


def _mismatch_message(stated: CoordinateSpace, likely: CoordinateSpace, found: str) -> str:
    return f"expected boxes in {UNIT_NAMES[stated]}, found that {found}: are they {UNIT_NAMES[likely]}?"


def _extent(space: CoordinateSpace, size: tuple[int, int]) -> tuple[float, float]:
    return {
        CoordinateSpace.PIXEL: (float(size[0]), float(size[1])),
        CoordinateSpace.MILLE: (1000.0, 1000.0),
        CoordinateSpace.UNIT: (1.0, 1.0),
    }[space]


def _fits(box: Box, space: CoordinateSpace, size: tuple[int, int]) -> bool:
    right, bottom = _extent(space, size)
    slack = 0.01 * max(right, bottom)
    return min(box.x1, box.y1) >= -slack and box.x2 <= right + slack and box.y2 <= bottom + slack


def _ends_early(boxes: Sequence[BoxOnImage], space: CoordinateSpace, other: CoordinateSpace) -> bool:
    """Whether boxes that also fit the other unit leave large parts of the images empty."""
    pairs = [zip(_extent(space, size), _extent(other, size), strict=True) for _, size in boxes]
    return sum(math.log(min(1.0, others / own)) for pair in pairs for own, others in pair) < MAX_LOG_PROBABILITY
