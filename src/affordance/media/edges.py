"""Edges of what is drawn near a point of a screen, for snapping the edges of boxes to them.

Lines are found as in the AutoGUI-v2 paper, by a probabilistic Hough transform of Canny edges, but only vertical and
horizontal ones, because boxes have no others, and only in a window around the point. A line lies between two pixels: a
box with its edge there contains all of what is drawn on one side and nothing of the other.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.media.decoder import Pixels

CONTEXT = 32  # pixels along a line beyond the radius: a line needs some visible length
MARGIN_ACROSS = 3  # pixels across a line: the sharper part of a soft edge may be just outside the radius
SMOOTH = np.array([[1], [2], [1]], np.float32)  # along a line, as Sobel's kernel does
STEP = 4  # the response of that kernel to one level of difference
FAINT = 4 * STEP  # continues an edge; less is the noise of a JPEG or a dithered gradient
CLEAR = 8 * STEP  # begins an edge: dividers differ from their background by 10 levels and more
MIN_STEP = 5  # levels, on average over a line: noise cancels out
MIN_LENGTH = 14  # pixels: the strokes of letters in running text are up to 12 long
MAX_GAP = 3  # pixels that may be missing in a line: noise, or an object that crosses it
SOLID = 0.7  # minimum share of a line without gaps: a row of letters is half gaps
ENDS = 4  # pixels by which a line may be found too short
ROUNDING = 16  # pixels by which two lines may miss each other at a rounded corner
MISS_WEIGHT = 2.0  # of a pixel by which lines miss each other, relative to a pixel of distance
MAX_LINES = 24


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """A vertical line between the columns `position` - 1 and `position`, or a horizontal one between rows. Its length
    is known only within the window."""

    vertical: bool
    position: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NearbyEdges:
    """The nearest vertical line, horizontal line and corner around a point, None where there is none within the radius,
    and all lines within it, nearest first."""

    x: int | None
    y: int | None
    corner: tuple[int, int] | None
    lines: tuple[EdgeLine, ...]


def find_edges(pixels: Pixels, x: float, y: float, radius: int) -> NearbyEdges:
    """Find edges near a point of a colour or grey image. Deterministic: OpenCV's transform uses a fixed seed."""
    height, width = pixels.shape[:2]
    found = [
        *(EdgeLine(True, *one) for one in _vertical_lines(pixels, x, y, radius)),
        *(EdgeLine(False, *one) for one in _vertical_lines(pixels.swapaxes(0, 1), y, x, radius)),
        *_borders(width, height, x, y, radius + CONTEXT),
    ]
    near = [one for one in found if _distance(one, x, y) <= radius and _passes(one, x, y, radius)]
    near.sort(key=lambda one: (_distance(one, x, y), one.start - one.end, one.position))
    vertical, horizontal = ([one for one in near if one.vertical is which] for which in (True, False))
    return NearbyEdges(
        vertical[0].position if vertical else None,
        horizontal[0].position if horizontal else None,
        _corner(vertical, horizontal, x, y, radius),
        tuple(near[:MAX_LINES]),
    )


