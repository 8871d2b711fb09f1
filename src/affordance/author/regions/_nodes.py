"""The tree while it grows, and how it is made small enough to be used."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from affordance.core.geometry import Box, CoordinateSpace, Point

LEAST_SIDE: Final = 30  # pixels of a screen at 100%: what is narrower or lower is no region
DEPTH: Final = 4  # below the screen
SAME: Final = 0.9  # overlap from which on two boxes are one
_MOST: Final = 200
_PIECES: Final = 2  # a region that nothing but empty space sets apart holds so many things, at least
_REMAINDER: Final = 0.5  # of the parent: what a side bar or a bar at the top leaves
_MAIN: Final = 0.4  # of the remainder


class Cut(IntEnum):
    """What sets a part apart; of two the higher one is the surer."""

    GAP = 0  # empty space
    ROW = 1  # it is one of several alike
    LINE = 2  # lines or borders on two sides
    LIST = 3  # its parts are alike, and others are not
    FRAME = 4  # an outline, or a surface of its own


@dataclass(slots=True, eq=False)
class Node:
    box: Box
    cut: Cut
    kind: str = "block"
    children: "list[Node]" = field(default_factory=list)
    lined: bool = False  # divided at lines


def large_enough(box: Box) -> bool:
    return min(box.x2 - box.x1, box.y2 - box.y1) >= LEAST_SIDE


def tidy(root: Node, pieces: Sequence[Point]) -> None:
    """Leaves what may be a region: apart from its siblings, inside its parent, no deeper than `DEPTH`. `pieces` are the
    centres of all controls and texts."""
    _thin(root, pieces)
    _level(root)
    _flatten(root)
    _keep_apart(root)
    _limit(root)


def _thin(node: Node, pieces: Sequence[Point]) -> None:
    """Without parts that are too small or hold too little, and without levels that say the same twice."""
    kept: list[Node] = []
    for child in node.children:
        inside = [piece for piece in pieces if child.box.contains(piece.x, piece.y)]
        _thin(child, inside)
        bare = child.cut is Cut.GAP and not child.children and len(inside) < _PIECES
        if large_enough(child.box) and not bare:
            kept.append(child)
    node.children = kept
    while len(node.children) == 1 and node.children[0].box.iou(node.box) > SAME:
        only = node.children[0]
        node.kind = only.kind if node.kind == "block" else node.kind
        node.children = only.children
    _merge_grid(node)


def _merge_grid(node: Node) -> None:
    """Rows that hold the same number of parts each are a grid: its cells are the parts, the rows say nothing."""
    counts = {len(row.children) for row in node.children}
    rows = len(node.children) > 1 and all(row.kind == "row" for row in node.children)
    if rows and len(counts) == 1 and min(counts) > 1:
        node.kind = "grid"
        node.children = [cell for row in node.children for cell in row.children]


def _level(root: Node) -> None:
    """What a bar leaves is no region if it is divided right on: its parts stand beside the bar."""
    kept: list[Node] = []
    for child in root.children:
        passing = child.cut is Cut.LINE and child.lined and child.kind == "block" and 2 <= len(child.children) <= 4
        if passing and len(root.children) <= 3 and child.box.area > _REMAINDER * root.box.area:
            passing = max(part.box.area for part in child.children) > _MAIN * child.box.area
        else:
            passing = False
        kept += child.children if passing else [child]
    root.children = kept


def _flatten(root: Node) -> None:
    """Where the tree is too deep, what is least sure goes: the leaves there, or a level above them."""
    while len(path := _deepest(root)) > DEPTH + 1:
        weakest = min(path[1:-1], key=lambda node: node.cut)
        if path[-1].cut <= weakest.cut:
            path[-2].children = [one for one in path[-2].children if one.children or one.cut > weakest.cut]
        else:
            above = path[path.index(weakest) - 1]
            place = above.children.index(weakest)
            above.children[place : place + 1] = weakest.children


def _deepest(node: Node) -> list[Node]:
    return [node, *max((_deepest(child) for child in node.children), key=len, default=[])]


def _keep_apart(node: Node) -> None:
    """Children inside their parent and beside each other: what juts out is cut off, and what is too small then goes."""
    kept: list[Node] = []
    for child in node.children:
        box: Box | None = _within(child.box, node.box)
        for other in kept:
            box = _beside(box, other.box) if box is not None and box.intersection_area(other.box) > 0 else box
        if box is not None and large_enough(box):
            child.box = box
            kept.append(child)
            _keep_apart(child)
    node.children = kept


def _within(box: Box, outer: Box) -> Box | None:
    x1, y1, x2, y2 = max(box.x1, outer.x1), max(box.y1, outer.y1), min(box.x2, outer.x2), min(box.y2, outer.y2)
    return Box(CoordinateSpace.PIXEL, x1, y1, x2, y2) if x1 < x2 and y1 < y2 else None


def _beside(box: Box, other: Box) -> Box | None:
    """The largest part of a box on one side of another; None where that covers it."""
    sides = [
        (box.x1, box.y1, min(box.x2, other.x1), box.y2),
        (max(box.x1, other.x2), box.y1, box.x2, box.y2),
        (box.x1, box.y1, box.x2, min(box.y2, other.y1)),
        (box.x1, max(box.y1, other.y2), box.x2, box.y2),
    ]
    parts = [Box(CoordinateSpace.PIXEL, x1, y1, x2, y2) for x1, y1, x2, y2 in sides if x1 < x2 and y1 < y2]
    return max(parts, key=lambda part: part.area, default=None)


def _limit(root: Node) -> None:
    """No more nodes than a person could look through: the upper levels are kept."""
    left, level = _MOST, [root]
    while level:
        following: list[Node] = []
        for node in level:
            node.children = node.children if len(node.children) <= left else []
            left -= len(node.children)
            following += node.children
        level = following
