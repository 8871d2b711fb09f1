"""Having a model tell anew what people corrected."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException
from pydantic import BaseModel, ConfigDict

from affordance.studio.context import Studio, studio_of
from affordance.studio.entries import ScreenId
from affordance.studio.retellings import NotStarted
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter(prefix="/api")


class Wanted(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    screen: ScreenId


@router.get("/retelling")
def standing(
    visitor: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
    screen: ScreenId,
) -> dict[str, Any]:
    return _standing(studio, screen)


@router.post("/retelling", status_code=202)
def start(
    wanted: Wanted, visitor: Annotated[Visitor, needs(Right.RETELL)], studio: Annotated[Studio, Depends(studio_of)]
) -> dict[str, Any]:
    """Goes on in the background; ask for how it stands."""
    _standing(studio, wanted.screen)
    try:
        studio.retellings.start(wanted.screen)
    except NotStarted as error:
        raise HTTPException(409, str(error)) from None
    return _standing(studio, wanted.screen)


def _standing(studio: Studio, screen: str) -> dict[str, Any]:
    studio.pictures.shots.of_screen(screen)
    return asdict(studio.retellings.standing(screen))
