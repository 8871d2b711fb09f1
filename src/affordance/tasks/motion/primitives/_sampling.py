"""Random variants, each a function of effect, index and seed alone."""

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations
from typing import Final, TypeVar

import numpy as np

from affordance.tasks.motion.primitives import _colours
from affordance.tasks.motion.primitives._draw import EASINGS, REFERENCE
from affordance.tasks.motion.primitives._shapes import SHAPES, overlap, reach
from affordance.tasks.motion.primitives._variant import HEIGHT, WIDTH, PrimitiveClip, Rgb, ShapeState

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
    ground = _colours.background(rng)
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
        colour=_colours.object_colour(rng, ground),
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
    first, second = _colours.colour_pair(rng, ground)
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
