"""Conventions: from a model's numbers to a place in the picture, and back.

A convention is a grid and an order, written `GRID/ORDER` (`mille/yxyx`). Nothing here guesses: the same numbers mean
the same place whatever their size."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from affordance.core.box import Box, Point, Space
from affordance.core.choices import one_of
from affordance.core.errors import UserError
from affordance.core.sizes import Size
from affordance.grounding.grids import Grid

EXACT = 6  # decimals of a pixel: more is the noise of arithmetic, which must not carry a point over an edge


class Order(StrEnum):
    """What four numbers are; two numbers are a point, with y first where boxes have it first."""

    XYXY = "xyxy"  # two corners
    YXYX = "yxyx"  # two corners, y first
    XYWH = "xywh"  # the upper left corner, width and height


@dataclass(frozen=True, slots=True)
class Convention:
    grid: Grid  # what the numbers count
    order: Order = Order.XYXY  # which number is which

    def place(self, numbers: Sequence[float], size: Size, sent: Size) -> Box | Point:
        """What two or four numbers say, in pixels of a picture of `size` that was sent as one of `sent`. Corners come
        ordered. Raises ValueError for other counts of numbers, and for numbers that are no place."""
        if len(numbers) not in (2, 4):
            raise ValueError(f"expected two or four numbers, found {len(numbers)}")
        x, y = self.scale(size, sent)
        a, b, *rest = numbers
        if self.order is Order.YXYX:
            a, b = b, a
        if not rest:
            return Point(Space.PIXEL, round(a * x, EXACT), round(b * y, EXACT))
        c, d = reversed(rest) if self.order is Order.YXYX else rest
        if self.order is Order.XYWH:
            c, d = a + c, b + d
        a, b, c, d = round(a * x, EXACT), round(b * y, EXACT), round(c * x, EXACT), round(d * y, EXACT)
        return Box(Space.PIXEL, min(a, c), min(b, d), max(a, c), max(b, d))

    def numbers(self, place: Box | Point, size: Size, sent: Size) -> tuple[float, ...]:
        """What a model says that means a place in pixels: the way back."""
        x, y = self.scale(size, sent)
        if isinstance(place, Point):
            point = place.x / x, place.y / y
            return point[::-1] if self.order is Order.YXYX else point
        x1, y1, x2, y2 = place.x1 / x, place.y1 / y, place.x2 / x, place.y2 / y
        match self.order:
            case Order.XYXY:
                return x1, y1, x2, y2
            case Order.YXYX:
                return y1, x1, y2, x2
            case Order.XYWH:
                return x1, y1, x2 - x1, y2 - y1

    def scale(self, size: Size, sent: Size) -> tuple[float, float]:
        """How many pixels of the picture one step of the grid is, across and down."""
        wide, high = self.grid.extent(size, sent)
        return size[0] / wide, size[1] / high

    def __str__(self) -> str:
        return f"{self.grid}/{self.order}"

    @classmethod
    def parse(cls, text: str) -> "Convention":
        grid, slash, order = text.partition("/")
        if not slash:
            raise UserError(f"expected a convention GRID/ORDER such as mille/xyxy, found {text!r}")
        return cls(Grid.parse(grid), one_of(Order, order, "order of numbers"))
