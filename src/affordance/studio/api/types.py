"""What regions can be."""

from typing import Annotated

from fastapi import APIRouter, Request, Response

from affordance.author.regions.type_answers import FRAGMENTS
from affordance.datasets.taxonomies import REGION_TYPES
from affordance.studio.answers import answer
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter(prefix="/api")


@router.get("/types")
def types(request: Request, _: Annotated[Visitor, needs(Right.SEE)]) -> Response:
    """The taxonomy; `leaf` are the types that only regions without children can have."""
    groups = [{"group": group, "types": list(names)} for group, names in REGION_TYPES.items()]
    return answer(request, {"types": groups, "leaf": list(FRAGMENTS)})
