"""What a model says a region is: a type of the taxonomy, or `Other` with a subtype."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from affordance.author.replies import read_object
from affordance.core.answer_text import strip_thinking
from affordance.datasets.taxonomies import REGION_TYPES

OTHER = "Other"
FRAGMENTS = REGION_TYPES["Fragmented or Incomplete"]  # types that only leaves of the tree can have
LONGEST_SUBTYPE = 80

_SLASH = re.compile(r"\s*/\s*")
_OTHER = re.compile(r"other\b[\s:,(–—-]*(.*?)\)?", re.IGNORECASE | re.DOTALL)
_LINE = re.compile(r"^\W*type\W*[:=]\s*(.+)$", re.IGNORECASE | re.MULTILINE)
_PERCENT = re.compile(r"\s*(\d{1,3}(?:\.\d+)?)\s*(%?)\s*")
_AROUND = " \t\r\n.,;*_`\"'“”"


@dataclass(frozen=True, slots=True)
class TypeAnswer:
    type: str
    subtype: str = ""
    confidence: float | None = None
    repairs: tuple[str, ...] = ()


def listed(leaf: bool) -> str:
    """The taxonomy as a model is shown it. Only leaves of the tree see the types of fragments."""
    rows = [(parent, types) for parent, types in REGION_TYPES.items() if leaf or types != FRAGMENTS]
    return "\n".join(f"- {parent}: {'; '.join(types)}" for parent, types in rows)


def read_type(text: str, leaf: bool) -> TypeAnswer | str:
    """The answer in a reply, or in one line why there is none."""
    found = read_object(text)
    if isinstance(found, str):
        line = _LINE.search(strip_thinking(text))
        return found if line is None else _answer({"type": line[1]}, leaf, ("the type was not in a JSON object",))
    return _answer({str(key).strip().lower(): value for key, value in found.value.items()}, leaf, found.repairs)


def known_type(text: str, leaf: bool) -> str | None:
    """The type that is meant, whatever its case and spacing, or where only one of its names is given, as in `Toast`.
    None where that is not certain."""
    plain = _plain(text)
    types = [one for parent in REGION_TYPES.values() if leaf or parent != FRAGMENTS for one in parent]
    if whole := next((one for one in types if _plain(one) == plain), None):
        return whole
    # A name that other types have words of, as `Tab`, could be meant as one of those.
    named = [one for one in types if f" {plain} " in f" {_plain(one).replace(' / ', '  ')} "]
    return named[0] if len(named) == 1 and plain in _plain(named[0]).split(" / ") else None


def _answer(said: dict[str, Any], leaf: bool, repairs: Sequence[str]) -> TypeAnswer | str:
    name = said.get("type")
    if not isinstance(name, str) or not name.strip(_AROUND):
        return f"expected a type of the list, found {str(name)[:60]!r}"
    subtype = _subtype(said.get("subtype"))
    # The category may come before the type.
    for part in dict.fromkeys((name, re.split(r"\s*[>»:]\s*", name)[-1])):
        if (found := known_type(part, leaf)) is not None:
            told = [] if found == name else [f"the type {name.strip()!r} was read as {found!r}"]
            return TypeAnswer(found, subtype, _confidence(said.get("confidence")), (*repairs, *told))
    if (other := _OTHER.fullmatch(name.strip(_AROUND))) is not None:
        subtype = subtype or _subtype(other[1])
        if not subtype:
            return f"expected a subtype with {OTHER!r}, found none"
        return TypeAnswer(OTHER, subtype, _confidence(said.get("confidence")), tuple(repairs))
    if not leaf and known_type(name, True) is not None:
        return f"expected a type of the list, found {name[:60]!r}, which is for regions without parts"
    return f"expected a type of the list, found {name[:60]!r}"


def _plain(text: str) -> str:
    return " ".join(_SLASH.sub(" / ", text.strip(_AROUND).lower()).split())


def _subtype(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    plain = " ".join(value.split()).strip(_AROUND)
    return "" if plain.lower() in ("none", "null", "n/a", "-") else plain[:LONGEST_SUBTYPE]


def _confidence(value: Any) -> float | None:
    """0 to 1, or in percent; None for anything else."""
    if isinstance(value, str) and (number := _PERCENT.fullmatch(value)) is not None:
        value = float(number[1]) / (100 if number[2] else 1)
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 100:
        return None
    return round(value if value <= 1 else value / 100, 4)
