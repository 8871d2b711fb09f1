"""Taking part in a study: how far somebody is, what they are shown, and what they answer."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from affordance.author.project import read_record
from affordance.author.records import Kind
from affordance.author.study_records import Seat, Study
from affordance.core.model_name import STUDY_PREFIX
from affordance.ledger import DocumentRevision
from affordance.models.study_answers import StudyAnswer
from affordance.studio.answers import answer
from affordance.studio.api.entering import own_link
from affordance.studio.api.showing import Block, show
from affordance.studio.api.waiting_id import drop_id, held_id
from affordance.studio.context import Studio, studio_of
from affordance.studio.refused import Refused
from affordance.studio.security.records import utc_now
from affordance.studio.security.rights import Right, Role
from affordance.studio.security.visitors import Visitor, needs
from affordance.studio.strokes import Sent
from affordance.studio.studies import taking
from affordance.studio.studies.forms import TagsForm
from affordance.studio.studies.opened import Changed, NoSlot, Opened
from affordance.studio.studies.registry import STAFF_ONLY
from affordance.studio.studies.seats import answer_subject, author_of, code_of, find_seat
from affordance.studio.studies.sheets import Sheet
from affordance.studio.studies.views import sheet_view, stage_of, study_view
from affordance.studio.studies.withdrawing import withdraw

router = APIRouter(prefix="/api")

InStudio = Annotated[Studio, Depends(studio_of)]
Part = Annotated[Visitor, needs(Right.TAKE_PART)]
StudyName = Annotated[str, Path(min_length=1, max_length=100)]
SlotId = Annotated[str, Query(min_length=1, max_length=100)]
Short = Annotated[str, Field(max_length=60)]

_PAUSED = "Something about this study has changed. It is paused until that is put right; nothing is lost."
_UNREADABLE = "tell whoever runs this study"


class Consent(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    agreed: bool


class Nothing(BaseModel):
    """Said by coming here."""

    model_config = ConfigDict(strict=True, extra="forbid")


class About(BaseModel):
    """Empty where somebody does not want to say."""

    model_config = ConfigDict(strict=True, extra="forbid")

    age: Short = ""
    gender: Short = ""


@router.get("/study")
def studies(request: Request, studio: InStudio, visitor: Part) -> Response:
    """Those that somebody can go on with; for who has signed in also those that they can begin."""
    found = []
    for one in studio.project.ledger.documents.latest(kind=Kind.STUDY):
        study = read_record(one, Study)
        seat = find_seat(studio.project.ledger, study.name, code_of(study.name, visitor))
        if seat is not None or (visitor.role is not Role.PARTICIPANT and _is_for(study, visitor)):
            stage = None if seat is None else stage_of(study, seat)
            found.append({"name": study.name, "title": study.title or study.name, "form": study.form, "stage": stage})
    return answer(request, {"studies": found})


@router.get("/study/{name}")
def state(request: Request, name: StudyName, studio: InStudio, visitor: Part) -> Response:
    """How far somebody is. Who has signed in takes a seat with it; others have one from the study's link."""
    study = studio.studies.study(name)
    now = utc_now()
    seat = find_seat(studio.project.ledger, name, code_of(name, visitor))
    if seat is not None and (seat.withdrawn or seat.finished or study.closed):
        return answer(request, _view(request, studio, study, seat, _opened(studio, study)[0]))
    opened, changed = _opened(studio, study)
    if seat is None and visitor.role is Role.PARTICIPANT:
        raise HTTPException(403, "you come to this study by its own link; open the one that you were given")
    if seat is None and study.closed:
        raise HTTPException(410, "this study is closed")
    if seat is None and not _may_begin(study, visitor):
        raise HTTPException(403, "this study is for those who were invited to it; ask whoever runs it to invite you")
    if opened is None:
        if seat is None:
            raise HTTPException(503, _PAUSED)
        return answer(request, _view(request, studio, study, seat, None, changed))
    if seat is None:
        try:
            new = Seat(code=code_of(name, visitor), person=visitor.key)
            seat = taking.enter(studio.project, opened, new, now)
        except taking.Full as full:
            raise HTTPException(410, str(full)) from None
    if taking.may_have_more(studio.project, opened, seat, now):
        seat = taking.go_on(studio.project, opened, seat.code, author_of(name, visitor), now)
    return answer(request, _view(request, studio, study, seat, opened))


