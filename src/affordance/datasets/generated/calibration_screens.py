"""Generated screens with one target each, by which the coordinate system of a model is calibrated."""

import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from affordance.core.geometry import Box, CoordinateSpace, ImageSize
from affordance.datasets import Dataset, DatasetHeader, Screen, Target, create_once, load_folder, write_folder
from affordance.media import encode_image

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


EDITION = 1  # of the screens; raise it when what is drawn changes
SEED = 0


_PAGE, _BAR, _LINE = (246, 246, 248), (228, 230, 234), (214, 217, 222)  # greys, so that the target is the only colour
_TARGET = (24, 92, 214)
_TARGET_DESCRIPTION = "The blue rectangle, the only coloured thing on the screen."


def calibration_screens(cache: Path) -> Dataset:
    """The screens, made on first use."""
    return load_folder(create_once(cache / "probes" / str(EDITION), write_calibration_screens))


def write_calibration_screens(folder: Path) -> None:
    (folder / "media").mkdir(parents=True, exist_ok=True)
    header = DatasetHeader(
        format=1,
        kind="screen",
        name="probes",
        licence="CC0-1.0",
        provenance="Screens with one target each, drawn by `affordance calibrate`",
        synthetic=True,
    )
    write_folder(folder, header, list(_screens(folder)))


def _screens(folder: Path) -> Iterator[Screen]:
    for size in CALIBRATION_SIZES:
        for place, box in enumerate(calibration_layout(size, SEED)):
            name = f"{size[0]}x{size[1]}-{place:02d}"
            (folder / "media" / f"{name}.png").write_bytes(encode_image(_draw_screen(size, box)))
            target = Target(id="target", level="element", box=box, description=_TARGET_DESCRIPTION)
            yield Screen(id=name, image=f"media/{name}.png", width=size[0], height=size[1], targets=[target])


def _draw_screen(size: ImageSize, box: Box) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    """A page with a bar and some lines of nothing, so that it looks like a screen and gives no hint."""
    width, height = size
    image = np.full((height, width, 3), _PAGE, np.uint8)
    unit = min(size) // 36
    cv2.rectangle(image, (0, 0), (width, 2 * unit), _BAR, cv2.FILLED)
    for y in range(4 * unit, height - unit, 3 * unit):
        cv2.rectangle(image, (2 * unit, y), (width - 2 * unit, y + max(2, unit // 6)), _LINE, cv2.FILLED)
    x1, y1, x2, y2 = (round(edge) for edge in box.xyxy)
    cv2.rectangle(image, (x1, y1), (x2 - 1, y2 - 1), _TARGET, cv2.FILLED)
    return image
