"""How a rendered image is composed: crop and size, outlines, and blends of several frames."""

from collections.abc import Sequence

import cv2
import numpy as np

from affordance.core.errors import MediaError
from affordance.core.geometry import Box, CoordinateSpace, ImageSize, fit_within
from affordance.core.media_spec import BoxOutline, FrameBlend, ImageSpec
from affordance.media.decoder import CropAndSize, Pixels
from affordance.media.media_info import MediaInfo


def crop_and_size(spec: ImageSpec, clip: MediaInfo) -> CropAndSize:
    """Crop in whole pixels of the source, and size of the rendered image."""
    x1, y1, x2, y2 = (0, 0, clip.width, clip.height)
    if spec.crop is not None:
        x1, y1, x2, y2 = _whole_pixels(spec.crop, clip)
    width, height = fit_within(x2 - x1, y2 - y1, spec.max_side)
    return CropAndSize(x1, y1, x2 - x1, y2 - y1, width, height)


def rendered_size(spec: ImageSpec, clip: MediaInfo) -> ImageSize:
    """Width and height of the rendered image of a file."""
    found = crop_and_size(spec, clip)
    return found.width, found.height


def draw_outline(pixels: Pixels, outline: BoxOutline, clip: MediaInfo, geometry: CropAndSize) -> None:
    """Draw on BGR pixels, in place: lines centred on the edges of the box, moved inside where the image ends.

    A box outside the image is not drawn.
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


def blend_frames(frames: Sequence[Pixels], blend: FrameBlend) -> Pixels:
    """The mix of the last frames of a sequence that ends with the newest."""
    weights = blend_weights(blend, len(frames))
    if len(weights) == 1:
        return frames[-1].copy()
    mix = np.zeros(frames[-1].shape, np.float32)
    total = 0.0
    for frame, weight in zip(frames[-len(weights) :], weights, strict=True):
        total += weight
        if weight:
            # A running mean: after each step the mix is the weighted mean of the frames so far.
            cv2.accumulateWeighted(frame, mix, weight / total)
    return np.asarray(cv2.convertScaleAbs(mix), np.uint8)


def blend_weights(blend: FrameBlend, available: int) -> list[float]:
    """Weights, oldest to newest, over the frames that exist: proportional to decay ** age, with sum 1."""
    raw = [blend.decay**age for age in reversed(range(min(blend.count, available)))]
    return [weight / sum(raw) for weight in raw]


def _line_starts(low: float, high: float, origin: int, extent: int, size: int, thick: int) -> tuple[int, int] | None:
    """The first pixels of the two lines along one axis; None if the box is outside the image."""
    if high < origin or low > origin + extent:
        return None
    scale = size / extent
    latest = max(0, size - thick)
    first, second = (round((edge - origin) * scale - thick / 2) for edge in (low, high))
    return min(max(0, first), latest), min(max(0, second), latest)


def _whole_pixels(crop: Box, clip: MediaInfo) -> tuple[int, int, int, int]:
    """The crop rounded to whole pixels and clipped to the source; at least one pixel wide and high."""
    box = crop.to_space(CoordinateSpace.PIXEL, clip.width, clip.height)
    if box.x1 >= clip.width or box.y1 >= clip.height or box.x2 <= 0 or box.y2 <= 0:
        raise MediaError(f"{clip.path}: expected a crop within {clip.width}x{clip.height}, found {box.xyxy}")
    x1 = min(max(0, round(box.x1)), clip.width - 1)
    y1 = min(max(0, round(box.y1)), clip.height - 1)
    x2 = max(x1 + 1, min(round(box.x2), clip.width))
    y2 = max(y1 + 1, min(round(box.y2), clip.height))
    return x1, y1, x2, y2
