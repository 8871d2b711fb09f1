"""The page on which people take part in a study, and the list of those that somebody can take part in."""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse

from affordance.studio.context import Studio, studio_of
from affordance.studio.pages.shell import page
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter()

InStudio = Annotated[Studio, Depends(studio_of)]
TakesPart = Annotated[Visitor, needs(Right.TAKE_PART)]


@router.get("/study", response_class=HTMLResponse)
def studies(studio: InStudio, visitor: TakesPart) -> HTMLResponse:
    return page("study", studio, visitor, here="/study", script="taking/list.js")


@router.get("/study/{name}", response_class=HTMLResponse)
def study(name: str, studio: InStudio, visitor: TakesPart) -> HTMLResponse:
    """Where somebody is in it is up to the module, which asks; so is whether there is such a study."""
    return page("taking", studio, visitor, study=name, script="taking/page.js")
