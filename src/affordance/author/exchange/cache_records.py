"""Reading records of the published cache: a region, its division, its type, a retelling. See `cache_nodes`."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from affordance.author.exchange.cache_nodes import FAILED
from affordance.author.exchange.fit import Fit
from affordance.author.exchange.results import IMPORTED, PUBLISHED
from affordance.author.records import Division, Proposal, Region, RegionType, Retelling, Scores, Texts
from affordance.author.regions.proposals import read_proposal
from affordance.author.regions.type_answers import OTHER, known_type
from affordance.core.geometry import Box

UNCLASSIFIED = "Unclassified"

# Keys that are computed anew for every export: paths of the machine it was written on among them.
_COMPUTED = {
    "root_image_path", "node_image_path", "root_size(wxh)", "resized_size", "longest_imgsize", "bbox_global",
    "bbox_global_norm", "bbox_parent", "bbox_parent_norm", "type", "dividable", "description", "functionality",
    "children", "raw_response", "all_responses", "selected_idx", "timestamp", "scores", "correction_info", "new_bbox",
}  # fmt: skip


def iso(text: object) -> str | None:
    """A published time as ISO 8601; None where it is none."""
    try:
        return datetime.fromisoformat(text).isoformat() if isinstance(text, str) else None
    except ValueError:
        return None


def read_type(found: object) -> RegionType | str:
    """The type, or why there is none. What is not in the taxonomy is `Other`, with what was said as the subtype."""
    told = found.get("type") if isinstance(found, dict) else found
    if not isinstance(told, str) or not told.strip():
        return "expected a type, found none"
    text = told.replace("Type:", "").strip().strip("*`\"'.").strip()
    if text == UNCLASSIFIED:
        return UNCLASSIFIED
    said = found if isinstance(found, dict) else {}
    own = {key: said[key] for key in ("confidence", "inherited", "by") if key in said}
    named = _named_type(text)
    # What we wrote ourselves comes back as it was; what others wrote is kept beside what we take it for.
    kept = {} if own or not isinstance(found, dict) else {"type": told, **_texts(found, "prompt", "raw_resp")}
    values = {**named, **own, **({PUBLISHED: kept} if kept else {})}
    try:
        return RegionType.model_validate(values)
    except ValidationError:
        return RegionType.model_validate({**named, PUBLISHED: {"type": told, **_texts(found, "prompt", "raw_resp")}})


def _named_type(text: str) -> dict[str, str]:
    if (known := known_type(text, leaf=True)) is not None:
        return {"type": known}
    subtype = re.sub(rf"^{OTHER}s?\b[\s:(\-–]*", "", text, flags=re.IGNORECASE).strip().rstrip(")").strip()
    return {"type": OTHER, **({"subtype": subtype} if subtype else {})}


def read_retelling(found: object, fallback: Box, by: str, fit: Fit) -> Retelling | str:
    """The retelling, or why there is none."""
    if not isinstance(found, dict):
        return "expected a JSON object, found something else"
    if "error" in found:
        return f"it failed when it was made: {' '.join(str(found['error']).split())[:120]}"
    new = found.get("new_functionality")
    new = new if isinstance(new, dict) else {}
    said = {key: new.get(f"revised {key}") for key in ("description", "functionality")}
    if not all(isinstance(text, str) and text.strip() for text in said.values()):
        return "expected a revised description and functionality, found none"
    box = fit.box(found.get("corrected_bbox")) if found.get("corrected_bbox") is not None else fallback
    if isinstance(box, str):
        return box
    rationale = new.get("revision rationale")
    kept = {key: found[key] for key in ("raw_response", "processing_time", "annotation_queries") if key in found}
    values = {
        "box": box, **said, "rationale": rationale if isinstance(rationale, str) else "", "by": by, PUBLISHED: kept,
    }  # fmt: skip
    return Retelling.model_validate(values)


def read_node(found: Mapping[str, Any], fit: Fit, file: str = "") -> Region | str:
    """The region of a record, without its parent; or why there is none."""
    box = fit.box(found.get("new_bbox", found.get("bbox_global")), found.get("bbox_global_norm"))
    if isinstance(box, str):
        return box
    kept: dict[str, Any] = {key: value for key, value in found.items() if key not in _COMPUTED}
    info = found.get("correction_info")
    scores = _scores(found.get("scores"))
    values = {
        "box": box,
        "type": found["type"] if isinstance(found.get("type"), str) else "",
        "dividable": found.get("dividable") is True,
        "description": read_texts(found.get("description")),
        "functionality": read_texts(found.get("functionality")),
        **({"scores": scores} if scores is not None else {}),
        PUBLISHED: {
            **({"more": kept} if kept else {}),
            **({"file": file} if file else {}),
            **({"correction_info": info} if isinstance(info, dict) else {}),
        },
    }
    return Region.model_validate({name: value for name, value in values.items() if value != {}})


def read_texts(found: object) -> Texts:
    """Empty texts, and those that say that nothing was said, are none. A text by itself was written in context."""
    if isinstance(found, str):
        found = {"with_context": found}
    told = found if isinstance(found, dict) else {}
    said = {key: text for key in ("with_context", "wo_context") if isinstance(text := told.get(key), str)}
    return Texts(**{key: text for key, text in said.items() if text.strip() and text != FAILED})


def read_division(found: Mapping[str, Any], region: Region) -> Division | None:
    """How a node was divided; None for a leaf. Replies are kept as they are beside what is read from them."""
    replies = found.get("all_responses")
    if not isinstance(replies, list):
        one = found.get("raw_response")
        replies = [one] if isinstance(one, str) else None
    if replies is None:
        return None
    index = found.get("selected_idx")
    kept = {"all_responses": replies, **({"selected_idx": index} if type(index) is int else {})}
    proposals = [_proposal(reply, region) for reply in replies]
    taken = type(index) is int and 0 <= index < len(proposals) and proposals[index].whole is not None
    values: dict[str, Any] = {
        "proposals": [
            one.model_copy(update={"accepted": taken and place == index}) for place, one in enumerate(proposals)
        ],
        "selected": index if taken else None,
        "by": IMPORTED,
        **({"reason": "no model answered, as published"} if is_failed(found) else {}),
        PUBLISHED: kept,
    }
    return Division.model_validate(values)


def _proposal(reply: object, region: Region) -> Proposal:
    """A reply that cannot be read keeps its place."""
    read = read_proposal(reply, region.box, lenient=True) if isinstance(reply, str) else "expected text, found none"
    return Proposal(problems=[read]) if isinstance(read, str) else read


def is_failed(found: Mapping[str, Any]) -> bool:
    told = found.get("functionality")
    return isinstance(told, dict) and FAILED in told.values()


def _scores(found: object) -> Scores | None:
    try:
        return None if found is None else Scores.model_validate(found)
    except ValidationError:
        return None


def _texts(found: object, *names: str) -> dict[str, str]:
    told = found if isinstance(found, dict) else {}
    return {name: told[name] for name in names if isinstance(told.get(name), str) and told[name]}
