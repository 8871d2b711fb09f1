"""Places: what a model points at.

Everything here is in pixels of the picture as it is."""

from dataclasses import dataclass
from enum import Enum

from affordance.core.box import Box, Point, Space


class Absent(Enum):
    """The answer that there is no such thing on the screen."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT

Place = Box | Point | Absent


@dataclass(frozen=True, slots=True)
class ParsedLocation:
    """What was parsed from a response: a location, or why there is none. `numbers` are the model's own, in its own
    grid; `fallback` says that the response was not in the form that was requested."""

    location: Place | None
    numbers: tuple[float, ...] = ()
    fallback: bool = False
    reason: str = ""


def place_to_text(place: Place) -> str:
    """As a verdict keeps it: `box 10 20 30 40`, `point 10 20` or `absent`."""
    if isinstance(place, Absent):
        return place.value
    name, numbers = ("box", place.xyxy) if isinstance(place, Box) else ("point", (place.x, place.y))
    return " ".join([name, *(f"{number:.2f}".rstrip("0").rstrip(".") for number in numbers)])


def place_from_text(text: str) -> Place:
    name, *numbers = text.split()
    if name == ABSENT.value:
        return ABSENT
    if name == "point":
        return Point(Space.PIXEL, *map(float, numbers))
    return Box(Space.PIXEL, *map(float, numbers))
