"""Where and when something moves in a clip.

Each pixel is compared with what it was when it last changed, not with the frame before: slow fades add up, and what
returns is seen to. Two looks are taken at the difference. The fine one sees strong changes of small things and leaves
out noise, whose peaks stand alone; the broad one averages over a neighbourhood, in which noise and dithering cancel
out, and sees faint changes of large surfaces."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box, CoordinateSpace
from affordance.media.decoder import Pixels, iter_small_frames
from affordance.media.media_probe import probe

LONGEST_SIDE = 480
WEAK, STRONG = 12, 24  # levels of 255: a change is what is weak throughout and strong somewhere
FEWEST = 3  # pixels of a change
BROAD = 4  # levels, on average over a square of this many pixels
SQUARE = 9
EDGES = 0.4  # of the range of values around a pixel: what an edge may flicker by
SMOOTH = 0.1  # of that, on average over a square
BARELY = 2  # levels that a pixel itself has to differ by, where its neighbourhood does
JOINED = 0.05  # of the longest side: parts that are closer are one region
FAINT = 0.05  # of the strongest change: parts that change less, as when a GIF gets another palette, are left out
SLIGHT = 0.005  # of what changes most in strength and size: so are regions in which less happens
FLICKER, LITTLE = 40, 4_000  # levels at most, and levels times pixels in all: compressed noise changes no more
HALO = 0.3  # of the usual change in a region: what changes less at its border is not of it
STRAY = 0.002  # of the pixels that change, which do not decide when it starts and ends
MOST_REGIONS = 3
EARLY = 2  # frames: what is seen to have changed by then was moving from the beginning
WARMING_UP = 30  # frames by which noise is measured
NOISIEST = 6.0  # levels; more is no noise but motion

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MotionExtent:
    """Regions, in pixels of the clip, and the first and the last frame in which something in them has changed. What
    moves from the very beginning starts with frame 0."""

    regions: tuple[Box, ...]
    start: int
    end: int


def find_motion(path: Path) -> MotionExtent | None:
    """None where nothing moves. Decodes the whole clip; a MediaError where that fails."""
    clip = probe(path)
    frames = iter_small_frames(clip, LONGEST_SIDE)
    head = list(islice(frames, WARMING_UP))
    changes = _changes(chain(head, frames), _noise(head))
    if changes is None:
        return None
    height, width = changes.first.shape
    extent = _without_faint(changes.extent())
    if extent.max() < FLICKER and extent.sum(dtype=np.int64) < LITTLE:
        return None
    boxes = _regions(extent)
    inside = np.zeros(extent.shape, bool)
    for x1, y1, x2, y2 in boxes:
        inside[y1:y2, x1:x2] = True
    inside &= extent > 0
    first, last = np.sort(changes.first[inside]), np.sort(changes.last[inside])
    few = int(STRAY * len(first))
    start, end = int(first[few]), int(last[-1 - few])
    x, y = clip.width / width, clip.height / height
    regions = tuple(
        Box(CoordinateSpace.PIXEL, round(x1 * x), round(y1 * y), round(x2 * x), round(y2 * y))
        for x1, y1, x2, y2 in boxes
    )
    return MotionExtent(regions, 0 if start <= EARLY else start, end)


class _Changes:
    """For each pixel in which frames it changed first and last, 0 where it did not, and between which values."""

    def __init__(self, pixels: Pixels) -> None:
        self.first: NDArray[np.int32] = np.zeros(pixels.shape[:2], np.int32)
        self.last: NDArray[np.int32] = np.zeros(pixels.shape[:2], np.int32)
        self._rest = pixels.astype(np.int16)
        self._low = self._high = pixels

    def follow(self, index: int, pixels: Pixels, noise: float) -> None:
        now = pixels.astype(np.int16)
        changed = _changed_pixels(self._rest, now, noise)
        if not changed.any():
            return
        np.copyto(self._rest, now, where=changed[..., None])
        self._low, self._high = cv2.min(self._low, pixels), cv2.max(self._high, pixels)  # type: ignore[assignment]  # as cv2 has it
        self.first[changed & (self.first == 0)] = index
        self.last[changed] = index

    def extent(self) -> NDArray[np.int16]:
        """How far each pixel changed at most; 0 where it did not."""
        extent = _largest(self._high.astype(np.int16) - self._low)
        extent[self.last == 0] = 0
        return extent


def _changes(frames: Iterable[Pixels], noise: float) -> _Changes | None:
    changes: _Changes | None = None
    for index, pixels in enumerate(frames):
        if changes is None:
            changes = _Changes(pixels)
        else:
            changes.follow(index, pixels, noise)
    return changes if changes is not None and changes.last.any() else None


def _changed_pixels(before: NDArray[np.int16], after: NDArray[np.int16], noise: float) -> Mask:
    difference = after - before
    size = _largest(difference)
    if size.max() <= BARELY:
        return np.zeros(size.shape, bool)
    # Compression makes edges that stay where they are flicker: the sharper they are, the more.
    edges = EDGES * cv2.min(_sharpness(before), _sharpness(after))
    fine = _hysteresis(size > max(WEAK, 3 * noise) + edges, size > max(STRONG, 5 * noise) + edges)
    # Nothing beyond the border: reflected, it would count noise twice.
    mean = _largest(np.asarray(cv2.blur(difference, (SQUARE, SQUARE), borderType=cv2.BORDER_CONSTANT), np.int16))
    smooth = cv2.blur(edges, (SQUARE, SQUARE))
    broad = (mean > max(BROAD, 1.5 * noise) + SMOOTH * smooth) & (size > BARELY + edges)
    return np.asarray(fine | broad, bool)


def _sharpness(pixels: NDArray[np.int16]) -> NDArray[np.float32]:
    """The range of values around each pixel."""
    around = np.ones((3, 3), np.uint8)
    return _largest(np.asarray(cv2.morphologyEx(pixels, cv2.MORPH_GRADIENT, around), np.int16)).astype(np.float32)


def _largest(difference: NDArray[np.int16]) -> NDArray[np.int16]:
    """Over the channels. Numpy takes ten times as long to find the largest along a short axis."""
    blue, green, red = np.moveaxis(np.abs(difference), 2, 0)
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.int16)


def _hysteresis(weak: Mask, strong: Mask) -> Mask:
    """The connected parts of a mask that reach into another and are no specks."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(weak.astype(np.uint8), connectivity=8)
    kept = np.zeros(len(stats), bool)
    kept[np.unique(labels[strong])] = True
    kept &= stats[:, cv2.CC_STAT_AREA] >= FEWEST
    kept[0] = False
    return np.asarray(kept[labels], bool)


