"""Pictures and films of a sheet as they are sent, to those who take part and to whoever is in charge."""

from typing import Annotated

from fastapi import HTTPException, Query, Response

from affordance.core.errors import MediaError
from affordance.studio.context import Studio
from affordance.studio.reels import REEL, pack_reel
from affordance.studio.studies.sheets import Film, Sheet

Block = Annotated[int, Query(ge=0, lt=1000)]  # the place of a block in its sheet

_KEPT = {"Cache-Control": "private, max-age=3600"}  # they stay the same while somebody works on a sheet


def show(studio: Studio, sheet: Sheet, block: int, *, film: bool, todo: str) -> Response:
    """A block of a sheet: a film as a reel, a still as the picture that it is. `todo` is what somebody can do where its
    file cannot be read."""
    try:
        shown, files = studio.studies.pictures(sheet, block)
    except MediaError:
        raise HTTPException(410, f"this picture cannot be read any more; {todo}") from None
    if isinstance(shown, Film) is not film:
        raise HTTPException(404, "expected a film, found a picture" if film else "expected a picture, found a film")
    if isinstance(shown, Film):
        reel = pack_reel(files, shown.rate, shown.frames[0].encoding.format)
        return Response(reel, media_type=REEL, headers=_KEPT)
    return Response(files[0], media_type=f"image/{shown.picture.encoding.format}", headers=_KEPT)
