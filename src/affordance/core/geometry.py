"""Boxes, points and sizes, and the coordinate spaces they are in."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from affordance.core.json_text import Json


class CoordinateSpace(StrEnum):
    """The unit of coordinates."""

    PIXEL = "pixel"  # pixels of the source image
    UNIT = "unit"  # fractions of width and height, 0 to 1
    MILLE = "mille"  # thousandths of width and height, 0 to 1000


_BOX_KEYS = frozenset({"space", "xyxy"})
_SPACES = {str(space): space for space in CoordinateSpace}


@dataclass(frozen=True, slots=True)
class Box:
    """An axis-aligned box with ordered corners. It may be degenerate: a point or a line."""

    space: CoordinateSpace
    x1: float  # left
    y1: float  # top
    x2: float  # right
    y2: float  # bottom

    def __post_init__(self) -> None:
        finite = math.isfinite  # unrolled: scoring a run creates hundreds of thousands of boxes
        if not (finite(self.x1) and finite(self.y1) and finite(self.x2) and finite(self.y2)):
            raise ValueError(f"expected a box of finite numbers, found {self.xyxy}")
        if self.x1 > self.x2 or self.y1 > self.y2:
            raise ValueError(f"expected a box with x1 <= x2 and y1 <= y2, found {self.xyxy}")

    @property
    def xyxy(self) -> tuple[float, float, float, float]:
        return (self.x1, self.y1, self.x2, self.y2)

    def to_space(self, space: CoordinateSpace, width: int, height: int) -> "Box":
        """The same box in another space, for a source image of the given size."""
        if space is self.space:
            return self
        x_from, y_from = _extent(self.space, width, height)
        x_to, y_to = _extent(space, width, height)
        x, y = x_to / x_from, y_to / y_from
        return Box(space, self.x1 * x, self.y1 * y, self.x2 * x, self.y2 * y)

    @property
    def centre(self) -> "Point":
        return Point(self.space, (self.x1 + self.x2) / 2, (self.y1 + self.y2) / 2)

    @property
    def area(self) -> float:
        return (self.x2 - self.x1) * (self.y2 - self.y1)

    def iou(self, other: "Box") -> float:
        """Intersection over union with a box of the same space; 0 if neither has an area."""
        common = self.intersection_area(other)
        union = self.area + other.area - common
        return common / union if union > 0 else 0.0

    def intersection_area(self, other: "Box") -> float:
        """The area of the intersection with a box of the same space."""
        if other.space is not self.space:
            raise ValueError(f"expected boxes of one space, found {self.space} and {other.space}")
        width = min(self.x2, other.x2) - max(self.x1, other.x1)
        height = min(self.y2, other.y2) - max(self.y1, other.y1)
        return max(width, 0.0) * max(height, 0.0)

    def clip(self, width: float, height: float) -> "Box | None":
        """The part of a box in pixels that is inside an image of this size; None if there is none."""
        x1, y1, x2, y2 = max(self.x1, 0), max(self.y1, 0), min(self.x2, width), min(self.y2, height)
        return Box(self.space, x1, y1, x2, y2) if x2 > x1 and y2 > y1 else None

    def contains(self, x: float, y: float) -> bool:
        """Whether a point of the same space is inside; edges are inclusive."""
        return self.x1 <= x <= self.x2 and self.y1 <= y <= self.y2

    def to_json(self) -> dict[str, Json]:
        return {"space": str(self.space), "xyxy": list(self.xyxy)}

    @classmethod
    def from_json(cls, value: Any) -> "Box":
        """The box that `to_json` returned; ValueError says what was expected."""
        if not isinstance(value, dict) or value.keys() != _BOX_KEYS:
            raise ValueError('expected a box {"space": "pixel"|"unit"|"mille", "xyxy": [x1, y1, x2, y2]}')
        named, numbers = value["space"], value["xyxy"]
        space = _SPACES.get(named) if isinstance(named, str) else None
        if space is None:
            raise ValueError(f"expected space pixel, unit or mille, found {named!r}")
        if not isinstance(numbers, list) or len(numbers) != 4 or not all(type(n) in (int, float) for n in numbers):
            raise ValueError("expected xyxy with four numbers")
        try:
            return cls(space, *numbers)
        except OverflowError:  # JSON has integers of any length
            raise ValueError("expected xyxy with four numbers, found one that is too large") from None


@dataclass(frozen=True, slots=True)
class Point:
    space: CoordinateSpace
    x: float  # from the left
    y: float  # from the top

    def __post_init__(self) -> None:
        if not (math.isfinite(self.x) and math.isfinite(self.y)):
            raise ValueError(f"expected a point of finite numbers, found {(self.x, self.y)}")

    def to_space(self, space: CoordinateSpace, width: int, height: int) -> "Point":
        """The same point in another space, for a source image of the given size."""
        box = Box(self.space, self.x, self.y, self.x, self.y).to_space(space, width, height)
        return Point(space, box.x1, box.y1)


def bounding_box(boxes: Sequence[Box]) -> Box:
    """The smallest box that contains one or more boxes of one space."""
    return Box(
        boxes[0].space,
        min(box.x1 for box in boxes),
        min(box.y1 for box in boxes),
        max(box.x2 for box in boxes),
        max(box.y2 for box in boxes),
    )


def union_area(boxes: Iterable[Box]) -> float:
    """The area of the union of boxes of one space."""
    found = list(boxes)
    if len({box.space for box in found}) > 1:
        raise ValueError(f"expected boxes of one space, found {', '.join(sorted(b.space for b in found))}")
    columns = sorted({x for box in found for x in (box.x1, box.x2)})
    return sum(
        (right - left) * _covered_length([(box.y1, box.y2) for box in found if box.x1 <= left and right <= box.x2])
        for left, right in pairwise(columns)
    )


def _covered_length(spans: list[tuple[float, float]]) -> float:
    """The length of the union of intervals."""
    total, reached = 0.0, -math.inf
    for low, high in sorted(spans):
        if high > reached:
            total += high - max(low, reached)
            reached = high
    return total


def _extent(space: CoordinateSpace, width: int, height: int) -> tuple[float, float]:
    match space:
        case CoordinateSpace.PIXEL:
            return float(width), float(height)
        case CoordinateSpace.UNIT:
            return 1.0, 1.0
        case CoordinateSpace.MILLE:
            return 1000.0, 1000.0


ImageSize = tuple[int, int]  # width and height in pixels


def fit_within(width: int, height: int, max_side: int | None) -> ImageSize:
    """The size of an image shrunk to a longest side of `max_side`; it is never enlarged."""
    longest = max(width, height)
    if max_side is None or longest <= max_side:
        return width, height
    if max_side < 1:
        raise ValueError(f"expected max_side of at least 1, found {max_side}")
    return max(1, round(width * max_side / longest)), max(1, round(height * max_side / longest))
