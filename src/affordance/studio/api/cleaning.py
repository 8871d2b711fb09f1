"""Pictures of pairs that people paint over: which there are, and what a mask makes of one."""

import asyncio
from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response

from affordance.author.marker_removal import LARGE_MASK_SHARE
from affordance.author.pair_records import Designs, Mask
from affordance.author.project import read_record
from affordance.author.records import Kind
from affordance.studio.answers import answer
from affordance.studio.api.pictures import FOR_EVER
from affordance.studio.context import Studio, studio_of
from affordance.studio.entries import ScreenId
from affordance.studio.masks import Look
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter(prefix="/api")

T = TypeVar("T")
Place = Annotated[int, Query(ge=0, le=1)]


@router.get("/cleaning")
def cleaning(
    request: Request, _: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]
) -> Response:
    return answer(request, studio.pair_work.cleaning())


@router.get("/mask")
async def mask(
    request: Request,
    screen: ScreenId,
    place: Place,
    _: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
) -> Response:
    """How much of a picture is masked, by the mask that is saved, and the version of that."""

    def counted() -> tuple[int, float]:
        pair, version, record = _saved(studio, screen, place)
        return version, studio.masks.share(pair, place, record)

    version, masked = await _worked_out(studio, counted)
    return answer(request, {"version": version, "masked": round(masked, 6), "much": masked > LARGE_MASK_SHARE})


@router.get("/mask/picture")
async def picture(
    screen: ScreenId,
    place: Place,
    version: Annotated[int, Query(ge=0)],
    what: Look,
    _: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
) -> Response:
    """What the mask of that version masks or makes of the picture; 409 where there is a newer one."""

    def made() -> bytes:
        pair, newest, record = _saved(studio, screen, place)
        if what != "found" and version != newest:
            raise HTTPException(409, f"the mask has version {newest} by now, not {version}; look again")
        return studio.masks.look(pair, place, record, what)

    return Response(await _worked_out(studio, made), media_type="image/png", headers={"Cache-Control": FOR_EVER})


async def _worked_out(studio: Studio, work: Callable[[], T]) -> T:
    """Not in the threads that all handlers share: to look for markers takes seconds."""
    return await asyncio.get_running_loop().run_in_executor(studio.pictures.workers, work)


def _saved(studio: Studio, name: str, place: int) -> tuple[Designs, int, Mask]:
    """The pair, and the mask with its version; version 0 where nobody has changed it yet."""
    keys = [(Kind.PAIR, name), (Kind.MASK, f"{name}/{place}")]
    found = {one.kind: one for one in studio.project.ledger.documents.get_many(keys)}
    if Kind.PAIR not in found:
        raise HTTPException(404, f"there is no pair {name[:80]!r} in the project")
    pair = read_record(found[Kind.PAIR], Designs)
    mask = found.get(Kind.MASK)
    return (pair, 0, Mask()) if mask is None else (pair, mask.version, read_record(mask, Mask))