@router.get("/study/{name}/sheet")
def sheet(request: Request, name: StudyName, slot: SlotId, studio: InStudio, visitor: Part) -> Response:
    _, seat, found = _sheet(studio, name, slot, visitor)
    there = studio.project.ledger.documents.get_many([(Kind.ANSWER, answer_subject(name, seat.code, slot))])
    tags = _own_tags(studio, name, seat) if isinstance(found.form, TagsForm) else []
    return answer(request, sheet_view(name, found, there[0] if there else None, tags))


@router.get("/study/{name}/picture", response_model=None)
def picture(name: StudyName, slot: SlotId, block: Block, studio: InStudio, visitor: Part) -> Response:
    _, _, found = _sheet(studio, name, slot, visitor)
    return show(studio, found, block, film=False, todo=_UNREADABLE)


@router.get("/study/{name}/film", response_model=None)
def film(name: StudyName, slot: SlotId, block: Block, studio: InStudio, visitor: Part) -> Response:
    _, _, found = _sheet(studio, name, slot, visitor)
    return show(studio, found, block, film=True, todo=_UNREADABLE)


@router.post("/study/{name}/consent")
def consent(request: Request, name: StudyName, sent: Consent, studio: InStudio, visitor: Part) -> Response:
    if not sent.agreed:
        raise Refused("expected that you agree; without it nothing is kept, and you may close the page")
    study = studio.studies.study(name)
    opened, code = _open(studio, study), code_of(name, visitor)
    external = held_id(request, studio, name, code)
    seat = taking.agree(studio.project, opened, code, external, author_of(name, visitor), utc_now())
    told = answer(request, _view(request, studio, study, seat, opened))
    if external:
        drop_id(request, studio, told)
    return told


@router.post("/study/{name}/about")
def about(request: Request, name: StudyName, sent: About, studio: InStudio, visitor: Part) -> Response:
    told = {"age": sent.age.strip(), "gender": sent.gender.strip(), "asked": True}
    return _step(request, studio, name, visitor, told)


@router.post("/study/{name}/taught")
def taught(request: Request, name: StudyName, _: Nothing, studio: InStudio, visitor: Part) -> Response:
    return _step(request, studio, name, visitor, {"taught": True})


@router.post("/study/{name}/finish")
def finish(request: Request, name: StudyName, _: Nothing, studio: InStudio, visitor: Part) -> Response:
    study = studio.studies.study(name)
    opened = _open(studio, study)
    seat = taking.finish(studio.project, opened, code_of(name, visitor), author_of(name, visitor), utc_now())
    return answer(request, _view(request, studio, study, seat, opened))


@router.post("/study/{name}/withdraw")
def leave(request: Request, name: StudyName, _: Nothing, studio: InStudio, visitor: Part) -> Response:
    """Erases what the person said, everywhere here; also after the study is closed."""
    study, code = studio.studies.study(name), code_of(name, visitor)
    seat = withdraw(studio.project, study, code, author_of(name, visitor), utc_now())
    studio.studies.forget()
    told = answer(request, _view(request, studio, study, seat, None))
    if held_id(request, studio, name, code):
        drop_id(request, studio, told)
    return told


