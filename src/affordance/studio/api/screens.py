"""The list of screens, one screen, and what regions can be."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response

from affordance.author.regions.type_answers import FRAGMENTS
from affordance.datasets.published.region_types import TAXONOMY
from affordance.studio.answers import answer
from affordance.studio.context import Studio, studio_of
from affordance.studio.entries import ScreenId
from affordance.studio.grounds import NoGround, check_ground
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs
from affordance.studio.views import NoScreen, check_screen, screen_view

router = APIRouter(prefix="/api")


def expect_screen(studio: Studio, screen: str) -> None:
    """404 where there is none."""
    try:
        check_screen(studio.project, screen)
    except NoScreen as error:
        raise HTTPException(404, str(error)) from None


def expect_ground(studio: Studio, name: str) -> None:
    """404 where there is no screen, clip or pair of that name."""
    try:
        check_ground(studio.project, name)
    except NoGround as error:
        raise HTTPException(404, str(error)) from None


@router.get("/screens")
def screens(
    request: Request, visitor: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]
) -> Response:
    """`mine` are those that were assigned to who asks."""
    last, rows = studio.index.rows()
    return answer(request, {"last": last, "screens": rows, "mine": studio.assignments.of(visitor.key)})


@router.get("/screen")
def screen(
    request: Request,
    screen: ScreenId,
    _: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
) -> Response:
    """404 where there is none; 409 where a document of it cannot be read, which the error names."""
    expect_screen(studio, screen)
    return answer(request, screen_view(studio.project, studio.index, screen))


@router.get("/types")
def types(request: Request, _: Annotated[Visitor, needs(Right.SEE)]) -> Response:
    """The taxonomy; `leaf` are the types that only regions without children can have."""
    groups = [{"group": group, "types": list(names)} for group, names in TAXONOMY.items()]
    return answer(request, {"types": groups, "leaf": list(FRAGMENTS)})
