"""What a model proposes as the regions of a picture, read from its reply. The first item is the picture itself, the
others are its parts; a bbox is in thousandths of the picture, which shows a box of the screen.

A strict reading refuses what is better asked for again: too many items, missing keys, numbers far off the scale. A
lenient one makes the best of the last reply and tells what is wrong with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from affordance.author.numbers import four_numbers
from affordance.author.records import Proposal, Proposed
from affordance.author.regions.checks import ALL, MOST, duplicates, problems, reading_order
from affordance.author.replies import read_list
from affordance.core.geometry import Box, CoordinateSpace

SCALE = 1000
_SLACK = 20  # thousandths that a border may be off the picture
_WHOLE = 0.8  # share of the picture that the first item covers at least
_LONGEST = 4000  # characters of a text
_YES_NO = {"true": True, "yes": True, "false": False, "no": False}


class _Refused(ValueError):
    """What makes a reply be asked for again."""


@dataclass(slots=True)
class _Notes:
    lenient: bool
    repairs: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def wrong(self, what: str) -> None:
        """Refused at first, later told as a problem."""
        if not self.lenient:
            raise _Refused(what)
        self.problems.append(what)


def read_proposal(text: str, within: Box, lenient: bool = False) -> Proposal | str:
    """The proposal for the box `within` of the screen, its children in reading order, or in one line why there is none.
    `[]`, or the first item alone, says that there is nothing to divide."""
    found = read_list(text)
    if isinstance(found, str):
        return found
    notes = _Notes(lenient, list(found.repairs))
    try:
        if found.cut:
            notes.wrong(f"expected a whole list, found one that ends after {len(found.value)} items")
        return _proposal(found.value, within, notes)
    except _Refused as refused:
        return str(refused)


def in_thousandths(box: Box, within: Box) -> list[int]:
    """A box of the screen as a model gives it that sees `within`."""
    wide, high = within.x2 - within.x1, within.y2 - within.y1
    return [
        round((number - origin) * SCALE / side)
        for number, origin, side in zip(box.xyxy, (within.x1, within.y1) * 2, (wide, high) * 2, strict=True)
    ]


def _proposal(items: list[Any], within: Box, notes: _Notes) -> Proposal:
    if len(items) > MOST:
        notes.wrong(f"expected at most {MOST} items, found {len(items)}")
    unit = _in_units(items)
    if unit:
        notes.repairs.append("boxes in shares of the picture were turned into thousandths")
    read = [(number, _item(number, item, within, SCALE if unit else 1, notes)) for number, item in enumerate(items)]
    usable = {number: one for number, one in read if one is not None}
    first = usable.get(0)
    if first is not None and first.box.area < _WHOLE * within.area:
        notes.wrong(f"expected the whole picture as the first item, found {in_thousandths(first.box, within)}")
        first = None
    children = _children(usable if first is None else {n: one for n, one in usable.items() if n}, within, notes)
    told = problems(within, {f"region {n}": child.box for n, child in enumerate(children, 1)}) if children else []
    return Proposal(whole=first, children=children, repairs=notes.repairs, problems=[*notes.problems, *told])


def _children(parts: Mapping[int, Proposed], within: Box, notes: _Notes) -> list[Proposed]:
    """Those that are neither another again nor all of the picture, in reading order. `parts` are by item."""
    numbers = list(parts)
    same = {numbers[later]: numbers[first] for later, first in duplicates([one.box for one in parts.values()]).items()}
    kept: list[Proposed] = []
    for number, one in parts.items():
        if number in same:
            first = same[number]
            iou = one.box.iou(parts[first].box)
            notes.repairs.append(f"item {number} was left out: it is item {first} again (IoU {iou:.2f})")
        elif one.box.area >= ALL * within.area:
            notes.repairs.append(f"item {number} was left out: it is all of the picture")
        else:
            kept.append(one)
    return [kept[index] for index in reading_order([one.box for one in kept])]


def _item(number: int, item: Any, within: Box, times: int, notes: _Notes) -> Proposed | None:
    """An item, or None where it cannot be used."""
    if not isinstance(item, dict):
        notes.wrong(f"expected an object as item {number}, found {str(item)[:40]!r}")
        return None
    given = {str(name).strip().lower(): value for name, value in item.items()}
    if number == 0 and given.get("bbox") is None:
        notes.repairs.append("item 0 had no bbox and got that of the picture")
        box: Box | None = within
    else:
        box = _box(number, given.get("bbox"), within, times, notes)
    if box is None:
        return None
    return Proposed(
        box=box,
        dividable=_dividable(number, given.get("dividable"), notes),
        type=_text(number, "type", given, notes),
        description=_text(number, "description", given, notes),
        functionality=_text(number, "functionality", given, notes),
    )


def _text(number: int, name: str, given: Mapping[str, Any], notes: _Notes) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value.strip():
        notes.wrong(f"expected the {name} of item {number} as a text, found {_shown(value)}")
        return ""
    return " ".join(value.split())[:_LONGEST]


def _dividable(number: int, value: Any, notes: _Notes) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and (said := _YES_NO.get(value.strip().lower())) is not None:
        notes.repairs.append(f"item {number}: dividable was a text")
        return said
    notes.wrong(f"expected dividable of item {number} as true or false, found {_shown(value)}")
    return False


def _box(number: int, value: Any, within: Box, times: int, notes: _Notes) -> Box | None:
    numbers = four_numbers(value)
    if numbers is None:
        notes.wrong(f"expected the bbox of item {number} as four numbers, found {_shown(value)}")
        return None
    numbers = [one * times for one in numbers]
    kept = [min(max(one, 0), SCALE) for one in numbers]
    if (off := max(abs(one - other) for one, other in zip(numbers, kept, strict=True))) > 0:
        if off > _SLACK:
            notes.wrong(f"expected the bbox of item {number} within 0 and {SCALE}, found {_shown(value)}")
        notes.repairs.append(f"item {number}: bbox {_shown(value)} was cut to the picture")
    if kept[0] > kept[2] or kept[1] > kept[3]:
        kept = [*map(min, kept[:2], kept[2:]), *map(max, kept[:2], kept[2:])]
        notes.repairs.append(f"item {number}: the corners of bbox {_shown(value)} were put in order")
    wide, high = within.x2 - within.x1, within.y2 - within.y1
    x1, x2 = (int(within.x1 + int(wide * one / SCALE)) for one in kept[::2])
    y1, y2 = (int(within.y1 + int(high * one / SCALE)) for one in kept[1::2])
    if x1 == x2 or y1 == y2:
        notes.repairs.append(f"item {number} was left out: its bbox {_shown(value)} has no area")
        return None
    return Box(CoordinateSpace.PIXEL, x1, y1, x2, y2)


def _in_units(items: Sequence[Any]) -> bool:
    """Whether all boxes are in shares of the picture: as thousandths they would be nothing."""
    boxes = [four_numbers(item.get("bbox")) for item in items if isinstance(item, dict)]
    numbers = [number for box in boxes if box is not None for number in box]
    return bool(numbers) and 0 < max(numbers) <= 1


def _shown(value: Any) -> str:
    return "nothing" if value is None else repr(value)[:60]
