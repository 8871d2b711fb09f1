"""The first page: what the project is, how far it is, and what to do next."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse

from affordance.author.project import read_record
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.studio.activity import last_deeds, workers
from affordance.studio.api.uploads import MOST_BYTES, TYPES
from affordance.studio.commands import command
from affordance.studio.context import Studio, studio_of
from affordance.studio.moments import day_and_time
from affordance.studio.overview import (
    clip_sentence,
    clip_steps,
    count,
    pair_sentence,
    pair_steps,
    sentence,
    steps,
    study_sentence,
    study_steps,
)
from affordance.studio.pages.shell import page
from affordance.studio.pages.studies import FORMS
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter()

MOST_PEOPLE = 12
MOST_UNREADABLE = 5


@router.get("/", response_class=HTMLResponse)
def home(visitor: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]) -> HTMLResponse:
    _, rows = studio.index.rows()
    counts = count(rows)
    ledger = studio.project.ledger
    people = workers(ledger)
    unreadable = [row for row in rows if row.get("unreadable")]
    clips = studio.clips.rows()[1] if studio.holdings.has(Kind.CLIP) else []
    pairs = studio.pairs.rows()[1] if studio.holdings.has(Kind.PAIR) else []
    studies = [read_record(one, Study) for one in ledger.documents.latest(kind=Kind.STUDY)]
    takes_screens = studio.holdings.offers((Kind.SCREEN,))
    organises = visitor.may(Right.MANAGE_STUDIES)
    told = [sentence(counts)] if takes_screens else []
    told += [clip_sentence(clips), pair_sentence(pairs), study_sentence(studies)]
    todo = [*steps(rows, visitor.may(Right.VALIDATE)), *clip_steps(clips), *pair_steps(pairs)]
    return page(
        "home",
        studio,
        visitor,
        here="/",
        script="home/page.js",
        about=studio.project.about,
        counts=counts,
        sentence=" ".join(filter(None, told)),
        steps=todo if organises else [*todo, *study_steps(studies)],
        studies=studies if organises else [],
        forms=FORMS,
        takes_screens=takes_screens,
        commands=_commands(studio),
        people=people[:MOST_PEOPLE],
        more_people=max(0, len(people) - MOST_PEOPLE),
        deeds=last_deeds(ledger),
        day_and_time=day_and_time,
        unreadable=unreadable[:MOST_UNREADABLE],
        more_unreadable=max(0, len(unreadable) - MOST_UNREADABLE),
        may_upload=visitor.may(Right.UPLOAD),
        types=",".join(TYPES),
        most=MOST_BYTES,
    )


@router.get("/api/standing")
def standing(
    visitor: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]
) -> dict[str, Any]:
    """`counted` is false while the stages are counted for the first time: ask again in a moment."""
    found = studio.standings.get()
    return {"counted": False} if found is None else {"counted": True, **asdict(found)}


def _commands(studio: Studio) -> dict[str, str]:
    def told(stage: str, *more: str) -> str:
        return command(studio.project, studio.settings, stage, *more)

    return {"init": told("init", "IMAGES..."), "divide": told("divide"), "export": told("export", "-o FOLDER")}
