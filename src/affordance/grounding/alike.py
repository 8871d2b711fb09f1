"""Look-alike sets: which elements of a screen a quick look does not tell apart.

Alike are elements of one role and about one size whose crops have about the same colours and the same coarse pattern
of light and dark: the stars in the rows of a mailbox, and also the icons of one toolbar, whose glyphs differ."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.box import Box
from affordance.core.deferred import csgraph, distance, sparse

Pixels = NDArray[np.uint8]
Looks = NDArray[np.float32]
Pairs = NDArray[np.intp]  # in rows of two
Sides = NDArray[np.float64]

SIDES = 0.15  # by how much of the larger one widths, and heights, may differ
ROUNDING = 2.0  # pixels that they may always differ by: boxes of small elements are rounded
LIKENESS = 0.8  # of two crops, 0 to 1, from which on they are alike
SAME = 0.97  # from which on they are nearly the same picture
MANY = 12  # members above which a group is divided into those that are nearly the same picture, and the others

_GREY = 16  # a crop is looked at as so many cells across and down
_TONES = 8  # and as so many tones in each of its three colours
_ROUNDED = 1e-4  # by which a bound may miss
_CANCELLED = 1e-5  # by which a mean of squares may, as a difference of large numbers
_AT_A_TIME = 64  # that are compared with all others


def look_alike_groups(elements: Sequence[tuple[str, str, Box]], image: Pixels | None) -> list[tuple[str, ...]]:
    """Disjoint groups of two or more ids, each in the order of `elements`, sorted by their first member. Elements are
    id, role and box in pixels of the image (height, width, three colours); without an image only role and size count.
    Members of a group do not overlap: of those that do the larger are left out."""
    boxes = [box for _, _, box in elements]
    looks = None if image is None else descriptors(image, boxes)
    groups: list[list[int]] = []
    for group in joined(len(boxes), alike_pairs(boxes, looks, [role for _, role, _ in elements])):
        groups += [group] if looks is None or len(group) <= MANY else _divided(group, boxes, looks)
    apart = [[group[kept] for kept in without_overlaps([boxes[index] for index in group])] for group in groups]
    return [tuple(elements[index][0] for index in group) for group in sorted(apart) if len(group) > 1]


def alike_pairs(
    boxes: Sequence[Box],
    looks: Looks | None,
    roles: Sequence[str] | None = None,
    least: float = LIKENESS,
    widths: float = SIDES,
) -> Pairs:
    """Which of these are alike, as pairs of indices, the lower first, in order. `looks` has a row for each box; without
    it only role and size count. `widths` is by how much of the larger one widths may differ."""
    wide, high = np.array([box.x2 - box.x1 for box in boxes]), np.array([box.y2 - box.y1 for box in boxes])
    kinds = np.zeros(len(boxes), np.intp) if roles is None else np.unique(np.array(roles), return_inverse=True)[1]
    crowd = None if looks is None else _Crowd(looks)
    found = [np.empty((0, 2), np.intp)]
    for start in range(0, len(boxes), _AT_A_TIME):
        some = slice(start, start + _AT_A_TIME)
        near = np.equal.outer(kinds[some], kinds[start:])
        near &= about_equal(wide[some, None], wide[start:], widths)
        near &= about_equal(high[some, None], high[start:], SIDES)
        pairs: Pairs = np.argwhere(np.triu(near, 1)) + start
        found.append(pairs if crowd is None else crowd.alike(pairs, least))
    return np.concatenate(found)


def alike_of(looks: Looks, pairs: Pairs, least: float) -> Pairs:
    """Of pairs of rows, in order of the first, those whose likeness is at least this."""
    crowd, found = _Crowd(looks), [np.empty((0, 2), np.intp)]
    ends = np.searchsorted(pairs[:, 0], np.arange(0, len(looks) + _AT_A_TIME, _AT_A_TIME))
    for start, end in pairwise(ends.tolist()):
        found.append(crowd.alike(pairs[start:end], least))
    return np.concatenate(found)


def joined(number: int, pairs: Pairs) -> list[list[int]]:
    """The disjoint sets that pairs make of so many things, single ones among them, in the order of first members."""
    links = sparse.coo_array((np.ones(len(pairs), bool), (pairs[:, 0], pairs[:, 1])), shape=(number, number))
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


def descriptors(image: Pixels, boxes: Sequence[Box]) -> Looks:
    """What crops look like, in rows: a small grey copy of each and the shares of tones of its colours. A box that lies
    outside the image has the looks of its nearest pixel."""
    height, width = image.shape[:2]
    small = np.empty((len(boxes), _GREY, _GREY, 3), np.uint8)
    shares = np.empty((len(boxes), 3, _TONES), np.float32)
    for place, box in enumerate(boxes):
        x1, y1 = min(max(int(box.x1), 0), width - 1), min(max(int(box.y1), 0), height - 1)
        x2, y2 = min(max(round(box.x2), x1 + 1), width), min(max(round(box.y2), y1 + 1), height)
        crop = image[y1:y2, x1:x2]
        small[place] = cv2.resize(crop, (_GREY, _GREY), interpolation=cv2.INTER_AREA)
        for colour in range(3):
            tones = cv2.calcHist([crop], [colour], None, [_TONES], [0, 256])
            np.divide(tones.ravel(), (y2 - y1) * (x2 - x1), out=shares[place, colour])
    grey = small.astype(np.float32).mean(axis=3).reshape(len(boxes), _GREY * _GREY) / 255
    return np.concatenate([grey, shares.reshape(len(boxes), 3 * _TONES)], axis=1, dtype=np.float32)


def descriptor(image: Pixels, box: Box) -> Looks:
    """What one crop looks like."""
    looks: Looks = descriptors(image, [box])[0]
    return looks


def likeness(one: Looks, other: Looks) -> float:
    """0 to 1, the lesser of two: how near the grey copies are, and how much of their tones two crops share."""
    cells = _GREY * _GREY
    grey = 1 - 2 * float(np.abs(one[:cells] - other[:cells]).mean())
    tones = float(np.minimum(one[cells:], other[cells:]).sum()) / 3
    return max(0.0, min(grey, tones))


class _Crowd:
    """Looks in rows, made ready for many to be compared. The answers are those of `likeness`; bounds that are cheap to
    compute spare most of the work."""

    def __init__(self, looks: Looks) -> None:
        cells, step = _GREY * _GREY, _GREY // 4
        self._tones = np.ascontiguousarray(looks[:, cells:])
        self._grey = np.ascontiguousarray(looks[:, :cells])
        self._coarse = self._grey.reshape(-1, 4, step, 4, step).mean(axis=(2, 4)).reshape(-1, 16)
        self._squares = np.einsum("ij,ij->i", self._grey, self._grey)

    def alike(self, pairs: Pairs, least: float) -> Pairs:
        """Those of the pairs whose likeness reaches the least."""
        if not len(pairs):
            return pairs
        most = (1 - least) / 2  # that grey copies may differ by
        first, last = pairs.min(), pairs.max() + 1
        ones, others = pairs[:, 0] - first, pairs[:, 1] - first
        rows = slice(first, pairs[:, 0].max() + 1)
        shared = 1 - distance.cdist(self._tones[rows], self._tones[first:last], "cityblock")[ones, others] / 6
        kept = np.flatnonzero(shared >= least - _ROUNDED)
        # What large cells differ by, small ones do at least.
        apart = distance.cdist(self._coarse[rows], self._coarse[first:last], "cityblock")[ones[kept], others[kept]] / 16
        kept = kept[apart <= most + _ROUNDED]
        pairs, ones, others, shared = pairs[kept], ones[kept], others[kept], shared[kept]
        # A mean of differences is at most the root of the mean of their squares.
        products = (self._grey[rows] @ self._grey[first:last].T)[ones, others]
        squares = (self._squares[pairs[:, 0]] + self._squares[pairs[:, 1]] - 2 * products) / self._grey.shape[1]
        alike = (shared >= least + _ROUNDED) & (squares <= max(0.0, most - _ROUNDED) ** 2 - _CANCELLED)
        unsure = np.flatnonzero(~alike)
        alike[unsure] = self._likeness(pairs[unsure]) >= least
        found: Pairs = pairs[alike]
        return found

    def _likeness(self, pairs: Pairs) -> Looks:
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


def about_equal(some: Sides, others: Sides, share: float = SIDES) -> NDArray[np.bool_]:
    """Whether sides differ by no more than a share of the larger one, or than boxes are rounded by."""
    same: NDArray[np.bool_] = np.abs(some - others) <= np.maximum(ROUNDING, share * np.maximum(some, others))
    return same


def _divided(group: Sequence[int], boxes: Sequence[Box], looks: Looks) -> list[list[int]]:
    """Those that are nearly the same picture, set by set, and the others."""
    same = alike_pairs([boxes[index] for index in group], looks[group], least=SAME)
    sets = [[group[place] for place in one] for one in joined(len(group), same)]
    return [*(one for one in sets if len(one) > 1), [one[0] for one in sets if len(one) == 1]]
