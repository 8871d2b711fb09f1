"""What is wrong with the boxes of a screen, in words, by the region whose children they are."""

from collections.abc import Collection, Mapping

from affordance.author.regions.checks import problems
from affordance.core.geometry import Box
from affordance.studio.marks import RegionMark

MOST_LINES = 50  # of one region


def warnings_of(regions: Mapping[str, RegionMark], only: Collection[str | None] | None = None) -> dict[str, list[str]]:
    """Of all regions that have children, or of these; those with nothing wrong are left out."""
    children: dict[str, dict[str, Box]] = {}
    for name, mark in regions.items():
        if mark.parent is not None and (only is None or mark.parent in only):
            children.setdefault(mark.parent, {})[name] = mark.box
    found = {parent: problems(regions[parent].box, inside, MOST_LINES) for parent, inside in children.items()}
    return {parent: lines for parent, lines in found.items() if lines}
