"""A tree of regions while it grows, and the documents it becomes. Nodes get their ids when all of them are there, level
by level, so that no id depends on what was answered first."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from affordance.author.records import Division, Kind, Region, Scores, Texts
from affordance.author.state import Change, ScreenState
from affordance.core.geometry import Box, CoordinateSpace

WHOLE = "Entire GUI"  # the type of the root


@dataclass(slots=True)
class Node:
    box: Box  # pixels of the screen
    type: str = ""
    dividable: bool = False
    description: Texts = field(default_factory=Texts)
    functionality: Texts = field(default_factory=Texts)
    scores: Scores | None = None
    division: Division | None = None  # None where nobody tried
    children: "list[Node]" = field(default_factory=list)  # in reading order


def root_of(screen: ScreenState) -> Node:
    return Node(Box(CoordinateSpace.PIXEL, 0, 0, *screen.size), WHOLE, dividable=True)


def changes_of(screen: ScreenState, root: Node) -> list[Change]:
    """Regions, parents before children, and how each division came about."""
    changes: list[Change] = []
    for name, parent, node in _numbered(root):
        region = Region(
            box=node.box,
            parent=parent,
            type=node.type,
            dividable=node.dividable,
            description=node.description,
            functionality=node.functionality,
            scores=node.scores,
        )
        changes.append(Change(Kind.REGION, f"{screen.id}/{name}", region))
        if node.division is not None:
            changes.append(Change(Kind.DIVISION, f"{screen.id}/{name}", node.division))
    return changes


def _numbered(root: Node) -> Iterator[tuple[str, str | None, Node]]:
    """Ids, parents' ids and nodes, level by level."""
    level: list[tuple[str | None, Node]] = [(None, root)]
    depth = 0
    while level:
        below: list[tuple[str | None, Node]] = []
        for number, (parent, node) in enumerate(level):
            name = f"{depth}-{number}"
            yield name, parent, node
            below += [(name, child) for child in node.children]
        level, depth = below, depth + 1
