"""Records of the published cache: how a region, its type and its retelling are written there.

What a record has that we have no field for is kept in the document, under `published`, and is written again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from affordance.author.exchange.files import image_id, number, numbers
from affordance.author.exchange.kept import extra
from affordance.author.exchange.results import PUBLISHED
from affordance.author.records import (
    ROOT,
    Division,
    Proposal,
    Proposed,
    Region,
    RegionType,
    Retelling,
)
from affordance.author.regions.proposals import SCALE, in_thousandths
from affordance.author.regions.tree import WHOLE
from affordance.author.regions.type_answers import OTHER
from affordance.author.state import ScreenState
from affordance.core.geometry import Box
from affordance.core.validation import StrictModel

FAILED = "Unknown functionality (API failed)"
PORTRAIT, LANDSCAPE = 1280, 1920  # the longest side that a model was shown


@dataclass(frozen=True, slots=True)
class Place:
    """Where a screen lies in the cache."""

    image: str  # the picture, relative to the dataset's folder
    folder: str  # relative to the cache


def moment(when: str) -> str:
    """A time as the published files write it."""
    return datetime.fromisoformat(when).strftime("%Y-%m-%d %H:%M:%S")


def day(when: str) -> str:
    return datetime.fromisoformat(when).strftime("%Y%m%d")


def node_record(
    state: ScreenState,
    node: str,
    place: Place,
    region: Region,
    parent: Box | None,
    division: Division | None,
    when: str,
) -> dict[str, Any]:
    """`parent` is the box of the region above; a node with a division is none of the leaves."""
    width, height = state.size
    x1, y1, x2, y2 = numbers(region.box)
    children = state.children(node)
    failed = division is not None and division.reason and not children and not region.functionality.wo_context
    told: dict[str, Any] = {
        "root_image_path": place.image,
        "node_image_path": f"{place.folder}/root.png" if node == ROOT else f"{place.folder}/nodes/{node}.png",
        "root_size(wxh)": [width, height],
        "resized_size": [number(x2 - x1), number(y2 - y1)],
        "longest_imgsize": PORTRAIT if height > width else LANDSCAPE,
        "bbox_global": [x1, y1, x2, y2],
        "bbox_global_norm": [x1 / width, y1 / height, x2 / width, y2 / height],
        **_in_parent(region.box, parent),
        "type": region.type or (WHOLE if node == ROOT else ""),
        "dividable": region.dividable or node == ROOT,
        "description": region.description.model_dump(include={"with_context", "wo_context"}),
        "functionality": region.functionality.model_dump(include={"with_context", "wo_context"})
        | ({"wo_context": FAILED} if failed else {}),
        "children": children,
    }
    if division is None and not children:
        told["raw_response"] = None
    else:
        told |= _responses(state, node, region, division)
    if region.scores is not None:
        told["scores"] = region.scores.model_dump(mode="json")
    return {**told, "timestamp": moment(when), **_more(region)}


def corrected_record(original: Mapping[str, Any], state: ScreenState, region: Region, when: str) -> dict[str, Any]:
    """The original with the box and the words that a person gave it. Nothing else is touched, as published."""
    width, height = state.size
    x1, y1, x2, y2 = numbers(region.box)
    told = extra(region, PUBLISHED).get("correction_info")
    made = {"original_bbox_global": original["bbox_global"], "corrected_at": when, "source": "manual_correction_ui"}
    # A database keeps no order of keys: first those that we know.
    info = {**made, **dict(sorted(told.items()))} if isinstance(told, dict) else made
    return {
        **original,
        "bbox_global": [x1, y1, x2, y2],
        "bbox_global_norm": [x1 / width, y1 / height, x2 / width, y2 / height],
        "description": region.description.model_dump(include={"with_context", "wo_context"}),
        "functionality": region.functionality.model_dump(include={"with_context", "wo_context"}),
        "correction_info": info,
    }


def type_record(said: RegionType, when: str) -> dict[str, Any]:
    kept = extra(said, PUBLISHED)
    text = f"{OTHER}: {said.subtype}" if said.type == OTHER and said.subtype else said.type
    own = {"subtype": said.subtype, "confidence": said.confidence, "inherited": said.inherited, "by": said.by}
    return {
        "type": kept.get("type", text),
        "prompt": kept.get("prompt", ""),
        "raw_resp": kept.get("raw_resp", ""),
        "timestamp": moment(when),
        **{name: value for name, value in own.items() if value not in (None, "") and "type" not in kept},
    }


def retelling_record(
    state: ScreenState, node: str, told: Retelling, names: Mapping[str, str | None], when: str
) -> dict[str, Any]:
    """`names` are the file names and the three parts of the place in the cache."""
    region = state.regions[node]
    kept = extra(told, PUBLISHED)
    said = {
        "image_id": image_id(state),
        "node_id": node,
        "namespace": names["namespace"],
        "original_anno_model_name": names["model"],
        "version": names["version"],
        "corrected_bbox": numbers(told.box),
        "previous_functionality": region.functionality.with_context or region.functionality.wo_context,
        "previous_description": region.description.with_context or region.description.wo_context,
        "new_functionality": {
            "revision rationale": told.rationale,
            "revised description": told.description,
            "revised functionality": told.functionality,
        },
        "raw_response": "",
        "correction_file": names["correction"],
        "meta_path": names["meta"],
        "processing_time": 0,
        "annotation_queries": 0,
        "timestamp": moment(when),
    }
    return said | {
        name: kept[name] for name in ("raw_response", "processing_time", "annotation_queries") if name in kept
    }


def _in_parent(box: Box, parent: Box | None) -> dict[str, Any]:
    if parent is None:
        return {"bbox_parent": [0, 0, 1, 1], "bbox_parent_norm": [0, 0, 1, 1]}
    wide, high = max(parent.x2 - parent.x1, 1), max(parent.y2 - parent.y1, 1)
    edges = [box.x1 - parent.x1, box.y1 - parent.y1, box.x2 - parent.x1, box.y2 - parent.y1]
    shares = [round(edge / side, 6) for edge, side in zip(edges, (wide, high, wide, high), strict=True)]
    return {"bbox_parent": [number(edge) for edge in edges], "bbox_parent_norm": shares}


def _responses(state: ScreenState, node: str, region: Region, division: Division | None) -> dict[str, Any]:
    """Replies as they were published, or what they came to, in the form in which they are given."""
    kept = {} if division is None else extra(division, PUBLISHED)
    if isinstance(kept.get("all_responses"), list):
        return {"all_responses": kept["all_responses"], "selected_idx": kept.get("selected_idx", 0)}
    if division is not None and division.proposals:
        texts = [_reply(region.box, one) for one in division.proposals]
        return {"all_responses": texts, "selected_idx": division.selected or 0}
    children = [_proposed(state.regions[child]) for child in state.children(node)]
    replies = [_reply(region.box, Proposal(whole=_proposed(region), children=children))] if children else []
    return {"all_responses": replies, "selected_idx": 0}


def _proposed(region: Region) -> Proposed:
    return Proposed(
        box=region.box,
        type=region.type,
        dividable=region.dividable,
        description=region.description.with_context or region.description.best,
        functionality=region.functionality.with_context or region.functionality.best,
    )


def _reply(around: Box, proposal: Proposal) -> str:
    items = [*([proposal.whole] if proposal.whole is not None else []), *proposal.children]
    told = [
        {
            "id": f"{place}/{len(items)}",
            "bbox": in_thousandths(one.box, around) if around.area else [0, 0, SCALE, SCALE],
            "dividable": one.dividable,
            "type": one.type,
            "description": one.description,
            "functionality": one.functionality,
        }
        for place, one in enumerate(items, 1)
    ]
    return json.dumps(told, ensure_ascii=False)


def _more(document: StrictModel) -> dict[str, Any]:
    kept = extra(document, PUBLISHED).get("more")
    return dict(sorted(kept.items())) if isinstance(kept, dict) else {}
