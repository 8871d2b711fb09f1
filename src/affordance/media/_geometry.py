"""Where pixels go: crop and size of a picture, and outlines in it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affordance.core.box import Box, CoordinateSpace
from affordance.core.errors import MediaError
from affordance.core.picture import BoxOutline, ImageSpec
from affordance.core.sizes import ImageSize, fit_within
from affordance.media._clip import MediaInfo


@dataclass(frozen=True, slots=True)
class CropAndSize:
    """Crop, in whole pixels of the displayed source, and size of the picture after it."""

    x: int
    y: int
    crop_width: int
    crop_height: int
    width: int
    height: int


def crop_and_size(spec: ImageSpec, clip: MediaInfo) -> CropAndSize:
    x1, y1, x2, y2 = (0, 0, clip.width, clip.height)
    if spec.crop is not None:
        x1, y1, x2, y2 = _whole_pixels(spec.crop, clip)
    width, height = fit_within(x2 - x1, y2 - y1, spec.max_side)
    return CropAndSize(x1, y1, x2 - x1, y2 - y1, width, height)


def rendered_size(spec: ImageSpec, clip: MediaInfo) -> ImageSize:
    """How large the picture of a file is."""
    found = crop_and_size(spec, clip)
    return found.width, found.height


def draw_outline(pixels: NDArray[np.uint8], outline: BoxOutline, clip: MediaInfo, geometry: CropAndSize) -> None:
    """Draw on BGR pixels, in place: lines centred on the edges of the box, moved inside where the picture ends.

    A box with no part in the picture is not drawn.
    """
    box = outline.box.to_space(CoordinateSpace.PIXEL, clip.width, clip.height)
    columns = _line_starts(box.x1, box.x2, geometry.x, geometry.crop_width, geometry.width, outline.thickness)
    rows = _line_starts(box.y1, box.y2, geometry.y, geometry.crop_height, geometry.height, outline.thickness)
    if columns is None or rows is None:
        return
    (left, right), (top, bottom), thick = columns, rows, outline.thickness
    for y in (top, bottom):
        pixels[y : y + thick, left : right + thick] = outline.colour[::-1]
    for x in (left, right):
        pixels[top : bottom + thick, x : x + thick] = outline.colour[::-1]


def _line_starts(low: float, high: float, origin: int, extent: int, size: int, thick: int) -> tuple[int, int] | None:
    """The first pixels of the two lines along one axis, or None if the box is beside the picture."""
    if high < origin or low > origin + extent:
        return None
    scale = size / extent
    latest = max(0, size - thick)
    first, second = (round((edge - origin) * scale - thick / 2) for edge in (low, high))
    return min(max(0, first), latest), min(max(0, second), latest)


def _whole_pixels(crop: Box, clip: MediaInfo) -> tuple[int, int, int, int]:
    """The crop rounded to whole pixels and cut to the source; at least one pixel wide and high."""
    box = crop.to_space(CoordinateSpace.PIXEL, clip.width, clip.height)
    if box.x1 >= clip.width or box.y1 >= clip.height or box.x2 <= 0 or box.y2 <= 0:
        raise MediaError(f"{clip.path}: expected a crop within {clip.width}x{clip.height}, found {box.xyxy}")
    x1 = min(max(0, round(box.x1)), clip.width - 1)
    y1 = min(max(0, round(box.y1)), clip.height - 1)
    x2 = max(x1 + 1, min(round(box.x2), clip.width))
    y2 = max(y1 + 1, min(round(box.y2), clip.height))
    return x1, y1, x2, y2
