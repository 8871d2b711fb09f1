"""What changes in a sequence of frames, and what lies behind it."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

# Of 255. Compression and dithering stay below it, what people notice lies above.
NOTICEABLE: Final = 12
_LEAST_CHANGED_PIXELS: Final = 12
_MARGIN: Final = 12
_LONGEST_SIDE: Final = 256
_RING: Final = 4
_BACKGROUND_FRAMES: Final = 5


@dataclass(frozen=True, slots=True)
class MotionScene:
    """The part of the frames where something changes, with the colour around it."""

    frames: NDArray[np.uint8]  # (n, height, width, 3), cut to the part
    background: NDArray[np.float64]
    object_mask: NDArray[np.uint8]  # nonzero where the changing thing can be: unmoved neighbours are left out
    scale: float  # pixels of the given frames in one pixel of these


def find_scene(frames: NDArray[np.uint8]) -> MotionScene | None:
    """None where nothing noticeable changes."""
    if len(frames) < 2:
        return None
    changed = _changed_pixels(frames)
    if cv2.countNonZero(changed) < _LEAST_CHANGED_PIXELS:
        return None
    left, top, width, height = cv2.boundingRect(changed)
    inner = _grown(left, top, left + width, top + height, _RING, changed.shape)
    outer = _grown(left, top, left + width, top + height, _MARGIN, changed.shape)
    background = _background(frames, inner, outer)
    part, changed_part = frames[(slice(None), *outer)], changed[outer]
    scale = max(1.0, max(changed_part.shape) / _LONGEST_SIDE)
    if scale > 1.0:
        # Large changes need no fine picture, and would take most of the time.
        part = np.stack([_shrink(frame, scale) for frame in part])
        changed_part = _shrink(changed_part, scale)
    return MotionScene(part, background, _object_mask(part, background, changed_part), scale)


def foreground(frame: NDArray[np.uint8], background: NDArray[np.float64]) -> NDArray[np.uint8]:
    """255 where a pixel noticeably differs from the background."""
    low, high = background - NOTICEABLE, background + NOTICEABLE
    return np.asarray(cv2.bitwise_not(cv2.inRange(_calm(frame), low, high)), dtype=np.uint8)


def _calm(frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """With less grain: its extremes over many frames would pass for a change of everything."""
    return np.asarray(cv2.blur(frame, (3, 3)), dtype=np.uint8)


def _changed_pixels(frames: NDArray[np.uint8]) -> NDArray[np.uint8]:
    least = most = _calm(frames[0])
    for frame in map(_calm, frames[1:]):
        least, most = np.minimum(least, frame), np.maximum(most, frame)
    span = cv2.subtract(most, least).max(axis=2)
    mask = np.where(span >= NOTICEABLE, np.uint8(255), np.uint8(0))
    # Single pixels and hairlines are noise of the codec.
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), dtype=np.uint8)


def _grown(left: int, top: int, right: int, bottom: int, by: int, shape: tuple[int, ...]) -> tuple[slice, slice]:
    height, width = shape
    return (
        slice(max(0, top - by), min(height, bottom + by)),
        slice(max(0, left - by), min(width, right + by)),
    )


def _shrink(picture: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    size = max(1, round(picture.shape[1] / scale)), max(1, round(picture.shape[0] / scale))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


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
    """All that ever stands out from the background and hangs together with something that changes."""
    ever = changed.copy()
    for frame in part:
        cv2.bitwise_or(ever, foreground(frame, background), dst=ever)
    count, labels = cv2.connectedComponents(ever)
    keep = np.zeros(count, dtype=np.uint8)
    keep[np.unique(labels[changed > 0])] = 255
    keep[0] = 0
    return np.asarray(keep[labels], dtype=np.uint8)