@router.post("/answers", response_model=None)
def answers(sent: Sent, studio: InStudio, visitor: Part) -> JSONResponse:
    """Saved (also where it had been saved before), 422 for what makes no sense or comes too late, 503 while the study
    is paused: pages keep it and try again."""
    name = sent.screen.removeprefix(STUDY_PREFIX)
    try:
        if not sent.screen.startswith(STUDY_PREFIX):
            raise Refused("expected answers of a study, found something else")
        study = studio.studies.study(name)
        opened = _open(studio, study)
        code, author = code_of(name, visitor), author_of(name, visitor)
        saved = taking.save_answers(studio.project, opened, code, author, sent, utc_now())
    except (Refused, NoSlot) as error:
        return JSONResponse({"key": sent.key, "state": "refused", "detail": str(error)}, 422)
    entries = [_entry(one, name) for one in saved.revisions if one.kind == Kind.ANSWER]
    return JSONResponse({"key": sent.key, "state": "saved", "entries": entries, "again": not saved.is_new})


def _entry(one: DocumentRevision, study: str) -> dict[str, Any]:
    """As for other documents, without what is not told to who answers."""
    told = {name: one.document[name] for name in ("given", "seconds") if name in one.document}
    return {
        "kind": one.kind,
        "name": one.subject.removeprefix(f"{study}/"),
        "version": one.version,
        "author": one.author,
        "created": one.created,
        "document": told,
    }


def _step(request: Request, studio: Studio, name: str, visitor: Visitor, change: Mapping[str, Any]) -> Response:
    study = studio.studies.study(name)
    opened, code, author = _open(studio, study), code_of(name, visitor), author_of(name, visitor)
    seat = taking.go_on(studio.project, opened, code, author, utc_now(), lambda *_: change)
    return answer(request, _view(request, studio, study, seat, opened))


def _view(
    request: Request, studio: Studio, study: Study, seat: Seat, opened: Opened | None, changed: str = ""
) -> dict[str, Any]:
    answers = taking.answers_of(studio.project, study.name, seat)
    back = own_link(request, studio, study.name, seat)
    return study_view(study, seat, opened, answers, back=back, changed=_PAUSED if changed else "")


def _is_for(study: Study, visitor: Visitor) -> bool:
    """Whether somebody who has signed in is offered a study that they have not begun."""
    return not study.closed and (not study.invited or visitor.key in study.invited)


def _may_begin(study: Study, visitor: Visitor) -> bool:
    """Whether somebody who has signed in may take a seat. Whoever has one keeps it."""
    return visitor.role is Role.ADMINISTRATOR or _is_for(study, visitor)


def _opened(studio: Studio, study: Study) -> tuple[Opened | None, str]:
    """The study, or why it cannot be taken part in."""
    try:
        return studio.studies.open(study), ""
    except Changed as error:
        return None, str(error)


def _open(studio: Studio, study: Study) -> Opened:
    opened, _ = _opened(studio, study)
    if opened is None:
        raise HTTPException(503, _PAUSED)
    return opened


def _sheet(studio: Studio, name: str, slot: str, visitor: Visitor) -> tuple[Study, Seat, Sheet]:
    """A sheet of one's own slots, and of nobody else's."""
    study = studio.studies.study(name)
    if study.form in STAFF_ONLY and visitor.role is Role.PARTICIPANT:
        raise HTTPException(403, "only people who have an account here take part in this study")
    seat = find_seat(studio.project.ledger, name, code_of(name, visitor))
    if seat is None or slot not in seat.slots or seat.withdrawn:
        raise HTTPException(404, "this question is not one of yours; load the page again")
    return study, seat, _open(studio, study).sheet(slot, seat.code)


def _own_tags(studio: Studio, name: str, seat: Seat) -> list[str]:
    """Those that the person has used so far, the most frequent first; of nobody else."""
    counts: dict[str, int] = {}
    for one in taking.answers_of(studio.project, name, seat):
        for tag in read_record(one, StudyAnswer).given.get("tags", []):
            counts[tag] = counts.get(tag, 0) + 1
    return sorted(counts, key=lambda tag: (-counts[tag], tag))
