"""Screens that people add by hand. Whatever they send, what is kept was encoded here."""

import asyncio
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query, Request

from affordance.author.screens.intake import Found, add, screen_name
from affordance.core.errors import MediaError
from affordance.media import reencode_untrusted
from affordance.studio.context import Studio, studio_of
from affordance.studio.security.guard import MOST_UPLOAD_BYTES
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter(prefix="/api")

MOST_BYTES = MOST_UPLOAD_BYTES
MOST_PIXELS = 64_000_000
TYPES = ("image/png", "image/jpeg", "image/webp")


@router.post("/uploads")
async def upload(
    request: Request,
    visitor: Annotated[Visitor, needs(Right.UPLOAD)],
    studio: Annotated[Studio, Depends(studio_of)],
    name: Annotated[str, Query(min_length=1, max_length=400)],
) -> dict[str, Any]:
    """The body is the file, for which `name` is a wish. Not in the threads that all handlers share: a large picture
    takes a while and much memory, so they are decoded one at a time."""
    declared = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if declared not in TYPES:
        raise HTTPException(415, f"expected one of {', '.join(TYPES)}, found {declared[:40] or 'no type'}")
    with tempfile.NamedTemporaryFile(prefix="affordance-upload-") as file:
        async for part in request.stream():  # as much as the guard lets through
            file.write(part)
        file.flush()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_one_at_a_time(), _taken, studio, visitor, Path(file.name), name)


@cache
def _one_at_a_time() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="uploads")


def _taken(studio: Studio, visitor: Visitor, path: Path, name: str) -> dict[str, Any]:
    shown = "".join(one for one in name.replace("\\", "/").rpartition("/")[2] if one.isprintable()) or "screen"
    try:
        still = reencode_untrusted(path, MOST_PIXELS)
    except MediaError as error:
        raise HTTPException(422, f"{shown[:80]}: {error}") from None
    taken = add(studio.project, [Found(screen_name(shown), still, shown)], author=visitor.author)
    return {
        "added": taken.added,
        "known": taken.known,
        "copies": taken.copies,
        "repaired": taken.repaired,
        "broken": taken.broken,
    }
