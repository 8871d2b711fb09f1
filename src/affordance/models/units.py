"""Are the places of a file in the units that it says? If not, all of them would be wrong without a word."""

from collections.abc import Iterable

from affordance.core.box import Box, CoordinateSpace
from affordance.grounding.places import Absent, Location

_EXTENT = {CoordinateSpace.UNIT: 1, CoordinateSpace.MILLE: 1000}
_BEYOND = 2  # extents: what misses the picture is nearer than that
_MIN_LOCATIONS = 5  # places; fewer may well be what a model said


def wrong_units(locations: Iterable[Location | None]) -> str:
    """What was expected and found where nearly all of a file is said to be in one space, and none of that is in its
    units. Empty where nothing is odd: some places near the corner, or beside the picture, are what a model said."""
    numbers: dict[CoordinateSpace, list[tuple[float, ...]]] = {}
    for place in locations:
        if place is not None and not isinstance(place, Absent):
            numbers.setdefault(place.space, []).append(place.xyxy if isinstance(place, Box) else (place.x, place.y))
    total = sum(map(len, numbers.values()))
    for space, found in numbers.items():
        if len(found) < max(_MIN_LOCATIONS, 0.9 * total):
            continue
        extent = _EXTENT.get(space)
        if extent is not None and all(max(one) > _BEYOND * extent for one in found):
            return f"expected numbers from 0 to {extent}, as {str(space)!r} has them, found only larger ones"
        if space is not CoordinateSpace.UNIT and _are_fractions(found):
            units = "pixels" if space is CoordinateSpace.PIXEL else "thousandths"
            return f"expected {units}, found only numbers from 0 to 1"
    return ""


def _are_fractions(found: Iterable[tuple[float, ...]]) -> bool:
    """Corners alone may be pixels."""
    flat = [number for one in found for number in one]
    return all(0 <= number <= 1 for number in flat) and any(0 < number < 1 for number in flat)
