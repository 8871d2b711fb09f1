"""A look at the screenshot itself, where it is not known what all is on it, or what is seen of it."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil

import numpy as np
from numpy.typing import NDArray

from affordance.author.screens.pixels import pixels_of
from affordance.author.state import ScreenState
from affordance.author.tools import NotThere
from affordance.core.geometry import Box
from affordance.grounding.look_alikes import crop_similarity, descriptor

UNIFORM = 5.0  # deviation of colours, of 255, below which there is nothing at a place
ALIKE, UNLIKE = 0.85, 0.6  # how like things of a line are to each other, and what is certainly none of them to any
ROUNDED = 3  # pixels by which a side may be beside the box
CHANGE = 3.0  # of grey, of 255, that is seen along a side
ALONG = 0.7  # of a side along which it is: corners are round
LETTER = 6.0  # pixels of breadth that are seen of a letter at least
HIGHEST = 28  # pixels of a line of text: what is higher is a picture
FRAME = 2  # pixels of an element that may be its frame
MARGIN = 4  # pixels of a region that may be its frame
EDGE = 12.0  # of grey, from one pixel to the next, that is more than shading
SMOOTH = 0.001  # of the pixels of a region that may be edges while it is empty

OneMore = Callable[[Sequence[Box], Box], bool]


def nothing_seen(line: Sequence[Box], place: Box) -> bool:
    """Where nobody has looked, there may be one more anywhere."""
    return True


def sight_of(screen: ScreenState) -> NDArray[np.uint8] | None:
    """The screenshot; None where it cannot be read."""
    try:
        return pixels_of(screen)
    except NotThere:
        return None


def seen_on(image: NDArray[np.uint8] | None) -> OneMore:
    """Whether one more of some things in line may be at a place of a screenshot: it is on the screen, not of one
    colour, and not quite unlike them. Where they are not much like each other (the icons of a dock), anything may be
    one more."""
    if image is None:
        return nothing_seen
    height, width = image.shape[:2]

    def one_more(line: Sequence[Box], place: Box) -> bool:
        inside = place.clip(width, height)
        if inside is None or inside.area < place.area / 2:
            return False
        seen = image[int(inside.y1) : ceil(inside.y2), int(inside.x1) : ceil(inside.x2)]
        if float(seen.std(axis=(0, 1)).max()) < UNIFORM:
            return False
        looks, here = [descriptor(image, box) for box in line], descriptor(image, inside)
        one_kind = all(crop_similarity(one, other) >= ALIKE for one, other in pairwise(looks))
        return not one_kind or max(crop_similarity(here, look) for look in looks) > UNLIKE

    return one_more


def framed_on(image: NDArray[np.uint8] | None) -> Callable[[Box], bool]:
    """Whether a box is seen as such: along all of its sides colours change, or the screen ends. Without a screenshot,
    none is."""
    if image is None:
        return lambda box: False
    grey = image.mean(axis=2, dtype=np.float32)

    def framed(box: Box) -> bool:
        (x1, y1, x2, y2), (high, wide) = map(round, box.xyxy), grey.shape
        sides = (
            (grey, y1, x1, x2, high),
            (grey, y2, x1, x2, high),
            (grey.T, x1, y1, y2, wide),
            (grey.T, x2, y1, y2, wide),
        )
        return all(_side_seen(*side) for side in sides)

    return framed


def _side_seen(grey: NDArray[np.float32], at: int, start: int, end: int, last: int) -> bool:
    """Whether a row near this one differs from the next all along."""
    if at <= ROUNDED or at >= last - ROUNDED:
        return True
    strip = grey[at - ROUNDED : at + ROUNDED + 1, max(start, 0) : end]
    changes = np.abs(np.diff(strip, axis=0)) >= CHANGE
    return bool(changes.size > 0 and float(changes.mean(axis=1).max()) >= ALONG)


def written_on(image: NDArray[np.uint8] | None) -> Callable[[Box, str], bool]:
    """Whether what is seen in a box is broad enough for a text: names that pages give to icons and to the heads of
    columns are not written there. Without a screenshot, all are believed."""
    if image is None:
        return lambda box, text: True
    grey = image.mean(axis=2, dtype=np.float32)

    def written(box: Box, text: str) -> bool:
        inside = box.clip(grey.shape[1], grey.shape[0])
        if inside is None:
            return False
        x1, y1, x2, y2 = map(round, inside.xyxy)
        seen = grey[y1 + FRAME : y2 - FRAME, x1 + FRAME : x2 - FRAME]
        if min(seen.shape) < 2:
            return False
        ink = np.abs(np.diff(seen, axis=1)) >= EDGE
        rows = ink.any(axis=1)
        if _longest(rows) > HIGHEST:
            return False
        lines = int(rows[0]) + int((rows[1:] & ~rows[:-1]).sum())  # dots on letters may be taken for one
        letters = sum(not letter.isspace() for letter in text)
        return int(ink.any(axis=0).sum()) * max(lines, 1) >= LETTER * letters

    return written


def _longest(rows: NDArray[np.bool_]) -> int:
    """The most rows on end in which something is seen."""
    ends = np.flatnonzero(~np.concatenate(([False], rows, [False])))
    return int(np.diff(ends).max()) - 1


def is_empty(image: NDArray[np.uint8] | None, box: Box) -> bool:
    """Whether there is nothing in a box but one colour, or one that runs smoothly into another."""
    inside = None if image is None else box.clip(image.shape[1], image.shape[0])
    if image is None or inside is None:
        return False
    x1, y1, x2, y2 = map(round, inside.xyxy)
    seen = image[y1 + MARGIN : y2 - MARGIN, x1 + MARGIN : x2 - MARGIN].mean(axis=2, dtype=np.float32)
    if min(seen.shape) < 2:
        return False
    edges = sum(int((np.abs(np.diff(seen, axis=axis)) >= EDGE).sum()) for axis in (0, 1))
    return bool(edges < SMOOTH * seen.size)
