"""The page on which people say where a picture of two designs is cut, and which of them won."""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse

from affordance.studio.context import Studio, studio_of
from affordance.studio.pages.shell import page
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter()


@router.get("/splitting", response_class=HTMLResponse)
def splitting(
    visitor: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]
) -> HTMLResponse:
    """Which picture is open is up to the page: the address is only where it begins."""
    return page(
        "splitting", studio, visitor, here="/splitting", script="splitting/page.js", may_edit=visitor.may(Right.EDIT)
    )
