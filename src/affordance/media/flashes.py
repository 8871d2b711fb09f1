"""How often a clip flashes, as WCAG 2.3.1 counts general flashes.

A flash is a pair of opposing changes of relative luminance, each by a tenth of the maximum or more, the darker state of
which is below 0.80; more than three in any second can cause seizures. Slow changes count like fast ones: what matters
is the way from one turning point to the next.

WCAG ignores what flashes on less than a quarter of any ten degrees of the visual field. The displayed size and distance
of a clip are unknown, so the area here is a quarter of the image: the same pixels of frames of at most 64 pixels a
side, which also suppresses noise and thin lines. Flashes of saturated red are not counted.
"""

from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from affordance.media.decoder import Pixels, iter_small_frames
from affordance.media.media_probe import probe

MAX_SIDE = 64
CHANGE = 0.1
DARKER = 0.8
AREA = 0.25
# Times in files are rounded: two changes one second apart, to the millisecond, are not in the same second.
SECOND = 1 - Fraction(1, 500)

_CODES = np.arange(256) / 255
_LINEAR = np.where(_CODES <= 0.04045, _CODES / 12.92, ((_CODES + 0.055) / 1.055) ** 2.4).astype(np.float32)
_WEIGHTS = np.array([0.0722, 0.7152, 0.2126], np.float32)  # of blue, green and red


@dataclass(frozen=True, slots=True)
class FlashCount:
    """The largest number of flashes (pairs of opposing changes) in any second, and when that second ends."""

    max_per_second: int
    second_end: Fraction


def count_flashes(path: Path) -> FlashCount:
    """Count the flashes of a clip. Decodes the whole clip.

    Raises:
        MediaError: the clip cannot be decoded.
    """
    clip = probe(path)
    swings: _Swings | None = None
    recent: deque[tuple[Fraction, NDArray[np.bool_]]] = deque()
    found = FlashCount(0, Fraction(0))
    counts = np.zeros(0, np.int32)
    for index, pixels in enumerate(iter_small_frames(clip, MAX_SIDE)):
        light, now = _luminance(pixels), clip.frame_time(index)
        if swings is None:
            swings, counts = _Swings(light), np.zeros(light.shape, np.int32)
        changed = swings.follow(light)
        recent.append((now, changed))
        counts += changed
        while now - recent[0][0] >= SECOND:
            counts -= recent.popleft()[1]
        most = _reached_by_area(counts) // 2
        if most > found.max_per_second:
            found = FlashCount(most, now)
    return found


def _luminance(pixels: Pixels) -> NDArray[np.float32]:
    return np.asarray(_LINEAR[pixels] @ _WEIGHTS, np.float32)


def _reached_by_area(counts: NDArray[np.int32]) -> int:
    """The count that a quarter of the pixels reach."""
    place = counts.size - max(1, int(np.ceil(AREA * counts.size)))
    return int(np.partition(counts, place, axis=None)[place])


class _Swings:
    """Follows each pixel from one turning point to the next."""

    def __init__(self, light: NDArray[np.float32]) -> None:
        self._low, self._high = light, light
        self._direction = np.zeros(light.shape, np.int8)

    def follow(self, light: NDArray[np.float32]) -> NDArray[np.bool_]:
        """The pixels that have now changed by enough, in the direction opposite to their last change."""
        rises = (self._direction <= 0) & (light - self._low >= CHANGE) & (self._low < DARKER)
        falls = (self._direction >= 0) & (self._high - light >= CHANGE) & (light < DARKER)
        changed = rises | falls
        self._direction = np.where(rises, 1, np.where(falls, -1, self._direction)).astype(np.int8)
        self._low = np.where(changed, light, np.minimum(self._low, light))
        self._high = np.where(changed, light, np.maximum(self._high, light))
        return changed
