"""Markers that somebody drew onto a screenshot to point at a change, and the picture without them.

Found by the two colours in which GoodUI draws them: lines in a dark violet, and discs in a light one. A page may have
these colours itself, so the mask is to be looked at by a person.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Mask = NDArray[np.uint8]  # 255 where there is a marker

# Colours are RGB.
LINE_COLOUR = np.array((118, 84, 121), np.int16)
LINE_TOLERANCE = 15
LINE_GROWTH = 3  # pixels all around, where the line fades
DISC_LOW, DISC_HIGH = np.array((180, 130, 170)), np.array((230, 170, 210))
DISC_REACH = 1.5  # of the radius that is found
INPAINT_RADIUS = 3

_SMALLEST, _LARGEST, _APART = 5, 100, 20  # pixels: radii of discs, and how far their centres are from each other
_EDGE, _VOTES = 50, 30  # thresholds of the Hough transform


def find_markers(pixels: Pixels) -> Mask:
    """Where markers are on a picture, given as RGB."""
    low, high = LINE_COLOUR - LINE_TOLERANCE, LINE_COLOUR + LINE_TOLERANCE
    lines = np.asarray(cv2.inRange(pixels, low, high), np.uint8)
    mask = np.asarray(cv2.dilate(lines, np.ones((3, 3), np.uint8), iterations=LINE_GROWTH), np.uint8)
    for x, y, radius in _circles(pixels):
        square = pixels[max(0, y - radius) : y + radius + 1, max(0, x - radius) : x + radius + 1]
        mean = square.reshape(-1, 3).mean(axis=0)
        if np.all(mean >= DISC_LOW) and np.all(mean <= DISC_HIGH):
            reach = int(DISC_REACH * radius)
            mask[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = 255
    return mask


def without_markers(pixels: Pixels, mask: Mask) -> Pixels:
    """The picture with what is masked filled in from around it; every other pixel is as it was."""
    if not mask.any():
        return pixels.copy()
    filled = np.asarray(cv2.inpaint(pixels, mask, INPAINT_RADIUS, cv2.INPAINT_TELEA), np.uint8)
    return np.where(mask[..., None] > 0, filled, pixels)


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
    # The type of OpenCV does not say that it is None where there are none.
    circles = np.zeros((0, 3)) if found is None else np.asarray(found).reshape(-1, 3)
    return sorted((round(float(x)), round(float(y)), round(float(radius))) for x, y, radius in circles)
