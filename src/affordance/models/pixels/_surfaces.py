"""Boxes of what can be seen in a picture of a screen at 100%: outlines, writing, and bars with a knob."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.box import Box, CoordinateSpace

_EDGE: Final = 10  # of 255: a hairline in light grey on white is an edge, the noise of compression is not
_LINE: Final = 26  # a straight edge of this length is drawn, not written
_FRAME_SIDE: Final = 20
_FRAME_FILL: Final = 0.42  # edges that fill less of their box than this go around something
_WORD_GAP: Final = 9
_TEXT_HEIGHT: Final = (6, 44)
_SOLID: Final = 0.74  # a circle fills 0.785 of its box
_LYING_SOLID: Final = 0.77  # for what lies on a surface
_LEAST_FLAT: Final = 0.25  # of the box: what is full of edges is text or a picture
_NEARLY: Final = 5  # pixels between the sides of two outlines of one thing
_MOST: Final = 400  # photographs and noise have more, and nothing to find among them
LEAST_SIDE: Final = 9


def find_edges(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    slopes = cv2.morphologyEx(image, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    steepest = cv2.max(cv2.max(slopes[..., 0], slopes[..., 1]), slopes[..., 2])
    return np.asarray(cv2.threshold(steepest, _EDGE, 255, cv2.THRESH_BINARY)[1], np.uint8)


def find_outlines(edges: NDArray[np.uint8]) -> list[Box]:
    """Boxes of even surfaces, and of what lies on them, that are about as full as a rounded box or a circle."""
    height, width = edges.shape
    flat = cv2.bitwise_not(edges)
    flats = np.asarray(cv2.integral(flat), np.int64)
    contours, tree = cv2.findContours(flat, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    found: list[Box] = []
    for contour, (_, _, _, parent) in zip(contours, tree[0] if tree is not None else (), strict=True):
        x, y, w, h = cv2.boundingRect(contour)
        hole = parent >= 0
        # Edges are a pixel to both sides: a surface ends before its outline, and around what lies on it after that.
        grown = -2 if hole else 1
        x, y, w, h = x - grown, y - grown, w + 2 * grown, h + 2 * grown
        thin = w >= 6 * LEAST_SIDE and 3 <= h < LEAST_SIDE
        if (min(w, h) < LEAST_SIDE and not thin) or (w >= width - 4 and h >= height - 4):
            continue
        solid = cv2.contourArea(contour) / max(1, (w - 2 * grown) * (h - 2 * grown))
        if solid < (_LYING_SOLID if hole else _SOLID):
            continue
        box = Box(CoordinateSpace.PIXEL, max(0, x), max(0, y), min(width, x + w), min(height, y + h))
        if box.area > 0 and _share(flats, box) >= _LEAST_FLAT:
            found.append(box)
    return _distinct(found)


def find_inks(edges: NDArray[np.uint8]) -> list[Box]:
    """Boxes of lines of text and of small pictures: edges that hang together closely, joined along the line."""
    low, high = _TEXT_HEIGHT
    _, labels, stats, _ = cv2.connectedComponentsWithStats(edges, connectivity=8)
    w, h, area = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_AREA]
    frame = (np.minimum(w, h) > _FRAME_SIDE) & (area < _FRAME_FILL * w * h)
    line = (np.minimum(w, h) <= low) & (np.maximum(w, h) > _LINE)
    keep = np.where(frame | line | (h > high), 0, 255).astype(np.uint8)
    keep[0] = 0
    written = keep[labels]
    joined = cv2.morphologyEx(written, cv2.MORPH_CLOSE, np.ones((1, _WORD_GAP), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    found = [
        Box(CoordinateSpace.PIXEL, x, y, x + w, y + h)
        for x, y, w, h, area in stats[1:].tolist()
        if low <= h <= high and w >= low and area >= 0.25 * w * h
    ]
    return sorted(found, key=lambda box: (-box.area, box.xyxy))[:_MOST]


def find_tracks(edges: NDArray[np.uint8]) -> list[Box]:
    """Bars with a knob: long shapes with edges along their middle and few along their top."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(edges, connectivity=8)
    found: list[Box] = []
    for x, y, w, h, _ in stats[1:].tolist():
        if not (10 <= h <= 34 and w >= 2.5 * h):
            continue
        middle = edges[y + h // 2 - 3 : y + h // 2 + 4, x : x + w]
        if (middle.max(axis=0) > 0).mean() > 0.9 and (edges[y : y + 4, x : x + w].max(axis=0) > 0).mean() < 0.5:
            found.append(Box(CoordinateSpace.PIXEL, x, y, x + w, y + h))
    return found


def _distinct(boxes: Sequence[Box]) -> list[Box]:
    """The larger of any two that are nearly the same, and no more than a screen can have."""
    ordered = sorted(set(boxes), key=lambda box: (-box.area, box.xyxy))
    corners = np.array([box.xyxy for box in ordered]).reshape(-1, 4)
    keep = np.ones(len(ordered), bool)
    found: list[Box] = []
    for index, box in enumerate(ordered):
        if len(found) == _MOST:
            break
        if keep[index]:
            found.append(box)
            keep[index + 1 :] &= np.abs(corners[index + 1 :] - corners[index]).max(axis=1) > _NEARLY
    return found


def _share(sums: NDArray[np.int64], box: Box) -> float:
    x1, y1, x2, y2 = (int(value) for value in box.xyxy)
    total = int(sums[y2, x2]) - int(sums[y1, x2]) - int(sums[y2, x1]) + int(sums[y1, x1])
    return total / (255 * box.area)
