"""The object that changes in a sequence of frames, as it is seen in each of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

_MAX_INPUT_SIDE: Final = 480
_MAX_FRAMES: Final = 60
_NUMBER_KINDS: Final = "buif"


def stack_frames(frames: Sequence[NDArray[Any]]) -> tuple[NDArray[np.uint8], float]:
    """Frames as (n, height, width, 3), all of the first one's size, and how many input pixels one pixel is.

    Larger images are reduced and longer sequences thinned evenly. Arrays that are no images are left out: n may be 0.
    """
    images = [image for image in map(_to_rgb, frames) if image is not None]
    if not images:
        return np.empty((0, 1, 1, 3), dtype=np.uint8), 1.0
    if len(images) > _MAX_FRAMES:
        picks = np.linspace(0, len(images) - 1, _MAX_FRAMES).round().astype(int)
        images = [images[pick] for pick in picks]
    height, width = images[0].shape[:2]
    scale = max(1.0, max(height, width) / _MAX_INPUT_SIDE)
    size = max(1, round(width / scale)), max(1, round(height / scale))
    return np.stack([_resize(image, size) for image in images]), scale


def _to_rgb(frame: NDArray[Any]) -> NDArray[np.uint8] | None:
    image = np.asarray(frame)
    if image.ndim == 2:
        image = image[..., None]
    if image.ndim != 3 or image.size == 0 or image.dtype.kind not in _NUMBER_KINDS:
        return None
    if image.dtype != np.uint8:
        image = np.nan_to_num(image).clip(0, 255).astype(np.uint8)
    if image.shape[2] < 3:
        image = np.repeat(image[..., :1], 3, axis=2)
    return np.ascontiguousarray(image[..., :3])


def _resize(image: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    if (image.shape[1], image.shape[0]) == size:
        return image
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


# Of 255. Compression and dithering stay below it, what people notice lies above.
NOTICEABLE: Final = 12
_MIN_CHANGED_PIXELS: Final = 12
_SCENE_MARGIN: Final = 12
_MAX_SCENE_SIDE: Final = 256
_RING: Final = 4
_BACKGROUND_FRAMES: Final = 5


@dataclass(frozen=True, slots=True)
class MotionScene:
    """The part of the frames where something changes, with the colour around it."""

    frames: NDArray[np.uint8]  # (n, height, width, 3), cut to the part
    background: NDArray[np.float64]
    object_mask: NDArray[
        np.uint8
    ]  # nonzero where the changing object can be: neighbours that do not change are left out
    scale: float  # pixels of the given frames in one pixel of these


def find_scene(frames: NDArray[np.uint8]) -> MotionScene | None:
    """The scene of frames; None if nothing noticeable changes."""
    if len(frames) < 2:
        return None
    changed = _changed_pixels(frames)
    if cv2.countNonZero(changed) < _MIN_CHANGED_PIXELS:
        return None
    left, top, width, height = cv2.boundingRect(changed)
    inner = _grow_box(left, top, left + width, top + height, _RING, changed.shape)
    outer = _grow_box(left, top, left + width, top + height, _SCENE_MARGIN, changed.shape)
    background = _background(frames, inner, outer)
    part, changed_part = frames[(slice(None), *outer)], changed[outer]
    scale = max(1.0, max(changed_part.shape) / _MAX_SCENE_SIDE)
    if scale > 1.0:
        # Large changes need no detail, and would take most of the time.
        part = np.stack([_shrink(frame, scale) for frame in part])
        changed_part = _shrink(changed_part, scale)
    return MotionScene(part, background, _object_mask(part, background, changed_part), scale)


def foreground(frame: NDArray[np.uint8], background: NDArray[np.float64]) -> NDArray[np.uint8]:
    """255 where a pixel noticeably differs from the background."""
    low, high = background - NOTICEABLE, background + NOTICEABLE
    return np.asarray(cv2.bitwise_not(cv2.inRange(_smooth(frame), low, high)), dtype=np.uint8)


def _smooth(frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The frame with less grain. The extremes of grain over many frames would look like a change."""
    return np.asarray(cv2.blur(frame, (3, 3)), dtype=np.uint8)


