"""Rows of the published columns: what each set says of a question."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affordance.author.exchange.files import drawn, folder_path, mille, picture_path, plain_id
from affordance.author.exchange.kept import Asked
from affordance.author.exchange.places import Places
from affordance.author.exchange.results import Facts
from affordance.author.exchange.tags import Classes
from affordance.author.questions.attributes import AREA_CLASS, GAUSS_CLASS
from affordance.author.records import Choice, Member, QuestionRecord
from affordance.author.state import ScreenState
from affordance.core.geometry import Box
from affordance.core.media_spec import RED, BoxOutline, ImageSpec
from affordance.tasks.question_design import option_letters

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
    outline: BoxOutline | None = None

    def whole(self) -> dict[str, Any]:
        state = self.asked.state
        if self.outline is None:
            data = Path(state.path).read_bytes()
        else:
            (data,) = drawn(state, ImageSpec(state.shot.digest, outlines=(self.outline,)))
        return {**self.values, self.column: {"bytes": data, "path": None}}


def element_row(asked: Asked, found: Classes, about: Mapping[str, Any]) -> Row | str:
    record, member = found.of(asked), asked.member
    if not record.expressions.get("functionality"):
        return "it has no wording by functionality"
    if record.action is None:
        return "it has no action"
    group = asked.group
    return Row(
        {
            **about,
            "question": record.expressions["functionality"],
            "action_intent": record.expressions.get("intent"),
            "action_type": record.action.replace(" ", "_"),
            "group_index": plain_id(record.group or ""),
            "visual_similarity": "" if group is None else group.similarity,
            "id": plain_id(record.target),
            "bbox": mille(asked.state, asked.box),
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


def element_choice_row(asked: Asked, found: Classes, about: Mapping[str, Any]) -> Row | str:
    record, group = found.of(asked), asked.group
    right = [place for place, one in enumerate(record.options) if one.origin == "target"]
    if record.action is None:
        return "it has no action"
    if len(right) != 1:
        return f"it has {len(right)} right options"
    if len(record.options) > MOST_OPTIONS:
        return f"it has {len(record.options)} options"
    labels = option_letters(len(record.options))
    places = Places(asked.state)
    choices = {label: _choice(asked, places, one) for label, one in zip(labels, record.options, strict=True)}
    target = {"id": plain_id(record.target), "bbox": mille(asked.state, asked.box), **_said(asked.member)}
    return Row(
        {
            **about,
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


def region_row(asked: Asked, found: Classes, about: Mapping[str, Any]) -> Row | str:
    """The options are the members of its group, in the order of their ids, which says nothing of the answer."""
    record, state = found.of(asked), asked.state
    if not record.expressions.get("functionality"):
        return "it has no wording by functionality"
    boxes = {record.target: asked.box, **dict(asked.alike)}
    nodes = sorted(boxes, key=_order)
    if len(nodes) > MOST_OPTIONS:
        return f"it has {len(nodes)} options"
    right, labels = nodes.index(record.target), option_letters(len(nodes))
    described = {record.target: record.expressions.get("description") or state.description(record.target)}
    return Row(
        {
            **about,
            "question": record.expressions["functionality"],
            "correct_answer": labels[right],
            "correct_option_idx": right,
            "correct_bbox": _whole(asked.box),
            "explanation": "",
            **_options(asked, record, found, nodes, labels),
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


def region_choice_row(asked: Asked, found: Classes, about: Mapping[str, Any]) -> Row | str:
    record, state = found.of(asked), asked.state
    if len(record.options) > MOST_OPTIONS:
        return f"it has {len(record.options)} options"
    labels = option_letters(len(record.options))
    right = [place for place, one in enumerate(record.options) if one.origin == "target"]
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
        "annotated_image_name": f"group{record.group or 0}_{record.target}_{about['image_name']}",
        **{name: value for name, value in about.items() if name != "image_name"},
        "question": record.question,
        **answers,
        "target_region_id": record.target,
        **_options(asked, record, found, [one.of for one in record.options], labels),
        "option_contexts": texts,
        "option_functionalities": texts,
        "option_sources": [SOURCES[one.origin] for one in record.options],
        "group_id": record.group,
        "generation_mode": "captioning",
    }
    thickness = max(3, int(0.003 * min(state.size)))
    return Row(values, "annotated_image", asked, BoxOutline(asked.box, RED, thickness))


def about_screen(state: ScreenState, facts: Facts) -> dict[str, Any]:
    """What all rows of a screen have."""
    name = picture_path(state, folder_path(state.id))
    return {"image_name": name, "dataset_name": facts.name, "image_size": list(state.size)}


def _options(
    asked: Asked, record: QuestionRecord, found: Classes, nodes: Sequence[str], labels: Sequence[str]
) -> dict[str, Any]:
    """What is known of the regions that the options speak of. The classes of all are by the cut points of the set."""
    types, regions = asked.state.types, asked.state.regions
    others = [node for node in dict.fromkeys(nodes) if node in regions and node != record.target]
    classes = dict(zip(others, found.of_others(asked, [regions[node].box for node in others]), strict=True))
    classes[record.target] = record.attributes

    def own(attribute: str) -> list[str]:
        return [classes.get(node, {}).get(attribute, "") for node in nodes]

    return {
        "num_options": len(nodes),
        "option_labels": list(labels),
        "option_region_ids": list(nodes),
        "option_region_types": [types[node].type if node in types else "" for node in nodes],
        "option_area_classes": own(AREA_CLASS),
        "option_density_classes": own(GAUSS_CLASS),
    }


def _choice(asked: Asked, places: Places, option: Choice) -> dict[str, Any]:
    """An option with all that is known of what it speaks of: an element, or now and then a region."""
    state = asked.state
    member, box, first = places.element(option.of)
    said = _said(member)
    if option.of == asked.record.target:
        box = asked.box
    elif box is None and option.of in state.regions:
        box = state.regions[option.of].box
        said = {"description": state.description(option.of), "functionality": state.functionality(option.of)}
    group = asked.record.group if option.origin != "easy" else places.group_of(option.of)
    return {
        "text": option.text,
        "candidate_type": ORIGINS[option.origin],
        "element_id": plain_id(option.of),
        "group_index": plain_id(group) if group is not None else None,
        "bbox": None if box is None else mille(state, box),
        "original_bbox_by_omniparser": None if first is None else mille(state, first),
        "description": said.get("description", ""),
        "functionality": said.get("functionality", ""),
        "interaction_outcomes": said.get("interaction_outcomes", {}),
    }


def _similar(asked: Asked) -> list[dict[str, Any]]:
    members = {} if asked.group is None else {one.id: one for one in asked.group.members}
    boxes = {asked.record.target: asked.box, **dict(asked.alike)}
    return [
        {"id": plain_id(name), "bbox": mille(asked.state, box), **_said(members.get(name))}
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


def _whole(box: Box) -> list[int]:
    return [round(edge) for edge in box.xyxy]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _order(name: str) -> tuple[tuple[int, ...], str]:
    parts = name.split("-")
    return (tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else (1 << 30,)), name
