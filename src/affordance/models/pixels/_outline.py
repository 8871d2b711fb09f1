"""Whether two outlines are the same but for size, or but for a turn."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.models.pixels._sight import ObjectView

_SIDE: Final = 96
# Pixels of the normal picture for one unit of spread, and for one side of the square of equal area.
_PER_SPREAD: Final = 16.0
_PER_SIDE: Final = 46.0
_ANGLES: Final = 240
_RADII: Final = 46
# Between two frames a turn is taken for the smaller one that explains it.
_LARGEST_STEP: Final = 40.0


@dataclass(frozen=True, slots=True)
class ObjectOutline:
    """An object's cover without its place and size."""

    stretched: NDArray[np.float32]  # width and height made equal
    polar: NDArray[np.float32]  # proportions kept; rows are angles, weighted so that sums are areas


def outline_of(sight: ObjectView) -> ObjectOutline:
    side = float(np.sqrt(sight.area)) / _PER_SIDE
    kept = _normal(sight, side, side)
    middle = (_SIDE - 1) / 2
    polar = cv2.warpPolar(kept, (_RADII, _ANGLES), (middle, middle), _RADII, cv2.INTER_LINEAR | cv2.WARP_POLAR_LINEAR)
    weights = np.arange(_RADII, dtype=np.float32) + np.float32(0.5)
    stretched = _normal(sight, sight.spread_x / _PER_SPREAD, sight.spread_y / _PER_SPREAD)
    return ObjectOutline(stretched, np.asarray(polar, dtype=np.float32) * weights)


def mismatch(first: ObjectOutline, second: ObjectOutline) -> float:
    """Share of the area, 0 to 1, that differs when both are made equally wide and high."""
    return _mismatch(first.stretched, second.stretched)


def turn_between(first: ObjectOutline, second: ObjectOutline) -> float:
    """Degrees clockwise, of the smallest plausible step."""
    agreement = _agreement(first, second)
    degrees = np.arange(_ANGLES) * 360.0 / _ANGLES
    degrees = np.where(degrees > 180.0, degrees - 360.0, degrees)
    agreement[np.abs(degrees) > _LARGEST_STEP] = -np.inf
    return float(degrees[int(agreement.argmax())])


def mismatch_turned(first: ObjectOutline, second: ObjectOutline) -> float:
    """Share of the area that differs when both have the same area and are turned to agree best."""
    step = int(_agreement(first, second).argmax())
    return _mismatch(np.roll(first.polar, step, axis=0), second.polar)


def _normal(sight: ObjectView, scale_x: float, scale_y: float) -> NDArray[np.float32]:
    middle = (_SIDE - 1) / 2
    left, top = sight.offset
    to_cover = np.array(
        [
            [scale_x, 0.0, sight.x - left - scale_x * middle],
            [0.0, scale_y, sight.y - top - scale_y * middle],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(sight.cover, to_cover, (_SIDE, _SIDE), flags=flags), dtype=np.float32)


def _mismatch(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    total = float(first.sum()) + float(second.sum())
    return float(np.abs(first - second).sum()) / total if total > 0 else 0.0


def _agreement(first: ObjectOutline, second: ObjectOutline) -> NDArray[np.float64]:
    """Cross-correlation of the area seen in each direction, for every turn of the first."""
    one, other = first.polar.sum(axis=1), second.polar.sum(axis=1)
    product = np.conj(np.fft.rfft(one)) * np.fft.rfft(other)
    return np.asarray(np.fft.irfft(product, _ANGLES), dtype=np.float64)
