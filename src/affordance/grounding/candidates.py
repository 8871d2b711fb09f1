"""What a calibration tries: the conventions that models are known to speak, and where on a screen its targets are.

The order is that of preference: of conventions that fit equally well, the first is taken."""

import math
import random
from collections.abc import Iterator, Sequence

from affordance.core.box import Box, CoordinateSpace
from affordance.core.sizes import ImageSize
from affordance.grounding.conventions import AxisOrder, Convention
from affordance.grounding.grids import Grid

_SIDES = (768, 1024, 1080, 1280, 1344, 1536, 1568, 1600, 1792, 1920, 2000, 2048, 2560, 3200)

_GRIDS = (
    *("original", "sent", "mille", "unit", "percent"),
    *(f"side:{longest}" for longest in _SIDES),
    *("area:1568:1192464", "area:4096:1048576", "area:4096:2097152"),
    "tiles:2048:768",
    # Multiples of the patch, and the usual budgets: so many patches, times their area.
    *(f"smart:28:3136:{patches * 28 * 28}" for patches in (1280, 1344, 2560, 2700, 4096, 16384)),
    *(f"smart:32:65536:{patches * 32 * 32}" for patches in (1280, 2560, 4096, 16384)),
)

CANDIDATES: tuple[Convention, ...] = tuple(
    Convention(Grid.parse(grid), order) for order in (AxisOrder.XYXY, AxisOrder.YXYX, AxisOrder.XYWH) for grid in _GRIDS
)

CALIBRATION_SIZES: tuple[ImageSize, ...] = ((1280, 720), (1920, 1080), (3840, 2160), (1170, 2532))

_CELLS = (4, 3)  # along the long and the short side: one target in each
_SMALLEST, _LARGEST = 0.03, 0.06  # sides of a target, as shares of the screen's short side
_OFF_DIAGONAL = 0.06  # of the screen, by which a target is away from where it would be with x and y exchanged


def calibration_layout(size: ImageSize, seed: int) -> list[Box]:
    """Where twelve targets are on a screen: one in each cell of a grid over the whole of it, in whole pixels. None
    lies near its own or another's place with x and y exchanged, neither in pixels nor in shares of the screen: an
    answer with y first then never hits a target by accident."""
    draw = random.Random(f"{size[0]}x{size[1]} {seed}")
    boxes: list[Box] = []
    for cell in _cells(size):
        for _ in range(1000):
            box = _target(draw, cell, size)
            if not any(_is_near_exchanged(box, other, size) for other in [*boxes, box]):
                boxes.append(box)
                break
        else:
            raise ValueError(f"expected a screen with room for {math.prod(_CELLS)} targets, found {size[0]}x{size[1]}")
    return boxes


def _cells(size: ImageSize) -> Iterator[Box]:
    across, down = _CELLS if size[0] >= size[1] else _CELLS[::-1]
    wide, high = size[0] / across, size[1] / down
    for row in range(down):
        for column in range(across):
            yield Box(CoordinateSpace.PIXEL, column * wide, row * high, (column + 1) * wide, (row + 1) * high)


def _target(draw: random.Random, cell: Box, size: ImageSize) -> Box:
    wide, high = (round(draw.uniform(_SMALLEST, _LARGEST) * min(size)) for _ in range(2))
    x, y = round(draw.uniform(cell.x1, cell.x2 - wide)), round(draw.uniform(cell.y1, cell.y2 - high))
    return Box(CoordinateSpace.PIXEL, x, y, x + wide, y + high)


def _is_near_exchanged(one: Box, other: Box, size: ImageSize) -> bool:
    """Whether one lies near where the other would be with x and y exchanged."""
    a, b = one.centre, other.centre
    shares: Sequence[float] = (a.x / size[0] - b.y / size[1], a.y / size[1] - b.x / size[0])
    pixels: Sequence[float] = ((a.x - b.y) / min(size), (a.y - b.x) / min(size))
    return any(max(map(abs, apart)) < _OFF_DIAGONAL for apart in (shares, pixels))
