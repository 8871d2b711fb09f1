"""From measured changes to a named effect and the reason for it."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from affordance.models.pixels._changes import Changes, measure
from affordance.models.pixels._input import stack_frames
from affordance.models.pixels._scene import find_scene

# What counts as a change, by the eye: each score is a measured change in these units, so 1 is just plain to see.
_TRAVEL_OF_SIDE: Final = 0.10
_SIZE_RATIO: Final = 1.15
_TURN_DEGREES: Final = 12.0
_TURN_MISMATCH: Final = 0.025
_TURN_EXPLAINS: Final = 0.6  # of the mismatch, at least this much must go away by turning
_MORPH_MISMATCH: Final = 0.05
_REPLACED_MISMATCH: Final = 0.4  # two outlines with so little in common are two things, not one reshaped
_OFF_FADE: Final = 20.0  # of 255
_OPACITY_LOSS: Final = 0.12
_SOFTER_PIXELS: Final = 1.5
_SOFTER_RATIO: Final = 2.0
_SHARP_OF_SIDE: Final = 0.05  # what has no edge at its sharpest cannot be seen to lose it

# What a change does to other measurements. Where the first is plain, the others are taken for its trace.
_EXPLAINS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("blur", ("morph", "size", "fade", "rotate")),
    ("morph", ("size", "rotate")),
    ("rotate", ("size",)),
    ("color", ("fade",)),
)


@dataclass(frozen=True, slots=True)
class EffectReading:
    """The effect that is plainest, in one sentence why, and how plain each effect is (1: just noticeable).

    Where nothing can be seen all scores are 0 and the effect is the first of `EFFECTS`: a guess, and said so.
    """

    effect: str
    reason: str
    scores: Mapping[str, float]


def classify_effect(frames: Sequence[NDArray[Any]]) -> EffectReading:
    """Names the effect of frames in their order of time: RGB or grey, of any size and number.

    Never raises on account of what the frames show; what is no picture is left out.
    """
    stack, scale = stack_frames(frames)
    scene = find_scene(stack)
    if scene is None:
        return _no_effect("nothing changes in the frames, so this is a guess")
    changes = measure(scene)
    if changes is None:
        return _no_effect("something changes, but no object stands out from its background, so this is a guess")
    scores = _suppress_explained({effect: score(changes) for effect, score in _SCORES.items()})
    effect = max(scores, key=lambda name: scores[name])
    return EffectReading(effect, _REASONS[effect](changes, scale * scene.scale), MappingProxyType(scores))


def _no_effect(because: str) -> EffectReading:
    return EffectReading(EFFECTS[0], because, MappingProxyType(dict.fromkeys(EFFECTS, 0.0)))


def _suppress_explained(scores: Mapping[str, float]) -> dict[str, float]:
    left = dict(scores)
    for cause, traces in _EXPLAINS:
        if left[cause] >= 1.0:
            left.update(dict.fromkeys(traces, 0.0))
    return left


def _move(changes: Changes) -> float:
    return changes.travel / (_TRAVEL_OF_SIDE * changes.side)


def _rotate(changes: Changes) -> float:
    left_over = changes.reshaped_turned / max(changes.reshaped, 1e-6)
    if changes.reshaped < _TURN_MISMATCH or left_over > 1.0 - _TURN_EXPLAINS:
        return 0.0
    return changes.turned / _TURN_DEGREES


def _size(changes: Changes) -> float:
    return math.log(max(changes.width_ratio, changes.height_ratio)) / math.log(_SIZE_RATIO)


def _color(changes: Changes) -> float:
    return changes.off_fade / _OFF_FADE


def _fade(changes: Changes) -> float:
    return (1.0 - changes.opacity) / _OPACITY_LOSS


def _blur(changes: Changes) -> float:
    least, most = changes.softness
    if most < _SOFTER_RATIO * least or least > _SHARP_OF_SIDE * changes.side:
        return 0.0
    return (most - least) / _SOFTER_PIXELS


def _morph(changes: Changes) -> float:
    return 1.0 if changes.morphed > _REPLACED_MISMATCH else changes.morphed / _MORPH_MISMATCH


_SCORES: dict[str, Callable[[Changes], float]] = {
    "move": _move,
    "rotate": _rotate,
    "size": _size,
    "color": _color,
    "fade": _fade,
    "blur": _blur,
    "morph": _morph,
}

EFFECTS: tuple[str, ...] = tuple(_SCORES)


def _rgb(colour: NDArray[np.float64]) -> str:
    return "rgb({:.0f}, {:.0f}, {:.0f})".format(*colour)


_REASONS: dict[str, Callable[[Changes, float], str]] = {
    "move": lambda seen, scale: (
        f"the object's centre travels {seen.travel * scale:.0f} px while its area changes by {seen.area_ratio - 1:.0%}"
    ),
    "rotate": lambda seen, scale: (
        f"the outline turns by {seen.turned:.0f} degrees in all: up to {seen.reshaped:.0%} of it differs "
        f"from the first frame, and {seen.reshaped_turned:.0%} after turning it back"
    ),
    "size": lambda seen, scale: (
        f"the object's width changes by a factor of {seen.width_ratio:.2f} and its height by "
        f"{seen.height_ratio:.2f} while its centre stays within {seen.travel * scale:.0f} px"
    ),
    "color": lambda seen, scale: (
        f"the object's colour changes between {_rgb(seen.colours[0])} and {_rgb(seen.colours[1])}, "
        f"{seen.off_fade:.0f} of 255 away from any mix with the background"
    ),
    "fade": lambda seen, scale: (
        f"the object's opacity falls to {seen.opacity:.0%} of its most, "
        f"its colour staying within {seen.off_fade:.0f} of 255 of a mix with the background"
    ),
    "blur": lambda seen, scale: (
        f"the softness of the object's edge changes between {seen.softness[0] * scale:.1f} "
        f"and {seen.softness[1] * scale:.1f} px"
    ),
    "morph": lambda seen, scale: (
        f"{seen.morphed:.0%} of the object's outline differs from the first frame, "
        "whether it is stretched or turned to fit"
    ),
}
