"""The page on which people say why one of two designs won, tag pairs, and review what others say of them."""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse

from affordance.datasets.taxonomies import ELEMENT_GROUPS, LAW_DIMENSIONS, PROPERTY_GROUPS, UX_LAWS
from affordance.studio.context import Studio, studio_of
from affordance.studio.pages.laws import EXAMPLES, HEURISTICS
from affordance.studio.pages.shell import page
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter()

# By dimension: each law with what it says and an example.
REFERENCE = [
    (dimension, [(law.name, law.meaning, EXAMPLES[law.name]) for law in UX_LAWS if law.dimension == dimension])
    for dimension in LAW_DIMENSIONS
]


@router.get("/pairs", response_class=HTMLResponse)
def pairs(visitor: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]) -> HTMLResponse:
    """Which pair is open is up to the page: the address is only where it begins."""
    return page(
        "pairs",
        studio,
        visitor,
        here="/pairs",
        script="pairs/page.js",
        may_edit=visitor.may(Right.EDIT),
        may_review=visitor.may(Right.VALIDATE),
        reference=REFERENCE,
        heuristics=HEURISTICS,
        elements=ELEMENT_GROUPS,
        properties=PROPERTY_GROUPS,
    )
