"""What the published layout has of elements: OmniParser's output, and questions about look-alike elements with the
corrections that people made to them.

    NAMESPACE/omniparser/IMAGE.json
    NAMESPACE/FuncElemGnd/grounding_questions.json
    NAMESPACE/FuncElemGnd/grounding_questions_corrections.json

Boxes are shares of the screen in the first and thousandths in the others. The misspelt key is part of the format."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from affordance.author.exchange.files import image_id, mille, plain_id, write_json
from affordance.author.exchange.kept import extra, tell_newer
from affordance.author.exchange.places import Places
from affordance.author.exchange.results import PUBLISHED, Exported
from affordance.author.records import Elements, Group, QuestionRecord
from affordance.author.state import ScreenState
from affordance.core.geometry import Box, CoordinateSpace

OMNIPARSER, QUESTIONS, CORRECTIONS = "omniparser", "grounding_questions", "grounding_questions_corrections"
FOLDER = "FuncElemGnd"
DESCRIPTION, FUNCTIONALITY, OUTCOMES = "detailed desctiption", "unique functionality", "interaction outcomes"


@dataclass(slots=True)
class ElementFiles:
    """The files about elements, of one screen after the other. Questions are in one file, and kept until the end."""

    folder: Path
    told: Exported
    results: dict[str, Any] = field(default_factory=dict)
    corrections: dict[str, Any] = field(default_factory=dict)
    newer: int = 0
    others: int = 0

    def add(self, state: ScreenState) -> None:
        if state.elements is not None:
            write_json(self.folder / OMNIPARSER / f"{image_id(state)}.json", _detected(state, state.elements))
        image = f"{image_id(state)}.png"
        grounded = _by_group(state, Places(state), self.told)
        if grounded:
            self.results[image] = {"image_path": f"images/{image}", "generated": list(_generated(state, grounded))}
            self.corrections |= dict(_corrections(state, image, grounded))
        asked = [one for _, by_target in grounded for some in by_target.values() for one in some]
        self.told.counts["questions"] += sum(len(by_target) for _, by_target in grounded)
        self.newer += sum(one.box != one.record.box for one in asked)
        self.others += sum((one.form, one.level) != ("ground", "element") for one in state.questions.values())

    def write(self) -> None:
        tell_newer(self.newer, self.told)
        if self.others:
            why = "questions have no place in this layout; export them as columns or our own"
            self.told.notes.append(f"{self.others} {why}")
        if self.results:
            write_json(self.folder / FOLDER / f"{QUESTIONS}.json", {"metadata": {}, "results": self.results})
            write_json(self.folder / FOLDER / f"{CORRECTIONS}.json", self.corrections)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question and where its target is now."""

    name: str
    record: QuestionRecord
    box: Box


_Grounded = list[tuple[Group, dict[str, list[_Asked]]]]  # by group, and by target in it


def _detected(state: ScreenState, elements: Elements) -> list[dict[str, Any]]:
    width, height = state.size
    return [
        {
            "type": one.role or "icon",
            "bbox": list(one.box.to_space(CoordinateSpace.UNIT, width, height).xyxy),
            "interactivity": one.interactive,
            "content": one.text or None,
            "source": extra(one, PUBLISHED).get("source", elements.source),
            "id": one.id,
        }
        for one in elements.elements
    ]


def _by_group(state: ScreenState, places: Places, told: Exported) -> _Grounded:
    """The questions of each group, whatever people said of them; those whose target is gone are left out."""
    found: dict[tuple[str, str], list[_Asked]] = {}
    for name, one in sorted(state.questions.items()):
        if (one.form, one.level) != ("ground", "element") or not one.expressions or one.dropped:
            continue
        box = places.target(name, one)
        if box is None:
            told.omit(f"{state.id}/{name}", "element question about an element that is gone")
        else:
            found.setdefault((one.group or "", one.target), []).append(_Asked(name, one, box))
    groups = [] if state.element_groups is None else state.element_groups.groups
    return [
        (group, {one.id: found[group.id, one.id] for one in group.members if (group.id, one.id) in found})
        for group in groups
    ]


def _generated(state: ScreenState, grounded: _Grounded) -> Iterator[dict[str, Any]]:
    for index, (group, by_target) in enumerate(grounded, 1):
        yield {
            "group_index": index,
            "id": group.id,
            "visual_similarity": group.similarity,
            "elements": [
                {
                    "id": plain_id(member.id),
                    "revised bbox": mille(state, member.box),
                    DESCRIPTION: member.description,
                    FUNCTIONALITY: member.functionality,
                    OUTCOMES: dict(member.outcomes),
                }
                for member in group.members
            ],
            "questions": [
                {
                    "target_element_id": plain_id(target),
                    "referring_expressions": {
                        one.record.action or "click": _expression(one.name, one.record) for one in asked
                    },
                }
                for target, asked in by_target.items()
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


def _corrections(state: ScreenState, image: str, grounded: _Grounded) -> Iterator[tuple[str, dict[str, Any]]]:
    """One for every question: where the file is there, the published reader takes those without for abandoned."""
    for index, (group, by_target) in enumerate(grounded):
        boxes = {member.id: member.box for member in group.members}
        for place, (target, asked) in enumerate(by_target.items()):
            moved = [one.box for one in asked if one.box != boxes[target]]
            entry = {"abandoned": all(one.record.abandoned for one in asked)}
            yield f"{image}__{index}__{place}", entry | ({"modified_bbox": mille(state, moved[-1])} if moved else {})
