"""The page on which people correct boxes: images, the tree of regions, the screenshot."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse

from affordance.studio.context import Studio, studio_of
from affordance.studio.pages.shell import page
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter()

_PLAIN = "!'()*-._~"  # what encodeURIComponent leaves: an address that differs from the page's is fetched twice


@router.get("/boxes", response_class=HTMLResponse)
def boxes(
    visitor: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
    screen: str = "",
) -> HTMLResponse:
    """Which screen and region are open is up to the page: the address is only where it begins."""
    rows = studio.index.rows()[1]
    first = next((row["id"] for row in rows if not row["done"] and not row["aside"]), rows[0]["id"] if rows else "")
    shown = screen or first
    wanted = ["/api/screens", *([f"/api/screen?screen={quote(shown, safe=_PLAIN)}"] if shown else [])]
    return page(
        "boxes",
        studio,
        visitor,
        here="/boxes",
        first=first,
        wanted=wanted,
        script="boxes/page.js",
        may_edit=visitor.may(Right.EDIT),
        may_retell=visitor.may(Right.RETELL),
    )
