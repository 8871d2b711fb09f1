"""What else a phrase may be taken for. People see neither the roles of a page nor which things were found to be alike:
a phrase is held against everything that its words may be used of, whatever it looks like and however many there are."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affordance.author.questions.things import Scene, Thing, corners_of, ninth_of
from affordance.core.geometry import Box

# No words for a look, or none that goes with a row or a column of them.
VAGUE = (
    "element", "control", "area", "region", "group", "section", "container", "block", "row", "column", "list",
    "status line", "tab panel", "search",
)  # fmt: skip
SAME_THING = 0.5  # of the smaller of two boxes in the larger: a part of it, or the same found twice
OTHER_SIZE = 3.0  # times the area
IN_LINE = 0.15  # of the screen: what is farther apart is not seen as a line
NEAR_BY = 0.5  # of a ninth of the screen: a thing so near to it may be taken to be in it

# Kinds that one look does not tell apart.
_LOOKS = (
    ("icon", "tick", "checkbox", "radio", "image", "img", "mark", "figure"),
    ("button", "link", "menu entry", "option", "cell", "field", "text field", "search field", "drop-down list"),
)


def vague(kind: str) -> bool:
    return kind.endswith(VAGUE)


class Rivals:
    """The things of a screen by what they may be taken for."""

    def __init__(self, things: Sequence[Thing], scene: Scene) -> None:
        self._scene, self._things = scene, list(things)
        self._by_id = {one.id: one for one in things}
        self._kinds: dict[str, list[Thing]] = {}
        for one in things:
            self._kinds.setdefault(_look(one.kind), []).append(one)
        pools = {"": self._things, **self._kinds}
        self._pools = {look: (pool, corners_of(pool)) for look, pool in pools.items()}
        self._lined: dict[tuple[str, str], set[str]] = {}

    def of(self, some: Sequence[Thing]) -> list[Thing]:
        """What else the kind of some things may be said of: none of them, no part of them and nothing they are in.
        What is called otherwise and far larger or smaller is told from them."""
        kind, members = some[0].kind, {one.id for one in some}
        look = "" if vague(kind) else _look(kind)
        pool, corners = self._pools[look]
        apart = ~_overlapping(corners, corners_of(some)).any(axis=1)
        found = [pool[place] for place in np.flatnonzero(apart).tolist() if pool[place].id not in members]
        also = {name for one in some for name in self._scene.alike.get(one.id, ())} - members
        strangers = [one for name in sorted(also) if (one := self._by_id.get(name)) and _look(one.kind) != look]
        if not look:
            return found
        return [*(one for one in found if not _other_size(one, some[0])), *strangers]

    def only_line(self, line: Sequence[Thing], shape: str, part: Box | None = None) -> bool:
        """Whether no other thing of the kind is in a row (or column) of any looks and length, on the screen or in a
        part of it. What is counted from the left cannot be in a column."""
        others = [one for one in self.of(line) if part is None or part.contains(one.box.centre.x, one.box.centre.y)]
        look = _look(line[0].kind)
        if (look, shape) not in self._lined:
            self._lined[look, shape] = {one.id for one in self._paired(self._kinds[look], self._kinds[look], shape)}
        strangers = [one for one in others if _look(one.kind) != look]
        kinds = dict.fromkeys([look, *(_look(one.kind) for one in strangers)])
        everything = [one for kind in kinds for one in self._kinds[kind]]
        lined = self._lined[look, shape]
        return not any(one.id in lined for one in others) and not self._paired(strangers, everything, shape)

    def near_by(self, part: str) -> Box:
        """A ninth of the screen with all that may be taken to be in it."""
        return ninth_of(part, self._scene.size, NEAR_BY)

    def alone_in(self, thing: Thing, part: str) -> bool:
        """Whether nothing else of its kind may be taken to be in a ninth of the screen."""
        near_by, same = self.near_by(part), self._kinds[_look(thing.kind)]  # of any size
        others = [one for one in [*same, *self.of([thing])] if one.id != thing.id]
        return not any(near_by.contains(one.box.centre.x, one.box.centre.y) for one in others)

    def _paired(self, some: Sequence[Thing], others: Sequence[Thing], shape: str) -> list[Thing]:
        """Of some things, those that are in a line with another."""
        if not some or not others:
            return []
        one, all_of, axis = corners_of(some), corners_of(others), 0 if shape == "row" else 1
        gaps = np.maximum(one[:, None, axis] - all_of[:, axis + 2], all_of[:, axis] - one[:, None, axis + 2])
        in_line = _shared(one, all_of, 1 - axis) & (gaps <= IN_LINE * self._scene.size[axis])
        in_line &= ~_overlapping(one, all_of)
        return [thing for thing, found in zip(some, np.asarray(in_line.any(axis=1)), strict=True) if found]


def _other_size(one: Thing, member: Thing) -> bool:
    low, high = sorted((one.box.area, member.box.area))
    return one.kind != member.kind and high > OTHER_SIZE * low


def _look(kind: str) -> str:
    return next((kinds[0] for kinds in _LOOKS if kind in kinds), kind)


def _shared(some: NDArray[np.float64], others: NDArray[np.float64], axis: int) -> NDArray[np.bool_]:
    """Whether boxes share half of the extent of the smaller one along an axis."""
    low, high = some[:, None, axis], some[:, None, axis + 2]
    shared = np.minimum(high, others[:, axis + 2]) - np.maximum(low, others[:, axis])
    found: NDArray[np.bool_] = shared >= 0.5 * np.minimum(high - low, others[:, axis + 2] - others[:, axis])
    return found


def _overlapping(some: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.bool_]:
    low, high = np.maximum(some[:, None, :2], others[:, :2]), np.minimum(some[:, None, 2:], others[:, 2:])
    common = np.clip(high - low, 0, None).prod(axis=2)
    areas = [(one[:, 2] - one[:, 0]) * (one[:, 3] - one[:, 1]) for one in (some, others)]
    found: NDArray[np.bool_] = common > SAME_THING * np.minimum(areas[0][:, None], areas[1])
    return found
