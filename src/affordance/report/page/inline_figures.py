"""Inline SVG figures of the page on one axis from 0 to 100%.

Positions are percentages of the width, so a figure fills its column undistorted. Colours are left to the style sheet:
the same figure serves light, dark and print. The content security policy of the page forbids style attributes."""

from collections.abc import Sequence

from markupsafe import Markup

from affordance.core.formatting import format_interval, format_percent
from affordance.report.divergence import Point
from affordance.report.result_row import ResultRow
from affordance.stats import Interval

TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)

_AXIS_HEIGHT, _ROW_HEIGHT, _MARK_HEIGHT, _SCATTER_HEIGHT = 32, 24, 16, 240
_CAP, _DOT, _BAND = 4, 4.5, 12
_NEAR_EDGE = 0.12  # closer than this to an end, a centred label would leave the figure


def axis(chance: float, called: str = "chance") -> Markup:
    """The scale over a column of figures, with the chance level named where there is one."""
    parts = []
    for place, tick in enumerate(TICKS):
        kind = "tick minor" if place % 2 else "tick"  # where there is little room, every other one stays
        parts.append(_text(tick, _AXIS_HEIGHT - 4, f"{100 * tick:.0f}{'%' if tick == 1 else ''}", kind))
    said = "Scale from 0 to 100%"
    if chance > 0:
        parts.append(_text(chance, 11, f"{called} {format_percent(chance)}%", "chance-label"))
        said += f"; guessing is right in {format_percent(chance)}%"
    return _figure("axis", _AXIS_HEIGHT, said, parts)


def dot_and_whisker(row: ResultRow) -> Markup:
    """Accuracy with its interval; of an incomplete row also the band in which it will end. The dot is hollow where
    the interval holds the chance level."""
    share, found, bounds = row.metrics["accuracy"], row.intervals.get("accuracy"), row.bounds.get("accuracy")
    middle = _ROW_HEIGHT / 2
    parts = _grid(row.chance, _ROW_HEIGHT)
    if bounds is not None:
        parts.append(_band(bounds, middle))
    if found is not None:
        parts += [_line(found[0], found[1], middle, middle, "whisker")]
        parts += [_line(end, end, middle - _CAP, middle + _CAP, "whisker") for end in found]
    if share is not None:
        parts.append(_dot(share, middle, hollow=row.baseline_relation == "level"))
    return _figure("row", _ROW_HEIGHT, _in_words(row, share, found, bounds), parts)


def mark(share: float | None, chance: float, label: str) -> Markup:
    """A dot alone, for small multiples."""
    said = f"{label}: " + ("nothing scored" if share is None else f"{format_percent(share)}%")
    middle = _MARK_HEIGHT / 2
    parts = [_line(0.0, 1.0, middle, middle, "grid"), *_grid(chance, _MARK_HEIGHT, ticks=(0.0, 1.0))]
    if share is not None:
        parts.append(_dot(share, middle, hollow=False))
    return _figure("mark", _MARK_HEIGHT, said, parts)


def scatter(points: Sequence[Point]) -> Markup:
    """Grounding across, outcomes upwards, both from 0 to 100%, each point with its number in the list below."""
    parts = []
    for tick in TICKS:
        height = _height(tick)
        parts += [_line(tick, tick, 0, _SCATTER_HEIGHT, "grid"), _line(0.0, 1.0, height, height, "grid")]
        if 0 < tick < 1:
            parts += [_text(tick, _SCATTER_HEIGHT - 4, f"{100 * tick:.0f}", "tick")]
            parts += [_text(0.0, height - 4, f"{100 * tick:.0f}", "tick")]
    for number, point in enumerate(points, 1):
        height = _height(point.outcome)
        parts.append(_dot(point.ground, height, hollow=False))
        place = min(_SCATTER_HEIGHT - 4.0, max(12.0, height - 8))
        parts.append(_text(point.ground, place, str(number), "point-label"))
    said = "; ".join(
        f"{point.model}: grounding {format_percent(point.ground)}%, outcomes {format_percent(point.outcome)}%"
        for point in points
    )
    return _figure("scatter", _SCATTER_HEIGHT, said, parts)


def _height(share: float) -> float:
    """Down the figure, with room for the dots at its edges."""
    return _DOT + (1 - share) * (_SCATTER_HEIGHT - 2 * _DOT)


def stacked_bar(shares: Sequence[tuple[str, float]], said: str) -> Markup:
    """Shares of a whole side by side; each kind has a colour and a pattern of its own in the style sheet."""
    parts, start = [], 0.0
    for kind, share in shares:
        if share > 0:
            rect = Markup('<rect class="share {}" x="{}" width="{}" y="4" height="{}"/>')
            parts.append(rect.format(kind, _at(start), _at(share), _ROW_HEIGHT - 8))
            start += share
    return _figure("row", _ROW_HEIGHT, said, parts)


def _in_words(row: ResultRow, share: float | None, found: Interval | None, bounds: Interval | None) -> str:
    said = f"{row.label}: " + ("nothing scored" if share is None else f"accuracy {format_percent(share)}%")
    if found is not None:
        said += f", 95% interval {format_interval(found)}"
    if bounds is not None:
        said += f", between {format_interval(bounds)} once complete"
    return said


def _figure(kind: str, height: int, said: str, parts: Sequence[Markup]) -> Markup:
    return Markup('<svg class="{}" role="img" width="100%" height="{}"><title>{}</title>{}</svg>').format(
        kind, height, said, Markup("").join(parts)
    )


def _grid(chance: float, height: float, ticks: Sequence[float] = TICKS) -> list[Markup]:
    lines = [_line(tick, tick, 0, height, "grid") for tick in ticks]
    return [*lines, _line(chance, chance, 0, height, "chance")] if chance > 0 else lines


def _line(x1: float, x2: float, y1: float, y2: float, kind: str) -> Markup:
    return Markup(f'<line class="{kind}" x1="{_at(x1)}" x2="{_at(x2)}" y1="{y1:g}" y2="{y2:g}"/>')  # our own numbers


def _band(bounds: Interval, middle: float) -> Markup:
    low, high = bounds
    return Markup('<rect class="band" x="{}" width="{}" y="{:g}" height="{}"/>').format(
        _at(low), _at(high - low), middle - _BAND / 2, _BAND
    )


def _dot(share: float, middle: float, *, hollow: bool) -> Markup:
    kind = "dot hollow" if hollow else "dot"
    return Markup(f'<circle class="{kind}" cx="{_at(share)}" cy="{middle:g}" r="{_DOT}"/>')


def _text(share: float, y: float, text: str, kind: str) -> Markup:
    anchor = "start" if share < _NEAR_EDGE else "end" if share > 1 - _NEAR_EDGE else "middle"
    return Markup('<text class="{}" x="{}" y="{:g}" text-anchor="{}">{}</text>').format(
        kind, _at(share), y, anchor, text
    )


def _at(share: float) -> str:
    return f"{100 * min(1.0, max(0.0, share)):.2f}%"