def _vertical_lines(pixels: Pixels, x: float, y: float, radius: int) -> Iterator[tuple[int, int, int]]:
    """Position, start and end of vertical lines; of horizontal ones where the image is transposed."""
    left, top = max(0, int(x) - radius - MARGIN_ACROSS), max(0, int(y) - radius - CONTEXT)
    window = pixels[top : int(y) + radius + CONTEXT + 1, left : int(x) + radius + MARGIN_ACROSS + 1]
    if window.shape[0] < MIN_LENGTH or window.shape[1] < 2:
        return
    colours = window.reshape(*window.shape[:2], -1).astype(np.int16)
    steps: NDArray[np.int16] = colours[:, 1:] - colours[:, :-1]
    pieces = cv2.HoughLinesP(
        _edges(steps), 1, np.pi, MIN_LENGTH - MAX_GAP, minLineLength=MIN_LENGTH - 1, maxLineGap=MAX_GAP
    )
    if pieces is None:
        return
    spans: dict[int, list[tuple[int, int]]] = {}
    for column, one, _, other in pieces.reshape(-1, 4).astype(int).tolist():
        spans.setdefault(column // 2, []).append((min(one, other), max(one, other) + 1))
    found = [_measure_line(steps[:, at], at, *span) for at in spans for span in _join_spans(spans[at])]
    clear = [one for one in found if one.height >= MIN_STEP and one.solid >= SOLID]
    for one in _thin_soft_edges(clear):
        yield left + one.at + 1, top + one.start, top + one.end


def _edges(steps: NDArray[np.int16]) -> NDArray[np.uint8]:
    """Canny edges of the steps from each pixel to the next. Every other column is empty: Canny thins neighbours and
    would merge the two edges of a thin border."""
    colours = np.moveaxis(steps, 2, 0)
    high, low = reduce(np.maximum, colours), reduce(np.minimum, colours)
    smooth = cv2.filter2D(np.where(high >= -low, high, low), cv2.CV_16S, SMOOTH)
    across = np.zeros((smooth.shape[0], 2 * smooth.shape[1]), np.int16)
    across[:, ::2] = smooth
    return np.asarray(cv2.Canny(across, np.zeros_like(across), FAINT, CLEAR), np.uint8)


@dataclass(frozen=True, slots=True)
class _MeasuredLine:
    """A line with its step by colour channel, and the share of its length that has the step."""

    at: int
    start: int
    end: int
    step: NDArray[np.float64]
    solid: float

    @property
    def height(self) -> float:
        return float(np.abs(self.step).max())


def _measure_line(steps: NDArray[np.int16], at: int, start: int, end: int) -> _MeasuredLine:
    """Measure a line and correct its ends, which smoothing and thresholds move: it extends as far as the step does."""
    step = steps[start:end].mean(axis=0)
    same = steps @ step >= (step @ step) / 2
    there = np.flatnonzero(same[start:end])
    start, end = start + int(there[0]), start + int(there[-1]) + 1
    for _ in range(ENDS):
        start -= start > 0 and bool(same[start - 1])
        end += end < len(same) and bool(same[end])
    return _MeasuredLine(at, start, end, step, float(same[start:end].mean()))


def _thin_soft_edges(found: Iterable[_MeasuredLine]) -> Iterator[_MeasuredLine]:
    """Reduce a soft edge, which is several neighbouring lines with steps in one direction, to its highest step. The two
    edges of a thin border step in opposite directions."""
    kept: list[_MeasuredLine] = []
    for one in sorted(found, key=lambda one: (-one.height, one.at, one.start)):
        if not any(_continues(other, one) for other in kept):
            yield one
        kept.append(one)  # also those dropped: what continues them is part of the same edge


def _continues(one: _MeasuredLine, other: _MeasuredLine) -> bool:
    adjacent = abs(one.at - other.at) == 1 and one.start < other.end and other.start < one.end
    return adjacent and float(one.step @ other.step) > 0


def _join_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1] + MAX_GAP:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _borders(width: int, height: int, x: float, y: float, reach: int) -> list[EdgeLine]:
    """The edges of the screen itself, within the same window."""
    across = max(0, int(x) - reach), min(width, int(x) + reach)
    down = max(0, int(y) - reach), min(height, int(y) + reach)
    return [*(EdgeLine(True, at, *down) for at in (0, width)), *(EdgeLine(False, at, *across) for at in (0, height))]


def _corner(
    vertical: Iterable[EdgeLine], horizontal: Iterable[EdgeLine], x: float, y: float, radius: int
) -> tuple[int, int] | None:
    """The nearest point where two lines meet, or would meet if the corner were not rounded. Lines that end at each
    other are preferred over lines that miss each other."""
    rows = list(horizontal)
    found = []
    for one in vertical:
        for other in rows:
            missed = max(_outside(one, other.position), _outside(other, one.position))
            distance = float(np.hypot(one.position - x, other.position - y))
            if missed <= ROUNDING and distance <= radius:
                found.append((distance + MISS_WEIGHT * missed, one.position, other.position))
    if not found:
        return None
    _, across, down = min(found)
    return across, down


def _distance(line: EdgeLine, x: float, y: float) -> float:
    return abs(line.position - (x if line.vertical else y))


def _outside(line: EdgeLine, position: float) -> float:
    """The distance of a position along a line from its nearer end; 0 within it."""
    return max(line.start - position, position - line.end, 0)


def _passes(line: EdgeLine, x: float, y: float, radius: int) -> bool:
    return _outside(line, y if line.vertical else x) <= max(radius, ROUNDING)
