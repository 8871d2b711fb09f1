"""The gutter of an image that shows two designs side by side or one above the other: an empty band near the centre.

One small object may stand in it, such as a badge with "VS" or an arrow between the designs. A page with two columns has
such a band as well, so the result is a suggestion that a person has to confirm.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box, CoordinateSpace
from affordance.media.decoder import Pixels

Mask = NDArray[np.bool_]

LEVELS = 12  # by which a pixel may differ from the median of its line and still be empty
STRAY = 0.02  # share of the pixels of an empty line that may differ by more
BADGE = 0.15  # of the length of a gutter that one object may take
OFF_CENTRE = 0.15  # of the width of a gutter by which that object may be off its middle
MIN_SYMMETRY = 0.8  # of the sizes on both sides; less is no pair of designs
MIN_WIDTH = 0.005  # of the side of the image
WIDE = 0.08  # of the side: a wider band is the margin of both pages, and each keeps its half


@dataclass(frozen=True, slots=True)
class Gutter:
    """An empty band from `start` to `end`. `boxes` are the two designs, left or upper first; `symmetry` is 1 where they
    have equal sizes; `interrupted` where an object stands in the band."""

    columns: bool
    start: int
    end: int
    symmetry: float
    boxes: tuple[Box, Box]
    interrupted: bool = False

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2


def find_gutter(pixels: Pixels) -> Gutter | None:
    """Find the most symmetric gutter, of equally symmetric ones the widest; None where there is none. A band without an
    empty line is used only where there is no other."""
    height, width = pixels.shape[:2]
    found = [*_gutters(pixels, columns=True, size=(width, height))]
    found += _gutters(pixels.transpose(1, 0, 2), columns=False, size=(width, height))
    _, best = max(
        found, key=lambda one: (one[0], round(one[1].symmetry, 2), one[1].end - one[1].start), default=(0, None)
    )
    return best


def _gutters(pixels: Pixels, *, columns: bool, size: tuple[int, int]) -> Iterator[tuple[bool, Gutter]]:
    """Gutters of empty columns, each with whether some column in it is empty. For rows the image is transposed."""
    stray = _strays(pixels)
    length = stray.shape[1]
    empty = stray.mean(axis=0) <= STRAY
    if empty.all():
        return
    content = np.flatnonzero(~empty)
    first, last = int(content[0]), int(content[-1]) + 1
    narrowest = max(2, MIN_WIDTH * length)

    def fitting(bands: Iterable[tuple[int, int]]) -> Iterator[Gutter]:
        for start, end in bands:
            if start <= first or end >= last or end - start < narrowest:
                continue
            before, after = start - first, last - end
            symmetry = 1 - abs(before - after) / (before + after)
            if symmetry < MIN_SYMMETRY:
                continue
            cut = ((start + end) // 2,) * 2 if end - start > WIDE * length else (start, end)
            boxes = _boxes(*cut, columns=columns, size=size)
            yield Gutter(columns, start, end, symmetry, boxes, not empty[start:end].all())

    for start, end in _runs(_empty_but_for_one_object(stray)):
        bare = [(start + one, start + other) for one, other in _runs(empty[start:end])]
        whole = [(start, end)] if _is_one_object(stray[:, start:end]) else []
        solid = any(other - one >= narrowest for one, other in bare)
        yield from ((solid, gutter) for gutter in list(fitting(whole)) or fitting(bare))


def _strays(pixels: Pixels) -> Mask:
    """The pixels that differ from the colour of their column."""
    median = np.median(pixels, axis=0, keepdims=True)
    found: Mask = np.abs(pixels.astype(np.int16) - median).max(axis=2) > LEVELS
    return found


def _empty_but_for_one_object(stray: Mask) -> Mask:
    """The columns that are empty except for one short section."""
    near = np.flatnonzero(stray.mean(axis=0) <= STRAY + BADGE)
    found = np.zeros(stray.shape[1], np.bool_)
    found[near] = _strays_outside_window(stray[:, near]).min(axis=0) <= STRAY * stray.shape[0]
    return found


def _is_one_object(stray: Mask) -> bool:
    """Whether one short section of all columns of a gutter contains everything in it, in the middle: an object at an
    edge is part of a design."""
    inside = np.flatnonzero(stray.any(axis=0))
    width = stray.shape[1]
    if inside.size and abs(inside[0] + inside[-1] + 1 - width) > 2 * OFF_CENTRE * width:
        return False
    return bool((_strays_outside_window(stray) <= STRAY * stray.shape[0]).all(axis=1).any())


def _strays_outside_window(stray: Mask) -> NDArray[np.int32]:
    """By the row at which a short section begins, the number of strays of each column outside it."""
    height = stray.shape[0]
    piece = max(1, round(BADGE * height))
    sums = np.zeros((height + 1, stray.shape[1]), np.int32)
    np.cumsum(stray, axis=0, out=sums[1:])
    found: NDArray[np.int32] = sums[-1] - sums[piece:] + sums[:-piece]
    return found


def _runs(empty: Mask) -> Iterator[tuple[int, int]]:
    start = 0
    for value, group in groupby(empty.tolist()):
        end = start + len(list(group))
        if value:
            yield start, end
        start = end


def _boxes(before: int, after: int, *, columns: bool, size: tuple[int, int]) -> tuple[Box, Box]:
    width, height = size
    if columns:
        return Box(CoordinateSpace.PIXEL, 0, 0, before, height), Box(CoordinateSpace.PIXEL, after, 0, width, height)
    return Box(CoordinateSpace.PIXEL, 0, 0, width, before), Box(CoordinateSpace.PIXEL, 0, after, width, height)
