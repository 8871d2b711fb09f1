"""Which of two designs looks more effective, by what can be measured in their pictures.

The rules come from laws of UX and were written down, with their weights, before any pair with a known winner was looked
at; they are not tuned. Each measures both designs in the same way, and what counts is the difference between the two:
swapping the pictures swaps the answer.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box
from affordance.media.screen_layout import PartKind, ScreenLayout, ScreenPart, find_layout

RGB = NDArray[np.uint8]
_Lab = NDArray[np.float32]

_PLACES: Final = ("first", "second")
_RING: Final = 4  # pixels around a button in which its surroundings are measured
_LEAST_ACTION: Final = 400.0  # square pixels of a plain screen: less is a badge
_SAME_EDGE: Final = 2.0  # pixels between edges that are aligned
_ALIGNED: Final = 3  # parts on one edge that make a line
_READABLE: Final = 7.0  # a contrast beyond which text gets no easier to read
_LIGHT: Final = (0.2126, 0.7152, 0.0722)
_CONTROLS: Final = frozenset({PartKind.BUTTON, PartKind.FIELD, PartKind.TICK, PartKind.SWITCH})
_SURFACES: Final = frozenset({PartKind.AREA, PartKind.ROW})


@dataclass(frozen=True, slots=True)
class MeasuredDesign:
    """What the rules look at: the picture and its layout, and the buttons with how much each stands out, the
    most salient first."""

    pixels: RGB
    layout: ScreenLayout
    actions: tuple[tuple[float, Box], ...]


@dataclass(frozen=True, slots=True)
class DesignRule:
    """`step` is a difference that is plain to see; `because` is said of the better design."""

    measure: Callable[[MeasuredDesign], float]
    step: float
    weight: float
    reason: str


def better_design(first: RGB, second: RGB) -> tuple[int | None, str]:
    """0 or 1, and why in one sentence; None where the pictures are the same, or no rule tells them apart. They are RGB
    and may be of different sizes."""
    if first.shape == second.shape and np.array_equal(first, second):
        return None, "The two pictures are identical."
    pulls = _rule_scores(first, second)
    total = math.fsum(pulls)
    if abs(total) < 1e-9:
        return None, "The two pictures differ in nothing that these rules measure."
    winner = 0 if total > 0 else 1
    return winner, " ".join(_reasons_for(winner, pulls)[:2])


def advantages(first: RGB, second: RGB, index: int) -> str:
    """All that these rules find better in one of two designs: the first one is 0, the second 1."""
    found = _reasons_for(index, _rule_scores(first, second))
    return "\n".join(found) or f"These rules measure nothing that is better in the {_PLACES[index]} version."


def _rule_scores(first: RGB, second: RGB) -> list[float]:
    """For each rule how far it speaks for the first design, or, below zero, for the second."""
    designs = _measure_design(first), _measure_design(second)
    return [
        rule.weight * math.tanh((rule.measure(designs[0]) - rule.measure(designs[1])) / rule.step) for rule in RULES
    ]


def _reasons_for(index: int, pulls: Sequence[float]) -> list[str]:
    """What is better in one design, the strongest reason first."""
    sign = 1 if index == 0 else -1
    ranked = sorted(zip(pulls, RULES, strict=True), key=lambda one: -sign * one[0])
    return [f"In the {_PLACES[index]} version {rule.reason}" for pull, rule in ranked if sign * pull > 0]


def _measure_design(pixels: RGB) -> MeasuredDesign:
    layout = find_layout(pixels)
    lab = np.asarray(cv2.cvtColor(np.asarray(pixels, np.float32) / 255, cv2.COLOR_RGB2LAB), np.float32)
    least = _LEAST_ACTION * layout.pixel_ratio**2
    buttons = [part.box for part in layout.parts if part.kind is PartKind.BUTTON and part.box.area >= least]
    actions = sorted(((_surface_contrast(lab, box), box) for box in buttons), key=lambda one: (-one[0], one[1].xyxy))
    return MeasuredDesign(pixels, layout, tuple(actions))


def _surface_contrast(lab: _Lab, box: Box) -> float:
    """How far the surface of a box is from what is around it, in units of colour that people can tell apart, from 0 to
    about 100."""
    height, width = lab.shape[:2]
    x1, y1, x2, y2 = (round(edge) for edge in box.xyxy)
    inner = lab[max(0, y1 + 2) : y2 - 2, max(0, x1 + 2) : x2 - 2].reshape(-1, 3)
    outer = [
        lab[max(0, y1 - _RING) : max(0, y1 - 1), max(0, x1) : x2],
        lab[min(height, y2 + 1) : y2 + _RING, max(0, x1) : x2],
        lab[max(0, y1) : y2, max(0, x1 - _RING) : max(0, x1 - 1)],
        lab[max(0, y1) : y2, min(width, x2 + 1) : x2 + _RING],
    ]
    around = np.concatenate([side.reshape(-1, 3) for side in outer])
    if not len(inner) or not len(around):
        return 0.0
    return float(np.linalg.norm(np.median(inner, axis=0) - np.median(around, axis=0)))


def _salience(design: MeasuredDesign) -> float:
    return design.actions[0][0] / 100 if design.actions else 0.0


def _single_action(design: MeasuredDesign) -> float:
    """1 where one action stands out by far, 0 where the next does as much; 0 without any."""
    if not design.actions or design.actions[0][0] <= 0:
        return 0.0
    return 1 - design.actions[1][0] / design.actions[0][0] if len(design.actions) > 1 else 1.0


def _reach(design: MeasuredDesign) -> float:
    """The size of the main action, as the binary logarithm of its area on a plain screen."""
    if not design.actions:
        return 0.0
    return math.log2(1 + design.actions[0][1].area / design.layout.pixel_ratio**2 / _LEAST_ACTION)


def _early(design: MeasuredDesign) -> float:
    """How high up the main action is; 0 without one."""
    return 1 - design.actions[0][1].centre.y / design.layout.height if design.actions else 0.0


def _calm(design: MeasuredDesign) -> float:
    """Few things to see: less with every doubling of the parts."""
    return -math.log2(1 + len(design.layout.parts))


def _even(design: MeasuredDesign) -> float:
    """The share of the picture without edges, on a plain screen."""
    scale = 1 / design.layout.pixel_ratio
    plain = cv2.resize(design.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    edges = cv2.Canny(cv2.cvtColor(plain, cv2.COLOR_RGB2GRAY), 50, 150)
    return 1 - cv2.countNonZero(edges) / edges.size


def _few_choices(design: MeasuredDesign) -> float:
    return -math.log2(1 + sum(part.kind in _CONTROLS for part in design.layout.parts))


def _readable(design: MeasuredDesign) -> float:
    """The median contrast of texts with what they stand on, as WCAG counts it, up to where more is no better."""
    found = [
        _contrast(design.pixels, part.ink)
        for part in design.layout.parts
        if part.kind is PartKind.TEXT and part.ink is not None
    ]
    return float(np.median(np.minimum(found, _READABLE))) if found else 0.0


def _contrast(pixels: RGB, box: Box) -> float:
    x1, y1, x2, y2 = (round(edge) for edge in box.xyxy)
    part = pixels[max(0, y1) : y2, max(0, x1) : x2].reshape(-1, 3).astype(np.float64) / 255
    if not len(part):
        return 1.0
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    low, high = np.percentile(linear @ np.array(_LIGHT), (2, 98))
    return float((high + 0.05) / (low + 0.05))


def _alignment(design: MeasuredDesign) -> float:
    """The share of parts whose left edge or middle is also that of two others."""
    boxes = [part.box for part in design.layout.parts if part.kind is not PartKind.AREA]
    if not boxes:
        return 0.0
    near = _SAME_EDGE * design.layout.pixel_ratio
    lefts, middles = np.array([box.x1 for box in boxes]), np.array([box.centre.x for box in boxes])
    return float(np.mean(_on_a_line(lefts, near) | _on_a_line(middles, near)))


def _on_a_line(edges: NDArray[np.float64], near: float) -> NDArray[np.bool_]:
    alike = np.abs(edges[:, None] - edges[None, :]) <= near
    return np.asarray(alike.sum(axis=1) >= _ALIGNED)


def _grouping(design: MeasuredDesign) -> float:
    """The share of small parts that lie on a surface of their own."""
    surfaces = [part.box for part in design.layout.parts if part.kind in _SURFACES]
    small = [part for part in design.layout.parts if part.kind not in _SURFACES]
    return sum(_is_on_surface(part, surfaces) for part in small) / len(small) if small else 0.0


def _is_on_surface(part: ScreenPart, surfaces: Sequence[Box]) -> bool:
    return any(box.contains(part.box.centre.x, part.box.centre.y) for box in surfaces)


# The main action weighs most, since what is asked is which design makes people act; then how much stands against it.
RULES: Final = (
    DesignRule(_salience, 0.15, 2.0, "the main action stands out more from its surroundings (Von Restorff Effect)."),
    DesignRule(
        _single_action, 0.3, 1.0, "fewer other actions compete with the main one for attention (Von Restorff Effect)."
    ),
    DesignRule(_reach, 0.5, 1.5, "the main action is larger and so easier to hit (Fitts’s Law)."),
    DesignRule(_early, 0.2, 0.5, "the main action comes sooner on the page (Serial Position Effect)."),
    DesignRule(_calm, 0.3, 1.0, "there are fewer things to see, so the page is simpler (Law of Prägnanz)."),
    DesignRule(_even, 0.02, 0.5, "there is more empty space and less clutter (Law of Prägnanz)."),
    DesignRule(_few_choices, 0.4, 1.0, "there are fewer choices to make (Hick’s Law)."),
    DesignRule(_readable, 1.0, 1.0, "text has the stronger contrast and is easier to read."),
    DesignRule(_alignment, 0.1, 0.5, "more parts are aligned with each other (Law of Prägnanz)."),
    DesignRule(_grouping, 0.2, 0.5, "more of what belongs together shares a surface (Law of Common Region)."),
)
