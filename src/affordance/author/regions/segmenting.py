"""A tree of regions from the pixels of a screenshot alone, where there is neither a model nor the page's own truth.

A part is cut where a line or the border of a surface runs straight through it, else where rows repeat, else at its
widest gaps; outlined areas in it are not cut through. Parts alike are joined to lists and grids. See
docs/segmenter.md."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.author.regions._cuts import Bands, Signs, content_of, find_bands, find_signs, signs_in
from affordance.author.regions._nodes import SAME, Cut, Node, large_enough, tidy
from affordance.author.regions._repeats import Run, find_runs, joined, listed
from affordance.core.geometry import Box, CoordinateSpace
from affordance.media.screen_layout import PartKind, ScreenPart, find_edges, find_layout, find_pixel_ratio

_MOST_PIXELS: Final = 8_400_000  # a full page may be several screens high
_LONGEST_SIDE: Final = 20_000

# Lengths below are in pixels of a screen at 100%.
_STEPS: Final = 10  # down from the screen; what is too deep is levelled afterwards
_GAPS: Final = (16, 12)  # along x and y; words and lines of a text are closer
_SMALL_GAPS: Final = (8, 6)  # beside an outlined area, which is no text
_WIDE: Final = 100_000  # pixels of a part in which those are looked for
_LINE: Final = 40  # so much wider than it is counts a gap with a line in it
_SHARE: Final = 0.6  # of the widest gap: as wide ones cut on the same level
_ROW: Final = 64  # height up to which a row is one thing
_FIELD: Final = 0.8  # overlap with a field or button, which is one thing
_SOLID: Final = 0.7  # of a part: an outlined area that fills more of it is the part itself
_SOLID_SIDE: Final = 64
_INSIDE: Final = 0.97
_LARGE: Final = 300_000
_PADDING: Final = (24, 8)  # around content that only a gap sets apart: in large parts, and in small ones
_BAR: Final = 96
_LONG: Final = 0.6  # of the screen: a bar or a column
_NARROW: Final = 0.4

_FRAMES: Final = frozenset({PartKind.AREA, PartKind.ROW, PartKind.FIELD})
_UNITS: Final = frozenset({PartKind.FIELD, PartKind.BUTTON})


@dataclass(frozen=True, slots=True)
class Segment:
    """A region: its box in whole pixels of the picture, the index of its parent (None: the screen itself, which is not
    among the segments), and what it looks like: bar, column, list, row, grid, form, field, card or block. `dividable`
    are those with children."""

    box: Box
    parent: int | None
    kind: str
    dividable: bool


@dataclass(frozen=True, slots=True)
class _Sight:
    signs: Signs
    frames: Sequence[Box]
    units: Sequence[Box]


def segment(image: NDArray[np.uint8]) -> list[Segment]:
    """The regions of an RGB picture of any size, parents before children, siblings in reading order; none where nothing
    can be told apart. Children are inside their parents, siblings do not overlap, and there are no more than four
    levels and 200 regions. Takes about 0.1 s for a screen and is no work for an event loop."""
    height, width = image.shape[:2]
    if min(height, width) == 0:
        return []
    plain = _plain(image)
    parts = find_layout(plain, pixel_ratio=1).parts
    frames = [part.box for part in parts if part.kind in _FRAMES and large_enough(part.box)]
    sight = _Sight(find_signs(find_edges(plain)), frames, [part.box for part in parts if part.kind in _UNITS])
    root = Node(Box(CoordinateSpace.PIXEL, 0, 0, plain.shape[1], plain.shape[0]), Cut.FRAME)
    _divide(root, sight, _STEPS)
    tidy(root, [part.box.centre for part in parts if part.kind is not PartKind.AREA])
    return _listing(root, parts, width / plain.shape[1], height / plain.shape[0])


def _plain(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """As on a screen at 100%, and no larger than can be looked at in time."""
    height, width = image.shape[:2]
    pixels, longest = math.sqrt(width * height / _MOST_PIXELS), max(width, height) / _LONGEST_SIDE
    scale = max(float(find_pixel_ratio(width, height)), pixels, longest)
    if scale <= 1:
        return image
    size = max(1, round(width / scale)), max(1, round(height / scale))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _divide(node: Node, sight: _Sight, steps: int) -> None:
    low_row = node.cut is Cut.ROW and node.box.y2 - node.box.y1 < _ROW
    unit = any(one.iou(node.box) > _FIELD for one in sight.units)
    if steps == 0 or low_row or unit or not large_enough(node.box):
        return
    inside = [one for one in sight.frames if one.intersection_area(node.box) >= _INSIDE * one.area]
    solid = [
        one
        for one in inside
        if one.area < _SOLID * node.box.area and min(one.x2 - one.x1, one.y2 - one.y1) > _SOLID_SIDE
    ]
    _cut(node, signs_in(sight.signs, node.box, solid), inside)
    for child in node.children:
        if child.cut is not Cut.ROW and any(one.iou(child.box) > SAME for one in sight.frames):
            child.cut = Cut.FRAME
    for child in node.children:
        for part in child.children or [child]:
            _divide(part, sight, steps - 1)


def _cut(node: Node, signs: Signs, frames: Sequence[Box]) -> None:
    """Gives a node its children, by the surest sign there is."""
    smaller = [one for one in frames if one.iou(node.box) < SAME]
    both = [find_bands(signs, axis) for axis in (1, 0)]
    cuts = _widest(both, _GAPS)
    if cuts is None and smaller and node.box.area > _WIDE:
        cuts = _widest(both, _SMALL_GAPS)
    runs = find_runs(both[0])
    lined = cuts is not None and any(cuts[0].gaps[index].lines for index in cuts[1])
    if cuts is not None and lined and runs:
        runs, cuts = _without_rows(runs, *cuts)
    if runs:
        _cut_rows(node, signs, both[0], runs)
    elif cuts is not None:
        parts = _parts(node.box, signs, *cuts, frames)
        node.lined = lined
        node.children, alike = joined(parts, cuts[0].axis)
        node.kind = "list" if alike else node.kind
    else:
        node.children = _apart(smaller)


def _widest(both: Sequence[Bands], least: tuple[int, int]) -> tuple[Bands, dict[int, int]] | None:
    """The bands along the axis with the widest gap, and its gaps by index, each with how wide it counts."""
    found: tuple[Bands, dict[int, int]] | None = None
    for bands in both:
        widths = {
            index: gap.width + (_LINE if gap.lines else 0)
            for index, gap in bands.inner()
            if gap.lines or gap.width >= least[bands.axis]
        }
        if widths and (found is None or max(widths.values()) > max(found[1].values())):
            found = bands, widths
    return found


def _without_rows(
    runs: list[Run], bands: Bands, widths: dict[int, int]
) -> tuple[list[Run], tuple[Bands, dict[int, int]]]:
    """Lines between rows, or around the chosen one, do not cut a list. Others cut first: then there are no runs."""
    if bands.axis == 0:
        return [], (bands, widths)
    rows = {index for run in runs for index in range(run.first, run.last + 2)}
    if not any(gap.lines and index not in rows for index, gap in bands.inner()):
        return runs, (bands, widths)
    within = {index for run in runs for index in range(run.first + 1, run.last + 1)}
    return [], (bands, {index: width for index, width in widths.items() if index not in within})


def _cut_rows(node: Node, signs: Signs, bands: Bands, runs: Sequence[Run]) -> None:
    content = content_of(signs, 1, (bands.spans[0][0], bands.spans[-1][1]))
    assert content is not None, "bands without content"
    found = listed(node.box, content, bands, runs)
    if len(found) == 1 and found[0].box.iou(node.box) > _SOLID:
        node.kind, node.children = "list", found[0].children
    else:
        node.children = found


def _parts(box: Box, signs: Signs, bands: Bands, widths: dict[int, int], frames: Sequence[Box]) -> list[Node]:
    """The parts between the widest gaps."""
    chosen = [index for index, width in widths.items() if width >= _SHARE * max(widths.values())]
    content = content_of(signs, bands.axis, (bands.spans[0][0], bands.spans[-1][1]))
    assert content is not None, "bands without content"
    found: list[Node] = []
    for first, end in zip([0, *chosen], [*chosen, len(bands.spans)], strict=True):
        tight = content_of(signs, bands.axis, (bands.spans[first][0], bands.spans[end - 1][1]))
        assert tight is not None, "a band without content"
        framed = next((one for one in frames if one.iou(tight) > SAME and one.iou(box) < SAME), None)
        low, high = _lines_around(box, bands, first, end)
        if low is not None and high is not None:
            found.append(Node(_spanned(box, bands.axis, low, high), Cut.LINE))
        elif framed is not None:
            found.append(Node(framed, Cut.FRAME))
        else:
            spaced = _spaced(box, bands, first, end, content if bands.axis == 1 else tight)
            low = _low(spaced, bands.axis) if low is None else low
            high = _high(spaced, bands.axis) if high is None else high
            found.append(Node(_spanned(spaced, bands.axis, low, high), Cut.GAP))
    return found


def _lines_around(box: Box, bands: Bands, first: int, end: int) -> tuple[float | None, float | None]:
    """The lines before and after some bands. The first and the last part reach to the end of the whole if there is one
    on their other side."""
    before, after = bands.gaps[first].lines, bands.gaps[end].lines
    low: float | None = before[1] if before else None
    high: float | None = after[0] if after else None
    if low is None and high is not None and first == 0:
        low = _low(box, bands.axis)
    if high is None and before and end == len(bands.spans):
        high = _high(box, bands.axis)
    return low, high


def _spaced(box: Box, bands: Bands, first: int, end: int, content: Box) -> Box:
    """Content with some of the space around it, at most half of what is between it and its neighbours."""
    before, after = bands.gaps[first], bands.gaps[end]
    padding = _PADDING[0] if box.area > _LARGE else _PADDING[1]
    low = before.high - min(padding, before.width if first == 0 else before.width // 2)
    high = after.low + min(padding, after.width if end == len(bands.spans) else after.width // 2)
    return _spanned(_padded(content, box, padding), bands.axis, low, high)


def _low(box: Box, axis: int) -> float:
    return box.x1 if axis == 0 else box.y1


def _high(box: Box, axis: int) -> float:
    return box.x2 if axis == 0 else box.y2


def _spanned(box: Box, axis: int, low: float, high: float) -> Box:
    return (
        Box(CoordinateSpace.PIXEL, low, box.y1, high, box.y2)
        if axis == 0
        else Box(CoordinateSpace.PIXEL, box.x1, low, box.x2, high)
    )


def _padded(box: Box, outer: Box, padding: int) -> Box:
    return Box(
        CoordinateSpace.PIXEL,
        max(outer.x1, box.x1 - padding),
        max(outer.y1, box.y1 - padding),
        min(outer.x2, box.x2 + padding),
        min(outer.y2, box.y2 + padding),
    )


def _apart(frames: Sequence[Box]) -> list[Node]:
    """The largest outlined areas that do not overlap, in reading order."""
    found: list[Box] = []
    for frame in sorted(frames, key=lambda box: (-box.area, box.xyxy)):
        if not any(frame.intersection_area(other) > 0 for other in found):
            found.append(frame)
    return [Node(box, Cut.FRAME) for box in sorted(found, key=lambda box: (box.y1, box.x1))]


def _listing(root: Node, parts: Sequence[ScreenPart], x: float, y: float) -> list[Segment]:
    fields = [part.box for part in parts if part.kind is PartKind.FIELD]
    found: list[Segment] = []

    def add(node: Node, parent: int | None) -> None:
        for child in node.children:
            box = child.box
            scaled = Box(
                CoordinateSpace.PIXEL, round(box.x1 * x), round(box.y1 * y), round(box.x2 * x), round(box.y2 * y)
            )
            found.append(Segment(scaled, parent, _kind(child, root.box, fields), bool(child.children)))
            add(child, len(found) - 1)

    add(root, None)
    return found


def _kind(node: Node, screen: Box, fields: Sequence[Box]) -> str:
    box = node.box
    width, height = box.x2 - box.x1, box.y2 - box.y1
    if node.kind != "block":
        return node.kind
    if any(one.iou(box) > _FIELD for one in fields):
        return "field"
    if width >= _LONG * screen.x2 and height <= min(_BAR, _NARROW * screen.y2):
        return "bar"
    if height >= _LONG * screen.y2 and width <= _NARROW * screen.x2:
        return "column"
    inside = [one for one in fields if one.intersection_area(box) >= _INSIDE * one.area]
    if len(inside) > 1 and len(node.children) < 2:
        return "form"
    return "card" if node.cut is Cut.FRAME else "block"
