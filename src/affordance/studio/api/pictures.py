"""Screenshots and thumbnails, by the digest of their content. No path is ever taken from who asks."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import FileResponse

from affordance.studio.context import Studio, studio_of
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs
from affordance.studio.shots import TYPES

router = APIRouter()

Digest = Annotated[str, Path(pattern=r"^[0-9a-f]{8,64}$")]
FOR_EVER = "private, max-age=31536000, immutable"  # the address of other content is another one


@router.api_route("/pictures/{digest}", methods=["GET", "HEAD"], response_model=None)
def picture(
    digest: Digest,
    request: Request,
    visitor: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
) -> Response:
    """As it was added; as PNG where browsers cannot show that. Who asks for it has opened the screen."""
    shot = studio.pictures.shots.of_content(digest)
    path = studio.pictures.shots.file(shot)
    studio.pictures.warm(shot)
    if _is_known(request, digest):
        return Response(status_code=304, headers=_kept(digest))
    if (kind := TYPES.get(path.suffix.lower())) is not None:
        return FileResponse(path, media_type=kind, headers=_kept(digest))
    return Response(studio.pictures.shown(shot), media_type="image/png", headers=_kept(digest))


@router.api_route("/thumbnails/{digest}", methods=["GET", "HEAD"], response_model=None)
async def thumbnail(
    digest: Digest,
    request: Request,
    visitor: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
) -> Response:
    """Not in the threads that all handlers share: there may be thousands of these to be made."""
    pictures = studio.pictures

    def made() -> bytes:
        return pictures.thumbnail(pictures.shots.of_content(digest))

    if _is_known(request, digest):
        return Response(status_code=304, headers=_kept(digest))
    data = await asyncio.get_running_loop().run_in_executor(pictures.workers, made)
    return Response(data, media_type="image/webp", headers=_kept(digest))


def _kept(digest: str) -> dict[str, str]:
    return {"Cache-Control": FOR_EVER, "ETag": f'"{digest}"'}


def _is_known(request: Request, digest: str) -> bool:
    return f'"{digest}"' in request.headers.get("if-none-match", "")
