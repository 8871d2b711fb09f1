"""Look-alike sets: elements of a screen that look alike at first glance.

Alike are elements of one role and about one size whose crops have about the same colours and the same coarse pattern
of light and dark: the stars in the rows of a mailbox, and also the icons of one toolbar, whose glyphs differ."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box

Pixels = NDArray[np.uint8]
Descriptors = NDArray[np.float32]
IndexPairs = NDArray[np.intp]  # in rows of two
SideLengths = NDArray[np.float64]

MAX_SIDE_DIFFERENCE = 0.15  # by how much of the larger one widths, and heights, may differ
ROUNDING_PIXELS = 2.0  # pixels that they may always differ by: boxes of small elements are rounded
MIN_SIMILARITY = 0.8  # of two crops, 0 to 1, from which on they are alike
NEAR_IDENTICAL = 0.97  # from which on they are nearly the same image
LARGE_GROUP = 12  # members above which a group is divided into those that are nearly the same image, and the others

_GREY_CELLS = 16  # a crop is looked at as so many cells across and down
_HISTOGRAM_BINS = 8  # and as so many tones in each of its three colours
_BOUND_TOLERANCE = 1e-4  # by which a bound may miss
_SQUARES_TOLERANCE = 1e-5  # by which a mean of squares may, as a difference of large numbers
_BATCH_SIZE = 64  # that are compared with all others


def look_alike_groups(elements: Sequence[tuple[str, str, Box]], image: Pixels | None) -> list[tuple[str, ...]]:
    """Disjoint groups of two or more ids, each in the order of `elements`, sorted by their first member. Elements are
    id, role and box in pixels of the image (height, width, three colours); without an image only role and size count.
    Members of a group do not overlap: of those that do the larger are left out."""
    boxes = [box for _, _, box in elements]
    looks = None if image is None else descriptors(image, boxes)
    groups: list[list[int]] = []
    for group in connected_groups(len(boxes), similar_pairs(boxes, looks, [role for _, role, _ in elements])):
        groups += [group] if looks is None or len(group) <= LARGE_GROUP else _split_group(group, boxes, looks)
    apart = [[group[kept] for kept in without_overlaps([boxes[index] for index in group])] for group in groups]
    return [tuple(elements[index][0] for index in group) for group in sorted(apart) if len(group) > 1]


def similar_pairs(
    boxes: Sequence[Box],
    rows: Descriptors | None,
    roles: Sequence[str] | None = None,
    min_similarity: float = MIN_SIMILARITY,
    max_width_difference: float = MAX_SIDE_DIFFERENCE,
) -> IndexPairs:
    """Which of these are alike, as pairs of indices, the lower first, in order. `looks` has a row for each box; without
    it only role and size count. `widths` is by how much of the larger one widths may differ."""
    wide, high = np.array([box.x2 - box.x1 for box in boxes]), np.array([box.y2 - box.y1 for box in boxes])
    kinds = np.zeros(len(boxes), np.intp) if roles is None else np.unique(np.array(roles), return_inverse=True)[1]
    crowd = None if rows is None else _DescriptorTable(rows)
    found = [np.empty((0, 2), np.intp)]
    for start in range(0, len(boxes), _BATCH_SIZE):
        some = slice(start, start + _BATCH_SIZE)
        near = np.equal.outer(kinds[some], kinds[start:])
        near &= about_equal(wide[some, None], wide[start:], max_width_difference)
        near &= about_equal(high[some, None], high[start:], MAX_SIDE_DIFFERENCE)
        pairs: IndexPairs = np.argwhere(np.triu(near, 1)) + start
        found.append(pairs if crowd is None else crowd.filter_similar(pairs, min_similarity))
    return np.concatenate(found)


def filter_similar(rows: Descriptors, pairs: IndexPairs, min_similarity: float) -> IndexPairs:
    """Of pairs of rows, in order of the first, those whose likeness is at least this."""
    crowd, found = _DescriptorTable(rows), [np.empty((0, 2), np.intp)]
    ends = np.searchsorted(pairs[:, 0], np.arange(0, len(rows) + _BATCH_SIZE, _BATCH_SIZE))
    for start, end in pairwise(ends.tolist()):
        found.append(crowd.filter_similar(pairs[start:end], min_similarity))
    return np.concatenate(found)


def connected_groups(count: int, pairs: IndexPairs) -> list[list[int]]:
    """The disjoint sets that pairs make of so many things, single ones among them, in the order of first members."""
    from scipy import sparse
    from scipy.sparse import csgraph

    links = sparse.coo_array((np.ones(len(pairs), bool), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    sets: dict[int, list[int]] = defaultdict(list)
    for member, label in enumerate(csgraph.connected_components(links, directed=False)[1].tolist()):
        sets[label].append(member)
    return list(sets.values())


def without_overlaps(boxes: Sequence[Box]) -> list[int]:
    """Indices of the boxes that stay when, as long as any overlap, the largest of those that do is dropped (the last
    of equal ones). Boxes that only touch do not overlap."""
    if len({box.space for box in boxes}) > 1:
        raise ValueError("boxes of one space are compared, found several")
    low = np.array([(box.x1, box.y1) for box in boxes]).reshape(-1, 2)
    high = np.array([(box.x2, box.y2) for box in boxes]).reshape(-1, 2)
    met: dict[int, set[int]] = defaultdict(set)
    for one in range(len(boxes)):
        both = np.minimum(high[:one], high[one]) > np.maximum(low[:one], low[one])
        for other in np.flatnonzero(both.all(axis=1)).tolist():
            met[one].add(other)
            met[other].add(one)
    dropped = set()
    for largest in sorted(met, key=lambda index: (boxes[index].area, index), reverse=True):
        if met[largest]:
            dropped.add(largest)
            for other in met[largest]:
                met[other].discard(largest)
    return [index for index in range(len(boxes)) if index not in dropped]


def descriptors(image: Pixels, boxes: Sequence[Box]) -> Descriptors:
    """What crops look like, in rows: a small grey copy of each and the shares of tones of its colours. A box that lies
    outside the image has the looks of its nearest pixel."""
    height, width = image.shape[:2]
    small = np.empty((len(boxes), _GREY_CELLS, _GREY_CELLS, 3), np.uint8)
    shares = np.empty((len(boxes), 3, _HISTOGRAM_BINS), np.float32)
    for place, box in enumerate(boxes):
        x1, y1 = min(max(int(box.x1), 0), width - 1), min(max(int(box.y1), 0), height - 1)
        x2, y2 = min(max(round(box.x2), x1 + 1), width), min(max(round(box.y2), y1 + 1), height)
        crop = image[y1:y2, x1:x2]
        small[place] = cv2.resize(crop, (_GREY_CELLS, _GREY_CELLS), interpolation=cv2.INTER_AREA)
        for colour in range(3):
            tones = cv2.calcHist([crop], [colour], None, [_HISTOGRAM_BINS], [0, 256])
            np.divide(tones.ravel(), (y2 - y1) * (x2 - x1), out=shares[place, colour])
    grey = small.astype(np.float32).mean(axis=3).reshape(len(boxes), _GREY_CELLS * _GREY_CELLS) / 255
    return np.concatenate([grey, shares.reshape(len(boxes), 3 * _HISTOGRAM_BINS)], axis=1, dtype=np.float32)


def descriptor(image: Pixels, box: Box) -> Descriptors:
    """What one crop looks like."""
    looks: Descriptors = descriptors(image, [box])[0]
    return looks


def crop_similarity(one: Descriptors, other: Descriptors) -> float:
    """0 to 1, the lesser of two: how near the grey copies are, and how much of their tones two crops share."""
    cells = _GREY_CELLS * _GREY_CELLS
    grey = 1 - 2 * float(np.abs(one[:cells] - other[:cells]).mean())
    tones = float(np.minimum(one[cells:], other[cells:]).sum()) / 3
    return max(0.0, min(grey, tones))


class _DescriptorTable:
    """Looks in rows, made ready for many to be compared. The answers are those of `likeness`; bounds that are cheap to
    compute spare most of the work."""

    def __init__(self, rows: Descriptors) -> None:
        cells, step = _GREY_CELLS * _GREY_CELLS, _GREY_CELLS // 4
        self._tones = np.ascontiguousarray(rows[:, cells:])
        self._grey = np.ascontiguousarray(rows[:, :cells])
        self._coarse = self._grey.reshape(-1, 4, step, 4, step).mean(axis=(2, 4)).reshape(-1, 16)
        self._squares = np.einsum("ij,ij->i", self._grey, self._grey)

    def filter_similar(self, pairs: IndexPairs, min_similarity: float) -> IndexPairs:
        """Those of the pairs whose likeness reaches the least."""
        from scipy.spatial import distance

        if not len(pairs):
            return pairs
        most = (1 - min_similarity) / 2  # that grey copies may differ by
        first, last = pairs.min(), pairs.max() + 1
        ones, others = pairs[:, 0] - first, pairs[:, 1] - first
        rows = slice(first, pairs[:, 0].max() + 1)
        shared = 1 - distance.cdist(self._tones[rows], self._tones[first:last], "cityblock")[ones, others] / 6
        kept = np.flatnonzero(shared >= min_similarity - _BOUND_TOLERANCE)
        # What large cells differ by, small ones do at least.
        apart = distance.cdist(self._coarse[rows], self._coarse[first:last], "cityblock")[ones[kept], others[kept]] / 16
        kept = kept[apart <= most + _BOUND_TOLERANCE]
        pairs, ones, others, shared = pairs[kept], ones[kept], others[kept], shared[kept]
        # A mean of differences is at most the root of the mean of their squares.
        products = (self._grey[rows] @ self._grey[first:last].T)[ones, others]
        squares = (self._squares[pairs[:, 0]] + self._squares[pairs[:, 1]] - 2 * products) / self._grey.shape[1]
        alike = (shared >= min_similarity + _BOUND_TOLERANCE) & (
            squares <= max(0.0, most - _BOUND_TOLERANCE) ** 2 - _SQUARES_TOLERANCE
        )
        unsure = np.flatnonzero(~alike)
        alike[unsure] = self._crop_similarity(pairs[unsure]) >= min_similarity
        found: IndexPairs = pairs[alike]
        return found

    def _crop_similarity(self, pairs: IndexPairs) -> Descriptors:
        """As `likeness` has it, of pairs in order of the first."""
        found = np.empty(len(pairs), np.float32)
        firsts, starts = np.unique(pairs[:, 0], return_index=True)
        for one, (start, end) in zip(firsts, pairwise([*starts.tolist(), len(pairs)]), strict=True):
            others = pairs[start:end, 1]
            apart = self._grey[others]
            apart -= self._grey[one]
            np.abs(apart, out=apart)
            tones = np.minimum(self._tones[others], self._tones[one]).sum(axis=1) / np.float32(3)
            found[start:end] = np.minimum(1 - 2 * apart.mean(axis=1), tones)
        return np.maximum(found, np.float32(0))


def about_equal(some: SideLengths, others: SideLengths, share: float = MAX_SIDE_DIFFERENCE) -> NDArray[np.bool_]:
    """Whether sides differ by no more than a share of the larger one, or than boxes are rounded by."""
    same: NDArray[np.bool_] = np.abs(some - others) <= np.maximum(ROUNDING_PIXELS, share * np.maximum(some, others))
    return same


def _split_group(group: Sequence[int], boxes: Sequence[Box], rows: Descriptors) -> list[list[int]]:
    """Those that are nearly the same image, set by set, and the others."""
    same = similar_pairs([boxes[index] for index in group], rows[group], min_similarity=NEAR_IDENTICAL)
    sets = [[group[place] for place in one] for one in connected_groups(len(group), same)]
    return [*(one for one in sets if len(one) > 1), [one[0] for one in sets if len(one) == 1]]
