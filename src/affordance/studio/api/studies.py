"""Studies for whoever is in charge of them: how they stand, where people differ, and who works on what."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from affordance.author.records import Kind
from affordance.core.table import Table
from affordance.models.study_documents import valid_answers
from affordance.report.error_review import error_review, error_tables, reviewed_outcomes
from affordance.studio.answers import answer
from affordance.studio.api.showing import Block, show
from affordance.studio.api.taking import SlotId, StudyName
from affordance.studio.context import Studio, studio_of
from affordance.studio.refused import Refused
from affordance.studio.security.access import Access, access_of
from affordance.studio.security.failures import without_paths
from affordance.studio.security.records import utc_now
from affordance.studio.security.rights import Right, Role
from affordance.studio.security.visitors import Visitor, needs
from affordance.studio.studies.adjudicating import disputed, redraw, settle, unsettle
from affordance.studio.studies.assignments import loads, share_out
from affordance.studio.studies.opened import Changed
from affordance.studio.studies.overseeing import live
from affordance.studio.studies.sheets import Sheet
from affordance.studio.studies.views import sheet_view

router = APIRouter(prefix="/api")

InStudio = Annotated[Studio, Depends(studio_of)]
InAccess = Annotated[Access, Depends(access_of)]
Organiser = Annotated[Visitor, needs(Right.MANAGE_STUDIES)]  # before the form in each handler: who may not is not read

MOST_PEOPLE = 1000
_UNREADABLE = "put its file back"
THINGS: dict[str, Kind] = {"screens": Kind.SCREEN, "clips": Kind.CLIP, "pairs": Kind.PAIR}


class Decision(BaseModel):
    """What counts for an item; without `given`, what people said counts again. `region`: it is written as the box of
    the region too."""

    model_config = ConfigDict(strict=True, extra="forbid")

    item: Annotated[str, Field(min_length=1, max_length=500)]
    given: Annotated[dict[str, Any], Field(max_length=8)] | None = None
    note: Annotated[str, Field(max_length=4000)] = ""
    region: bool = False


class Share(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    person: Annotated[str, Field(min_length=1, max_length=200)]
    share: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)] = 1.0


class Sharing(BaseModel):
    """Who gets what. `which`: all of it anew, or only what nobody has; nobody in `people`: it is all taken back."""

    model_config = ConfigDict(strict=True, extra="forbid")

    what: Literal["screens", "clips", "pairs"]
    which: Literal["all", "unassigned"]
    people: Annotated[list[Share], Field(max_length=MOST_PEOPLE)]
    overlap: Annotated[int, Field(ge=0, le=100)] = 0  # percent
    seed: Annotated[int, Field(ge=0, lt=1 << 31)] = 0


@router.get("/studies/{name}")
def state(request: Request, name: StudyName, studio: InStudio, _: Organiser) -> Response:
    """How it stands; `paused` says why it cannot be taken part in."""
    study = studio.studies.study(name)
    about = {"name": study.name, "form": study.form, "closed": study.closed}
    try:
        opened = studio.studies.open(study)
    except Changed as error:
        return answer(request, {**about, "paused": without_paths(str(error), studio)})
    return answer(request, {**about, "paused": "", **live(studio.project, opened, utc_now())})


@router.get("/studies/{name}/more")
def more(request: Request, name: StudyName, studio: InStudio, _: Organiser) -> Response:
    """What takes longer to find out: items that are others by now, and what a review of errors found."""
    study = studio.studies.study(name)
    opened = studio.studies.open(study)
    find: Callable[[], list[str]] = getattr(opened.source, "changed", list)
    review = None
    if study.form == "errors":
        ledger = studio.project.ledger
        found = error_review(ledger, study, reviewed_outcomes(ledger, study))
        review = None if found is None else _review_view(error_tables({study.run: (found,)})[0])
    return answer(request, {"changed": find(), "review": review})


def _review_view(table: Table) -> dict[str, Any]:
    """The table of a review as the page shows it."""
    lines = [(tag, values) for tag, *values in table.texts()]
    return {"finding": table.finding, "columns": table.headings()[1:], "lines": lines, "note": " ".join(table.notes)}


@router.get("/studies/{name}/disputed")
def differing(request: Request, name: StudyName, studio: InStudio, _: Organiser) -> Response:
    opened = studio.studies.open(studio.studies.study(name))
    found = disputed(studio.project, opened, valid_answers(studio.project.ledger, name))
    rows = [
        {
            "item": one.item,
            "slot": one.slot,
            "overlap": one.overlap,
            "said": [asdict(said) for said in one.said],
            "settled": None if one.settled is None else {"given": one.settled.given, "note": one.settled.note},
        }
        for one in found
    ]
    return answer(request, {"items": rows})


@router.get("/studies/{name}/sheet")
def sheet(request: Request, name: StudyName, slot: SlotId, studio: InStudio, _: Organiser) -> Response:
    """An item as people are shown it."""
    shown = sheet_view(name, _sheet(studio, name, slot), None)
    for block in shown["blocks"]:
        if "src" in block:
            block["src"] = block["src"].replace("/api/study/", "/api/studies/", 1)
    return answer(request, shown)


@router.get("/studies/{name}/picture", response_model=None)
def picture(name: StudyName, slot: SlotId, block: Block, studio: InStudio, _: Organiser) -> Response:
    return show(studio, _sheet(studio, name, slot), block, film=False, todo=_UNREADABLE)


@router.get("/studies/{name}/film", response_model=None)
def film(name: StudyName, slot: SlotId, block: Block, studio: InStudio, _: Organiser) -> Response:
    return show(studio, _sheet(studio, name, slot), block, film=True, todo=_UNREADABLE)


@router.post("/studies/{name}/settle")
def decide(request: Request, name: StudyName, sent: Decision, studio: InStudio, visitor: Organiser) -> Response:
    """422 for what makes no sense."""
    study = studio.studies.study(name)
    if sent.given is None:
        unsettle(studio.project, name, sent.item, visitor.author)
        return answer(request, {"item": sent.item, "settled": None})
    if sent.region and study.form != "boxes":
        raise Refused("only boxes of regions are written as such; expected a study of them")
    settle(studio.project, studio.studies.open(study), sent.item, sent.given, sent.note, visitor.author)
    if sent.region:
        redraw(studio.project, sent.item, sent.given, visitor.author)
    return answer(request, {"item": sent.item, "settled": {"given": sent.given, "note": sent.note.strip()}})


@router.get("/assignments")
def assignments(request: Request, studio: InStudio, access: InAccess, _: Organiser) -> Response:
    """People who have an account, and how much each has of what there is."""
    given = studio.assignments.all()
    rows = {what: _things(studio, what) for what, kind in THINGS.items() if studio.holdings.has(kind)}
    people = [
        {
            "key": one.key,
            "name": one.person.name,
            "role": one.person.role,
            "has": {what: _count(found, given, one.key) for what, found in rows.items()},
        }
        for one in access.people.all()
        if not one.person.disabled and one.person.role is not Role.PARTICIPANT
    ]
    totals = {
        what: {
            "all": len(found),
            "assigned": sum(name in given for name in found),
            "twice": sum(len(given.get(name, ())) > 1 for name in found),
        }
        for what, found in rows.items()
    }
    return answer(request, {"people": people, "totals": totals})


@router.post("/assignments")
def assign(request: Request, sent: Sharing, studio: InStudio, access: InAccess, visitor: Organiser) -> Response:
    known = {one.key for one in access.people.all() if not one.person.disabled}
    shares = {one.person: one.share for one in sent.people}
    if unknown := sorted(set(shares) - known):
        raise Refused(f"there is nobody with the name {unknown[0][:80]!r}; load the page again")
    if sent.overlap and len(shares) == 1:
        raise Refused("an overlap needs at least two people, found one")
    if not studio.holdings.has(THINGS[sent.what]):
        raise Refused(f"the project has no {sent.what} to assign")
    given, things = studio.assignments.all(), _things(studio, sent.what)
    wanted = [name for name in things if sent.which == "all" or name not in given]
    if not shares:
        changed = studio.assignments.write({name: [] for name in things if name in given}, visitor.author)
    else:
        held = {} if sent.which == "all" else loads(given[name] for name in things if name in given)
        shared = share_out(wanted, shares, sent.overlap / 100, sent.seed, held)
        changed = studio.assignments.write(shared, visitor.author)
    return answer(request, {"changed": changed})


def _things(studio: Studio, what: str) -> dict[str, bool]:
    """What can be assigned, and whether it is done."""
    if what == "screens":
        return {row["id"]: bool(row["done"]) for row in studio.index.rows()[1] if not row["aside"]}
    if what == "clips":
        rows = [row for row in studio.clips.rows()[1] if row.get("standing") in ("open", "done")]
        return {row["id"]: row["standing"] == "done" for row in rows}
    rows = [row for row in studio.pairs.rows()[1] if not row.get("aside")]
    return {row["id"]: bool(row.get("rationales")) for row in rows}


def _count(things: dict[str, bool], given: dict[str, tuple[str, ...]], person: str) -> dict[str, int]:
    own = [name for name in things if person in given.get(name, ())]
    return {"assigned": len(own), "done": sum(things[name] for name in own)}


def _sheet(studio: Studio, name: str, slot: str) -> Sheet:
    opened = studio.studies.open(studio.studies.study(name))
    if slot not in opened.slots:
        raise HTTPException(404, f"the study has no slot {slot[:80]!r}; load the page again")
    return opened.sheet(slot, "")
