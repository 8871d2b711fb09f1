"""What a model says of a group of regions: which belong to it, and which few to keep."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from affordance.author.replies import read_object

LEAST, MOST = 2, 5  # members of a group


@dataclass(frozen=True, slots=True)
class Verdict:
    """On a group: `reasons` are by region, of those kept and those dropped. `unknown` are ids of no region."""

    valid: bool
    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    similarity: str = ""
    reason: str = ""  # why it is not valid
    reasons: dict[str, str] = field(default_factory=dict)
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    ids: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    pattern: str = ""
    repairs: tuple[str, ...] = ()


def read_verdict(text: str, known: Collection[str]) -> Verdict | str:
    """What is said of a group on a screen with these regions, or in one line why that cannot be told."""
    found = read_object(text)
    if isinstance(found, str):
        return found
    valid = _truth(found.value.get("valid"))
    entries = found.value.get("kept_region_ids")
    if valid is False:
        said = _words(found.value.get("rejection_reason"))
        return Verdict(False, reason=said or "no reason was given", repairs=found.repairs)
    if not isinstance(entries, list):
        return f"expected a list under 'kept_region_ids', found {str(entries)[:60]!r}"
    kept: dict[str, bool] = {}
    reasons: dict[str, str] = {}
    for entry in entries:
        one = _id(entry)
        keep = _truth(entry.get("keep", True)) if isinstance(entry, dict) else True
        if one is None or keep is None:
            return f"expected entries of region_id and keep under 'kept_region_ids', found {str(entry)[:60]!r}"
        kept.setdefault(one, keep)
        reasons.setdefault(one, _words(entry.get("reason")) if isinstance(entry, dict) else "")
    return Verdict(
        True,
        tuple(one for one, keep in kept.items() if keep and one in known),
        tuple(one for one, keep in kept.items() if not keep and one in known),
        tuple(one for one in kept if one not in known),
        _words(found.value.get("visual_similarity_description")),
        reasons=reasons,
        repairs=found.repairs,
    )


def read_chosen(text: str, members: Collection[str]) -> Chosen | str:
    """Two to five of the members, or in one line why there are not."""
    found = read_object(text)
    if isinstance(found, str):
        return found
    entries = found.value.get("selected_region_ids")
    if not isinstance(entries, list):
        return f"expected a list under 'selected_region_ids', found {str(entries)[:60]!r}"
    ids = list(dict.fromkeys(_id(entry) for entry in entries))
    chosen = tuple(one for one in ids if one is not None and one in members)
    if not LEAST <= len(chosen) <= MOST:
        return f"expected {LEAST} to {MOST} regions of the group under 'selected_region_ids', found {len(chosen)}"
    unknown = tuple(one for one in ids if one is not None and one not in members)
    return Chosen(chosen, unknown, _words(found.value.get("visual_pattern")), found.repairs)


def _id(entry: Any) -> str | None:
    """Of an entry, or of what is only the id."""
    value = entry.get("region_id", entry.get("id")) if isinstance(entry, dict) else entry
    return value.strip() if isinstance(value, str) and value.strip() else None


def _truth(value: Any) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "yes": True, "false": False, "no": False}.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def _words(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
