"""Masks painted by hand, as a canvas in a browser paints them: a round brush drawn along a line."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

_SHIFT = 3  # bits of a coordinate after the point
_FURTHEST = 2000.0  # pixels beyond the picture: further out a brush of any size leaves no trace


def paint_mask(
    mask: NDArray[np.uint8], points: Sequence[Sequence[float]], radius: float, *, erase: bool = False
) -> None:
    """Paint into a mask, or erase, along a line of points (x, y) in pixels of it; a single one is a dab. The corner of
    the picture is (0, 0), and the middle of its first pixel (0.5, 0.5)."""
    height, width = mask.shape
    line = np.clip(np.asarray(points, np.float64) - 0.5, -_FURTHEST, np.array((width, height)) + _FURTHEST)
    at = np.round(line * (1 << _SHIFT)).astype(np.int32)
    value = 0 if erase else 255
    for x, y in at.tolist():
        cv2.circle(mask, (x, y), round(radius * (1 << _SHIFT)), value, cv2.FILLED, shift=_SHIFT)
    for (x1, y1), (x2, y2) in zip(at[:-1].tolist(), at[1:].tolist(), strict=True):
        across = _across(x2 - x1, y2 - y1, radius * (1 << _SHIFT))
        if across is not None:
            corners = np.array((x1, y1, x2, y2, x2, y2, x1, y1)).reshape(4, 2) + across
            cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), value, shift=_SHIFT)


def _across(dx: float, dy: float, radius: float) -> NDArray[np.float64] | None:
    """From the ends of a piece of the line to the corners of the band around it; None where it has no length."""
    length = float(np.hypot(dx, dy))
    if length == 0:
        return None
    side = np.array((-dy, dx)) * radius / length
    return np.stack((side, side, -side, -side))
