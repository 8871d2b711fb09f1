"""What a model says of groups of look-alike elements. The keys, misspelt as they are, are those of the published
data."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from affordance.author.groups.views import one_line
from affordance.author.numbers import four_numbers
from affordance.author.regions.proposals import SCALE
from affordance.author.replies import read_list
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets.taxonomies import canonical_action

GROUP, SIMILARITY, ELEMENTS = "group index", "visual_similarity", "elements"
BOX, DESCRIPTION, FUNCTIONALITY = "revised bbox", "detailed desctiption", "unique functionality"
OUTCOMES = "interaction outcomes"

_SPELT = {"detailed description": DESCRIPTION, "visual similarity": SIMILARITY, "bbox": BOX}
_NOTHING = frozenset({"", "n/a", "na", "none", "null", "nothing", "no effect", "not applicable", "-"})
_PREFIX = re.compile(r"\A(?:elem(?:ent)?\b)?[\s#:]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Described:
    """An element; `box` in thousandths of the screen, where there is a sound one."""

    id: str
    box: Box | None = None
    description: str = ""
    functionality: str = ""
    outcomes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """On one group. Fewer than two elements say that it is none."""

    similarity: str
    elements: tuple[Described, ...]
    unknown: tuple[str, ...] = ()  # ids that are not in the group
    repairs: tuple[str, ...] = ()


def read_answers(text: str, groups: Mapping[int, list[str]]) -> dict[int, Answer] | str:
    """Answers by the index of their group, of those that can be used; or in one line why none can. `groups` are the
    ids of the elements that were listed."""
    found = read_list(text)
    if isinstance(found, str):
        return found
    answers: dict[int, Answer] = {}
    problems: list[str] = []
    for entry in found.value:
        read = _answer(entry, groups, found.repairs)
        if isinstance(read, str):
            problems.append(read)
        else:
            answers.setdefault(*read)
    return answers or (problems[0] if problems else f"expected answers on {len(groups)} groups, found none")


def _answer(entry: Any, groups: Mapping[int, list[str]], repairs: tuple[str, ...]) -> tuple[int, Answer] | str:
    if not isinstance(entry, dict):
        return f"expected an object for each group, found {str(entry)[:60]!r}"
    said = _keys(entry)
    index = _whole(said.get(GROUP))
    if index not in groups:
        return f"expected a {GROUP!r} of those listed, found {str(said.get(GROUP))[:60]!r}"
    similarity, listed = said.get(SIMILARITY), said.get(ELEMENTS)
    if not isinstance(similarity, str) or not similarity.strip():
        return f"group {index}: expected a text under {SIMILARITY!r}, found {str(similarity)[:60]!r}"
    if not isinstance(listed, list):
        return f"group {index}: expected a list under {ELEMENTS!r}, found {str(listed)[:60]!r}"
    elements: dict[str, Described] = {}
    unknown: dict[str, None] = {}
    for one in listed:
        described = _described(one, groups[index])
        if isinstance(described, Described):
            elements.setdefault(described.id, described)
        else:
            unknown[described] = None
    if unknown and len(elements) < 2:
        return f"group {index}: expected two or more of its elements, found {len(elements)} and {next(iter(unknown))!r}"
    return index, Answer(one_line(similarity), tuple(elements.values()), tuple(unknown), repairs)


def _described(entry: Any, ids: list[str]) -> Described | str:
    """An element of the group, or what was named instead."""
    if not isinstance(entry, dict):
        return one_line(str(entry))[:60]
    said = _keys(entry)
    name = str(said.get("id", "")).strip()
    found = next((one for one in (name, _PREFIX.sub("", name)) if one in ids), None)
    if found is None:
        return one_line(name)[:60] or "no id"
    outcomes: dict[str, str] = {}
    told = said.get(OUTCOMES)
    for action, text in told.items() if isinstance(told, dict) else ():
        if isinstance(text, str) and text.strip().strip(".").lower() not in _NOTHING and str(action).strip():
            outcomes.setdefault(canonical_action(str(action)), text.strip())
    return Described(found, _box(said.get(BOX)), _text(said.get(DESCRIPTION)), _text(said.get(FUNCTIONALITY)), outcomes)


def _keys(entry: dict[str, Any]) -> dict[str, Any]:
    plain = {" ".join(key.lower().replace("_", " ").split()): value for key, value in entry.items()}
    return {_SPELT.get(key, key): value for key, value in plain.items()}


def _whole(value: Any) -> int:
    if isinstance(value, str) and (digits := re.search(r"\d{1,6}", value)) is not None:
        return int(digits[0])
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


def _box(value: Any) -> Box | None:
    """Four numbers from 0 to 1000, with their corners in order."""
    numbers = four_numbers(value)
    if numbers is None or not all(0 <= one <= SCALE for one in numbers):
        return None
    (x1, x2), (y1, y2) = sorted(numbers[::2]), sorted(numbers[1::2])
    return Box(CoordinateSpace.MILLE, x1, y1, x2, y2) if x1 < x2 and y1 < y2 else None


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""
