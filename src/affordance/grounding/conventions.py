"""Conventions: from a model's numbers to a place in the picture, and back.

A convention is a grid and an order, written `GRID/ORDER` (`mille/yxyx`). Nothing here guesses: the same numbers mean
the same place whatever their size."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from affordance.core.box import Box, CoordinateSpace, Point
from affordance.core.choices import parse_choice
from affordance.core.errors import UserError
from affordance.core.sizes import ImageSize
from affordance.grounding.grids import Grid

PIXEL_DECIMALS = 6  # decimals of a pixel: more is the noise of arithmetic, which must not carry a point over an edge


class AxisOrder(StrEnum):
    """What four numbers are; two numbers are a point, with y first where boxes have it first."""

    XYXY = "xyxy"  # two corners
    YXYX = "yxyx"  # two corners, y first
    XYWH = "xywh"  # the upper left corner, width and height


@dataclass(frozen=True, slots=True)
class Convention:
    grid: Grid  # what the numbers count
    axis_order: AxisOrder = AxisOrder.XYXY  # which number is which

    def to_location(self, numbers: Sequence[float], size: ImageSize, sent: ImageSize) -> Box | Point:
        """What two or four numbers say, in pixels of a picture of `size` that was sent as one of `sent`. Corners come
        ordered. Raises ValueError for other counts of numbers, and for numbers that are no place."""
        if len(numbers) not in (2, 4):
            raise ValueError(f"expected two or four numbers, found {len(numbers)}")
        x, y = self.scale(size, sent)
        a, b, *rest = numbers
        if self.axis_order is AxisOrder.YXYX:
            a, b = b, a
        if not rest:
            return Point(CoordinateSpace.PIXEL, round(a * x, PIXEL_DECIMALS), round(b * y, PIXEL_DECIMALS))
        c, d = reversed(rest) if self.axis_order is AxisOrder.YXYX else rest
        if self.axis_order is AxisOrder.XYWH:
            c, d = a + c, b + d
        a, b, c, d = (
            round(a * x, PIXEL_DECIMALS),
            round(b * y, PIXEL_DECIMALS),
            round(c * x, PIXEL_DECIMALS),
            round(d * y, PIXEL_DECIMALS),
        )
        return Box(CoordinateSpace.PIXEL, min(a, c), min(b, d), max(a, c), max(b, d))

    def from_location(self, location: Box | Point, size: ImageSize, sent: ImageSize) -> tuple[float, ...]:
        """What a model says that means a place in pixels: the way back."""
        x, y = self.scale(size, sent)
        if isinstance(location, Point):
            point = location.x / x, location.y / y
            return point[::-1] if self.axis_order is AxisOrder.YXYX else point
        x1, y1, x2, y2 = location.x1 / x, location.y1 / y, location.x2 / x, location.y2 / y
        match self.axis_order:
            case AxisOrder.XYXY:
                return x1, y1, x2, y2
            case AxisOrder.YXYX:
                return y1, x1, y2, x2
            case AxisOrder.XYWH:
                return x1, y1, x2 - x1, y2 - y1

    def scale(self, size: ImageSize, sent: ImageSize) -> tuple[float, float]:
        """How many pixels of the picture one step of the grid is, across and down."""
        wide, high = self.grid.extent(size, sent)
        return size[0] / wide, size[1] / high

    def __str__(self) -> str:
        return f"{self.grid}/{self.axis_order}"

    @classmethod
    def parse(cls, text: str) -> "Convention":
        grid, slash, order = text.partition("/")
        if not slash:
            raise UserError(f"expected a convention GRID/ORDER such as mille/xyxy, found {text!r}")
        return cls(Grid.parse(grid), parse_choice(AxisOrder, order, "order of numbers"))
