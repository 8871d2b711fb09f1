"""Ground truth and predictions as inline SVG over a screenshot."""

from collections.abc import Sequence

from markupsafe import Markup

from affordance.core.geometry import Box, Point
from affordance.grounding.location_scoring import TargetTruth
from affordance.grounding.locations import Location, location_from_text

_DOT = 0.006  # of the picture's width: radius of a point
_LABEL = 0.018  # of the picture's width: height of a number


def overlay(truth_text: str, answers: Sequence[str | None]) -> Markup:
    """The truth, and under a number each answer that has a place; answers are as verdicts keep them."""
    truth = TargetTruth.from_text(truth_text)
    width, height = truth.size
    parts = [_rect(box, "truth") for box in truth.boxes]
    if truth.polygon:
        points = " ".join(f"{x:g},{y:g}" for x, y in truth.polygon)
        parts.append(Markup('<polygon class="truth" points="{}"/>').format(points))
    for number, answer in enumerate(answers, 1):
        if answer is not None:
            parts += _answer_label(location_from_text(answer), number, width)
    said = "There is no such target" if truth.is_absent else "The target, and what the models pointed at"
    return Markup(
        '<svg class="overlay" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img"><title>{}</title>{}</svg>'
    ).format(width, height, said, Markup("").join(parts))


def _answer_label(place: Location, number: int, width: int) -> list[Markup]:
    if isinstance(place, Box):
        return [_rect(place, "said"), _label(place.x1, place.y1, number, width)]
    if isinstance(place, Point):
        dot = Markup('<circle class="said" cx="{:g}" cy="{:g}" r="{:g}"/>').format(place.x, place.y, _DOT * width)
        return [dot, _label(place.x + _DOT * width, place.y, number, width)]
    return []


def _rect(box: Box, kind: str) -> Markup:
    return Markup('<rect class="{}" x="{:g}" y="{:g}" width="{:g}" height="{:g}"/>').format(
        kind, box.x1, box.y1, box.x2 - box.x1, box.y2 - box.y1
    )


def _label(x: float, y: float, number: int, width: int) -> Markup:
    size = _LABEL * width
    return Markup('<text x="{:g}" y="{:g}" font-size="{:g}">{}</text>').format(x, max(y - size / 4, size), size, number)
