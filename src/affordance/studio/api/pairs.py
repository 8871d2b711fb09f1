"""The list of pairs, one pair, and how a rationale is worded."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from affordance.studio.answers import answer
from affordance.studio.context import Studio, studio_of
from affordance.studio.edits import LONGEST_TEXT
from affordance.studio.entries import ScreenId
from affordance.studio.pairs import NoPair, worded
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter(prefix="/api")


class Typed(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    reason: Annotated[str, Field(max_length=LONGEST_TEXT)]


@router.get("/pairs")
def pairs(
    request: Request, visitor: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]
) -> Response:
    """`mine` are those that were assigned to who asks."""
    last, rows = studio.pairs.rows()
    return answer(request, {"last": last, "pairs": rows, "mine": studio.assignments.of(visitor.key)})


@router.get("/pair")
def pair(
    request: Request,
    screen: ScreenId,
    _: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
) -> Response:
    """404 where there is none; 409 where a document of it cannot be read, which the error names."""
    try:
        return answer(request, studio.pairs.view(screen))
    except NoPair as error:
        raise HTTPException(404, str(error)) from None


@router.post("/pair/wording")
def wording(request: Request, typed: Typed, _: Annotated[Visitor, needs(Right.SEE)]) -> Response:
    """The sides that a reason names, and how it is said without them."""
    return answer(request, worded(typed.reason))
