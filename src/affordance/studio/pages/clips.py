"""The page on which people say when and where an animation runs, what is around it, and what it answers to."""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse

from affordance.studio.context import Studio, studio_of
from affordance.studio.pages.shell import page
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter()

# As AniMINT has them; others can be typed.
PLATFORMS = ("Mobile", "Web", "Desktop")
MODALITIES = ("touch", "mouse", "keyboard", "voice", "gesture", "none")
TYPES = ("tap", "click", "swipe", "scroll", "drag", "hover", "type", "long press", "pinch", "speak")


@router.get("/clips", response_class=HTMLResponse)
def clips(visitor: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]) -> HTMLResponse:
    """Which clip is open is up to the page: the address is only where it begins."""
    return page(
        "clips",
        studio,
        visitor,
        here="/clips",
        script="clips/page.js",
        may_edit=visitor.may(Right.EDIT),
        platforms=PLATFORMS,
        modalities=MODALITIES,
        types=TYPES,
    )
