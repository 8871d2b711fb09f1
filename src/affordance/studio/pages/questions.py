"""The page on which people word questions anew, put their boxes right, or abandon them."""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse

from affordance.studio.context import Studio, studio_of
from affordance.studio.pages.shell import page
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter()


@router.get("/questions", response_class=HTMLResponse)
def questions(
    visitor: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]
) -> HTMLResponse:
    """Which question is open is up to the page: the address is only where it begins."""
    return page(
        "questions", studio, visitor, here="/questions", script="questions/page.js", may_edit=visitor.may(Right.EDIT)
    )
