"""What others have written at a screen, a clip or a pair, and who is there."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from affordance.author.records import Kind
from affordance.studio.answers import answer
from affordance.studio.context import Studio, studio_of
from affordance.studio.entries import SHOWN, ScreenId, entry
from affordance.studio.grounds import check_ground
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs
from affordance.studio.warnings import warnings_of

router = APIRouter(prefix="/api")


@router.get("/news")
def news(
    request: Request,
    screen: ScreenId,
    after: Annotated[int, Query(ge=0, lt=1 << 62)],
    visitor: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
) -> Response:
    """The newest version of each document that was written since; also says that the visitor is there."""
    ledger = studio.project.ledger
    last = ledger.documents.last_revision_id()  # first: what is written meanwhile is told again rather than never
    found = ledger.documents.changes_since(after, scope=screen, kinds=SHOWN) if last > after else []
    if not found:
        check_ground(studio.project, screen)
    newest = {(one.kind, one.subject): one for one in found}
    moved = any(one.kind == Kind.REGION for one in found)
    told: dict[str, Any] = {
        "last": max(last, *(one.id for one in found)) if found else last,
        "entries": [entry(one) for one in newest.values()],
        "problems": warnings_of(studio.index.marks(screen).standing()) if moved else None,
        "people": studio.presence.at(visitor.name, screen),
    }
    return answer(request, told)
