"""Fingerprints of pictures: nearly the same picture has nearly the same one."""

from collections import defaultdict
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

BITS = 256
NEAR = 7  # bits that the fingerprints of nearly the same picture may differ by
_SIDE = 16
_BANDS = NEAR + 1  # if few bits differ, one of so many parts is equal


def perceptual_hash(pixels: NDArray[np.uint8]) -> int:
    """256 bits: where a small grey copy gets brighter from left to right."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (_SIDE + 1, _SIDE), interpolation=cv2.INTER_AREA).astype(np.int16)
    # Even areas are told by what they hold, not by noise: a step of one level is none.
    bits = (small[:, 1:] - small[:, :-1]) > 1
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


def near_duplicates(hashes: Sequence[int]) -> dict[int, int]:
    """By index, the index of the first one that nearly equals it; only of those that have an earlier one."""
    width = BITS // _BANDS
    mask = (1 << width) - 1
    seen: dict[tuple[int, int], list[int]] = defaultdict(list)
    found: dict[int, int] = {}
    for index, value in enumerate(hashes):
        parts = [(band, value >> (band * width) & mask) for band in range(_BANDS)]
        candidates = sorted({other for part in parts for other in seen[part]})
        first = next((other for other in candidates if (hashes[other] ^ value).bit_count() <= NEAR), None)
        if first is not None:
            found[index] = first
            continue
        for part in parts:
            seen[part].append(index)
    return found
