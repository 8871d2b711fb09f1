"""What repeats: bands at one distance, parts of one size. They are the rows of a list or the cards of a grid."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from affordance.author.regions._cuts import Bands
from affordance.author.regions._nodes import Cut, Node
from affordance.core.geometry import Box, CoordinateSpace, bounding_box

_LEAST: Final = 3  # of a kind make a list
_PITCHES: Final = (30, 120)  # pixels from row to row; closer lines are those of a text
_UNEVEN: Final = 0.15  # by how much of it the pitch may vary
_ROUNDING: Final = 3
_CLEAR: Final = 8  # pixels between two rows, at least once
_HEIGHTS: Final = 1.6  # of content in two rows
_MOSTLY: Final = 0.7  # rows of about one height; the chosen one may have a background that makes it higher
_ALIKE: Final = 0.1  # by how much of the larger one sizes of parts may differ
_PADDING: Final = 8
_MOST_ROWS: Final = 50  # more are cells of a sheet or lines of code: the list is told as one


@dataclass(frozen=True, slots=True)
class Run:
    """Bands from `first` to `last`, both included, at one distance."""

    first: int
    last: int
    pitch: float


def find_runs(bands: Bands) -> list[Run]:
    middles = [(low + high) / 2 for low, high in bands.spans]
    found: list[Run] = []
    first = 0
    while first + _LEAST <= len(middles):
        pitch = middles[first + 1] - middles[first]
        last = first + 1
        slack = max(_ROUNDING, _UNEVEN * pitch)
        while last + 1 < len(middles) and abs(middles[last + 1] - middles[last] - pitch) <= slack:
            last += 1
        if last - first + 1 >= _LEAST and _PITCHES[0] <= pitch <= _PITCHES[1] and _listlike(bands, first, last):
            found.append(Run(first, last, pitch))
            first = last
        first += 1
    return found


def _listlike(bands: Bands, first: int, last: int) -> bool:
    heights = sorted(high - low for low, high in bands.spans[first : last + 1])
    usual = heights[(len(heights) - 1) // 2]
    alike = sum(usual <= _HEIGHTS * height and height <= _HEIGHTS * usual for height in heights)
    clear = max(gap.width for gap in bands.gaps[first + 1 : last + 1])
    return alike >= _MOSTLY * len(heights) and clear >= _CLEAR


def listed(within: Box, content: Box, bands: Bands, runs: Sequence[Run]) -> list[Node]:
    """A list for each run, and a part for what is between them."""
    found: list[Node] = []
    start = 0
    for run in runs:
        if run.first > start:
            found.append(_rest(content, bands, start, run.first))
        found.append(_list(within, content, bands, run))
        start = run.last + 1
    if start < len(bands.spans):
        found.append(_rest(content, bands, start, len(bands.spans)))
    return found


def joined(parts: list[Node], axis: int) -> tuple[list[Node], bool]:
    """Parts along an axis with neighbours of one size joined to lists, and whether all of them are one list."""
    found: list[Node] = []
    first = 0
    while first < len(parts):
        last = first
        while last + 1 < len(parts) and _same_size(parts[first].box, parts[last + 1].box, axis):
            last += 1
        run = parts[first : last + 1]
        if len(run) < _LEAST:
            found += run
        else:
            for part in run:
                part.kind, part.cut = "row", Cut.ROW
            if len(run) == len(parts):
                return _shown(run), True
            found.append(Node(bounding_box([part.box for part in run]), Cut.LIST, "list", _shown(run)))
        first = last + 1
    return found, False


def _shown(rows: list[Node]) -> list[Node]:
    return rows if len(rows) <= _MOST_ROWS else []


def _same_size(one: Box, other: Box, axis: int) -> bool:
    sizes = [box.x2 - box.x1 if axis == 0 else box.y2 - box.y1 for box in (one, other)]
    return abs(sizes[0] - sizes[1]) <= _ALIKE * max(sizes)


def _rest(content: Box, bands: Bands, first: int, end: int) -> Node:
    return Node(
        Box(CoordinateSpace.PIXEL, content.x1, bands.spans[first][0], content.x2, bands.spans[end - 1][1]), Cut.GAP
    )


def _list(within: Box, content: Box, bands: Bands, run: Run) -> Node:
    """Rows reach to the middle between two of them, and the outer ones as far beyond their content."""
    middles = [(low + high) / 2 for low, high in bands.spans[run.first : run.last + 1]]
    before, after = bands.gaps[run.first], bands.gaps[run.last + 1]
    top = max(middles[0] - run.pitch / 2, before.low if run.first else within.y1)
    bottom = min(middles[-1] + run.pitch / 2, after.high if run.last + 1 < len(bands.spans) else within.y2)
    between = [(one + other) / 2 for one, other in pairwise(middles)]
    ends = [round(end) for end in (min(top, before.high), *between, max(bottom, after.low))]
    left, right = max(within.x1, content.x1 - _PADDING), min(within.x2, content.x2 + _PADDING)
    rows = [Node(Box(CoordinateSpace.PIXEL, left, low, right, high), Cut.ROW, "row") for low, high in pairwise(ends)]
    return Node(Box(CoordinateSpace.PIXEL, left, ends[0], right, ends[-1]), Cut.LIST, "list", _shown(rows))
