"""Our own format: `screens`, with elements, regions and targets, and `choices`, the questions about outcomes."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from affordance.author.exchange.files import copy_picture, empty_folder, file_name, number, pixels, write_json
from affordance.author.exchange.kept import Asked, elements, questions, regions
from affordance.author.exchange.places import on_screen
from affordance.author.exchange.results import Exported, Facts, States
from affordance.author.exchange.tags import Classes, survey
from affordance.author.questions.leaks import guesses
from affordance.author.records import Member, QuestionRecord, RegionType
from affordance.author.state import ScreenState
from affordance.core.geometry import Box
from affordance.datasets import ChoiceItem, ChoiceOption, DatasetHeader, Element, Region, Screen, Target, write_folder

SCREENS, CHOICES, CUTS = "screens", "choices", "cuts.json"
NO_QUESTIONS = (
    "there is no question in it, so no model can be asked: run affordance author ask first, and look at status"
)


def write_datasets(states: States, folder: Path, facts: Facts) -> Exported:
    """Write the datasets into a new or empty folder, which `affordance run function --data` and `affordance data check`
    take as it is. The same project gives the same bytes."""
    told = Exported()
    kept, found = survey(states, told)
    kept.some()
    empty_folder(folder)
    chosen: list[ChoiceItem] = []
    outcomes: list[QuestionRecord] = []

    def screens() -> Iterator[Screen]:
        for state in kept:
            asked = questions(state, Exported())
            told.counts.update({"screens": 1, "questions": len(asked)})
            told.counts.update(f"{one.record.form} {one.record.level}" for one in asked)
            outcome = [one for one in asked if one.record.form == "outcome"]
            if outcome:
                image = copy_picture(state, folder / CHOICES, f"media/{file_name(state.id)}")
                chosen.extend(_choice(one, image, found) for one in outcome)
                outcomes.extend(one.record for one in outcome)
            yield _screen(state, [one for one in asked if one.record.form == "ground"], found, folder, told)

    write_folder(folder / SCREENS, _header("screen", facts), screens(), presorted=True)
    if chosen:
        write_folder(folder / CHOICES, _header("choice", facts), chosen)
    write_json(folder / CUTS, found.cuts)
    told.notes += [str(one) for one in guesses(outcomes) if one.sure]
    if not told.counts["questions"]:
        told.notes.append(NO_QUESTIONS)
    return told


def _header(kind: str, facts: Facts) -> DatasetHeader:
    return DatasetHeader.model_validate(
        {
            "format": 1,
            "kind": kind,
            "name": facts.name,
            "licence": facts.licence,
            "provenance": facts.provenance,
            "synthetic": facts.synthetic,
        }
    )


def _screen(state: ScreenState, asked: Sequence[Asked], found: Classes, folder: Path, told: Exported) -> Screen:
    written, parts = _elements(state), _regions(state, told)
    values: dict[str, object] = {
        "id": state.id,
        "image": copy_picture(state, folder / SCREENS, f"media/{file_name(state.id)}"),
        "width": state.shot.width,
        "height": state.shot.height,
        "platform": state.shot.platform,
        "elements": written or None,
        "regions": parts or None,
        "targets": [_target(one, found) for one in asked] or None,
        "left_out": _idle(state) or None,
        "source": state.shot.source or None,
    }
    told.counts.update({"elements": len(written), "regions": len(parts)})
    return Screen.model_validate({name: value for name, value in values.items() if value is not None})


def _idle(state: ScreenState) -> dict[str, int]:
    idle = sum(not one.interactive for one in ([] if state.elements is None else state.elements.elements))
    return {"not interactive": idle} if idle else {}


def _elements(state: ScreenState) -> list[Element]:
    told = _members(state)
    found = []
    for one, box in elements(state):
        group, member = told.get(one.id, (None, None))
        values = {
            "role": one.role or None,
            "name": one.text or None,
            "functionality": member.functionality or None if member is not None else None,
            "description": member.description or None if member is not None else None,
            "group": group,
        }
        given = {name: value for name, value in values.items() if value is not None}
        found.append(Element.model_validate({"id": one.id, "box": _tidy(box), **given}))
    return found


def _members(state: ScreenState) -> dict[str, tuple[str | None, Member | None]]:
    groups = [] if state.element_groups is None else state.element_groups.groups
    return {member.id: (group.id, member) for group in reversed(groups) for member in group.members}


def _regions(state: ScreenState, told: Exported) -> list[Region]:
    found = []
    for node, parent in regions(state, told).items():
        box = on_screen(state, state.regions[node].box)
        assert box is not None, "regions outside of the screen are left out"
        values = {
            "parent": parent,
            "functionality": state.functionality(node) or None,
            "description": state.description(node) or None,
            **typed(state.types.get(node)),
        }
        given = {name: value for name, value in values.items() if value is not None}
        found.append(Region.model_validate({"id": node, "box": _tidy(box), **given}))
    return found


def typed(said: RegionType | None) -> dict[str, str]:
    """What a region is, as records tell it: the type of the taxonomy, and the subtype where there is one."""
    if said is None:
        return {}
    return {"type": said.type, **({"subtype": said.subtype} if said.subtype else {})}


def _target(asked: Asked, found: Classes) -> Target:
    record = found.of(asked)
    values = {
        "action": record.action,
        "group": record.group,
        "alike": [_tidy(box) for _, box in asked.alike] or None,
        "tags": found.tags(asked) or None,
        "of": record.target,
        **{kind: text for kind, text in record.expressions.items() if text},
        **_kept(record),
    }
    given = {name: value for name, value in values.items() if value is not None}
    return Target.model_validate({"id": asked.name, "level": record.level, "box": _tidy(asked.box), **given})


def _choice(asked: Asked, image: str, found: Classes) -> ChoiceItem:
    record = found.of(asked)
    right = [place for place, one in enumerate(record.options) if one.origin == "target"]
    values = {
        "image": image,
        "target": _tidy(asked.box),
        "level": record.level,
        "action": record.action,
        "multiple": True if len(right) > 1 else None,
        "tags": found.tags(asked) or None,
        "question": record.question,
        "options": [
            ChoiceOption.model_validate({"text": one.text, "origin": one.origin, **({"of": one.of} if one.of else {})})
            for one in record.options
        ],
        "answers": right,
        "screen": asked.state.id,
        "of": record.target,
        "group": record.group,
        **_kept(record),
    }
    given = {name: value for name, value in values.items() if value is not None}
    return ChoiceItem.model_validate({"id": asked.subject, **given})


def _kept(record: QuestionRecord) -> dict[str, object]:
    """What is kept beside: how it was checked, and the numbers that its classes are made of."""
    found = {"checks": dict(sorted(record.checks.items())), "attributes": dict(sorted(record.attributes.items()))}
    return {name: value for name, value in {**found, "by": record.by}.items() if value}


def _tidy(box: Box) -> Box:
    """In as many decimals as our files have."""
    return pixels(*(number(edge) for edge in box.xyxy))
