"""The effect of an animation, from what changes in its frames and how."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.models.baselines.motion_scene import MotionScene, ObjectView, find_object, find_scene, stack_frames

_OUTLINE_SIDE: Final = 96
# Pixels of the normalized image for one unit of spread, and for one side of the square of equal area.
_PER_SPREAD: Final = 16.0
_PER_SIDE: Final = 46.0
_ANGLES: Final = 240
_RADII: Final = 46
# Between two frames the smallest turn that explains the change is assumed.
_LARGEST_STEP: Final = 40.0


@dataclass(frozen=True, slots=True)
class ObjectOutline:
    """An object's cover, independent of its location and size."""

    stretched: NDArray[np.float32]  # width and height made equal
    polar: NDArray[np.float32]  # proportions kept; rows are angles, weighted so that sums are areas


def outline_of(sight: ObjectView) -> ObjectOutline:
    side = float(np.sqrt(sight.area)) / _PER_SIDE
    kept = _normalize(sight, side, side)
    middle = (_OUTLINE_SIDE - 1) / 2
    polar = cv2.warpPolar(kept, (_RADII, _ANGLES), (middle, middle), _RADII, cv2.INTER_LINEAR | cv2.WARP_POLAR_LINEAR)
    weights = np.arange(_RADII, dtype=np.float32) + np.float32(0.5)
    stretched = _normalize(sight, sight.spread_x / _PER_SPREAD, sight.spread_y / _PER_SPREAD)
    return ObjectOutline(stretched, np.asarray(polar, dtype=np.float32) * weights)


def mismatch(first: ObjectOutline, second: ObjectOutline) -> float:
    """Share of the area, 0 to 1, that differs when both are made equally wide and high."""
    return _area_mismatch(first.stretched, second.stretched)


def turn_between(first: ObjectOutline, second: ObjectOutline) -> float:
    """Degrees clockwise, of the smallest plausible step."""
    agreement = _angular_agreement(first, second)
    degrees = np.arange(_ANGLES) * 360.0 / _ANGLES
    degrees = np.where(degrees > 180.0, degrees - 360.0, degrees)
    agreement[np.abs(degrees) > _LARGEST_STEP] = -np.inf
    return float(degrees[int(agreement.argmax())])


def mismatch_turned(first: ObjectOutline, second: ObjectOutline) -> float:
    """Share of the area that differs when both have the same area and are turned to agree best."""
    step = int(_angular_agreement(first, second).argmax())
    return _area_mismatch(np.roll(first.polar, step, axis=0), second.polar)


