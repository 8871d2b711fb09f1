"""What a picture of a screen is made of: controls, texts and areas, found by edges and even surfaces alone."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.box import Box, Space, around
from affordance.models.pixels._surfaces import LEAST_SIDE, find_edges, find_inks, find_outlines, find_tracks

# Lengths below are in pixels of a screen at 100%; a sharper picture is reduced to that first.
_SHORT_SIDE: Final = 1000
_PHONE_WIDTH: Final = 400
_PHONE_ASPECT: Final = 1.6
_MOST_SHARPNESS: Final = 4
_ALL_AROUND: Final = 0.7  # overlap of a frame and what is in it


class Look(StrEnum):
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
_HOLDERS: Final = frozenset({Look.BUTTON, Look.FIELD, Look.TICK, Look.SWITCH, Look.ICON})


@dataclass(frozen=True, slots=True)
class Part:
    """`ink` is what is drawn or written in it, as wide as that is; None where it is empty."""

    box: Box
    look: Look
    ink: Box | None


@dataclass(frozen=True, slots=True)
class Layout:
    """Parts in reading order, in pixels of the picture, and how many of those a pixel of a plain screen is."""

    width: int
    height: int
    sharpness: float
    parts: tuple[Part, ...]


def find_layout(image: NDArray[np.uint8], sharpness: int | None = None) -> Layout:
    """The layout of an RGB picture of any size; no parts where nothing stands out. Without a sharpness it is guessed
    from the size."""
    height, width = image.shape[:2]
    sharpness = sharpness or sharpness_of(width, height)
    plain = image
    if sharpness > 1:
        size = max(1, round(width / sharpness)), max(1, round(height / sharpness))
        plain = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    edges = find_edges(plain)
    inks = find_inks(edges)
    parts = [_framed(outline, inks) for outline in find_outlines(edges)]
    held = [part for part in parts if part.look in _HOLDERS]
    loose = [_loose(ink) for ink in inks]
    parts.extend(part for part in loose if not _belongs(part, held))
    parts.extend(Part(track, Look.TRACK, None) for track in find_tracks(edges))
    scaled = [_scaled(part, width / plain.shape[1], height / plain.shape[0]) for part in parts]
    scaled.sort(key=lambda part: (part.box.y1, part.box.x1, part.box.y2, part.box.x2))
    return Layout(width, height, float(sharpness), tuple(scaled))


def sharpness_of(width: int, height: int) -> int:
    """How many pixels of a picture of a whole screen are one of that screen at 100%, as far as its size tells."""
    phone = height >= _PHONE_ASPECT * width
    wanted = width / _PHONE_WIDTH if phone else min(width, height) / _SHORT_SIDE
    return max(1, min(_MOST_SHARPNESS, round(wanted)))


def _framed(outline: Box, inks: Iterable[Box]) -> Part:
    inside = [ink for ink in inks if _within(ink, outline)]
    ink = around(inside) if inside else None
    return Part(outline, look_of(outline, ink, len(inside)), ink)


def look_of(box: Box, ink: Box | None, pieces: int) -> Look:
    """The look of an outline by its shape, by what is in it and by how many pieces that is, on a plain screen."""
    width, height = box.x2 - box.x1, box.y2 - box.y1
    aspect = width / height
    if height < LEAST_SIDE:
        return Look.TRACK
    if height > 150 or (height > 64 and width > 330) or (height > 30 and aspect < 0.5):
        return Look.AREA
    if 0.75 <= aspect <= 1.35:
        return Look.TICK if height < 22 else Look.ICON if height <= 60 else Look.AREA
    if 1.4 <= aspect <= 2.4 and height <= 32 and (ink is None or ink.iou(box) > _ALL_AROUND):
        return Look.SWITCH  # its outline and knob count as ink, and go all around
    if ink is None:
        return Look.FIELD if 22 <= height <= 64 and aspect > 2.5 else Look.AREA if height > 64 else Look.BUTTON
    before, after = ink.x1 - box.x1, box.x2 - ink.x2
    if 26 <= height <= 64 and aspect > 3 and after > 0.4 * width and before < 0.25 * width:
        return Look.FIELD
    if pieces > 2 and (aspect > 5 or height > 64):
        return Look.ROW
    return Look.BUTTON if height <= 64 else Look.ROW


def _loose(ink: Box) -> Part:
    width, height = ink.x2 - ink.x1, ink.y2 - ink.y1
    small = 0.5 <= width / height <= 1.7 and min(width, height) >= 9
    return Part(ink, Look.ICON if small else Look.TEXT, ink)


def _belongs(part: Part, holders: Iterable[Part]) -> bool:
    """A small picture beside something else in the same frame may be a control of its own: the cross of a label."""
    around = [holder for holder in holders if _within(part.box, holder.box)]
    if part.look is not Look.ICON:
        return bool(around)
    return any(
        holder.ink is None or holder.ink.x2 - holder.ink.x1 < 2 * (part.box.x2 - part.box.x1) for holder in around
    )


def _within(inner: Box, outer: Box) -> bool:
    middle = inner.centre
    return outer.contains(middle.x, middle.y) and inner.x2 - inner.x1 <= outer.x2 - outer.x1 + 2


def _scaled(part: Part, x: float, y: float) -> Part:
    if x == y == 1.0:
        return part
    box, ink = part.box, part.ink
    grown = Box(Space.PIXEL, box.x1 * x, box.y1 * y, box.x2 * x, box.y2 * y)
    grown_ink = None if ink is None else Box(Space.PIXEL, ink.x1 * x, ink.y1 * y, ink.x2 * x, ink.y2 * y)
    return Part(grown, part.look, grown_ink)
