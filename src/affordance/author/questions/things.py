"""Things of a screen as they are described without a model, and the words for where they are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affordance.core.box import Box, Space

APART = 6.0  # pixels by which places must differ to be told apart
MOST_COUNTED = 12  # things that a person would count
REACH = (0.2, 0.1)  # of width and height of the screen within which something is next to a text

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth",
    "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
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
    one does, at a place in line with others, `one_more` says."""

    size: tuple[int, int]
    complete: bool = True
    one_more: Callable[[Sequence[Box], Box], bool] = lambda line, place: True


def nearest(
    box: Box, things: Sequence[Thing], side: str, size: tuple[int, int], corners: Corners | None = None
) -> Thing | None:
    """What is next to a box on a side of it, in line with it; None where nothing is, or several are as near."""
    if not things:
        return None
    x1, y1, x2, y2 = (corners_of(things) if corners is None else corners).T
    gaps = {"left": box.x1 - x2, "right": x1 - box.x2, "above": box.y1 - y2, "below": y1 - box.y2}[side]
    beside = side in ("left", "right")
    low, high, own_low, own_high = (y1, y2, box.y1, box.y2) if beside else (x1, x2, box.x1, box.x2)
    shared = np.minimum(high, own_high) - np.maximum(low, own_low)
    in_line = shared >= 0.5 * np.minimum(high - low, own_high - own_low)
    reach = REACH[0] * size[0] if beside else REACH[1] * size[1]
    gaps = np.where(in_line & (gaps > -APART) & (gaps <= reach), gaps, np.inf)
    best = int(np.argmin(gaps))
    if not np.isfinite(gaps[best]) or int(np.sum(gaps < gaps[best] + APART)) > 1:
        return None
    return things[best]


def around(things: Sequence[Thing]) -> Box:
    corners = corners_of(things)
    low, high = corners[:, :2].min(axis=0), corners[:, 2:].max(axis=0)
    return Box(Space.PIXEL, float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def corners_of(things: Sequence[Thing]) -> Corners:
    return np.array([one.box.xyxy for one in things], dtype=np.float64).reshape(-1, 4)


def part_of(box: Box, size: tuple[int, int]) -> str:
    """The ninth of a screen that something is in."""
    across = min(int(3 * max(box.centre.x, 0) / size[0]), 2)
    down = min(int(3 * max(box.centre.y, 0) / size[1]), 2)
    if across == 1:
        return ("top middle", "middle", "bottom middle")[down]
    side = "left" if across == 0 else "right"
    return (f"top {side}", f"{side} middle", f"bottom {side}")[down]


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
