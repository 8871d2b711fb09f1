"""The changing object as it is seen in one frame."""

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.models.pixels._scene import MotionScene, foreground

_LEAST_PIXELS: Final = 12
_MARGIN: Final = 4
# The object's own colour is where it differs most from the background: its soft edge does not count.
_CORE_PERCENTILE: Final = 90
_CORE_SHARE: Final = 0.9
_CORE_SAMPLE: Final = 4000
# Below this share of cover a pixel is taken for background, else noise over a large area adds up.
_LEAST_COVER: Final = 0.08


@dataclass(frozen=True, slots=True)
class ObjectView:
    """Lengths in pixels of the scene. `cover` is the share of each pixel the object has, cut to its box."""

    cover: NDArray[np.float32]
    colour: NDArray[np.float64]
    contrast: float  # distance of colour and background, of 255 for each channel
    area: float
    x: float  # centre of gravity in the scene
    y: float
    spread_x: float  # standard deviation of the object's pixels, a fixed share of its width
    spread_y: float
    softness: float  # standard deviation of the Gaussian which would make a step into its edge
    offset: tuple[int, int]  # of the cover's box in the scene


def find_object(scene: MotionScene, frame: NDArray[np.uint8]) -> ObjectView | None:
    """None where the object cannot be seen."""
    mask = foreground(frame, scene.background) & scene.object_mask
    if cv2.countNonZero(mask) < _LEAST_PIXELS:
        return None
    left, top, width, height = cv2.boundingRect(mask)
    left, top, right, bottom = left - _MARGIN, top - _MARGIN, left + width + _MARGIN, top + height + _MARGIN
    left, top = max(left, 0), max(top, 0)
    box = slice(top, bottom), slice(left, right)
    apart = frame[box].astype(np.float32)
    apart -= scene.background.astype(np.float32)
    direction = _core(apart, mask[box])
    contrast = float(np.linalg.norm(direction))
    if contrast == 0.0:
        return None
    cover = _cover(apart, direction, scene.object_mask[box])
    if float(cover.sum()) < 1.0:
        return None
    return _measure_object(cover, scene.background + direction, contrast, (left, top))


def _core(apart: NDArray[np.float32], mask: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How the object's own colour differs from the background."""
    picks = np.flatnonzero(mask)
    pixels = apart.reshape(-1, 3)[picks[:: 1 + len(picks) // _CORE_SAMPLE]]
    distance = np.linalg.norm(pixels, axis=1)
    core = pixels[distance >= _CORE_SHARE * np.percentile(distance, _CORE_PERCENTILE)]
    return np.asarray(core.mean(axis=0, dtype=np.float64))


def _cover(
    apart: NDArray[np.float32], direction: NDArray[np.float64], object_mask: NDArray[np.uint8]
) -> NDArray[np.float32]:
    """How far each pixel is from the background's colour towards the object's."""
    share = apart @ (direction / (direction @ direction)).astype(np.float32)
    share[(share < _LEAST_COVER) | (object_mask == 0)] = 0.0
    return np.minimum(share, np.float32(1.0))


def _measure_object(
    cover: NDArray[np.float32], colour: NDArray[np.float64], contrast: float, offset: tuple[int, int]
) -> ObjectView:
    moments = cv2.moments(cover)
    area = moments["m00"]
    return ObjectView(
        cover=cover,
        colour=colour,
        contrast=contrast,
        area=area,
        x=offset[0] + moments["m10"] / area,
        y=offset[1] + moments["m01"] / area,
        # A twelfth is the variance of a single pixel, which keeps thin objects from having none.
        spread_x=math.sqrt(max(moments["mu20"], 0.0) / area + 1 / 12),
        spread_y=math.sqrt(max(moments["mu02"], 0.0) / area + 1 / 12),
        softness=_softness(cover),
        offset=offset,
    )


def _softness(cover: NDArray[np.float32]) -> float:
    """Across an edge c that is a step blurred by s, the integral of c(1-c) is s/sqrt(pi), that of |c'| is 1.

    So the ratio of the two sums gives s however long the edge is and whatever the shape.
    """
    slope_x = cv2.Sobel(cover, cv2.CV_32F, 1, 0, scale=1 / 8)
    slope_y = cv2.Sobel(cover, cv2.CV_32F, 0, 1, scale=1 / 8)
    slope = float(cv2.magnitude(slope_x, slope_y).sum())
    return math.sqrt(math.pi) * float((cover * (1.0 - cover)).sum()) / max(slope, 1e-6)
