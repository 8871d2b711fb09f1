"""Whether the numbers of a whole set fit the unit that its format declares. Found and told, never put right."""

import math
from collections.abc import Sequence

from affordance.core.box import Box, Space

MIXED = 0.05  # share of boxes; fewer are mistakes of their own
FEW = 3  # boxes, likewise
UNLIKELY = math.log(1e-6)  # that so many boxes would end so early by chance, were they anywhere on the screen

WORDS = {Space.PIXEL: "pixels", Space.MILLE: "thousandths", Space.UNIT: "shares of 0 to 1"}

Placed = tuple[Box, tuple[int, int]]


def mixed_up(placed: Sequence[Placed]) -> str | None:
    """What is odd about boxes of one space, each with the size of its picture; None where nothing is."""
    if not placed:
        return None
    space = placed[0][0].space
    if space is not Space.UNIT and all(max(box.xyxy) <= 1 for box, _ in placed):
        return _said(space, Space.UNIT, f"none of {len(placed)} boxes has a number above 1")
    outside = [(box, size) for box, size in placed if not _fits(box, space, size)]
    fitting = [other for other in Space if other is not space and all(_fits(box, other, size) for box, size in placed)]
    if fitting and len(outside) >= max(FEW, MIXED * len(placed)):
        closest = min(fitting, key=lambda other: sum(sum(_ends(other, size)) for _, size in placed))
        largest = max(max(box.xyxy) for box, _ in outside)
        found = f"{len(outside)} of {len(placed)} boxes reach outside of their pictures, with numbers up to {largest:g}"
        return _said(space, closest, found)
    for other in fitting:
        if Space.UNIT not in (space, other) and _ends_early(placed, space, other):
            return _said(space, other, f"all of {len(placed)} boxes end where {WORDS[other]} would")
    return None


def _said(declared: Space, likely: Space, found: str) -> str:
    return f"expected boxes in {WORDS[declared]}, found that {found}: are they {WORDS[likely]}?"


def _ends(space: Space, size: tuple[int, int]) -> tuple[float, float]:
    return {Space.PIXEL: (float(size[0]), float(size[1])), Space.MILLE: (1000.0, 1000.0), Space.UNIT: (1.0, 1.0)}[space]


def _fits(box: Box, space: Space, size: tuple[int, int]) -> bool:
    right, bottom = _ends(space, size)
    slack = 0.01 * max(right, bottom)
    return min(box.x1, box.y1) >= -slack and box.x2 <= right + slack and box.y2 <= bottom + slack


def _ends_early(placed: Sequence[Placed], space: Space, other: Space) -> bool:
    """Whether boxes that fit the other unit too leave large parts of the pictures without any."""
    pairs = [zip(_ends(space, size), _ends(other, size), strict=True) for _, size in placed]
    return sum(math.log(min(1.0, others / own)) for pair in pairs for own, others in pair) < UNLIKELY
