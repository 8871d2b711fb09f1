"""Coordinate systems: from a model's numbers to a location in the image, and back.

A grid lies over the whole image; only its extent differs. It is written as its kind, with its numbers after colons:
`mille`, `side:1568`, `smart:28:3136:12845056`. A coordinate system is a grid and an axis order, written `GRID/ORDER`
(`mille/yxyx`). Nothing here guesses: the same numbers mean the same location whatever their size."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from affordance.core.errors import UserError
from affordance.core.geometry import Box, CoordinateSpace, ImageSize, Point, fit_within
from affordance.core.text import parse_choice

Extent = tuple[float, float]

_NUMBER = re.compile(r"[1-9][0-9]{0,11}")


@dataclass(frozen=True, slots=True)
class Grid:
    kind: str  # by name, such as mille or sent
    numbers: tuple[int, ...] = ()  # that the kind needs, such as the longest side

    def extent(self, size: ImageSize, sent: ImageSize) -> Extent:
        """Width and height of the image in this grid, for a image of `size` that was sent as one of `sent`."""
        _, extent = _KINDS[self.kind]
        return extent(size, sent, *self.numbers)

    def __str__(self) -> str:
        return ":".join([self.kind, *map(str, self.numbers)])

    @classmethod
    def parse(cls, text: str) -> "Grid":
        kind, *numbers = text.split(":")
        if kind not in _KINDS or _KINDS[kind][0] != len(numbers) or not all(map(_NUMBER.fullmatch, numbers)):
            known = ", ".join(name + ":N" * count for name, (count, _) in _KINDS.items())
            raise UserError(f"expected a grid ({known}), found {text!r}")
        return cls(kind, tuple(map(int, numbers)))


def smart_resize(size: ImageSize, factor: int, min_pixels: int, max_pixels: int) -> ImageSize:
    """The size to which Qwen's processors bring a image: sides that are multiples of `factor`, and `least` to
    `most` pixels in all."""
    width, height = size
    wide, high = (max(factor, round(side / factor) * factor) for side in size)
    if wide * high > max_pixels:
        scale = math.sqrt(width * height / max_pixels)
        wide, high = (max(factor, math.floor(side / scale / factor) * factor) for side in size)
    elif wide * high < min_pixels:
        scale = math.sqrt(min_pixels / (width * height))
        wide, high = (math.ceil(side * scale / factor) * factor for side in size)
    return wide, high


def shrink_size(size: ImageSize, scale: float) -> ImageSize:
    """A image's size after shrinking; it is never enlarged."""
    factor = min(1.0, scale)
    return max(1, round(size[0] * factor)), max(1, round(size[1] * factor))


def _original_extent(size: ImageSize, sent: ImageSize) -> Extent:
    return size


def _sent_extent(size: ImageSize, sent: ImageSize) -> Extent:
    return sent


def _unit_extent(size: ImageSize, sent: ImageSize) -> Extent:
    return 1, 1


def _percent_extent(size: ImageSize, sent: ImageSize) -> Extent:
    return 100, 100


def _mille_extent(size: ImageSize, sent: ImageSize) -> Extent:
    return 1000, 1000


def _side_extent(size: ImageSize, sent: ImageSize, max_side: int) -> Extent:
    """Pixels of the image shrunk by its receiver so that no side is longer."""
    return fit_within(*sent, max_side)


def _area_extent(size: ImageSize, sent: ImageSize, max_side: int, max_pixels: int) -> Extent:
    """Pixels of the image shrunk so that no side is longer and it has no more pixels in all."""
    return shrink_size(sent, min(max_side / max(sent), math.sqrt(max_pixels / (sent[0] * sent[1]))))


def _tiles_extent(size: ImageSize, sent: ImageSize, max_side: int, max_short_side: int) -> Extent:
    """Pixels of the image shrunk so that no side is longer and then the short side is no longer than that."""
    return shrink_size(sent, min(max_side / max(sent), max_short_side / min(sent)))


def _smart_extent(size: ImageSize, sent: ImageSize, factor: int, min_pixels: int, max_pixels: int) -> Extent:
    return smart_resize(sent, factor, min_pixels, max_pixels)


_KINDS: Mapping[str, tuple[int, Callable[..., Extent]]] = {  # how many numbers a kind has, and its extent
    "original": (0, _original_extent),
    "sent": (0, _sent_extent),
    "unit": (0, _unit_extent),
    "percent": (0, _percent_extent),
    "mille": (0, _mille_extent),
    "side": (1, _side_extent),
    "area": (2, _area_extent),
    "tiles": (2, _tiles_extent),
    "smart": (3, _smart_extent),
}

ORIGINAL, SENT, UNIT, PERCENT, MILLE = (Grid(kind) for kind in ("original", "sent", "unit", "percent", "mille"))


PIXEL_DECIMALS = 6  # decimals of a pixel: more is the noise of arithmetic, which must not carry a point over an edge


class AxisOrder(StrEnum):
    """What four numbers are; two numbers are a point, with y first where boxes have it first."""

    XYXY = "xyxy"  # two corners
    YXYX = "yxyx"  # two corners, y first
    XYWH = "xywh"  # the upper left corner, width and height


@dataclass(frozen=True, slots=True)
class CoordinateSystem:
    grid: Grid  # what the numbers count
    axis_order: AxisOrder = AxisOrder.XYXY  # which number is which

    def to_location(self, numbers: Sequence[float], size: ImageSize, sent: ImageSize) -> Box | Point:
        """What two or four numbers say, in pixels of a image of `size` that was sent as one of `sent`. Corners come
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
        """How many pixels of the image one step of the grid is, across and down."""
        wide, high = self.grid.extent(size, sent)
        return size[0] / wide, size[1] / high

    def __str__(self) -> str:
        return f"{self.grid}/{self.axis_order}"

    @classmethod
    def parse(cls, text: str) -> "CoordinateSystem":
        grid, slash, order = text.partition("/")
        if not slash:
            raise UserError(f"expected a convention GRID/ORDER such as mille/xyxy, found {text!r}")
        return cls(Grid.parse(grid), parse_choice(AxisOrder, order, "order of numbers"))
