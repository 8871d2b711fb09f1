"""Things of a screen as they are described without a model, and the words for where they are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box, CoordinateSpace

APART = 6.0  # pixels by which places must differ to be told apart
INSIDE = 0.9  # of a thing that must be in another for it to belong there
PANEL = 0.05  # of the screen: what is as large as that parts things
MOST_COUNTED = 12  # things that a person would count
IN_LINE, ABOUT_IN_LINE = 0.5, -0.25
REACH = (0.1, 0.1)  # of width and height of the screen within which something is next to a text

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth",
    "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_PARTS = (
    ("top left", "top middle", "top right"),
    ("left middle", "middle", "right middle"),
    ("bottom left", "bottom middle", "bottom right"),
)
_SIZES = ((0.01, "tiny"), (0.05, "small"), (0.2, "medium-sized"), (1.0, "large"))

Corners = NDArray[np.float64]
Ranked = Iterator[tuple[str, int, str]]  # what a phrase holds for, how telling it is (less is more), the phrase


@dataclass(frozen=True, slots=True)
class Thing:
    """An element or a region, in pixels of the screen. `text` is what is written on it."""

    id: str
    kind: str  # in a word
    box: Box
    text: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A screen on which things are described. Where it is not `complete`, there may be things that nobody has found:
    then nothing is said to be the only one, and things are counted only where none comes before or after them. Whether
    one does, at a place in line with others, `one_more` says; `framed`, whether a box is seen as such; `written`,
    whether a text may be what is in a box. `alike` has the ids of what looks like a thing, and `containers` what may
    hold things together."""

    size: tuple[int, int]
    complete: bool = True
    one_more: Callable[[Sequence[Box], Box], bool] = lambda line, place: True
    framed: Callable[[Box], bool] = lambda box: True
    written: Callable[[Box, str], bool] = lambda box, text: True
    alike: Mapping[str, frozenset[str]] = field(default_factory=dict)
    containers: Sequence[Box] = ()

    def parted(self, one: Box, other: Box) -> bool:
        """Whether two boxes are in different panels of the screen."""
        least = PANEL * self.size[0] * self.size[1]
        panels = [box for box in self.containers if box.area >= least]
        holders = [
            min(
                (box for box in panels if mine.intersection_area(box) >= INSIDE * mine.area),
                key=lambda box: box.area,
                default=None,
            )
            for mine in (one, other)
        ]
        return holders[0] != holders[1]


def nearest(
    box: Box, things: Sequence[Thing], side: str, size: tuple[int, int], shares: float = IN_LINE
) -> Thing | None:
    """What is next to a box on a side of it, in line with it; None where nothing is, or several are as near. In line
    are things that share so much of the smaller one's extent with it."""
    if not things:
        return None
    x1, y1, x2, y2 = corners_of(things).T
    gaps = {"left": box.x1 - x2, "right": x1 - box.x2, "above": box.y1 - y2, "below": y1 - box.y2}[side]
    beside = side in ("left", "right")
    low, high, own_low, own_high = (y1, y2, box.y1, box.y2) if beside else (x1, x2, box.x1, box.x2)
    shared = np.minimum(high, own_high) - np.maximum(low, own_low)
    in_line = shared >= shares * np.minimum(high - low, own_high - own_low)
    reach = REACH[0] * size[0] if beside else REACH[1] * size[1]
    gaps = np.where(in_line & (gaps > -APART) & (gaps <= reach), gaps, np.inf)
    best = int(np.argmin(gaps))
    if not np.isfinite(gaps[best]) or int(np.sum(gaps < gaps[best] + APART)) > 1:
        return None
    return things[best]


def corners_of(things: Sequence[Thing]) -> Corners:
    return np.array([one.box.xyxy for one in things], dtype=np.float64).reshape(-1, 4)


def part_of(box: Box, size: tuple[int, int]) -> str:
    """The ninth of a screen that something is in."""
    across = min(int(3 * max(box.centre.x, 0) / size[0]), 2)
    down = min(int(3 * max(box.centre.y, 0) / size[1]), 2)
    return _PARTS[down][across]


def ninth_of(part: str, size: tuple[int, int], more: float = 0.0) -> Box:
    """The ninth of a screen with this name, and so much of its sides more on each side."""
    down, across = next((y, names.index(part)) for y, names in enumerate(_PARTS) if part in names)
    wide, high = size[0] / 3, size[1] / 3
    return Box(
        CoordinateSpace.PIXEL,
        (across - more) * wide,
        (down - more) * high,
        (across + 1 + more) * wide,
        (down + 1 + more) * high,
    )


def size_of(box: Box, size: tuple[int, int]) -> str:
    share = box.area / (size[0] * size[1])
    return next((word for limit, word in _SIZES if share < limit), _SIZES[-1][1])


def plural(kind: str) -> str:
    if kind.endswith("y") and kind[-2:-1] not in "aeiou":
        return f"{kind[:-1]}ies"
    return f"{kind}es" if kind.endswith(("s", "x", "z", "ch", "sh")) else f"{kind}s"


def ordinal(place: int) -> str:
    return _ORDINALS[place]


def number(count: int) -> str:
    return _NUMBERS[count]


def x_of(thing: Thing) -> float:
    return thing.box.centre.x


def y_of(thing: Thing) -> float:
    return thing.box.centre.y
