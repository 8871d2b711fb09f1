"""A tree of regions without a model: what the browser knew of a captured screen, or what its pixels look like."""

import asyncio
from collections.abc import Mapping

from affordance.author.records import Division, Texts
from affordance.author.regions.checks import reading_order
from affordance.author.regions.segmenting import Segment, segment
from affordance.author.regions.tree import Node, root_of
from affordance.author.screens.pixels import pixels_of
from affordance.author.state import ScreenState
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import Screen
from affordance.datasets.screens import Region as Captured

DOM, LAYOUT = "dom", "layout"  # who says so


def from_dom(screen: ScreenState, captured: Screen) -> tuple[Node, list[str]]:
    """The tree that the browser saw, and a line for each region that is left out: one that is off the screen or has no
    area. What was inside of it goes to its parent."""
    root, notes = root_of(screen), list[str]()
    nodes: dict[str, Node] = {}
    parents = {region.id: region.parent for region in captured.regions}
    for region in captured.regions:
        box = _whole_pixels(region.box.to_space(CoordinateSpace.PIXEL, captured.width, captured.height), screen)
        if box is None:
            notes.append(f"region {region.id} of the page was left out: nothing of it is on the screen")
        else:
            nodes[region.id] = _node(region, box)
    for name, node in nodes.items():
        _parent(name, parents, nodes, root).children.append(node)
    _finish(root, DOM)
    return root, notes


async def from_layout(screen: ScreenState) -> tuple[Node, list[str]]:
    """The tree that the pixels look like."""
    segments = await asyncio.to_thread(_segments, screen)
    root, nodes = root_of(screen), list[Node]()
    for one in segments:
        box = _whole_pixels(one.box, screen)
        parent = root if one.parent is None else nodes[one.parent]
        if box is None:  # rounded away; what is inside of it is so too
            nodes.append(parent)
            continue
        text = Texts(with_context=one.kind or None)
        node = Node(box, one.kind, one.dividable, description=text)
        nodes.append(node)
        parent.children.append(node)
    _finish(root, LAYOUT)
    return root, []


def _segments(screen: ScreenState) -> list[Segment]:
    return segment(pixels_of(screen))


def _node(region: Captured, box: Box) -> Node:
    kind = region.type or ""
    said = region.description or ""
    told = f"{kind}: {said}" if kind and said else said or kind
    return Node(
        box, kind, description=Texts(with_context=told or None), functionality=Texts(with_context=region.functionality)
    )


def _parent(name: str, parents: Mapping[str, str | None], nodes: Mapping[str, Node], root: Node) -> Node:
    above = parents[name]
    while above is not None and above not in nodes:
        above = parents[above]
    return root if above is None else nodes[above]


def _finish(node: Node, by: str) -> None:
    """Children in reading order, and how they came about."""
    node.children = [node.children[index] for index in reading_order([child.box for child in node.children])]
    if node.children:
        node.dividable = True
        node.division = Division(by=by)
    for child in node.children:
        _finish(child, by)


def _whole_pixels(box: Box, screen: ScreenState) -> Box | None:
    rounded = Box(CoordinateSpace.PIXEL, *map(round, box.xyxy))
    return rounded.clip(*screen.size)
