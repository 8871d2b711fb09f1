"""How the rationale of a pair is worded."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from affordance.studio.answers import answer
from affordance.studio.edits import LONGEST_TEXT
from affordance.studio.pairs import worded
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter(prefix="/api")


class Typed(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    reason: Annotated[str, Field(max_length=LONGEST_TEXT)]


@router.post("/pair/wording")
def wording(request: Request, typed: Typed, _: Annotated[Visitor, needs(Right.SEE)]) -> Response:
    """The sides that a reason names, and how it is said without them."""
    return answer(request, worded(typed.reason))
