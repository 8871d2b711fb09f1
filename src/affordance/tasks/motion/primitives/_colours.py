"""Random colours that people can tell apart, and colour changes that cannot be taken for a fade."""

import colorsys
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.tasks.motion.primitives._variant import Rgb

# Distances are CIE76 in Lab, where about 2 is just noticeable and 100 is black to white.
_BACKGROUND_LIGHTNESS: Final = 68.0
_FROM_BACKGROUND: Final = 45.0
_FROM_BACKGROUND_LIGHTNESS: Final = 18.0
_FROM_BLACK: Final = 40.0
_COLOUR_CHANGE: Final = 45.0
# How far, of 255, the new colour is from every colour that more or less opacity could give.
_OFF_FADE: Final = 64.0
_OFF_FADE_SHARE: Final = 0.5
_WAY_SAMPLES: Final = 9


def background(rng: np.random.Generator) -> Rgb:
    """Light enough for the black reference square, mostly pale."""
    while True:
        colour = _hsv(rng.random(), 0.5 * rng.random() ** 2, 0.72 + 0.28 * rng.random())
        if _lab(colour)[0] >= _BACKGROUND_LIGHTNESS:
            return colour


def object_colour(rng: np.random.Generator, ground: Rgb) -> Rgb:
    """Stands out from the background, and from the black reference square."""
    while True:
        colour = _hsv(rng.random(), 0.3 + 0.7 * rng.random(), 0.3 + 0.7 * rng.random())
        if stands_out(colour, ground):
            return colour


def colour_pair(rng: np.random.Generator, ground: Rgb) -> tuple[Rgb, Rgb]:
    """Two colours of an object that differ in hue, saturation or brightness, and not by opacity."""
    while True:
        first = object_colour(rng, ground)
        hue, saturation, value = colorsys.rgb_to_hsv(*(channel / 255.0 for channel in first))
        second = (
            _hsv(hue + 1 / 6 + rng.random() * 2 / 3, saturation, value),
            _hsv(hue, rng.random(), value),
            _hsv(hue, saturation, rng.random()),
        )[int(rng.random() * 3)]
        if is_colour_change(first, second, ground):
            return first, second


def stands_out(colour: Rgb, ground: Rgb) -> bool:
    """Whether an object of this colour is plain to see on the background and unlike the reference."""
    lab, under = _lab(colour), _lab(ground)
    return (
        float(np.linalg.norm(lab - under)) >= _FROM_BACKGROUND
        and abs(lab[0] - under[0]) >= _FROM_BACKGROUND_LIGHTNESS
        and float(np.linalg.norm(lab)) >= _FROM_BLACK
    )


def is_colour_change(first: Rgb, second: Rgb, ground: Rgb) -> bool:
    """Whether the change is large, never passes near the background, and leaves the line of a fade."""
    way = [
        tuple(round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
        for share in np.linspace(0.0, 1.0, _WAY_SAMPLES)
    ]
    return (
        float(np.linalg.norm(_lab(first) - _lab(second))) >= _COLOUR_CHANGE
        and all(stands_out((red, green, blue), ground) for red, green, blue in way)
        and _off_fade(first, second, ground)
        and _off_fade(second, first, ground)
    )


def _off_fade(colour: Rgb, other: Rgb, ground: Rgb) -> bool:
    origin = np.array(ground, dtype=np.float64)
    line = np.array(colour) - origin
    line /= np.linalg.norm(line)
    there = np.array(other) - origin
    off = float(np.linalg.norm(there - (there @ line) * line))
    change = float(np.linalg.norm(np.array(other, dtype=np.float64) - np.array(colour)))
    return off >= max(_OFF_FADE, _OFF_FADE_SHARE * change)


def _hsv(hue: float, saturation: float, value: float) -> Rgb:
    red, green, blue = (round(255 * part) for part in colorsys.hsv_to_rgb(hue % 1.0, saturation, value))
    return red, green, blue


def _lab(colour: Rgb) -> NDArray[np.float32]:
    pixel = np.array([[colour]], dtype=np.float32) / 255.0
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_RGB2Lab)[0, 0], dtype=np.float32)
