"""Where a part of a screen can be cut straight through: at lines and borders of surfaces, and at empty gaps."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box, CoordinateSpace

# All lengths are in pixels of a screen at 100%.
_LINE: Final = 26  # a straight edge of this length is drawn, not written
_BREAK: Final = 8  # may be missing in a line: something small lies on it
_SHORT: Final = 24  # may be missing at its ends: padding, round corners
_SPAN: Final = 0.85  # of the part, at least: what is shorter does not separate its two sides
_THICK: Final = 9  # rows of edges; more is a texture, not a line
_BORDER: Final = 4  # an edge is a pixel to both sides, and a border may be two wide


@dataclass(frozen=True, slots=True)
class Signs:
    """What can be seen at each pixel: an edge, and an edge that belongs to a straight line along x (0) or y (1). The
    upper left one is `x`, `y` in the picture."""

    edges: NDArray[np.bool_]
    lines: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    x: int = 0
    y: int = 0


@dataclass(frozen=True, slots=True)
class Gap:
    """What lies before, between or after bands, and the middle of the first and of the last line in it, if any."""

    low: int
    high: int
    lines: tuple[int, int] | None

    @property
    def width(self) -> int:
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class Bands:
    """Where there is content along an axis (0: x, 1: y), and the gaps around it: one more than spans."""

    axis: int
    spans: list[tuple[int, int]]
    gaps: list[Gap]

    def inner(self) -> Iterable[tuple[int, Gap]]:
        """The gaps between two bands, each with the index of the band behind it."""
        return ((index, gap) for index, gap in enumerate(self.gaps) if 0 < index < len(self.spans))


def find_signs(edges: NDArray[np.uint8]) -> Signs:
    """From a picture of edges, 255 where there is one."""
    return Signs(edges > 0, (_straight(edges, across=True), _straight(edges, across=False)))


def signs_in(signs: Signs, box: Box, solid: Iterable[Box] = ()) -> Signs:
    """What is seen inside a box without its border. What is solid counts as one thing: no cut goes through it, and
    lines in it are its own."""
    x1, y1, x2, y2 = (int(value) for value in box.xyxy)
    if min(x2 - x1, y2 - y1) > 3 * _BORDER:
        x1, y1, x2, y2 = x1 + _BORDER, y1 + _BORDER, x2 - _BORDER, y2 - _BORDER
    edges, across, down = (one[y1:y2, x1:x2].copy() for one in (signs.edges, *signs.lines))
    for one in solid:
        left, top = max(0, int(one.x1) - x1), max(0, int(one.y1) - y1)
        right, bottom = max(0, int(one.x2) - x1), max(0, int(one.y2) - y1)
        edges[top + 2 : max(0, bottom - 2), left + 2 : max(0, right - 2)] = True
        for lines in (across, down):
            lines[top + _BORDER : max(0, bottom - _BORDER), left + _BORDER : max(0, right - _BORDER)] = False
    return Signs(edges, (across, down), x1, y1)


def find_bands(signs: Signs, axis: int) -> Bands:
    """The bands of content side by side (axis 0) or one above another (1), in pixels of the picture."""
    low = signs.x if axis == 0 else signs.y
    lined = _separators(signs.lines[1 - axis], axis)
    filled = signs.edges.any(axis=axis) & ~lined
    spans = [(low + start, low + end) for start, end in _runs(filled)]
    lines = [(low + start, low + end) for start, end in _runs(lined)]
    ends = [low, *(end for span in spans for end in span), low + filled.size]
    gaps = []
    for before, after in zip(ends[::2], ends[1::2], strict=True):
        inside = [(start + end) // 2 for start, end in lines if before <= start and end <= after]
        gaps.append(Gap(before, after, (inside[0], inside[-1]) if inside else None))
    return Bands(axis, spans, gaps)


def content_of(signs: Signs, axis: int, span: tuple[int, int]) -> Box | None:
    """The smallest box around all edges between two places along an axis; None where there are none."""
    low, high = (end - (signs.x, signs.y)[axis] for end in span)
    edges = signs.edges[:, low:high] if axis == 0 else signs.edges[low:high]
    x, y = (signs.x + low, signs.y) if axis == 0 else (signs.x, signs.y + low)
    columns, rows = np.flatnonzero(edges.any(axis=0)), np.flatnonzero(edges.any(axis=1))
    if columns.size == 0:
        return None
    left, right, top, bottom = (int(value) for value in (columns[0], columns[-1], rows[0], rows[-1]))
    return Box(CoordinateSpace.PIXEL, x + left, y + top, x + right + 1, y + bottom + 1)


def _straight(edges: NDArray[np.uint8], across: bool) -> NDArray[np.bool_]:
    """Runs of edges that are long enough to be drawn, small breaks in them closed."""
    length, gap = ((1, _LINE), (1, _BREAK + 1)) if across else ((_LINE, 1), (_BREAK + 1, 1))
    drawn = cv2.morphologyEx(edges, cv2.MORPH_OPEN, np.ones(length, np.uint8))
    return np.asarray(cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, np.ones(gap, np.uint8)) > 0)


def _separators(lines: NDArray[np.bool_], axis: int) -> NDArray[np.bool_]:
    """For each position along the axis, whether one line runs there through the whole part."""
    found = np.asarray(lines.sum(axis=axis) >= max(1.0, _SPAN * lines.shape[axis]))
    for start, end in _runs(found):
        line = np.asarray(lines[start:end].any(axis=0) if axis == 1 else lines[:, start:end].any(axis=1))
        # The borders of cards in a row lie on one line too, but that line goes through the gaps between the cards.
        whole = all(
            last - first <= (_SHORT if first == 0 or last == line.size else _BREAK) for first, last in _runs(~line)
        )
        if end - start > _THICK or not whole:
            found[start:end] = False
    return found


def _runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Start and end of each run of True."""
    steps = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return list(zip(steps[::2].tolist(), steps[1::2].tolist(), strict=True))
