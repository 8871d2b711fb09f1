"""What a picture of a screen is made of: controls, texts and areas, found by edges and even surfaces alone."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.box import Box, CoordinateSpace, bounding_box
from affordance.models.pixels._surfaces import LEAST_SIDE, find_edges, find_inks, find_outlines, find_tracks

# Lengths below are in pixels of a screen at 100%; a sharper picture is reduced to that first.
_SHORT_SIDE: Final = 1000
_PHONE_WIDTH: Final = 400
_PHONE_ASPECT: Final = 1.6
_MOST_SHARPNESS: Final = 4
_ALL_AROUND: Final = 0.7  # overlap of a frame and what is in it


class PartKind(StrEnum):
    """What a part looks like; what it is for is a guess from that."""

    BUTTON = "button"  # an outline or surface with its content in the middle
    FIELD = "field"  # an outline that is empty, or written in from one side only
    TICK = "tick"  # a small square or circle
    SWITCH = "switch"  # a small pill with a knob
    ICON = "icon"  # a small picture, framed or not
    TEXT = "text"  # one line without a frame
    ROW = "row"  # a wide box with several things in it
    TRACK = "track"  # a thin long bar
    AREA = "area"  # larger than a control


# What is written in these is theirs; what is in an area or a row stands by itself.
_HOLDERS: Final = frozenset({PartKind.BUTTON, PartKind.FIELD, PartKind.TICK, PartKind.SWITCH, PartKind.ICON})


@dataclass(frozen=True, slots=True)
class ScreenPart:
    """`ink` is what is drawn or written in it, as wide as that is; None where it is empty."""

    box: Box
    kind: PartKind
    ink: Box | None


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    """Parts in reading order, in pixels of the picture, and how many of those a pixel of a plain screen is."""

    width: int
    height: int
    pixel_ratio: float
    parts: tuple[ScreenPart, ...]


def find_layout(image: NDArray[np.uint8], pixel_ratio: int | None = None) -> ScreenLayout:
    """The layout of an RGB picture of any size; no parts where nothing stands out. Without a sharpness it is guessed
    from the size."""
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
    loose = [_loose(ink) for ink in inks]
    parts.extend(part for part in loose if not _belongs(part, held))
    parts.extend(ScreenPart(track, PartKind.TRACK, None) for track in find_tracks(edges))
    scaled = [_scale_part(part, width / plain.shape[1], height / plain.shape[0]) for part in parts]
    scaled.sort(key=lambda part: (part.box.y1, part.box.x1, part.box.y2, part.box.x2))
    return ScreenLayout(width, height, float(pixel_ratio), tuple(scaled))


def find_pixel_ratio(width: int, height: int) -> int:
    """How many pixels of a picture of a whole screen are one of that screen at 100%, as far as its size tells."""
    phone = height >= _PHONE_ASPECT * width
    wanted = width / _PHONE_WIDTH if phone else min(width, height) / _SHORT_SIDE
    return max(1, min(_MOST_SHARPNESS, round(wanted)))


def _part_in_outline(outline: Box, inks: Iterable[Box]) -> ScreenPart:
    inside = [ink for ink in inks if _within(ink, outline)]
    ink = bounding_box(inside) if inside else None
    return ScreenPart(outline, part_kind(outline, ink, len(inside)), ink)


def part_kind(box: Box, ink: Box | None, pieces: int) -> PartKind:
    """The look of an outline by its shape, by what is in it and by how many pieces that is, on a plain screen."""
    width, height = box.x2 - box.x1, box.y2 - box.y1
    aspect = width / height
    if height < LEAST_SIDE:
        return PartKind.TRACK
    if height > 150 or (height > 64 and width > 330) or (height > 30 and aspect < 0.5):
        return PartKind.AREA
    if 0.75 <= aspect <= 1.35:
        return PartKind.TICK if height < 22 else PartKind.ICON if height <= 60 else PartKind.AREA
    if 1.4 <= aspect <= 2.4 and height <= 32 and (ink is None or ink.iou(box) > _ALL_AROUND):
        return PartKind.SWITCH  # its outline and knob count as ink, and go all around
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


def _loose(ink: Box) -> ScreenPart:
    width, height = ink.x2 - ink.x1, ink.y2 - ink.y1
    small = 0.5 <= width / height <= 1.7 and min(width, height) >= 9
    return ScreenPart(ink, PartKind.ICON if small else PartKind.TEXT, ink)


def _belongs(part: ScreenPart, holders: Iterable[ScreenPart]) -> bool:
    """A small picture beside something else in the same frame may be a control of its own: the cross of a label."""
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
