"""Rows of the published columns: what each set says of a question."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affordance.author.exchange.files import drawn, folder_path, plain_id, seen
from affordance.author.exchange.kept import Asked
from affordance.author.exchange.results import Facts
from affordance.author.exchange.tags import Classes
from affordance.author.questions.attributes import AREA_CLASS, GAUSS_CLASS
from affordance.author.records import Member, QuestionRecord
from affordance.core.box import Box, Space
from affordance.core.picture import RED, Outline, Picture
from affordance.datasets.carry import SUFFIXES
from affordance.suites.orders import letters

ORIGINS = {"target": "target", "hard": "hard_negative", "easy": "easy_negative"}
SOURCES = {"target": "ground_truth_refined", "hard": "hard_negative", "easy": "easy_negative"}
UNKNOWN = "unknown"
MOST_OPTIONS = 26  # letters


@dataclass(frozen=True, slots=True)
class Row:
    """The picture is read when the row is written: all of them at once would not fit into memory."""

    values: Mapping[str, Any]
    column: str
    asked: Asked
    outline: Outline | None = None

    def whole(self) -> dict[str, Any]:
        state = self.asked.state
        if self.outline is None:
            data = Path(state.path).read_bytes()
        else:
            (data,) = drawn(state, Picture(state.shot.digest, outlines=(self.outline,)))
        return {**self.values, self.column: {"bytes": data, "path": None}}


def element_row(asked: Asked, found: Classes, facts: Facts) -> Row | str:
    record, member = found.records[asked.subject], asked.member
    if not record.expressions.get("functionality"):
        return "it has no wording by functionality"
    if record.action is None:
        return "it has no action"
    group = asked.group
    return Row(
        {
            **_about(asked, facts),
            "question": record.expressions["functionality"],
            "action_intent": record.expressions.get("intent"),
            "action_type": record.action.replace(" ", "_"),
            "group_index": plain_id(record.group or ""),
            "visual_similarity": "" if group is None else group.similarity,
            "id": plain_id(record.target),
            "bbox": _mille(asked, asked.box),
            "description": record.expressions.get("description") or _said(member).get("description"),
            "functionality": _said(member).get("functionality"),
            "interaction_outcomes": _json(_said(member).get("interaction_outcomes", {})),
            "similar_elements": _json(_similar(asked)),
            "num_similar_elements": 1 + len(asked.alike),
            "density_class": record.attributes.get(GAUSS_CLASS, UNKNOWN),
        },
        "image",
        asked,
    )


def element_choice_row(asked: Asked, found: Classes, facts: Facts) -> Row | str:
    record, group = found.records[asked.subject], asked.group
    right = [place for place, one in enumerate(record.options) if one.origin == "target"]
    if record.action is None:
        return "it has no action"
    if len(right) != 1:
        return f"it has {len(right)} right options"
    if len(record.options) > MOST_OPTIONS:
        return f"it has {len(record.options)} options"
    labels = letters(len(record.options))
    choices = {
        label: {
            "text": one.text,
            "candidate_type": ORIGINS[one.origin],
            "element_id": plain_id(one.of),
            "group_index": plain_id(record.group or "") if one.origin != "easy" else None,
        }
        for label, one in zip(labels, record.options, strict=True)
    }
    target = {"id": plain_id(record.target), "bbox": _mille(asked, asked.box), **_said(asked.member)}
    return Row(
        {
            **_about(asked, facts),
            "question": record.question,
            "statepred_candidates_string": "",
            "description_candidates_string": "",
            "interaction_type": record.action.replace(" ", "_"),
            "choices": _json(choices),
            "correct_answer": labels[right[0]],
            "explanation": "",
            "group_index": plain_id(record.group or ""),
            "visual_similarity": "" if group is None else group.similarity,
            "target_element": _json(target),
            "num_elements_in_group": 1 + len(asked.alike),
            "density_class": record.attributes.get(GAUSS_CLASS, UNKNOWN),
        },
        "image",
        asked,
    )


def region_row(asked: Asked, found: Classes, facts: Facts) -> Row | str:
    """The options are the members of its group, in the order of their ids, which says nothing of the answer."""
    record, state = found.records[asked.subject], asked.state
    if not record.expressions.get("functionality"):
        return "it has no wording by functionality"
    boxes = {record.target: asked.box, **dict(asked.alike)}
    nodes = sorted(boxes, key=_order)
    if len(nodes) > MOST_OPTIONS:
        return f"it has {len(nodes)} options"
    right, labels = nodes.index(record.target), letters(len(nodes))
    described = {record.target: record.expressions.get("description") or state.description(record.target)}
    return Row(
        {
            **_about(asked, facts),
            "question": record.expressions["functionality"],
            "correct_answer": labels[right],
            "correct_option_idx": right,
            "correct_bbox": _whole(asked.box),
            "explanation": "",
            **_options(asked, record, nodes, labels),
            "option_bboxes": [_whole(boxes[node]) for node in nodes],
            "option_descriptions": [described.get(node) or state.description(node) for node in nodes],
            "option_functionalities": [state.functionality(node) for node in nodes],
            "group_id": record.group,
            "group_description": "" if asked.group is None else asked.group.similarity,
            "generation_mode": "grounding",
        },
        "image",
        asked,
    )


def region_choice_row(asked: Asked, found: Classes, facts: Facts) -> Row | str:
    record, state = found.records[asked.subject], asked.state
    if len(record.options) > MOST_OPTIONS:
        return f"it has {len(record.options)} options"
    labels = letters(len(record.options))
    right = [place for place, one in enumerate(record.options) if one.origin == "target"]
    about = _about(asked, facts)
    texts = [one.text for one in record.options]
    answers: dict[str, Any] = (
        {"correct_answer": labels[right[0]], "correct_option_idx": right[0]}
        if len(right) == 1
        else {
            "correct_answers": [labels[place] for place in right],
            "correct_option_indices": right,
            "num_correct": len(right),
        }
    )
    values = {
        "annotated_image_name": f"group{record.group or 0}_{record.target}_{about.pop('image_name')}",
        **about,
        "question": record.question,
        **answers,
        "target_region_id": record.target,
        **_options(asked, record, [one.of for one in record.options], labels),
        "option_contexts": texts,
        "option_functionalities": texts,
        "option_sources": [SOURCES[one.origin] for one in record.options],
        "group_id": record.group,
        "generation_mode": "captioning",
    }
    thickness = max(3, int(0.003 * min(state.size)))
    return Row(values, "annotated_image", asked, Outline(asked.box, RED, thickness))


def _about(asked: Asked, facts: Facts) -> dict[str, Any]:
    state = asked.state
    suffix = SUFFIXES.get(seen(state).kind.name, state.path.suffix.lower())
    name = f"{folder_path(state.id)}{suffix}"
    return {"image_name": name, "dataset_name": facts.name, "image_size": list(state.size)}


def _options(asked: Asked, record: QuestionRecord, nodes: Sequence[str], labels: Sequence[str]) -> dict[str, Any]:
    """What is known of the regions that the options speak of; classes are known of the target."""
    types = asked.state.types

    def own(attribute: str) -> list[str]:
        return [record.attributes.get(attribute, "") if node == record.target else "" for node in nodes]

    return {
        "num_options": len(nodes),
        "option_labels": list(labels),
        "option_region_ids": list(nodes),
        "option_region_types": [types[node].type if node in types else "" for node in nodes],
        "option_area_classes": own(AREA_CLASS),
        "option_density_classes": own(GAUSS_CLASS),
    }


def _similar(asked: Asked) -> list[dict[str, Any]]:
    members = {} if asked.group is None else {one.id: one for one in asked.group.members}
    boxes = {asked.record.target: asked.box, **dict(asked.alike)}
    return [
        {"id": plain_id(name), "bbox": _mille(asked, box), **_said(members.get(name))}
        for name, box in sorted(boxes.items(), key=lambda one: _order(one[0]))
    ]


def _said(member: Member | None) -> dict[str, Any]:
    if member is None:
        return {}
    return {
        "description": member.description,
        "functionality": member.functionality,
        "interaction_outcomes": dict(member.outcomes),
    }


def _mille(asked: Asked, box: Box) -> list[float]:
    return list(box.to(Space.MILLE, *asked.state.size).xyxy)


def _whole(box: Box) -> list[int]:
    return [round(edge) for edge in box.xyxy]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _order(name: str) -> tuple[tuple[int, ...], str]:
    parts = name.split("-")
    return (tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else (1 << 30,)), name
