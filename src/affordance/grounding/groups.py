"""Numbers in a reply: groups of two or four that belong together, and the names they may come with.

Everything here is a search for text that looks like an answer; nothing is evaluated. The patterns never go back over
digits or spaces they have taken, so that a hostile reply costs no more than its length."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from affordance.grounding.places import Absent

NUMBER = r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:e[-+]?\d++)?|[-+]?(?:nan|inf(?:inity)?)\b"
ITEM = rf"(?:(?:{NUMBER})(?:\s?%|\s?px\b)?+)"
BETWEEN = r"(?:\s*+[,;]\s*+|\s++)"
GROUP = rf"(?:[\[(]\s*+{ITEM}(?:{BETWEEN}{ITEM})*+\s*+,?\s*+[\])])"
PAIR = rf"(?:[\[(]\s*+{ITEM}{BETWEEN}{ITEM}\s*+[\])])"
NESTED = rf"(?:[\[(]\s*+{PAIR}\s*+,\s*+{PAIR}\s*+[\])])"
CORNERS = rf"(?:{PAIR}\s*+,\s*+{PAIR})"
BARE = rf"(?:{ITEM}(?:{BETWEEN}{ITEM})++(?![\d.]))"

_ITEM = re.compile(ITEM, re.IGNORECASE)
_WHOLE = re.compile(rf"\s*+{BARE}\s*+,?\s*+", re.IGNORECASE)
_PLAIN = re.compile(r"[\[(][0-9]+(?:, ?[0-9]+)*[\])]")
_BRACKETS = str.maketrans("[](){}", "      ")
_UNITS = {"%": "percent", "px": "pixels"}


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a model said: two or four numbers in its own order, unless `named` says that they came with names and are
    x before y, corner before corner. `unit` is what it wrote behind them: percent, pixels or nothing."""

    values: tuple[float, ...]
    named: bool = False
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that was meant as an answer and is none."""

    reason: str


Answer = Numbers | Absent | Trouble
Found = Answer | None  # None: nothing in this form


def numbers_in(text: str, named: bool = False) -> Numbers | Trouble:
    """The numbers of a text that holds nothing else but brackets."""
    if _PLAIN.fullmatch(text):  # most answers, at a third of the time
        return _counted(tuple(map(float, text[1:-1].split(","))), named, "")
    plain = text.translate(_BRACKETS)
    if not _WHOLE.fullmatch(plain):
        return Trouble("expected two or four numbers, found other text")
    return collected(_ITEM.findall(plain), named)


def collected(items: list[str], named: bool = False) -> Numbers | Trouble:
    written = "".join(items).lower()
    unit = next((name for mark, name in _UNITS.items() if mark in written), "")
    return _counted(tuple(float(item.rstrip("%pxPX ")) for item in items), named, unit)


def agreed(answers: Iterable[Answer]) -> Found:
    """The one answer that all of these are; a contradiction is trouble, and never settled by taking the middle."""
    different = list(dict.fromkeys(answers))
    if len(different) > 1:
        return Trouble(f"found {len(different)} different answers and nothing that says which one counts")
    return different[0] if different else None


def last(answers: Iterable[Answer]) -> Found:
    """Where the form says that the last one counts."""
    found = None
    for found in answers:  # noqa: B007
        pass
    return found


def _counted(values: tuple[float, ...], named: bool, unit: str) -> Numbers | Trouble:
    if len(values) not in (2, 4):
        return Trouble(f"expected two or four numbers, found {len(values)}")
    return Numbers(values, named, unit)
