"""Look-alike sets: which elements of a screen a quick look does not tell apart.

Alike are elements of one role and about one size whose crops have about the same colours and the same coarse pattern
of light and dark: the stars in the rows of a mailbox, and also the icons of one toolbar, whose glyphs differ."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.box import Box

Pixels = NDArray[np.uint8]
Looks = NDArray[np.float32]

SIDES = 0.15  # by how much of the larger one widths, and heights, may differ
ROUNDING = 2.0  # pixels that they may always differ by: boxes of small elements are rounded
LIKENESS = 0.8  # of two crops, 0 to 1, from which on they are alike
SAME = 0.97  # from which on they are nearly the same picture
MANY = 12  # members above which a group is divided into those that are nearly the same picture, and the others

_GREY = 16  # a crop is looked at as so many cells across and down
_TONES = 8  # and as so many tones in each of its three colours


def look_alike_groups(elements: Sequence[tuple[str, str, Box]], image: Pixels | None) -> list[tuple[str, ...]]:
    """Disjoint groups of two or more ids, each in the order of `elements`, sorted by their first member. Elements are
    id, role and box in pixels of the image (height, width, three colours); without an image only role and size count.
    Members of a group do not overlap: of those that do the larger are left out."""
    boxes = [box for _, _, box in elements]
    looks = None if image is None else [descriptor(image, box) for box in boxes]
    by_role: dict[str, list[int]] = defaultdict(list)
    for index, (_, role, _) in enumerate(elements):
        by_role[role].append(index)

    def alike(one: int, other: int, least: float = LIKENESS) -> bool:
        if not _same_size(boxes[one], boxes[other]):
            return False
        return looks is None or likeness(looks[one], looks[other]) >= least

    groups: list[list[int]] = []
    for members in by_role.values():
        for group in _joined(members, alike):
            groups += [group] if looks is None or len(group) <= MANY else _divided(group, partial(alike, least=SAME))
    apart = [[group[kept] for kept in without_overlaps([boxes[index] for index in group])] for group in groups]
    return [tuple(elements[index][0] for index in group) for group in sorted(apart) if len(group) > 1]


def without_overlaps(boxes: Sequence[Box]) -> list[int]:
    """Indices of the boxes that stay when, as long as any overlap, the largest of those that do is dropped (the last
    of equal ones). Boxes that only touch do not overlap."""
    met: dict[int, set[int]] = defaultdict(set)
    for one, box in enumerate(boxes):
        for other in range(one):
            if box.iou(boxes[other]) > 0:
                met[one].add(other)
                met[other].add(one)
    dropped = set()
    while met:
        largest = max(met, key=lambda index: (boxes[index].area, index))
        for other in met.pop(largest):
            met[other].discard(largest)
            if not met[other]:
                del met[other]
        dropped.add(largest)
    return [index for index in range(len(boxes)) if index not in dropped]


def descriptor(image: Pixels, box: Box) -> Looks:
    """What a crop looks like: a small grey copy of it and the shares of tones of its colours. A box that lies outside
    the image has the looks of its nearest pixel."""
    height, width = image.shape[:2]
    x1, y1 = min(max(int(box.x1), 0), width - 1), min(max(int(box.y1), 0), height - 1)
    x2, y2 = min(max(round(box.x2), x1 + 1), width), min(max(round(box.y2), y1 + 1), height)
    crop = image[y1:y2, x1:x2]
    small = cv2.resize(crop, (_GREY, _GREY), interpolation=cv2.INTER_AREA)
    grey = small.astype(np.float32).mean(axis=2).ravel() / 255
    tones = [cv2.calcHist([crop], [colour], None, [_TONES], [0, 256]) for colour in range(3)]
    shares = np.concatenate(tones).ravel() / (crop.shape[0] * crop.shape[1])
    return np.concatenate([grey, shares], dtype=np.float32)


def likeness(one: Looks, other: Looks) -> float:
    """0 to 1, the lesser of two: how near the grey copies are, and how much of their tones two crops share."""
    cells = _GREY * _GREY
    grey = 1 - 2 * float(np.abs(one[:cells] - other[:cells]).mean())
    tones = float(np.minimum(one[cells:], other[cells:]).sum()) / 3
    return max(0.0, min(grey, tones))


def _same_size(one: Box, other: Box) -> bool:
    pairs = ((one.x2 - one.x1, other.x2 - other.x1), (one.y2 - one.y1, other.y2 - other.y1))
    return all(abs(a - b) <= max(ROUNDING, SIDES * max(a, b)) for a, b in pairs)


def _divided(group: Sequence[int], same: Callable[[int, int], bool]) -> list[list[int]]:
    sets = _joined(group, same)
    return [*(one for one in sets if len(one) > 1), [one[0] for one in sets if len(one) == 1]]


def _joined(members: Sequence[int], alike: Callable[[int, int], bool]) -> list[list[int]]:
    """The disjoint sets that pairs which are alike make, in the order of their first members."""
    parents = {member: member for member in members}

    def root(member: int) -> int:
        while parents[member] != member:
            parents[member] = member = parents[parents[member]]
        return member

    for place, one in enumerate(members):
        for other in members[:place]:
            if root(one) != root(other) and alike(one, other):
                parents[max(root(one), root(other))] = min(root(one), root(other))
    sets: dict[int, list[int]] = defaultdict(list)
    for member in members:
        sets[root(member)].append(member)
    return list(sets.values())
