"""Warnings while boxes are dragged, before anything is saved."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from affordance.author.project import parents_first
from affordance.core.geometry import Box, CoordinateSpace
from affordance.studio.answers import answer
from affordance.studio.context import Studio, studio_of
from affordance.studio.entries import ScreenId
from affordance.studio.marks import RegionMark
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs
from affordance.studio.views import check_screen
from affordance.studio.warnings import warnings_of

router = APIRouter(prefix="/api")

MOST_MOVED = 2000  # boxes at once
_Name = Annotated[str, Field(min_length=1, max_length=200)]
_Number = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-1e6, le=1e6)]


def _ordered(xyxy: list[float]) -> list[float]:
    if xyxy[0] > xyxy[2] or xyxy[1] > xyxy[3]:
        raise ValueError("expected x1 <= x2 and y1 <= y2")
    return xyxy


_Corners = Annotated[list[_Number], Field(min_length=4, max_length=4), AfterValidator(_ordered)]


class Moved(BaseModel):
    """Where regions are while somebody moves them: new ones have a parent here, others may."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    screen: ScreenId
    boxes: Annotated[dict[_Name, _Corners], Field(max_length=MOST_MOVED)] = {}
    parents: Annotated[dict[_Name, _Name], Field(max_length=MOST_MOVED)] = {}


@router.post("/problems")
def problems(
    request: Request,
    moved: Moved,
    _: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
) -> Response:
    """What would be wrong, of the regions that something is moved in, out of or with. Nothing is written."""
    regions = studio.index.marks(moved.screen).standing()
    if not regions:
        check_screen(studio.project, moved.screen)
    concerned: set[str | None] = set()
    for name in moved.boxes.keys() | moved.parents.keys():
        before = regions.get(name)
        after = _after(moved, name, before)
        regions[name] = after
        concerned |= {name, after.parent} | ({before.parent} if before is not None else set())
    standing = parents_first({name: mark.parent for name, mark in regions.items()})
    found = warnings_of({name: regions[name] for name in standing}, concerned)
    return answer(request, {"problems": found})


def _after(moved: Moved, name: str, before: RegionMark | None) -> RegionMark:
    corners, parent = moved.boxes.get(name), moved.parents.get(name)
    box = None if corners is None else Box(CoordinateSpace.PIXEL, *corners)
    if before is not None:
        return before._replace(box=box or before.box, parent=parent or before.parent)
    if box is None or parent is None:
        raise HTTPException(422, f"the region {name[:80]!r} is new: expected a box and a parent for it")
    return RegionMark(box, parent, corrected=True)
