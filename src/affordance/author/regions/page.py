"""What a captured page has where a region is."""

from collections.abc import Iterable

from affordance.author.records import Region
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import Screen

SAME_BOX = 0.9  # IoU from which on a region is the page's

OnPage = tuple[Box, str, str]  # in pixels, with role and name; either may be empty


def page_regions(page: Screen) -> list[OnPage]:
    return [(_pixels(page, one.box), one.type or "", one.description or "") for one in page.regions]


def page_elements(page: Screen) -> list[OnPage]:
    return [(_pixels(page, one.box), one.role or "", one.name or "") for one in page.elements]


def nearest(region: Region, found: Iterable[OnPage]) -> tuple[str, str] | None:
    """Role and name of what is in the place of a region: of several, what the region was made of; else the nearest."""
    near = [
        (role == region.type, iou, role, name)
        for there, role, name in found
        if (iou := region.box.iou(there)) >= SAME_BOX
    ]
    if not near:
        return None
    _, _, role, name = max(near, key=lambda one: one[:2])
    return role, name


def _pixels(page: Screen, box: Box) -> Box:
    return box.to_space(CoordinateSpace.PIXEL, page.width, page.height)
