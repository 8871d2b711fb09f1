"""Larger parts of a screen: surfaces with an outline, and what stands together with empty space around it."""

from collections.abc import Iterator, Sequence
from typing import Final

from affordance.core.geometry import Box, bounding_box
from affordance.media.screen_layout import PartKind, ScreenLayout

_LARGE: Final = frozenset({PartKind.AREA, PartKind.ROW, PartKind.FIELD})
_LEAST_GAP: Final = 6.0
_LEAST_SHARE: Final = 0.001  # of the screen
_SAME: Final = 0.9


def find_blocks(layout: ScreenLayout) -> tuple[Box, ...]:
    """Candidates for a region, the large ones first; none twice."""
    small = [part.box for part in layout.parts if part.kind is not PartKind.AREA]
    found = [part.box for part in layout.parts if part.kind in _LARGE]
    found.extend(_cut(small, _LEAST_GAP * layout.pixel_ratio))
    least = _LEAST_SHARE * layout.width * layout.height
    kept: list[Box] = []
    for box in sorted(set(found), key=lambda box: (-box.area, box.xyxy)):
        if box.area >= least and not any(box.iou(other) > _SAME for other in kept):
            kept.append(box)
    return tuple(kept)


def _cut(boxes: Sequence[Box], min_gap: float) -> Iterator[Box]:
    """The boxes around all, and around each side of the widest gap, down to single ones."""
    pending = [list(boxes)]
    while pending:
        group = pending.pop()
        if len(group) < 2:
            continue
        yield bounding_box(group)
        gap, sides = max((_split(group, axis) for axis in (0, 1)), key=lambda split: split[0])
        if gap >= min_gap:
            pending.extend(sides)


def _split(group: Sequence[Box], axis: int) -> tuple[float, tuple[list[Box], list[Box]]]:
    """The widest gap along an axis (0: x, 1: y), and the boxes before and after it."""
    ordered = sorted(group, key=lambda box: box.xyxy[axis])
    widest, place, end = 0.0, 0, ordered[0].xyxy[axis + 2]
    for index, box in enumerate(ordered):
        gap = box.xyxy[axis] - end
        if gap > widest:
            widest, place = gap, index
        end = max(end, box.xyxy[axis + 2])
    return widest, (ordered[:place], ordered[place:])
