"""Grids: what the numbers of a model count. A grid lies over the whole picture; only its extent differs.

A grid is written as its kind, with its numbers after colons: `mille`, `side:1568`, `smart:28:3136:12845056`.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from affordance.core.errors import UserError
from affordance.core.sizes import Size, shrunk_size

Extent = tuple[float, float]

_NUMBER = re.compile(r"[1-9][0-9]{0,11}")


@dataclass(frozen=True, slots=True)
class Grid:
    kind: str  # by name, such as mille or sent
    numbers: tuple[int, ...] = ()  # that the kind needs, such as the longest side

    def extent(self, size: Size, sent: Size) -> Extent:
        """Width and height of the picture in this grid, for a picture of `size` that was sent as one of `sent`."""
        return _KINDS[self.kind](size, sent, *self.numbers)

    def __str__(self) -> str:
        return ":".join([self.kind, *map(str, self.numbers)])

    @classmethod
    def parse(cls, text: str) -> "Grid":
        kind, *numbers = text.split(":")
        counts = {name: function.__code__.co_argcount - 2 for name, function in _KINDS.items()}
        if counts.get(kind) != len(numbers) or not all(map(_NUMBER.fullmatch, numbers)):
            known = ", ".join(name + ":N" * count for name, count in counts.items())
            raise UserError(f"expected a grid ({known}), found {text!r}")
        return cls(kind, tuple(map(int, numbers)))


def smart_size(size: Size, factor: int, least: int, most: int) -> Size:
    """The size to which Qwen's processors bring a picture: sides that are multiples of `factor`, and `least` to
    `most` pixels in all."""
    width, height = size
    wide, high = (max(factor, round(side / factor) * factor) for side in size)
    if wide * high > most:
        scale = math.sqrt(width * height / most)
        wide, high = (max(factor, math.floor(side / scale / factor) * factor) for side in size)
    elif wide * high < least:
        scale = math.sqrt(least / (width * height))
        wide, high = (math.ceil(side * scale / factor) * factor for side in size)
    return wide, high


def shrunk(size: Size, scale: float) -> Size:
    """A picture's size after shrinking; it is never enlarged."""
    factor = min(1.0, scale)
    return max(1, round(size[0] * factor)), max(1, round(size[1] * factor))


def _original(size: Size, sent: Size) -> Extent:
    return size


def _sent(size: Size, sent: Size) -> Extent:
    return sent


def _unit(size: Size, sent: Size) -> Extent:
    return 1, 1


def _percent(size: Size, sent: Size) -> Extent:
    return 100, 100


def _mille(size: Size, sent: Size) -> Extent:
    return 1000, 1000


def _side(size: Size, sent: Size, longest: int) -> Extent:
    """Pixels of the picture shrunk, by whoever received it, so that no side is longer."""
    return shrunk_size(*sent, longest)


def _area(size: Size, sent: Size, longest: int, most: int) -> Extent:
    """Pixels of the picture shrunk so that no side is longer and it has no more pixels in all."""
    return shrunk(sent, min(longest / max(sent), math.sqrt(most / (sent[0] * sent[1]))))


def _tiles(size: Size, sent: Size, longest: int, shortest: int) -> Extent:
    """Pixels of the picture shrunk so that no side is longer and then the short side is no longer than that."""
    return shrunk(sent, min(longest / max(sent), shortest / min(sent)))


def _smart(size: Size, sent: Size, factor: int, least: int, most: int) -> Extent:
    return smart_size(sent, factor, least, most)


_KINDS: Mapping[str, Callable[..., Extent]] = {
    "original": _original,
    "sent": _sent,
    "unit": _unit,
    "percent": _percent,
    "mille": _mille,
    "side": _side,
    "area": _area,
    "tiles": _tiles,
    "smart": _smart,
}

ORIGINAL, SENT, UNIT, PERCENT, MILLE = (Grid(kind) for kind in ("original", "sent", "unit", "percent", "mille"))
