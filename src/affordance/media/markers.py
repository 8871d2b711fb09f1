"""Markers drawn onto a screenshot to point at a change: finding them, masks of them, and the image without them.

Found by the two colours in which GoodUI draws them: lines in a dark violet, and discs in a light one. A page may
contain these colours itself, so a person should review the mask. Edges of letters pass through such a colour too, but
only for about a pixel and for a short length, which is no line.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.media.decoder import Pixels

Mask = NDArray[np.uint8]  # 255 where there is a marker

# Colours are RGB.
LINE_COLOUR = np.array((118, 84, 121), np.int16)
LINE_TOLERANCE = 15
LINE_GROWTH = 3  # pixels all around, where the line fades
LINE_THICK, LINE_LONG = 2, 24  # pixels: a line is this thick somewhere, or this long in one piece
DISC_LOW, DISC_HIGH = np.array((180, 130, 170)), np.array((230, 170, 210))
DISC_SHARE = 0.25  # of the square around it that has the colour: text has it only on average
DISC_REACH = 1.5  # of the radius that is found
INPAINT_RADIUS = 3

_SMALLEST, _LARGEST, _APART = 5, 100, 20  # pixels: radii of discs, and the distance between their centres
_EDGE, _VOTES = 50, 30  # thresholds of the Hough transform


def find_markers(pixels: Pixels) -> Mask:
    """The mask of the markers in an RGB image."""
    mask = _lines(pixels)
    for x, y, radius in _circles(pixels) if _may_have_discs(pixels) else ():
        square = pixels[max(0, y - radius) : y + radius + 1, max(0, x - radius) : x + radius + 1]
        mean = square.reshape(-1, 3).mean(axis=0)
        coloured = np.all((square >= DISC_LOW) & (square <= DISC_HIGH), axis=2)
        if np.all(mean >= DISC_LOW) and np.all(mean <= DISC_HIGH) and coloured.mean() >= DISC_SHARE:
            reach = int(DISC_REACH * radius)
            mask[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = 255
    return mask


def inpaint(pixels: Pixels, mask: Mask) -> Pixels:
    """The image with masked pixels filled in from around them; all other pixels are unchanged."""
    if not mask.any():
        return pixels.copy()
    filled = np.asarray(cv2.inpaint(pixels, mask, INPAINT_RADIUS, cv2.INPAINT_TELEA), np.uint8)
    return np.where(mask[..., None] > 0, filled, pixels)


def _lines(pixels: Pixels) -> Mask:
    """The mask of lines including their soft edges. What touches a line is part of it."""
    low, high = LINE_COLOUR - LINE_TOLERANCE, LINE_COLOUR + LINE_TOLERANCE
    coloured = np.asarray(cv2.inRange(pixels, low, high), np.uint8)
    if not coloured.any():
        return coloured
    thick = np.ones((LINE_THICK, LINE_THICK), np.uint8)
    drawn = cv2.erode(coloured, thick, borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0
    _, piece_at, facts, _ = cv2.connectedComponentsWithStats(coloured)
    is_long = np.max(facts[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]], axis=1) >= LINE_LONG
    is_long[0] = False  # the background
    grown = np.asarray(cv2.dilate(coloured, np.ones((3, 3), np.uint8), iterations=LINE_GROWTH), np.uint8)
    _, component_at = cv2.connectedComponents(grown)
    grown[~np.isin(component_at, component_at[drawn | is_long[piece_at]])] = 0
    return grown


def _may_have_discs(pixels: Pixels) -> bool:
    """Whether some square has the mean colour of a disc. The search for circles takes seconds on a page full of text,
    and few pages have such a square."""
    redder = pixels[..., 0].astype(np.int16) - pixels[..., 1] >= DISC_LOW[0] - DISC_HIGH[1]
    rows, columns = np.flatnonzero(redder.any(axis=1)), np.flatnonzero(redder.any(axis=0))
    if not rows.size:
        return False  # a square redder than green contains such a pixel
    reach = 2 * _LARGEST  # squares further away contain no such pixel
    part = pixels[max(0, rows[0] - reach) : rows[-1] + reach + 1, max(0, columns[0] - reach) : columns[-1] + reach + 1]
    ones = np.ones(part.shape[:2], np.uint8)
    for radius in range(_SMALLEST - 1, _LARGEST + 2):  # radii are rounded
        side = 2 * radius + 1
        total, number = (_sums(one, side) for one in (part, ones))
        low, high = DISC_LOW * number[..., None], DISC_HIGH * number[..., None]
        if np.any(np.all((total >= low) & (total <= high), axis=2)):
            return True
    return False


def _sums(pixels: Pixels, side: int) -> NDArray[np.int32]:
    """Sums over the squares around all pixels, as far as they are inside the image."""
    found = cv2.boxFilter(pixels, cv2.CV_32S, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(found, np.int32)


def _circles(pixels: Pixels) -> list[tuple[int, int, int]]:
    grey = cv2.GaussianBlur(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), (9, 9), 2)
    found = cv2.HoughCircles(
        grey,
        cv2.HOUGH_GRADIENT,
        dp=1,
        minDist=_APART,
        param1=_EDGE,
        param2=_VOTES,
        minRadius=_SMALLEST,
        maxRadius=_LARGEST,
    )
    # None where there are no circles, contrary to the type of OpenCV.
    circles = np.zeros((0, 3)) if found is None else np.asarray(found).reshape(-1, 3)
    return sorted((round(float(x)), round(float(y)), round(float(radius))) for x, y, radius in circles)


_SHIFT = 3  # bits of a coordinate after the point
_FURTHEST = 2000.0  # pixels beyond the image: further away a brush of any size has no effect


def paint_mask(
    mask: NDArray[np.uint8], points: Sequence[Sequence[float]], radius: float, *, erase: bool = False
) -> None:
    """Paint on a mask with a round brush along a line of points, as a canvas in a browser does; or erase.

    Points are (x, y) in pixels of the mask: its corner is (0, 0), the centre of its first pixel (0.5, 0.5). A single
    point is a dab.
    """
    height, width = mask.shape
    line = np.clip(np.asarray(points, np.float64) - 0.5, -_FURTHEST, np.array((width, height)) + _FURTHEST)
    at = np.round(line * (1 << _SHIFT)).astype(np.int32)
    value = 0 if erase else 255
    for x, y in at.tolist():
        cv2.circle(mask, (x, y), round(radius * (1 << _SHIFT)), value, cv2.FILLED, shift=_SHIFT)
    for (x1, y1), (x2, y2) in zip(at[:-1].tolist(), at[1:].tolist(), strict=True):
        across = _across(x2 - x1, y2 - y1, radius * (1 << _SHIFT))
        if across is not None:
            corners = np.array((x1, y1, x2, y2, x2, y2, x1, y1)).reshape(4, 2) + across
            cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), value, shift=_SHIFT)


def _across(dx: float, dy: float, radius: float) -> NDArray[np.float64] | None:
    """Offsets from the ends of a segment to the corners of the band around it; None for a segment without length."""
    length = float(np.hypot(dx, dy))
    if length == 0:
        return None
    side = np.array((-dy, dx)) * radius / length
    return np.stack((side, side, -side, -side))
