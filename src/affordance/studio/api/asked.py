"""Questions: the list over all screens, what is around one of them, and what speaks against a wording."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query
from pydantic import BaseModel, ConfigDict, Field

from affordance.author.exchange.places import Places
from affordance.author.records import Choice, QuestionRecord
from affordance.author.state import ScreenState
from affordance.studio.asked import Show
from affordance.studio.context import Studio, studio_of
from affordance.studio.edits import LONGEST_TEXT
from affordance.studio.entries import ScreenId
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs
from affordance.studio.views import check_screen

router = APIRouter()

MOST_ROWS = 500
_Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
_Name = Annotated[str, Field(min_length=1, max_length=200)]


class Wording(BaseModel):
    """The wording of a question as somebody is writing it. `options` are their texts."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    screen: ScreenId
    name: _Name
    expressions: Annotated[dict[_Name, _Text], Field(max_length=8)] = {}
    question: _Text = ""
    options: Annotated[list[_Text], Field(max_length=26)] = []


@router.get("/api/questions")
def listed(
    visitor: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
    search: Annotated[str, Query(max_length=200)] = "",
    show: Show = Show.ALL,
    screen: Annotated[str, Query(max_length=400)] = "",
    offset: Annotated[int, Query(ge=0, lt=1 << 31)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_ROWS)] = 100,
    near: Annotated[str, Query(max_length=601)] = "",
) -> dict[str, Any]:
    """A part of the list, of one screen where that is given. `all` is how many questions the project has; `place` is
    where the question `near`, as SCREEN/NAME, is in the whole list."""
    every = studio.asked.find()
    found = studio.asked.find(search, show, screen) if search or screen or show is not Show.ALL else every
    rows = [one.shown() for one in found[offset : offset + limit]]
    places = (place for place, one in enumerate(found) if near == f"{one.screen}/{one.name}")
    place = next(places, None) if near else None
    return {"total": len(found), "all": len(every), "offset": offset, "rows": rows, "place": place}


@router.get("/api/question")
def around(
    visitor: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
    screen: ScreenId,
    name: Annotated[str, Query(min_length=1, max_length=200)],
) -> dict[str, Any]:
    """Where the target of a question is now, and what looks like it. `place` is null where the target is gone."""
    from affordance.studio.wording import doubts, written_on  # not for every start: it brings statistics with it

    state, record = _find(studio, screen, name)
    places = Places(state)
    place = places.target(name, record)
    alike = [(other, places.other(record, other)) for other in record.alike]
    return {
        "place": None if place is None else list(place.xyxy),
        "alike": [{"id": other, "box": list(box.xyxy)} for other, box in alike if box is not None],
        "missing": [other for other, box in alike if box is None],
        "own": written_on(state, record),
        "doubts": doubts(state, name, record),
    }


@router.post("/api/wording")
def said_of(
    visitor: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
    wording: Wording,
) -> dict[str, Any]:
    """Doubts about a wording that is not saved yet. Changes nothing."""
    from affordance.studio.wording import doubts

    state, record = _find(studio, wording.screen, wording.name)
    options = list(record.options)
    if len(options) != len(wording.options):
        raise HTTPException(422, f"expected the texts of {len(options)} options, found {len(wording.options)}")
    # An option without a text is no option; what is doubtful about it has to be told all the same.
    texts = [
        Choice.model_construct(**{**dict(one), "text": text})
        for one, text in zip(options, wording.options, strict=True)
    ]
    changes = {"expressions": dict(wording.expressions), "question": wording.question, "options": texts}
    return {"doubts": doubts(state, wording.name, record.model_copy(update=changes))}


def _find(studio: Studio, screen: str, name: str) -> tuple[ScreenState, QuestionRecord]:
    check_screen(studio.project, screen)
    state = studio.project.state(screen)
    if (record := state.questions.get(name)) is None:
        raise HTTPException(404, f"there is no question {name[:80]!r} on this screen")
    return state, record
