"""From a place to what an ideal model of a dialect says: the oracle's way of speaking."""

from affordance.core.box import Box
from affordance.core.grammar import Locate
from affordance.grounding.conventions import Convention
from affordance.grounding.places import Absent, Place
from affordance.grounding.selection import dialect_named

_DECIMALS = {"unit": 3, "percent": 1}  # of the grid; whole numbers in any other


def write_place(place: Place, grammar: Locate) -> str:
    """A place, in pixels of the picture as it is, in the dialect's own form and with its own rounding. Where the form
    points, a box is said by its centre; where it has boxes, a point is a box without size."""
    dialect = dialect_named(grammar.dialect)
    form = dialect.form(grammar.level)
    if isinstance(place, Absent):
        return form.absent
    if form.points and isinstance(place, Box):
        place = place.centre
    numbers = dialect.convention.numbers(place, grammar.size, grammar.sent)
    if not form.points and len(numbers) == 2:
        numbers = _as_box(numbers, dialect.convention)
    decimals = _DECIMALS.get(dialect.convention.grid.kind, 0)
    return form.template % tuple(f"{round(number, decimals) + 0.0:.{decimals}f}" for number in numbers)


def write_exactly(place: Place, grammar: Locate) -> str:
    """A place as every dialect reads it, without rounding and with a point as a point: for what others have read
    already."""
    dialect = dialect_named(grammar.dialect)
    if isinstance(place, Absent):
        return dialect.form(grammar.level).absent
    tag = "box" if isinstance(place, Box) else "point"
    numbers = dialect.convention.numbers(place, grammar.size, grammar.sent)
    return f"<{tag}>{' '.join(f'{number:.17g}' for number in numbers)}</{tag}>"


def _as_box(numbers: tuple[float, ...], convention: Convention) -> tuple[float, ...]:
    return (*numbers, 0.0, 0.0) if convention.order == "xywh" else (*numbers, *numbers)
