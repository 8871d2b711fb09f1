"""The list of clips, one clip, and its frames."""

import asyncio
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Path, Request, Response

from affordance.studio.answers import answer
from affordance.studio.api.pictures import FOR_EVER
from affordance.studio.clips import NoClip
from affordance.studio.context import Studio, studio_of
from affordance.studio.entries import ScreenId
from affordance.studio.originals import NoPicture
from affordance.studio.reels import REEL
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter(prefix="/api")

Digest = Annotated[str, Path(pattern=r"^[0-9a-f]{8,64}$")]


@router.get("/clips")
def clips(
    request: Request, visitor: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]
) -> Response:
    """`mine` are those that were assigned to who asks."""
    last, rows = studio.clips.rows()
    return answer(request, {"last": last, "clips": rows, "mine": studio.assignments.of(visitor.key)})


@router.get("/clip")
def clip(
    request: Request,
    screen: ScreenId,
    _: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
) -> Response:
    """404 where there is none; 410 where its video is not there any more, or another one."""
    try:
        return answer(request, studio.clips.view(screen))
    except NoClip as error:
        raise HTTPException(404, str(error)) from None
    except NoPicture as error:
        raise HTTPException(error.status, str(error)) from None


@router.get("/clip/film/{digest}", response_model=None)
async def film(
    digest: Digest,
    request: Request,
    _: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
) -> Response:
    """All frames of a video, by its content, as a reel."""
    return await _reel(request, studio, digest, studio.clips.film)


@router.get("/clip/strip/{digest}", response_model=None)
async def strip(
    digest: Digest,
    request: Request,
    _: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
) -> Response:
    """Some small frames of a video, by its content, as a reel."""
    return await _reel(request, studio, digest, studio.clips.strip)


async def _reel(request: Request, studio: Studio, digest: str, make: Callable[[str], bytes]) -> Response:
    headers = {"Cache-Control": FOR_EVER, "ETag": f'"{digest}"'}
    if f'"{digest}"' in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    try:
        data = await asyncio.get_running_loop().run_in_executor(studio.clips.workers, make, digest)
    except NoPicture as error:
        raise HTTPException(error.status, str(error)) from None
    return Response(data, media_type=REEL, headers=headers)
