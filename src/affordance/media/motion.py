"""Where and when something moves in a clip.

Each pixel is compared with its value at its last change, not with the frame before, so that slow fades add up and what
returns is noticed. The difference is examined twice: at full detail, for strong changes of small things, without noise,
whose peaks are isolated; and averaged over a neighbourhood, where noise and dithering cancel out, for faint changes of
large surfaces.
"""

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

MAX_SIDE = 480
WEAK, STRONG = 12, 24  # levels of 255: a change is at least weak throughout and strong somewhere
MIN_PIXELS = 3  # of a change
BROAD = 4  # levels, on average over a square of the following side
SQUARE = 9
EDGES = 0.4  # share of the range of values around a pixel by which an edge may flicker
SMOOTH = 0.1  # the same on average over a square
MIN_LEVELS = 2  # by which a pixel itself has to differ where its neighbourhood does
JOIN_DISTANCE = 0.05  # of the longest side: parts that are closer are one region
FAINT = 0.05  # of the strongest change: parts that change less, as by a new palette of a GIF, are ignored
SLIGHT = 0.005  # of the strength and size of the largest change: smaller regions are ignored
FLICKER, LITTLE = 40, 4_000  # maximum level, and sum over pixels, of changes that are compressed noise
HALO = 0.3  # of the median change in a region: weaker changes at its border are not part of it
STRAY = 0.002  # share of the changing pixels that does not decide when motion starts and ends
MAX_REGIONS = 3
EARLY = 2  # frames: what has changed by then has moved from the beginning
NOISE_FRAMES = 30  # by which noise is measured
MAX_NOISE = 6.0  # levels; more is motion

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MotionExtent:
    """Regions in pixels of the clip, and the first and last frame in which something in them has changed. Motion from
    the beginning starts with frame 0."""

    regions: tuple[Box, ...]
    start: int
    end: int


def find_motion(path: Path) -> MotionExtent | None:
    """Find where and when a clip moves; None where nothing does. Decodes the whole clip.

    Raises:
        MediaError: the clip cannot be decoded.
    """
    clip = probe(path)
    frames = iter_small_frames(clip, MAX_SIDE)
    head = list(islice(frames, NOISE_FRAMES))
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
    """For each pixel the first and last frame in which it changed, 0 where it did not, and the range of its values."""

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
        self._low, self._high = cv2.min(self._low, pixels), cv2.max(self._high, pixels)  # type: ignore[assignment]  # types of cv2
        self.first[changed & (self.first == 0)] = index
        self.last[changed] = index

    def extent(self) -> NDArray[np.int16]:
        """The largest change of each pixel; 0 where it did not change."""
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
    if size.max() <= MIN_LEVELS:
        return np.zeros(size.shape, bool)
    # Compression makes still edges flicker, sharper ones more.
    edges = EDGES * cv2.min(_sharpness(before), _sharpness(after))
    fine = _hysteresis(size > max(WEAK, 3 * noise) + edges, size > max(STRONG, 5 * noise) + edges)
    # Zeros beyond the border: a reflection would count noise twice.
    mean = _largest(np.asarray(cv2.blur(difference, (SQUARE, SQUARE), borderType=cv2.BORDER_CONSTANT), np.int16))
    smooth = cv2.blur(edges, (SQUARE, SQUARE))
    broad = (mean > max(BROAD, 1.5 * noise) + SMOOTH * smooth) & (size > MIN_LEVELS + edges)
    return np.asarray(fine | broad, bool)


def _sharpness(pixels: NDArray[np.int16]) -> NDArray[np.float32]:
    """The range of values around each pixel."""
    around = np.ones((3, 3), np.uint8)
    return _largest(np.asarray(cv2.morphologyEx(pixels, cv2.MORPH_GRADIENT, around), np.int16)).astype(np.float32)


def _largest(difference: NDArray[np.int16]) -> NDArray[np.int16]:
    """The largest absolute difference of the channels. `numpy.max` along a short axis takes ten times as long."""
    blue, green, red = np.moveaxis(np.abs(difference), 2, 0)
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.int16)


def _hysteresis(weak: Mask, strong: Mask) -> Mask:
    """The connected parts of a mask that overlap another and have a minimum size."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(weak.astype(np.uint8), connectivity=8)
    kept = np.zeros(len(stats), bool)
    kept[np.unique(labels[strong])] = True
    kept &= stats[:, cv2.CC_STAT_AREA] >= MIN_PIXELS
    kept[0] = False
    return np.asarray(kept[labels], bool)


def _noise(frames: Sequence[Pixels]) -> float:
    """The deviation in levels between neighbouring frames where nothing moves."""
    deviations = [
        1.4826 * float(np.median(np.abs(after.astype(np.int16) - before))) for before, after in pairwise(frames)
    ]
    return min(float(np.median(deviations)), MAX_NOISE) if deviations else 0.0


_Corners = tuple[int, int, int, int]


def _without_faint(extent: NDArray[np.int16]) -> NDArray[np.int16]:
    count, labels = cv2.connectedComponents((extent > 0).astype(np.uint8), connectivity=8)
    areas = np.bincount(labels.ravel(), minlength=count)
    means = np.bincount(labels.ravel(), weights=extent.ravel(), minlength=count) / np.maximum(areas, 1)
    return np.where(means[labels] >= FAINT * extent.max(), extent, 0).astype(np.int16)


def _regions(extent: NDArray[np.int16]) -> list[_Corners]:
    """Boxes around what changes, sorted from the left."""
    reach = max(3, round(JOIN_DISTANCE * max(extent.shape))) | 1
    changed = (extent > 0).astype(np.uint8)
    # With a margin: closing would stop at the edge of the image.
    padded = cv2.copyMakeBorder(changed, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0)
    joined = cv2.morphologyEx(padded, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    count, labels = cv2.connectedComponents(joined[reach:-reach, reach:-reach], connectivity=8)
    busy = np.bincount(labels.ravel(), weights=extent.ravel(), minlength=count)
    parts = [label for label in range(1, count) if busy[label] >= SLIGHT * busy[1:].max()]
    return sorted(_merge_boxes([_corners(np.where(labels == label, extent, 0)) for label in parts]))


def _corners(extent: NDArray[np.int16]) -> _Corners:
    """The box around all but the halo of compression."""
    mask = extent > HALO * np.median(extent[extent > 0])
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _merge_boxes(boxes: list[_Corners]) -> list[_Corners]:
    """Merge boxes that overlap, and the closest ones while there are more than `MAX_REGIONS`."""
    while len(boxes) > 1:
        near, one, other = min((_gap(a, b), a, b) for a, b in combinations(boxes, 2))
        if near > 0 and len(boxes) <= MAX_REGIONS:
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
