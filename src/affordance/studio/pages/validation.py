"""The page on which people say whether regions that were told anew are told well."""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse

from affordance.studio.context import Studio, studio_of
from affordance.studio.pages.shell import page
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter()

# Field of the document, name, the question, and what it means.
CRITERIA = (
    (
        "contextual",
        "Contextual",
        "Does it say what the region is for on this screen?",
        "The text takes in what is around the region: who could read it without the screenshot would know what the "
        "region is for here, and not only what such a region is for anywhere.",
    ),
    (
        "purposeful",
        "Purposeful",
        "Does it say what the region is for, not what it looks like?",
        "The text names a purpose. A description of the looks, or a list of the parts, does not.",
    ),
    (
        "truthful",
        "Truthful",
        "Is there nothing in it that the screen does not show?",
        "All that the text says can be seen on the screen, or is known from it. What was made up, however likely it "
        "sounds, fails.",
    ),
)


@router.get("/validation", response_class=HTMLResponse)
def validation(
    visitor: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]
) -> HTMLResponse:
    """Which region is shown is up to the page: the address is only where it begins."""
    may = visitor.may(Right.VALIDATE)
    return page(
        "validation",
        studio,
        visitor,
        here="/validation",
        script="validation/page.js",
        may_validate=may,
        criteria=CRITERIA,
    )
