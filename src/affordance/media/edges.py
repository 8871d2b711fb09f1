"""Edges of what is drawn near a point of a screen, for people who put the edge of a box there.

Lines are found as in the AutoGUI-v2 paper, by a probabilistic Hough transform of Canny's edges, but only upright and
level ones, for a box has no others, and only in a window around the point. A line lies between two pixels: a box
whose edge is there holds all of what is drawn on one side of it, and nothing of the other."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

CONTEXT = 32  # pixels along a line beyond the radius: it must be seen for some length to be one
MARGIN_ACROSS = 3  # pixels across it: what is just out of reach may be the sharper part of a soft edge
SMOOTH = np.array([[1], [2], [1]], np.float32)  # along a line, as Sobel's kernel does
STEP = 4  # what that makes of one level of difference
FAINT = 4 * STEP  # goes on with an edge that is there; less is the noise of a JPEG or a dithered gradient
CLEAR = 8 * STEP  # begins one: dividers of light and dark themes differ from their ground by 10 levels and more
LEAST_STEP = 5  # levels, on average over a line: what noise has in one pixel it takes back in the next
LEAST_LENGTH = 14  # pixels: the strokes of letters in running text are up to 12 long
MOST_GAP = 3  # pixels that may be missing in a line: noise, or something that crosses it
SOLID = 0.7  # share of a line that must be there: a row of letters is half gaps
ENDS = 4  # pixels by which a line may be cut short
ROUNDING = 16  # pixels by which two lines may miss each other at a corner: it is rounded
MISSED = 2.0  # what a pixel by which lines miss each other counts against a pixel of distance
MOST_LINES = 24


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """An upright line between the columns `at` - 1 and `at`, or a level one between rows. Of its length only what is in
    the window is known."""

    vertical: bool
    position: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NearbyEdges:
    """Around a point: the places of the nearest upright line and of the nearest level one, the nearest corner, and all
    lines in reach, the nearest first. None where there is nothing in reach."""

    x: int | None
    y: int | None
    corner: tuple[int, int] | None
    lines: tuple[EdgeLine, ...]


def find_edges(pixels: Pixels, x: float, y: float, radius: int) -> NearbyEdges:
    """Of a picture in colour or grey. The same point gives the same edges: OpenCV's transform draws its random numbers
    from a seed of its own."""
    height, width = pixels.shape[:2]
    found = [
        *(EdgeLine(True, *one) for one in _vertical_lines(pixels, x, y, radius)),
        *(EdgeLine(False, *one) for one in _vertical_lines(pixels.swapaxes(0, 1), y, x, radius)),
        *_borders(width, height, x, y, radius + CONTEXT),
    ]
    near = [one for one in found if _distance(one, x, y) <= radius and _passes(one, x, y, radius)]
    near.sort(key=lambda one: (_distance(one, x, y), one.start - one.end, one.position))
    upright, level = ([one for one in near if one.vertical is which] for which in (True, False))
    return NearbyEdges(
        upright[0].position if upright else None,
        level[0].position if level else None,
        _corner(upright, level, x, y, radius),
        tuple(near[:MOST_LINES]),
    )


def _vertical_lines(pixels: Pixels, x: float, y: float, radius: int) -> Iterator[tuple[int, int, int]]:
    """Place, start and end of upright lines; of level ones, where the picture is turned."""
    left, top = max(0, int(x) - radius - MARGIN_ACROSS), max(0, int(y) - radius - CONTEXT)
    window = pixels[top : int(y) + radius + CONTEXT + 1, left : int(x) + radius + MARGIN_ACROSS + 1]
    if window.shape[0] < LEAST_LENGTH or window.shape[1] < 2:
        return
    colours = window.reshape(*window.shape[:2], -1).astype(np.int16)
    steps: NDArray[np.int16] = colours[:, 1:] - colours[:, :-1]
    pieces = cv2.HoughLinesP(
        _edges(steps), 1, np.pi, LEAST_LENGTH - MOST_GAP, minLineLength=LEAST_LENGTH - 1, maxLineGap=MOST_GAP
    )
    if pieces is None:
        return
    spans: dict[int, list[tuple[int, int]]] = {}
    for column, one, _, other in pieces.reshape(-1, 4).astype(int).tolist():
        spans.setdefault(column // 2, []).append((min(one, other), max(one, other) + 1))
    found = [_measure_line(steps[:, at], at, *span) for at in spans for span in _join_spans(spans[at])]
    clear = [one for one in found if one.height >= LEAST_STEP and one.solid >= SOLID]
    for one in _thin_soft_edges(clear):
        yield left + one.at + 1, top + one.start, top + one.end


def _edges(steps: NDArray[np.int16]) -> NDArray[np.uint8]:
    """Canny's, of the steps from each pixel to the next. Every other column is one that nothing happens in: Canny thins
    what lies side by side, and would take the two edges of a thin border for one."""
    colours = np.moveaxis(steps, 2, 0)
    high, low = reduce(np.maximum, colours), reduce(np.minimum, colours)
    smooth = cv2.filter2D(np.where(high >= -low, high, low), cv2.CV_16S, SMOOTH)
    across = np.zeros((smooth.shape[0], 2 * smooth.shape[1]), np.int16)
    across[:, ::2] = smooth
    return np.asarray(cv2.Canny(across, np.zeros_like(across), FAINT, CLEAR), np.uint8)


@dataclass(frozen=True, slots=True)
class _MeasuredLine:
    """A line with the step that it is, by colour, and the share of it where that step is."""

    at: int
    start: int
    end: int
    step: NDArray[np.float64]
    solid: float

    @property
    def height(self) -> float:
        return float(np.abs(self.step).max())


def _measure_line(steps: NDArray[np.int16], at: int, start: int, end: int) -> _MeasuredLine:
    """With the ends put right, which smoothing and thresholds move a little: it goes as far as the step is the same."""
    step = steps[start:end].mean(axis=0)
    same = steps @ step >= (step @ step) / 2
    there = np.flatnonzero(same[start:end])
    start, end = start + int(there[0]), start + int(there[-1]) + 1
    for _ in range(ENDS):
        start -= start > 0 and bool(same[start - 1])
        end += end < len(same) and bool(same[end])
    return _MeasuredLine(at, start, end, step, float(same[start:end].mean()))


def _thin_soft_edges(found: Iterable[_MeasuredLine]) -> Iterator[_MeasuredLine]:
    """Of a soft edge, which is several lines side by side that step in one direction, the line with the highest step.
    The two edges of a thin border step in opposite directions."""
    kept: list[_MeasuredLine] = []
    for one in sorted(found, key=lambda one: (-one.height, one.at, one.start)):
        if not any(_continues(other, one) for other in kept):
            yield one
        kept.append(one)  # also what is left out: what continues it is part of the same edge


def _continues(one: _MeasuredLine, other: _MeasuredLine) -> bool:
    beside = abs(one.at - other.at) == 1 and one.start < other.end and other.start < one.end
    return beside and float(one.step @ other.step) > 0


def _join_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1] + MOST_GAP:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _borders(width: int, height: int, x: float, y: float, reach: int) -> list[EdgeLine]:
    """The edges of the screen itself, as far as others are looked for."""
    across = max(0, int(x) - reach), min(width, int(x) + reach)
    down = max(0, int(y) - reach), min(height, int(y) + reach)
    return [*(EdgeLine(True, at, *down) for at in (0, width)), *(EdgeLine(False, at, *across) for at in (0, height))]


def _corner(
    upright: Iterable[EdgeLine], level: Iterable[EdgeLine], x: float, y: float, radius: int
) -> tuple[int, int] | None:
    """Where two lines meet, or would if the corner were not rounded. Of the four places where the two sides of a drawn
    frame meet, those count where a line goes around: there the lines end in each other."""
    level = list(level)
    found = []
    for one in upright:
        for other in level:
            missed = max(_outside(one, other.position), _outside(other, one.position))
            distance = float(np.hypot(one.position - x, other.position - y))
            if missed <= ROUNDING and distance <= radius:
                found.append((distance + MISSED * missed, one.position, other.position))
    if not found:
        return None
    _, across, down = min(found)
    return across, down


def _distance(line: EdgeLine, x: float, y: float) -> float:
    return abs(line.position - (x if line.vertical else y))


def _outside(line: EdgeLine, place: float) -> float:
    """How far a place along a line is from it."""
    return max(line.start - place, place - line.end, 0)


def _passes(line: EdgeLine, x: float, y: float, radius: int) -> bool:
    return _outside(line, y if line.vertical else x) <= max(radius, ROUNDING)
