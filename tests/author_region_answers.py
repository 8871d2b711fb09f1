"""What a model says that keeps to what `classify`, `reannotate` and `group` ask for: a function of the request alone.
Some replies have comments, add members, name ids that do not exist or cannot be used at all, as real ones do."""

import json
import re
from typing import Any

from affordance.core.digest import digest_bytes
from author_prompts import fields_of

_REGION = re.compile(r"^- (\S+): bbox \[(\d+), (\d+), (\d+), (\d+)\]", re.MULTILINE)
_ELEMENT = re.compile(r"^(\d+)\. Elem (\S+) - bbox: (\[[^\]]*\]), alt-text: (.*)$", re.MULTILINE)
_TYPES = re.compile(r"^- [^:\n]+: (.+)$", re.MULTILINE)
_WORDS = ("inbox", "calendar", "profile", "archive", "report", "library", "basket", "journal", "gallery", "budget")
_PLACES = ("upper left", "upper right", "lower left", "lower right", "middle", "upper middle", "lower middle")

Boxes = dict[str, tuple[int, int, int, int]]


def answer(text: str, images: list[bytes]) -> str | None:
    """The reply; None where the request is not one of these stages'."""
    number = int(digest_bytes(text.encode() + b"".join(images))[:8], 16)
    if fields := fields_of(text, "classify", "type"):
        return _type(fields["types"], number)
    if fields_of(text, "reannotate", "retell"):
        return _retelling(number)
    if fields := fields_of(text, "group", "verify"):
        return _verdict(fields["group"], fields["candidates"], number)
    if fields := fields_of(text, "group", "select"):
        return _selection(fields["group"], number)
    if fields := fields_of(text, "group", "elements"):
        return _elements(fields["groups"], number)
    return None


def _type(text: str, number: int) -> str:
    types = [one for line in _TYPES.findall(text) for one in line.split("; ")]
    name = types[number % len(types)]
    match number % 12:
        case 0:
            return "This could be several things; I would rather not say."
        case 1:
            return json.dumps({"type": "Other", "subtype": "timeline ruler", "confidence": 0.6})
        case 2:
            return f"<think>A bar, or a list?</think>Type: {name.lower()}"
        case 3:
            return f'```json\n{{"type": "{name.replace(" / ", "/")}", // as listed\n "confidence": 90,}}\n```'
    return json.dumps({"type": name, "subtype": "", "confidence": round(0.5 + number % 50 / 100, 2)})


def _retelling(number: int) -> str:
    word, place = _WORDS[number % len(_WORDS)], _PLACES[number % len(_PLACES)]
    said = {
        "revision rationale": f"An application, and in the rectangle its {word}. Too much was written about it.",
        "revised description": f"A light panel in the {place} with {2 + number % 7} entries of dark text.",
        "revised functionality": f"Gives access to the {word} of the person who is signed in, part {number % 97}.",
    }
    reply = json.dumps(said, indent=1)
    return f"Here it is:\n```json\n{reply[:-2]},\n}}\n```" if number % 5 == 0 else reply


def _verdict(listed: str, candidates: str, number: int) -> str:
    group, others = _boxes(listed), _boxes(candidates)
    if number % 11 == 0:
        said: dict[str, Any] = {"valid": False, "rejection_reason": "They only share words.", "kept_region_ids": []}
        return json.dumps(said)
    entries = [_entry(one, True, "initial_group") for one in group]
    if len(group) > 3 and number % 3 == 0:
        entries[-1] = _entry(list(group)[-1], False, "initial_group")
    first = next(iter(group.values()))
    alike = [one for one, box in others.items() if _same_size(first, box)]
    entries += [_entry(one, True, "added_from_candidates") for one in alike[: number % 3]]
    if number % 2 == 0:
        entries.append(_entry("99-9", True, "added_from_candidates"))
    said = {
        "valid": True,
        "rejection_reason": None,
        "visual_similarity_description": "Panels of one size with the same arrangement of text.",
        "kept_region_ids": entries,
        "final_group_size": len(entries),
        "adjustments_made": "Checked all of them.",
    }
    reply = json.dumps(said, indent=1)
    return reply.replace('"valid": true,', '"valid": true, // checked', 1) if number % 4 == 0 else reply


def _selection(listed: str, number: int) -> str:
    members = list(_boxes(listed))
    chosen = members[: 3 + number % 3] + (["98-8"] if number % 2 == 0 else [])
    said = {
        "selected_region_ids": [{"region_id": one, "selection_reason": "shows it well"} for one in chosen],
        "excluded_region_ids": [
            {"region_id": one, "exclusion_reason": "too many"} for one in members if one not in chosen
        ],
        "visual_pattern": "Rows of one height with an icon and two lines of text.",
        "final_count": len(chosen),
        "selection_summary": "The first ones.",
    }
    return json.dumps(said)


def _elements(text: str, number: int) -> str:
    groups: dict[int, list[dict[str, Any]]] = {}
    for place, (index, name, box, _) in enumerate(_ELEMENT.findall(text)):
        word = _WORDS[(number + place) % len(_WORDS)]
        groups.setdefault(int(index), []).append(
            {
                "id": name,
                "revised bbox": json.loads(box),
                "detailed desctiption": f"A small control in place {place + 1} of the listed ones, beside the {word}.",
                "unique functionality": f"Works on the {word} of entry {place + 1} and on nothing else.",
                "interaction outcomes": {
                    "clicking": f"The {word} of entry {place + 1} is shown in place of what is there now.",
                    "hovering": f"A short hint tells of the {word} of entry {place + 1}.",
                    "right-clicking": "N/A",
                },
            }
        )
    said: list[dict[str, Any]] = [
        {"group index": index, "visual_similarity": "Controls of one shape and colour.", "elements": elements}
        for index, elements in groups.items()
    ]
    if len(said) > 1 and number % 3 == 0:
        said.pop()  # one is forgotten, and asked about again
    said[0]["elements"] = [*groups[said[0]["group index"]], {"id": "no-such-element", "revised bbox": [1, 2, 3, 4]}]
    return "```json\n" + json.dumps(said, indent=1) + "\n```"


def _boxes(text: str) -> Boxes:
    return {name: (int(x1), int(y1), int(x2), int(y2)) for name, x1, y1, x2, y2 in _REGION.findall(text)}


def _entry(name: str, keep: bool, source: str) -> dict[str, Any]:
    return {"region_id": name, "keep": keep, "source": source, "reason": "by its looks"}


def _same_size(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    sides = ((one[2] - one[0], other[2] - other[0]), (one[3] - one[1], other[3] - other[1]))
    return all(abs(a - b) <= 10 for a, b in sides)