def _changed_pixels(frames: NDArray[np.uint8]) -> NDArray[np.uint8]:
    least = most = _smooth(frames[0])
    for frame in map(_smooth, frames[1:]):
        least, most = np.minimum(least, frame), np.maximum(most, frame)
    span = cv2.subtract(most, least).max(axis=2)
    mask = np.where(span >= NOTICEABLE, np.uint8(255), np.uint8(0))
    # Single pixels and hairlines are noise of the codec.
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), dtype=np.uint8)


def _grow_box(left: int, top: int, right: int, bottom: int, by: int, shape: tuple[int, ...]) -> tuple[slice, slice]:
    height, width = shape
    return (
        slice(max(0, top - by), min(height, bottom + by)),
        slice(max(0, left - by), min(width, right + by)),
    )


def _shrink(image: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    size = max(1, round(image.shape[1] / scale)), max(1, round(image.shape[0] / scale))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _background(
    frames: NDArray[np.uint8], inner: tuple[slice, slice], outer: tuple[slice, slice]
) -> NDArray[np.float64]:
    """The median colour of the ring around the change, or of the change's own rim if it fills the frame."""
    ring = np.zeros(frames.shape[1:3], dtype=bool)
    ring[outer] = True
    ring[inner] = False
    if not ring.any():
        ring[:] = True
        ring[1:-1, 1:-1] = False
    picks = np.linspace(0, len(frames) - 1, _BACKGROUND_FRAMES).round().astype(int)
    return np.asarray(np.median(frames[picks][:, ring].reshape(-1, 3), axis=0), dtype=np.float64)


def _object_mask(
    part: NDArray[np.uint8], background: NDArray[np.float64], changed: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """All pixels that differ from the background in some frame and are connected to a change."""
    ever = changed.copy()
    for frame in part:
        cv2.bitwise_or(ever, foreground(frame, background), dst=ever)
    count, labels = cv2.connectedComponents(ever)
    keep = np.zeros(count, dtype=np.uint8)
    keep[np.unique(labels[changed > 0])] = 255
    keep[0] = 0
    return np.asarray(keep[labels], dtype=np.uint8)


_MIN_PIXELS: Final = 12
_OBJECT_MARGIN: Final = 4
# The object's own colour is where it differs most from the background: its soft edge does not count.
_CORE_PERCENTILE: Final = 90
_CORE_SHARE: Final = 0.9
_CORE_SAMPLE: Final = 4000
# Below this share of cover a pixel is taken for background, else noise over a large area adds up.
_MIN_COVER: Final = 0.08


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
    """The object in a frame; None if it cannot be seen."""
    mask = foreground(frame, scene.background) & scene.object_mask
    if cv2.countNonZero(mask) < _MIN_PIXELS:
        return None
    left, top, width, height = cv2.boundingRect(mask)
    left, top, right, bottom = (
        left - _OBJECT_MARGIN,
        top - _OBJECT_MARGIN,
        left + width + _OBJECT_MARGIN,
        top + height + _OBJECT_MARGIN,
    )
    left, top = max(left, 0), max(top, 0)
    box = slice(top, bottom), slice(left, right)
    apart = frame[box].astype(np.float32)
    apart -= scene.background.astype(np.float32)
    direction = _core_color(apart, mask[box])
    contrast = float(np.linalg.norm(direction))
    if contrast == 0.0:
        return None
    cover = _cover(apart, direction, scene.object_mask[box])
    if float(cover.sum()) < 1.0:
        return None
    return _measure_object(cover, scene.background + direction, contrast, (left, top))


def _core_color(apart: NDArray[np.float32], mask: NDArray[np.uint8]) -> NDArray[np.float64]:
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
    share[(share < _MIN_COVER) | (object_mask == 0)] = 0.0
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
