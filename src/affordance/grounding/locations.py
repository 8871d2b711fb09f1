"""Locations: what a model points at, in pixels of the image as it is."""

from dataclasses import dataclass
from enum import Enum

from affordance.core.geometry import Box, CoordinateSpace, Point


class Absent(Enum):
    """The answer that there is no such thing on the screen."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT

Location = Box | Point | Absent


@dataclass(frozen=True, slots=True)
class ParsedLocation:
    """What was parsed from a response: a location, or why there is none. `numbers` are the model's own, in its own
    grid; `fallback` says that the response was not in the form that was requested."""

    location: Location | None
    numbers: tuple[float, ...] = ()
    fallback: bool = False
    reason: str = ""


def location_to_text(location: Location) -> str:
    """As a verdict keeps it: `box 10 20 30 40`, `point 10 20` or `absent`."""
    if isinstance(location, Absent):
        return location.value
    name, numbers = ("box", location.xyxy) if isinstance(location, Box) else ("point", (location.x, location.y))
    return " ".join([name, *(f"{number:.2f}".rstrip("0").rstrip(".") for number in numbers)])


def location_from_text(text: str) -> Location:
    name, *numbers = text.split()
    if name == ABSENT.value:
        return ABSENT
    if name == "point":
        return Point(CoordinateSpace.PIXEL, *map(float, numbers))
    return Box(CoordinateSpace.PIXEL, *map(float, numbers))