def _noise(frames: Sequence[Pixels]) -> float:
    """The deviation that neighbouring frames have where nothing moves, in levels."""
    deviations = [
        1.4826 * float(np.median(np.abs(after.astype(np.int16) - before))) for before, after in pairwise(frames)
    ]
    return min(float(np.median(deviations)), NOISIEST) if deviations else 0.0


_Corners = tuple[int, int, int, int]


def _without_faint(extent: NDArray[np.int16]) -> NDArray[np.int16]:
    count, labels = cv2.connectedComponents((extent > 0).astype(np.uint8), connectivity=8)
    areas = np.bincount(labels.ravel(), minlength=count)
    means = np.bincount(labels.ravel(), weights=extent.ravel(), minlength=count) / np.maximum(areas, 1)
    return np.where(means[labels] >= FAINT * extent.max(), extent, 0).astype(np.int16)


def _regions(extent: NDArray[np.int16]) -> list[_Corners]:
    """Boxes around what changes, from the left."""
    reach = max(3, round(JOINED * max(extent.shape))) | 1
    changed = (extent > 0).astype(np.uint8)
    # With a margin, or else closing would stop at the edge of the picture.
    padded = cv2.copyMakeBorder(changed, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0)
    joined = cv2.morphologyEx(padded, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    count, labels = cv2.connectedComponents(joined[reach:-reach, reach:-reach], connectivity=8)
    busy = np.bincount(labels.ravel(), weights=extent.ravel(), minlength=count)
    parts = [label for label in range(1, count) if busy[label] >= SLIGHT * busy[1:].max()]
    return sorted(_merge_boxes([_corners(np.where(labels == label, extent, 0)) for label in parts]))


def _corners(extent: NDArray[np.int16]) -> _Corners:
    """Around all but the halo that compression leaves."""
    mask = extent > HALO * np.median(extent[extent > 0])
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _merge_boxes(boxes: list[_Corners]) -> list[_Corners]:
    """Boxes that overlap are one, and the closest ones too while they are more than a few."""
    while len(boxes) > 1:
        near, one, other = min((_gap(a, b), a, b) for a, b in combinations(boxes, 2))
        if near > 0 and len(boxes) <= MOST_REGIONS:
            break
        boxes = [box for box in boxes if box not in (one, other)] + [_around(one, other)]
    return boxes


def _around(one: _Corners, other: _Corners) -> _Corners:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _gap(one: _Corners, other: _Corners) -> int:
    """The pixels between two boxes; 0 where they overlap."""
    across = max(one[0], other[0]) - min(one[2], other[2])
    down = max(one[1], other[1]) - min(one[3], other[3])
    return max(across, down, 0)