def _normalize(sight: ObjectView, scale_x: float, scale_y: float) -> NDArray[np.float32]:
    middle = (_OUTLINE_SIDE - 1) / 2
    left, top = sight.offset
    to_cover = np.array(
        [
            [scale_x, 0.0, sight.x - left - scale_x * middle],
            [0.0, scale_y, sight.y - top - scale_y * middle],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(sight.cover, to_cover, (_OUTLINE_SIDE, _OUTLINE_SIDE), flags=flags), dtype=np.float32
    )


def _area_mismatch(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    total = float(first.sum()) + float(second.sum())
    return float(np.abs(first - second).sum()) / total if total > 0 else 0.0


def _angular_agreement(first: ObjectOutline, second: ObjectOutline) -> NDArray[np.float64]:
    """Cross-correlation of the area seen in each direction, for every turn of the first."""
    one, other = first.polar.sum(axis=1), second.polar.sum(axis=1)
    product = np.conj(np.fft.rfft(one)) * np.fft.rfft(other)
    return np.asarray(np.fft.irfft(product, _ANGLES), dtype=np.float64)


# Outline and location are measured where the object has this share of its best contrast: below, noise matters.
_MIN_CONTRAST_SHARE: Final = 0.3
_MIN_CONTRAST: Final = 20.0


@dataclass(frozen=True, slots=True)
class Changes:
    """Lengths in pixels of the scene, shares from 0 to 1."""

    side: float  # of the square of the object's median area
    travel: float  # greatest distance between two positions of the centre
    width_ratio: float  # largest by smallest
    height_ratio: float
    area_ratio: float
    turned: float  # degrees, all steps summed without sign
    reshaped: float  # area that differs from the first outline, size and proportions aside
    reshaped_turned: float  # the same, with size and any turn aside
    morphed: float  # what neither of the two explains, in the frame where that is most
    colours: tuple[NDArray[np.float64], NDArray[np.float64]]  # strongest, and the one farthest off its fade
    off_fade: float  # how far that is from every mix of strongest and background, of 255
    opacity: float  # the least, if the strongest is taken as 1
    softness: tuple[float, float]  # least and most


def measure_changes(scene: MotionScene) -> Changes | None:
    """The changes of the object in a scene; None if no object differs from its background."""
    sights = [find_object(scene, frame) for frame in scene.frames]
    seen = [sight for sight in sights if sight is not None]
    if not seen:
        return None
    best = max(seen, key=lambda sight: sight.contrast)
    plain = [
        sight for sight in seen if sight.contrast >= max(_MIN_CONTRAST_SHARE * best.contrast, _MIN_CONTRAST)
    ] or seen
    off_fade, farthest, opacity = _colour_path(seen, best, scene.background)
    turned, reshaped, reshaped_turned, morphed = _shape_path([outline_of(sight) for sight in plain])
    softness = [sight.softness for sight in plain]
    return Changes(
        side=math.sqrt(float(np.median([sight.area for sight in plain]))),
        travel=_travel(plain),
        width_ratio=_ratio([sight.spread_x for sight in plain]),
        height_ratio=_ratio([sight.spread_y for sight in plain]),
        area_ratio=_ratio([sight.area for sight in plain]),
        turned=turned,
        reshaped=reshaped,
        reshaped_turned=reshaped_turned,
        morphed=morphed,
        colours=(best.colour, farthest),
        off_fade=off_fade,
        opacity=opacity if len(seen) == len(sights) else 0.0,
        softness=(min(softness), max(softness)),
    )


def _ratio(values: Sequence[float]) -> float:
    return max(values) / min(values)


def _travel(sights: Sequence[ObjectView]) -> float:
    places = np.array([(sight.x, sight.y) for sight in sights])
    return float(np.linalg.norm(places[:, None] - places[None], axis=2).max())


def _colour_path(
    seen: Sequence[ObjectView], best: ObjectView, background: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64], float]:
    """The greatest distance from the line of a fade, the colour there, and the least share along that line."""
    line = (best.colour - background) / best.contrast
    apart = np.array([sight.colour for sight in seen]) - background
    along = apart @ line
    off = np.linalg.norm(apart - along[:, None] * line, axis=1)
    farthest = int(off.argmax())
    return float(off[farthest]), seen[farthest].colour, max(0.0, float(along.min()) / best.contrast)


def _shape_path(outlines: Sequence[ObjectOutline]) -> tuple[float, float, float, float]:
    """Turn and mismatches against the first outline, which is at one end of the change or at both."""
    straight = np.array([mismatch(outlines[0], outline) for outline in outlines])
    turned = np.array([mismatch_turned(outlines[0], outline) for outline in outlines])
    steps = sum(abs(turn_between(one, other)) for one, other in pairwise(outlines))
    return steps, float(straight.max()), float(turned.max()), float(np.minimum(straight, turned).max())


# Units of visible change: a score of 1 is a change that is just plain to see.
_TRAVEL_OF_SIDE: Final = 0.10
_SIZE_RATIO: Final = 1.15
_TURN_DEGREES: Final = 12.0
_TURN_MISMATCH: Final = 0.025
_TURN_EXPLAINS: Final = 0.6  # the least share of the mismatch that turning must remove
_MORPH_MISMATCH: Final = 0.05
_REPLACED_MISMATCH: Final = 0.4  # two outlines that differ more are two objects
_OFF_FADE: Final = 20.0  # of 255
_OPACITY_LOSS: Final = 0.12
_SOFTER_PIXELS: Final = 1.5
_SOFTER_RATIO: Final = 2.0
_SHARP_OF_SIDE: Final = 0.05  # an object without an edge cannot lose it

# Where the first effect is plain, the others are its side effects.
_EXPLAINS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("blur", ("morph", "size", "fade", "rotate")),
    ("morph", ("size", "rotate")),
    ("rotate", ("size",)),
    ("color", ("fade",)),
)


@dataclass(frozen=True, slots=True)
class EffectReading:
    """The most visible effect, the reason in one sentence, and a score for each effect (1: just noticeable).

    If nothing can be seen, all scores are 0 and the effect is the first of `EFFECTS`, as the reason states.
    """

    effect: str
    reason: str
    scores: Mapping[str, float]


def classify_effect(frames: Sequence[NDArray[Any]]) -> EffectReading:
    """The effect in frames in order of time: RGB or grey, of any size and number.

    Never raises for the content of the frames; arrays that are no images are left out.
    """
    stack, scale = stack_frames(frames)
    scene = find_scene(stack)
    if scene is None:
        return _no_effect("nothing changes in the frames, so this is a guess")
    changes = measure_changes(scene)
    if changes is None:
        return _no_effect("something changes, but no object stands out from its background, so this is a guess")
    scores = _suppress_explained({effect: score(changes) for effect, score in _SCORES.items()})
    effect = max(scores, key=lambda name: scores[name])
    return EffectReading(effect, _REASONS[effect](changes, scale * scene.scale), MappingProxyType(scores))


def _no_effect(reason: str) -> EffectReading:
    return EffectReading(EFFECTS[0], reason, MappingProxyType(dict.fromkeys(EFFECTS, 0.0)))


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


def _format_rgb(colour: NDArray[np.float64]) -> str:
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
        f"the object's colour changes between {_format_rgb(seen.colours[0])} and {_format_rgb(seen.colours[1])}, "
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
