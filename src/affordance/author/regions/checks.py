"""What is wrong with regions, in words, by their boxes alone: overlaps, what lies outside, what is too small, too many
or alone. Boxes are of one space, that of the screen's pixels where sizes are told."""

import sys
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box

MOST = 10  # children that a region is divided into
DUPLICATE = 0.3  # IoU above which two siblings are the same region
TINY = 10  # pixels: with a side below, a region is too small to be looked at
SMALL = 30  # pixels: with a side below, it is too small to be divided
ALL = 0.99  # share of the parent from which on a child is the parent again
_NESTED = 0.9  # share of a box that lies in another, from which on it is inside of that
_AT_ONCE = 1 << 17  # pairs that are looked at
_SLACK = 0.02  # share of the smaller box that siblings may have in common, for borders are drawn by hand


def too_small(box: Box, side: int = SMALL) -> bool:
    return box.x2 - box.x1 < side or box.y2 - box.y1 < side


def inside(box: Box, parent: Box) -> bool:
    return box.x1 >= parent.x1 and box.y1 >= parent.y1 and box.x2 <= parent.x2 and box.y2 <= parent.y2


def duplicates(boxes: Sequence[Box]) -> dict[int, int]:
    """Boxes that are one of the earlier ones again, by index, and which one that is."""
    found: dict[int, int] = {}
    for later, box in enumerate(boxes):
        kept = (index for index in range(later) if index not in found)
        if (first := next((index for index in kept if boxes[index].iou(box) > DUPLICATE), None)) is not None:
            found[later] = first
    return found


def problems(parent: Box, children: Mapping[str, Box], most: int = sys.maxsize) -> list[str]:
    """What is wrong with the children of a region, in a line each; children are told by their names. The first ones,
    and how many more there are: a thousand children may overlap in half a million ways."""
    lines = [*_by_count(len(children)), *_alone(parent, children)]
    left = max(0, len(lines) - most)
    names, boxes = list(children), list(children.values())
    for pairs in _overlapping(boxes):
        told = pairs[: max(0, most - len(lines))].tolist()
        lines += [_together(names[one], boxes[one], names[other], boxes[other]) for one, other in told]
        left += len(pairs) - len(told)
    return [*lines[:most], f"and {left:,} more"] if left else lines


def reading_order(boxes: Sequence[Box]) -> list[int]:
    """Indices from top to bottom, and from left to right where boxes stand beside each other. Equal boxes stay in their
    order."""
    left = sorted(range(len(boxes)), key=lambda index: (boxes[index].y1, boxes[index].x1, index))
    ordered: list[int] = []
    while left:
        first = boxes[left[0]]
        row = [index for index in left if _beside(first, boxes[index])] or left[:1]
        ordered += sorted(row, key=lambda index: (boxes[index].x1, boxes[index].y1, index))
        taken = set(row)
        left = [index for index in left if index not in taken]
    return ordered


def _beside(one: Box, other: Box) -> bool:
    common = min(one.y2, other.y2) - max(one.y1, other.y1)
    return common > 0 and 2 * common >= min(one.y2 - one.y1, other.y2 - other.y1)


def _by_count(count: int) -> Iterator[str]:
    if count == 0:
        yield "there are no regions in it"
    elif count > MOST:
        yield f"there are {count} regions, more than {MOST}"


def _alone(parent: Box, children: Mapping[str, Box]) -> Iterator[str]:
    for name, box in children.items():
        if not inside(box, parent):
            outside = 1 - parent.intersection_area(box) / box.area if box.area else 1.0
            yield f"{name} lies outside of its parent with {outside:.0%} of its area"
        elif parent.area and box.area / parent.area >= ALL:
            yield f"{name} is all of its parent"
        if too_small(box, TINY):
            yield f"{name} is {box.x2 - box.x1:g}x{box.y2 - box.y1:g} pixels, smaller than {TINY}"


def _overlapping(boxes: Sequence[Box]) -> Iterator[NDArray[np.intp]]:
    """Pairs of indices of boxes that have more in common than borders drawn by hand have, in parts."""
    if len(boxes) < 2:
        return
    x1, y1, x2, y2 = np.array([box.xyxy for box in boxes], np.float64).T
    areas = (x2 - x1) * (y2 - y1)
    numbers = np.arange(len(boxes))
    for part in np.split(numbers, range(0, len(boxes), max(1, _AT_ONCE // len(boxes))))[1:]:
        one, other = part[:, None], numbers[None, part[0] :]
        wide = np.minimum(x2[one], x2[other]) - np.maximum(x1[one], x1[other])
        high = np.minimum(y2[one], y2[other]) - np.maximum(y1[one], y1[other])
        common = np.where(other > one, np.maximum(wide, 0.0) * np.maximum(high, 0.0), 0.0)
        smaller = np.minimum(areas[one], areas[other])
        share = np.divide(common, smaller, out=np.zeros_like(common), where=common > 0)
        yield np.argwhere(share > _SLACK) + part[0]


def _together(name: str, box: Box, other: str, beside: Box) -> str:
    common, smaller = box.intersection_area(beside), min(box.area, beside.area)
    if box.iou(beside) > DUPLICATE:
        return f"{name} and {other} are nearly the same region (IoU {box.iou(beside):.2f})"
    if common / smaller >= _NESTED:
        inner, outer = (name, other) if box.area <= beside.area else (other, name)
        return f"{inner} lies inside of {outer}, and not beside it"
    return f"{name} and {other} overlap by {common / smaller:.0%} of the smaller one"
