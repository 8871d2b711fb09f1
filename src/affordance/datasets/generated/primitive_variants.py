"""Random clips of the primitive effects, each a function of effect, index and seed."""

import colorsys
import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.datasets.generated.primitive_drawing import (
    EASINGS,
    HEIGHT,
    REFERENCE,
    SHAPES,
    WIDTH,
    PrimitiveClip,
    Rgb,
    ShapeState,
    overlap,
    reach,
)

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


T = TypeVar("T")
StatePair = tuple[ShapeState, ShapeState]

# The object keeps this far from the frame's edge and from the reference.
_MARGIN: Final = 16
_LEFT, _RIGHT = REFERENCE[2] + 2 * _MARGIN, WIDTH - _MARGIN
_TOP, _BOTTOM = _MARGIN, HEIGHT - _MARGIN
_ROOM: Final = (min(_RIGHT - _LEFT, _BOTTOM - _TOP)) / 2

_MIN_DISTANCE: Final = 130.0
# Shapes that agree more than this are no plain morph, a circle and a pentagon for one. Neither are a square and
# a bar, whose difference is one of size.
_MAX_OVERLAP: Final = 0.84
_STRETCHED: Final = {"square", "bar"}
# A turned circle looks the same, a badge with eight points nearly so at ten frames a second.
_TURNING: Final = tuple(shape for shape in SHAPES if shape not in ("circle", "badge"))


def random_clips(effect: str, count: int, seed: int) -> list[PrimitiveClip]:
    """The first `count` random clips of an effect. A larger count adds to the list and changes nothing in it."""
    return [_random_clip(effect, index, seed) for index in range(count)]


def _random_clip(effect: str, index: int, seed: int) -> PrimitiveClip:
    digest = hashlib.sha256(f"{effect}/{index}/{seed}".encode()).digest()
    # Only `random()` is drawn from it: numpy may change the streams of its distributions between versions.
    rng = np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))
    ground = background(rng)
    start, stop = _STATE_PAIRS[effect](rng, ground)
    if rng.random() < 0.5:
        start, stop = stop, start
    begin = _uniform(rng, 0.0, 0.2)
    return PrimitiveClip(
        effect=effect,
        background=ground,
        start_state=start,
        end_state=stop,
        easing=_pick(rng, tuple(EASINGS)),
        start_time=begin,
        end_time=begin + _uniform(rng, 0.55, 0.8),
        round_trip=rng.random() < 0.4,
    )


@cache
def _morphs() -> tuple[tuple[str, str], ...]:
    return tuple(
        (first, second)
        for first, second in permutations(SHAPES, 2)
        if overlap(first, second) <= _MAX_OVERLAP and {first, second} != _STRETCHED
    )


def _uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return round(low + (high - low) * rng.random(), 3)


def _pick(rng: np.random.Generator, choices: Sequence[T]) -> T:
    return choices[int(rng.random() * len(choices))]


def _random_object(rng: np.random.Generator, ground: Rgb, shapes: Sequence[str] = SHAPES) -> ShapeState:
    size = _uniform(rng, 100.0, 170.0)
    return ShapeState(
        shape=_pick(rng, shapes),
        colour=object_colour(rng, ground),
        x=(_LEFT + _RIGHT) / 2,
        y=(_TOP + _BOTTOM) / 2,
        width=size,
        height=size,
        angle=_pick(rng, (0.0, 0.0, _uniform(rng, -45.0, 45.0))),
    )


def _move(rng: np.random.Generator, ground: Rgb) -> StatePair:
    size = _uniform(rng, 70.0, 120.0)
    look = replace(_random_object(rng, ground), width=size, height=size)
    inset = reach(look.shape) * size
    while True:
        x, y, to_x, to_y = (
            _uniform(rng, low + inset, high - inset) for low, high in ((_LEFT, _RIGHT), (_TOP, _BOTTOM)) * 2
        )
        if math.hypot(to_x - x, to_y - y) >= _MIN_DISTANCE:
            return replace(look, x=x, y=y), replace(look, x=to_x, y=to_y)


def _rotate(rng: np.random.Generator, ground: Rgb) -> StatePair:
    look = _random_object(rng, ground, _TURNING)
    return look, replace(look, angle=look.angle + _uniform(rng, 75.0, 300.0))


def _size(rng: np.random.Generator, ground: Rgb) -> StatePair:
    look = _random_object(rng, ground)
    small = _uniform(rng, 70.0, 110.0)
    large = min(small * _uniform(rng, 1.7, 2.6), _ROOM / reach(look.shape))
    # Along one axis only the upright object stays the same shape to the eye.
    width, height = _pick(rng, ((large, large), (large, large), (large, small), (small, large)))
    angle = look.angle if width == height else 0.0
    look = replace(look, width=small, height=small, angle=angle)
    return look, replace(look, width=width, height=height)


def _color(rng: np.random.Generator, ground: Rgb) -> StatePair:
    first, second = colour_pair(rng, ground)
    look = _random_object(rng, ground)
    return replace(look, colour=first), replace(look, colour=second)


def _fade(rng: np.random.Generator, ground: Rgb) -> StatePair:
    look = _random_object(rng, ground)
    return look, replace(look, opacity=_pick(rng, (0.0, _uniform(rng, 0.0, 0.3))))


def _blur(rng: np.random.Generator, ground: Rgb) -> StatePair:
    look = _random_object(rng, ground)
    return look, replace(look, blur=look.width * _uniform(rng, 0.12, 0.21))


def _morph(rng: np.random.Generator, ground: Rgb) -> StatePair:
    first, second = _pick(rng, _morphs())
    look = _random_object(rng, ground, (first,))
    return look, replace(look, shape=second)


_STATE_PAIRS: dict[str, Callable[[np.random.Generator, Rgb], StatePair]] = {
    "move": _move,
    "rotate": _rotate,
    "size": _size,
    "color": _color,
    "fade": _fade,
    "blur": _blur,
    "morph": _morph,
}
