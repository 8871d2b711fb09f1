"""What is wrong with regions, in words, by their boxes alone: overlaps, what lies outside, what is too small, too many
or alone. Boxes are of one space, that of the screen's pixels where sizes are told."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from affordance.core.box import Box

MOST = 10  # children that a region is divided into
DUPLICATE = 0.3  # IoU above which two siblings are the same region
TINY = 10  # pixels: with a side below, a region is too small to be looked at
SMALL = 30  # pixels: with a side below, it is too small to be divided
ALL = 0.99  # share of the parent from which on a child is the parent again
_NESTED = 0.9  # share of a box that lies in another, from which on it is inside of that
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


def problems(parent: Box, children: Mapping[str, Box]) -> list[str]:
    """What is wrong with the children of a region, in a line each; children are told by their names."""
    return [*_by_count(len(children)), *_alone(parent, children), *_together(children)]


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
            outside = 1 - parent.common(box) / box.area if box.area else 1.0
            yield f"{name} lies outside of its parent with {outside:.0%} of its area"
        elif parent.area and box.area / parent.area >= ALL:
            yield f"{name} is all of its parent"
        if too_small(box, TINY):
            yield f"{name} is {box.x2 - box.x1:g}x{box.y2 - box.y1:g} pixels, smaller than {TINY}"


def _together(children: Mapping[str, Box]) -> Iterator[str]:
    for (name, box), (other, beside) in combinations(children.items(), 2):
        common, smaller = box.common(beside), min(box.area, beside.area)
        if common == 0 or common / smaller <= _SLACK:
            continue
        if box.iou(beside) > DUPLICATE:
            yield f"{name} and {other} are nearly the same region (IoU {box.iou(beside):.2f})"
        elif common / smaller >= _NESTED:
            inner, outer = (name, other) if box.area <= beside.area else (other, name)
            yield f"{inner} lies inside of {outer}, and not beside it"
        else:
            yield f"{name} and {other} overlap by {common / smaller:.0%} of the smaller one"
