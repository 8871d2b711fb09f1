"""All versions of a document. To restore one is to save its values again."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response

from affordance.author.records import Kind
from affordance.studio.answers import answer
from affordance.studio.context import Studio, studio_of
from affordance.studio.entries import SHOWN, ScreenId, entry, subject_of
from affordance.studio.grounds import check_ground
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter(prefix="/api")


@router.get("/history")
def history(
    request: Request,
    screen: ScreenId,
    kind: Kind,
    _: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
    name: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """The oldest first; none of what nobody has written yet."""
    if kind not in SHOWN:
        raise HTTPException(422, f"kind: expected {', '.join(SHOWN)}, found {kind}")
    check_ground(studio.project, screen)
    versions = studio.project.ledger.documents.history(kind, subject_of(screen, kind, name))
    return answer(request, {"versions": [entry(one) for one in versions if one.scope == screen]})
