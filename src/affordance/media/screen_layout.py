"""The layout of a screenshot: controls, texts and areas, detected from edges and even surfaces."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box, CoordinateSpace, bounding_box

_EDGE: Final = 10  # of 255: above the noise of compression, below a light grey hairline on white
_LINE: Final = 26  # pixels: a straight edge of this length is no part of a letter
_FRAME_SIDE: Final = 20
_FRAME_FILL: Final = 0.42  # edges that fill less of their box are a frame
_WORD_GAP: Final = 9
_TEXT_HEIGHT: Final = (6, 44)
_SOLID: Final = 0.74  # a circle fills 0.785 of its box
_LYING_SOLID: Final = 0.77  # for objects on a surface
_MIN_FLAT: Final = 0.25  # of the box: a box full of edges is text or an image
_NEARLY: Final = 5  # pixels between the sides of two outlines of one object
_MAX_BOXES: Final = 400  # photographs and noise have more, without controls
MIN_SIDE: Final = 9


def find_edges(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    slopes = cv2.morphologyEx(image, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    steepest = cv2.max(cv2.max(slopes[..., 0], slopes[..., 1]), slopes[..., 2])
    return np.asarray(cv2.threshold(steepest, _EDGE, 255, cv2.THRESH_BINARY)[1], np.uint8)


def find_outlines(edges: NDArray[np.uint8]) -> list[Box]:
    """Boxes of even surfaces, and of objects on them, that are about as solid as a rounded box or a circle."""
    height, width = edges.shape
    flat = cv2.bitwise_not(edges)
    flats = np.asarray(cv2.integral(flat), np.int64)
    contours, tree = cv2.findContours(flat, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    found: list[Box] = []
    for contour, (_, _, _, parent) in zip(contours, tree[0] if tree is not None else (), strict=True):
        x, y, w, h = cv2.boundingRect(contour)
        hole = parent >= 0
        # Edges are one pixel wide on both sides: a surface ends before its outline, and a hole in it after that.
        grown = -2 if hole else 1
        x, y, w, h = x - grown, y - grown, w + 2 * grown, h + 2 * grown
        thin = w >= 6 * MIN_SIDE and 3 <= h < MIN_SIDE
        if (min(w, h) < MIN_SIDE and not thin) or (w >= width - 4 and h >= height - 4):
            continue
        solid = cv2.contourArea(contour) / max(1, (w - 2 * grown) * (h - 2 * grown))
        if solid < (_LYING_SOLID if hole else _SOLID):
            continue
        box = Box(CoordinateSpace.PIXEL, max(0, x), max(0, y), min(width, x + w), min(height, y + h))
        if box.area > 0 and _flat_share(flats, box) >= _MIN_FLAT:
            found.append(box)
    return _distinct_boxes(found)


def find_inks(edges: NDArray[np.uint8]) -> list[Box]:
    """Boxes of lines of text and of small images: edges close to each other, joined along the line."""
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
    return sorted(found, key=lambda box: (-box.area, box.xyxy))[:_MAX_BOXES]


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


def _distinct_boxes(boxes: Sequence[Box]) -> list[Box]:
    """The larger of any two nearly equal boxes, at most as many as a screen can have."""
    ordered = sorted(set(boxes), key=lambda box: (-box.area, box.xyxy))
    corners = np.array([box.xyxy for box in ordered]).reshape(-1, 4)
    keep = np.ones(len(ordered), bool)
    found: list[Box] = []
    for index, box in enumerate(ordered):
        if len(found) == _MAX_BOXES:
            break
        if keep[index]:
            found.append(box)
            keep[index + 1 :] &= np.abs(corners[index + 1 :] - corners[index]).max(axis=1) > _NEARLY
    return found


def _flat_share(sums: NDArray[np.int64], box: Box) -> float:
    x1, y1, x2, y2 = (int(value) for value in box.xyxy)
    total = int(sums[y2, x2]) - int(sums[y1, x2]) - int(sums[y2, x1]) + int(sums[y1, x1])
    return total / (255 * box.area)


# Lengths below are in pixels of a screen at 100%; an image of a sharper screen is reduced first.
_SHORT_SIDE: Final = 1000
_PHONE_WIDTH: Final = 400
_PHONE_ASPECT: Final = 1.6
_MAX_PIXEL_RATIO: Final = 4
_ALL_AROUND: Final = 0.7  # overlap of a frame and its content


class PartKind(StrEnum):
    """What a part looks like."""

    BUTTON = "button"  # an outline or surface with its content in the middle
    FIELD = "field"  # an outline that is empty, or with content at one side
    TICK = "tick"  # a small square or circle
    SWITCH = "switch"  # a small pill with a knob
    ICON = "icon"  # a small image, framed or not
    TEXT = "text"  # one line without a frame
    ROW = "row"  # a wide box with several objects
    TRACK = "track"  # a thin long bar
    AREA = "area"  # larger than a control


# The content of these belongs to them; that of an area or a row is separate.
_HOLDERS: Final = frozenset({PartKind.BUTTON, PartKind.FIELD, PartKind.TICK, PartKind.SWITCH, PartKind.ICON})


@dataclass(frozen=True, slots=True)
class ScreenPart:
    """A part of a screen. `ink` is the box of its content; None where it is empty."""

    box: Box
    kind: PartKind
    ink: Box | None


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    """Parts in reading order, in pixels of the image, and the number of those per pixel of a screen at 100%."""

    width: int
    height: int
    pixel_ratio: float
    parts: tuple[ScreenPart, ...]


def find_layout(image: NDArray[np.uint8], pixel_ratio: int | None = None) -> ScreenLayout:
    """The layout of an RGB image of any size. Without a pixel ratio, it is estimated from the size."""
    height, width = image.shape[:2]
    pixel_ratio = pixel_ratio or find_pixel_ratio(width, height)
    plain = image
    if pixel_ratio > 1:
        size = max(1, round(width / pixel_ratio)), max(1, round(height / pixel_ratio))
        plain = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    edges = find_edges(plain)
    inks = find_inks(edges)
    parts = [_part_in_outline(outline, inks) for outline in find_outlines(edges)]
    held = [part for part in parts if part.kind in _HOLDERS]
    loose = [_loose_part(ink) for ink in inks]
    parts.extend(part for part in loose if not _is_held(part, held))
    parts.extend(ScreenPart(track, PartKind.TRACK, None) for track in find_tracks(edges))
    scaled = [_scale_part(part, width / plain.shape[1], height / plain.shape[0]) for part in parts]
    scaled.sort(key=lambda part: (part.box.y1, part.box.x1, part.box.y2, part.box.x2))
    return ScreenLayout(width, height, float(pixel_ratio), tuple(scaled))


def find_pixel_ratio(width: int, height: int) -> int:
    """Estimate how many pixels of a screenshot are one pixel of that screen at 100%, from its size."""
    phone = height >= _PHONE_ASPECT * width
    wanted = width / _PHONE_WIDTH if phone else min(width, height) / _SHORT_SIDE
    return max(1, min(_MAX_PIXEL_RATIO, round(wanted)))


def _part_in_outline(outline: Box, inks: Iterable[Box]) -> ScreenPart:
    inside = [ink for ink in inks if _within(ink, outline)]
    ink = bounding_box(inside) if inside else None
    return ScreenPart(outline, part_kind(outline, ink, len(inside)), ink)


def part_kind(box: Box, ink: Box | None, pieces: int) -> PartKind:
    """The look of an outline by its shape, its content and the number of pieces of that, on a screen at 100%."""
    width, height = box.x2 - box.x1, box.y2 - box.y1
    aspect = width / height
    if height < MIN_SIDE:
        return PartKind.TRACK
    if height > 150 or (height > 64 and width > 330) or (height > 30 and aspect < 0.5):
        return PartKind.AREA
    if 0.75 <= aspect <= 1.35:
        return PartKind.TICK if height < 22 else PartKind.ICON if height <= 60 else PartKind.AREA
    if 1.4 <= aspect <= 2.4 and height <= 32 and (ink is None or ink.iou(box) > _ALL_AROUND):
        return PartKind.SWITCH  # its outline and knob count as content
    if ink is None:
        return (
            PartKind.FIELD if 22 <= height <= 64 and aspect > 2.5 else PartKind.AREA if height > 64 else PartKind.BUTTON
        )
    before, after = ink.x1 - box.x1, box.x2 - ink.x2
    if 26 <= height <= 64 and aspect > 3 and after > 0.4 * width and before < 0.25 * width:
        return PartKind.FIELD
    if pieces > 2 and (aspect > 5 or height > 64):
        return PartKind.ROW
    return PartKind.BUTTON if height <= 64 else PartKind.ROW


def _loose_part(ink: Box) -> ScreenPart:
    width, height = ink.x2 - ink.x1, ink.y2 - ink.y1
    small = 0.5 <= width / height <= 1.7 and min(width, height) >= 9
    return ScreenPart(ink, PartKind.ICON if small else PartKind.TEXT, ink)


def _is_held(part: ScreenPart, holders: Iterable[ScreenPart]) -> bool:
    """Whether a part belongs to a holder around it. A small image next to other content in the same frame may be a
    control of its own, such as the cross of a label."""
    around = [holder for holder in holders if _within(part.box, holder.box)]
    if part.kind is not PartKind.ICON:
        return bool(around)
    return any(
        holder.ink is None or holder.ink.x2 - holder.ink.x1 < 2 * (part.box.x2 - part.box.x1) for holder in around
    )


def _within(inner: Box, outer: Box) -> bool:
    middle = inner.centre
    return outer.contains(middle.x, middle.y) and inner.x2 - inner.x1 <= outer.x2 - outer.x1 + 2


def _scale_part(part: ScreenPart, x: float, y: float) -> ScreenPart:
    if x == y == 1.0:
        return part
    box, ink = part.box, part.ink
    grown = Box(CoordinateSpace.PIXEL, box.x1 * x, box.y1 * y, box.x2 * x, box.y2 * y)
    grown_ink = None if ink is None else Box(CoordinateSpace.PIXEL, ink.x1 * x, ink.y1 * y, ink.x2 * x, ink.y2 * y)
    return ScreenPart(grown, part.kind, grown_ink)
