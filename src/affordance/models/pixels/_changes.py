"""How much the object changed in each respect over the whole sequence."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from affordance.models.pixels._outline import ObjectOutline, mismatch, mismatch_turned, outline_of, turn_between
from affordance.models.pixels._scene import MotionScene
from affordance.models.pixels._sight import ObjectView, find_object

# Outline and place are measured where the object has this share of its best contrast: below, noise has a say.
_PLAIN: Final = 0.3
_LEAST_CONTRAST: Final = 20.0


@dataclass(frozen=True, slots=True)
class Changes:
    """Lengths in pixels of the scene, shares from 0 to 1."""

    side: float  # of the square of the object's median area
    travel: float  # greatest distance between two places of the centre
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


def measure(scene: MotionScene) -> Changes | None:
    """None where no object can be told from its background."""
    sights = [find_object(scene, frame) for frame in scene.frames]
    seen = [sight for sight in sights if sight is not None]
    if not seen:
        return None
    best = max(seen, key=lambda sight: sight.contrast)
    plain = [sight for sight in seen if sight.contrast >= max(_PLAIN * best.contrast, _LEAST_CONTRAST)] or seen
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
