"""A study and its sheets as pages are given them. Nothing in them tells what is right, or what others answered."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Literal
from urllib.parse import quote, urlencode

from affordance.author.project import read_record
from affordance.author.study_records import Seat, Study
from affordance.ledger import DocumentRevision
from affordance.models.study_answers import StudyAnswer
from affordance.studio.studies.forms import AnswerForm, TagsForm
from affordance.studio.studies.opened import Opened
from affordance.studio.studies.sheets import Block, Film, Sheet, Text
from affordance.studio.studies.taking import answered_slots
from affordance.studio.studies.wording import told

Stage = Literal["consent", "about", "tutorial", "slots", "done", "withdrawn", "closed", "full"]


def stage_of(study: Study, seat: Seat) -> Stage:
    if seat.withdrawn:
        return "withdrawn"
    if seat.finished:
        return "done"
    if study.closed:
        return "closed"
    if study.consent and not seat.consented:
        return "consent"
    if not seat.slots:
        return "full"
    if study.about and not seat.asked:
        return "about"
    return "tutorial" if study.tutorial and not seat.taught else "slots"


def study_view(
    study: Study,
    seat: Seat,
    opened: Opened | None,
    answers: Sequence[DocumentRevision],
    *,
    back: str = "",
    changed: str = "",
) -> dict[str, Any]:
    """`back` is the address of the person's own link, `changed` why nothing can be answered just now."""
    words = told(study)
    stage = stage_of(study, seat)
    done = _with_words(answers) if opened is None else answered_slots(opened, seat.code, answers)
    slots = [{"id": slot, "answered": slot in done} for slot in seat.slots if opened is None or opened.has(slot)]
    return {
        "name": study.name,
        "title": study.title or words.heading,
        "form": study.form,
        "stage": stage,
        "texts": {
            "consent": study.consent,
            "instruction": words.instruction,
            "tutorial": {"good": list(words.good), "bad": list(words.bad)},
        },
        "slots": [] if stage == "withdrawn" else slots,
        "at": next((place for place, slot in enumerate(slots) if not slot["answered"]), max(0, len(slots) - 1)),
        "back": back,
        "completion": study.completion if stage == "done" else "",
        "asks_about": study.about,
        "has_tutorial": study.tutorial,
        "code": seat.code,
        "closed": study.closed,
        "changed": changed,
    }


def sheet_view(study: str, sheet: Sheet, answer: DocumentRevision | None, tags: Sequence[str] = ()) -> dict[str, Any]:
    """`tags` are those that the person has used so far."""
    form = replace(sheet.form, known=tuple(tags)) if isinstance(sheet.form, TagsForm) else sheet.form
    given = None if answer is None else read_record(answer, StudyAnswer).given
    return {
        "slot": sheet.slot,
        "heading": sheet.heading,
        "instruction": sheet.instruction,
        "blocks": [_block(study, sheet.slot, place, block) for place, block in enumerate(sheet.blocks)],
        "form": _form(form),
        "given": given or None,
        "version": 0 if answer is None else answer.version,
        "seconds": 0 if answer is None else read_record(answer, StudyAnswer).seconds,
    }


def _with_words(answers: Sequence[DocumentRevision]) -> set[str]:
    """Slots with an answer, whole or not: without the forms nobody can tell."""
    return {one.slot for one in (read_record(found, StudyAnswer) for found in answers) if one.given}


def _form(form: AnswerForm) -> Mapping[str, Any]:
    return asdict(form)


def _block(study: str, slot: str, place: int, block: Block) -> dict[str, Any]:
    if isinstance(block, Text):
        return {"kind": "text", "label": block.label, "text": block.text, "folded": block.folded}
    width, height = block.size
    kind = "film" if isinstance(block, Film) else "picture"
    where = f"/api/study/{quote(study)}/{kind}?{urlencode({'slot': slot, 'block': place})}"
    shown = {"label": block.label, "src": where, "width": width, "height": height}
    if not isinstance(block, Film):
        return {"kind": "still", **shown}
    return {
        "kind": "film",
        **shown,
        "rate": str(block.rate),
        "frames": len(block.frames),
        "attend": [list(box.xyxy) for box in block.attend],
        "drawn": None if block.drawn is None else list(block.drawn),
    }
