"""What the published layout has of elements: OmniParser's output, and questions about look-alike elements with the
corrections that people made to them.

    NAMESPACE/omniparser/IMAGE.json
    NAMESPACE/FuncElemGnd/grounding_questions.json
    NAMESPACE/FuncElemGnd/grounding_questions_corrections.json

Boxes are shares of the screen in the first and thousandths in the others. The misspelt key is part of the format."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from affordance.author.exchange.files import image_id, plain_id, write_json
from affordance.author.exchange.kept import extra
from affordance.author.exchange.results import PUBLISHED, Exported
from affordance.author.records import Elements, Group, QuestionRecord
from affordance.author.state import ScreenState
from affordance.core.box import Box, Space

OMNIPARSER, QUESTIONS, CORRECTIONS = "omniparser", "grounding_questions", "grounding_questions_corrections"
FOLDER = "FuncElemGnd"
DESCRIPTION, FUNCTIONALITY, OUTCOMES = "detailed desctiption", "unique functionality", "interaction outcomes"


def write_elements(states: Sequence[ScreenState], folder: Path, told: Exported) -> None:
    results: dict[str, Any] = {}
    corrections: dict[str, Any] = {}
    for state in states:
        if state.elements is not None:
            write_json(folder / OMNIPARSER / f"{image_id(state)}.json", _detected(state, state.elements))
        image = f"{image_id(state)}.png"
        if generated := list(_generated(state)):
            results[image] = {"image_path": f"images/{image}", "generated": generated}
            corrections |= dict(_corrections(state, image))
            told.counts["questions"] += sum(len(one["questions"]) for one in generated)
    others = [
        f"{state.id}/{name}"
        for state in states
        for name, one in state.questions.items()
        if (one.form, one.level) != ("ground", "element")
    ]
    if others:
        told.notes.append(f"{len(others)} questions have no place in this layout; export them as columns or our own")
    if results:
        write_json(folder / FOLDER / f"{QUESTIONS}.json", {"metadata": {}, "results": results})
        write_json(folder / FOLDER / f"{CORRECTIONS}.json", corrections)


def _detected(state: ScreenState, elements: Elements) -> list[dict[str, Any]]:
    width, height = state.size
    return [
        {
            "type": one.role or "icon",
            "bbox": list(one.box.to(Space.UNIT, width, height).xyxy),
            "interactivity": one.interactive,
            "content": one.text or None,
            "source": extra(one, PUBLISHED).get("source", elements.source),
            "id": one.id,
        }
        for one in elements.elements
    ]


def _grounded(state: ScreenState, group: Group) -> dict[str, list[tuple[str, QuestionRecord]]]:
    """The questions of a group by their target, whatever became of them."""
    found: dict[str, list[tuple[str, QuestionRecord]]] = {}
    for name, one in sorted(state.questions.items()):
        if (one.form, one.level, one.group) == ("ground", "element", group.id) and one.expressions and not one.dropped:
            found.setdefault(one.target, []).append((name, one))
    return {member.id: found[member.id] for member in group.members if member.id in found}


def _generated(state: ScreenState) -> Iterator[dict[str, Any]]:
    for index, group in enumerate([] if state.element_groups is None else state.element_groups.groups, 1):
        yield {
            "group_index": index,
            "id": group.id,
            "visual_similarity": group.similarity,
            "elements": [
                {
                    "id": plain_id(member.id),
                    "revised bbox": _mille(state, member.box),
                    DESCRIPTION: member.description,
                    FUNCTIONALITY: member.functionality,
                    OUTCOMES: dict(member.outcomes),
                }
                for member in group.members
            ],
            "questions": [
                {
                    "target_element_id": plain_id(target),
                    "referring_expressions": {one.action or "click": _expression(name, one) for name, one in asked},
                }
                for target, asked in _grounded(state, group).items()
            ],
        }


def _expression(name: str, record: QuestionRecord) -> dict[str, str]:
    said = record.expressions
    described = {"description": said["description"]} if "description" in said else {}
    return {
        "question": said.get("functionality", ""),
        "action_intent": said.get("intent", ""),
        **described,
        "name": name,
    }


def _corrections(state: ScreenState, image: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """One for every question: where the file is there, the published reader takes those without for abandoned."""
    for index, group in enumerate([] if state.element_groups is None else state.element_groups.groups):
        boxes = {member.id: member.box for member in group.members}
        for place, (target, asked) in enumerate(_grounded(state, group).items()):
            moved = [one.box for _, one in asked if one.box != boxes[target]]
            entry = {"abandoned": all(one.abandoned for _, one in asked)}
            yield f"{image}__{index}__{place}", entry | ({"modified_bbox": _mille(state, moved[-1])} if moved else {})


def _mille(state: ScreenState, box: Box) -> list[int | float]:
    """In full, so that pixels come back as they were."""
    return [int(edge) if edge == int(edge) else edge for edge in box.to(Space.MILLE, *state.size).xyxy]
