"""The frames of a clip."""

import asyncio
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from affordance.studio.api.pictures import FOR_EVER
from affordance.studio.context import Studio, studio_of
from affordance.studio.reels import REEL
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter(prefix="/api")

Digest = Annotated[str, Path(pattern=r"^[0-9a-f]{8,64}$")]


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
    data = await asyncio.get_running_loop().run_in_executor(studio.clips.workers, make, digest)
    return Response(data, media_type=REEL, headers=headers)
