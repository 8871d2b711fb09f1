"""Where the edge of a box snaps to: lines and corners of what is drawn."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query

from affordance.media import find_edges
from affordance.studio.context import Studio, studio_of
from affordance.studio.entries import ScreenId
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter(prefix="/api")

LEAST_RADIUS, MOST_RADIUS = 4, 64  # pixels of the screen

Place = Annotated[float, Query(ge=0, le=1 << 20, allow_inf_nan=False)]


@router.get("/snap")
def snap(
    visitor: Annotated[Visitor, needs(Right.SEE)],
    studio: Annotated[Studio, Depends(studio_of)],
    screen: ScreenId,
    x: Place,
    y: Place,
    radius: Annotated[int, Query(ge=LEAST_RADIUS, le=MOST_RADIUS)] = 16,
) -> dict[str, Any]:
    """What is nearest to a point of a screen, in its pixels. Lies between pixels, as the edges of boxes do."""
    shot = studio.pictures.shots.of_screen(screen)
    if x > shot.width or y > shot.height:
        found = f"found {x:g}, {y:g}"
        raise HTTPException(422, f"expected a point of the screen, which is {shot.width}x{shot.height}, {found}")
    edges = find_edges(studio.pictures.pixels(shot), x, y, radius)
    lines = [
        {"axis": "x" if one.vertical else "y", "at": one.position, "from": one.start, "to": one.end}
        for one in edges.lines
    ]
    return {"x": edges.x, "y": edges.y, "corner": edges.corner, "lines": lines}
