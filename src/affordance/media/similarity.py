"""How different two images are: pixel differences and perceptual hashes."""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.digest import digest, digest_bytes
from affordance.core.errors import MediaError
from affordance.core.files import atomic_write
from affordance.media.encoders import decode_image

_CACHED = {b"yes": True, b"no": False}
MIN_VISIBLE = 8  # levels of a channel; encoders change less


def pixel_difference(one: Path, other: Path) -> float:
    """The share of pixels that differ visibly, from 0 to 1; 1 for images of different sizes."""
    first, second = (_pixels(path, _content(path)) for path in (one, other))
    if first.shape != second.shape:
        return 1.0
    alike = cv2.inRange(cv2.absdiff(first, second), np.zeros(3), np.full(3, float(MIN_VISIBLE)))
    return 1 - cv2.countNonZero(alike) / alike.size


def same_pixels(one: Path, other: Path, cache: Path | None = None) -> bool:
    """Whether two files have equal pixels, however they are encoded. Equal files are not decoded. With a cache folder,
    two files are decoded only once: the result is stored by their digests."""
    content, others = _content(one), _content(other)
    if content == others:
        return True
    if cache is None:
        return np.array_equal(_pixels(one, content), _pixels(other, others))
    key = digest("same pixels", *sorted((digest_bytes(content), digest_bytes(others))))
    path = cache / "same-pixels" / key[:2] / key
    with suppress(OSError):
        if (stored := path.read_bytes()) in _CACHED:
            return _CACHED[stored]
    same = np.array_equal(_pixels(one, content), _pixels(other, others))
    with suppress(OSError):  # a cache must not make a call fail
        atomic_write(path, b"yes" if same else b"no")
    return same


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise MediaError(f"{path}: cannot be read: {error.strerror}") from None


def _pixels(path: Path, content: bytes) -> NDArray[np.uint8]:
    try:
        return decode_image(content)
    except MediaError:
        found = f"{len(content)} bytes that begin with {content[:8]!r}"
        raise MediaError(f"{path}: expected an image, found {found}; it may be truncated or corrupt") from None


BITS = 256
MAX_DISTANCE = 7  # bits by which the hashes of near duplicates may differ
_SIDE = 16
_BANDS = MAX_DISTANCE + 1  # if few bits differ, one of so many parts is equal


def perceptual_hash(pixels: NDArray[np.uint8]) -> int:
    """A 256-bit difference hash: where a small grey copy gets brighter from left to right."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (_SIDE + 1, _SIDE), interpolation=cv2.INTER_AREA).astype(np.int16)
    # A step of one level is noise.
    bits = (small[:, 1:] - small[:, :-1]) > 1
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


def near_duplicates(hashes: Sequence[int]) -> dict[int, int]:
    """For each image with an earlier near duplicate, the index of the first of them."""
    width = BITS // _BANDS
    mask = (1 << width) - 1
    seen: dict[tuple[int, int], list[int]] = defaultdict(list)
    found: dict[int, int] = {}
    for index, value in enumerate(hashes):
        parts = [(band, value >> (band * width) & mask) for band in range(_BANDS)]
        candidates = sorted({other for part in parts for other in seen[part]})
        first = next((other for other in candidates if (hashes[other] ^ value).bit_count() <= MAX_DISTANCE), None)
        if first is not None:
            found[index] = first
            continue
        for part in parts:
            seen[part].append(index)
    return found
