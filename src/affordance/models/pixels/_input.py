"""Whatever pictures come in, as one stack that can be measured."""

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

_LONGEST_SIDE: Final = 480
_MOST_FRAMES: Final = 60
_NUMBERS: Final = "buif"


def stack_frames(frames: Sequence[NDArray[Any]]) -> tuple[NDArray[np.uint8], float]:
    """Frames as (n, height, width, 3), all of the first one's size, and how many input pixels one pixel is.

    Larger pictures are reduced and longer sequences thinned evenly. What is no picture is left out, so n may be 0.
    """
    pictures = [picture for picture in map(_rgb, frames) if picture is not None]
    if not pictures:
        return np.empty((0, 1, 1, 3), dtype=np.uint8), 1.0
    if len(pictures) > _MOST_FRAMES:
        picks = np.linspace(0, len(pictures) - 1, _MOST_FRAMES).round().astype(int)
        pictures = [pictures[pick] for pick in picks]
    height, width = pictures[0].shape[:2]
    scale = max(1.0, max(height, width) / _LONGEST_SIDE)
    size = max(1, round(width / scale)), max(1, round(height / scale))
    return np.stack([_resize(picture, size) for picture in pictures]), scale


def _rgb(frame: NDArray[Any]) -> NDArray[np.uint8] | None:
    picture = np.asarray(frame)
    if picture.ndim == 2:
        picture = picture[..., None]
    if picture.ndim != 3 or picture.size == 0 or picture.dtype.kind not in _NUMBERS:
        return None
    if picture.dtype != np.uint8:
        picture = np.nan_to_num(picture).clip(0, 255).astype(np.uint8)
    if picture.shape[2] < 3:
        picture = np.repeat(picture[..., :1], 3, axis=2)
    return np.ascontiguousarray(picture[..., :3])


def _resize(picture: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    if (picture.shape[1], picture.shape[0]) == size:
        return picture
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
