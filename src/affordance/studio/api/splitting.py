"""Pairs that are one picture of two designs: which there are, and where one could be cut."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from pydantic import BaseModel, ConfigDict

from affordance.author.pair_records import Designs, Halves
from affordance.author.pair_splitting import suggest_split
from affordance.author.project import plain, read_record
from affordance.author.records import Kind
from affordance.core.errors import EditConflict
from affordance.ledger import DocumentDraft
from affordance.studio.answers import answer
from affordance.studio.context import Studio, studio_of
from affordance.studio.entries import ScreenId
from affordance.studio.masks import read_pixels
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter(prefix="/api")

AUTHOR = "studio"  # of what is proposed


class Wanted(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    screen: ScreenId


@router.get("/splitting")
def splitting(
    request: Request, _: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]
) -> Response:
    return answer(request, studio.pair_work.splitting())


@router.post("/splitting/proposal")
def proposal(
    request: Request,
    wanted: Wanted,
    _: Annotated[Visitor, needs(Right.EDIT)],
    studio: Annotated[Studio, Depends(studio_of)],
) -> Response:
    """Propose where a picture is cut, unless somebody has said so, or it was proposed before."""
    ledger = studio.project.ledger
    found = {
        one.kind: one for one in ledger.documents.get_many([(Kind.PAIR, wanted.screen), (Kind.HALVES, wanted.screen)])
    }
    if Kind.PAIR not in found:
        raise HTTPException(404, f"there is no pair {wanted.screen[:80]!r} in the project")
    if Kind.HALVES in found:
        return answer(request, {"proposed": False})
    pair = read_record(found[Kind.PAIR], Designs)
    place = suggest_split(read_pixels(studio.originals, pair, 0))
    halves = Halves(boxes=list(place.boxes), symmetry=place.symmetry, note=place.note)
    try:
        ledger.documents.write(
            [DocumentDraft(Kind.HALVES, wanted.screen, plain(halves), AUTHOR, wanted.screen, based_on=0)]
        )
    except EditConflict:  # somebody else has opened it at the same moment
        return answer(request, {"proposed": False})
    return answer(request, {"proposed": True})
