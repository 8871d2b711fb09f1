"""The tree of a published cache: who is below whom. Records name their children; some name what is not there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from affordance.author.exchange.files import number, pixels
from affordance.author.numbers import four_numbers
from affordance.author.records import ROOT, Region
from affordance.author.regions.tree import WHOLE

NODE = r"\d{1,6}-\d{1,6}"


@dataclass(slots=True)
class Tree:
    """`parents` has the parents before their children; what is not in it is in `left_out`, with the reason."""

    parents: dict[str, str | None] = field(default_factory=dict)
    regions: dict[str, Region] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def parents_of(records: Mapping[str, Mapping[str, Any]], regions: Mapping[str, Region], size: tuple[int, int]) -> Tree:
    """The tree of the regions that could be read. Where there is no root it is the screen."""
    tree = Tree(regions=dict(regions))
    if ROOT not in regions:
        tree.regions[ROOT] = Region(box=pixels(0, 0, *size), type=WHOLE, dividable=True)
        tree.notes.append(f"the node {ROOT} is missing, and is taken to be the whole screen")
    above = _above(records, tree)
    for node in sorted(regions, key=_order):
        if node != ROOT and node not in above and (found := _by_place(node, records[node], tree.regions)) is not None:
            above[node] = found
            tree.notes.append(f"node {node}: no node has it as a child; by its place it is one of {found}")
    below: dict[str, list[str]] = {}
    for node, parent in above.items():
        below.setdefault(parent, []).append(node)
    tree.parents[ROOT] = None
    waiting = [ROOT]
    while waiting:
        parent = waiting.pop(0)
        for node in sorted(below.get(parent, ()), key=_order):
            tree.parents[node] = parent
            waiting.append(node)
    for node in regions:
        if node not in tree.parents:
            tree.left_out[node] = _reason(node, above, tree)
    return tree


def _above(records: Mapping[str, Mapping[str, Any]], tree: Tree) -> dict[str, str]:
    above: dict[str, str] = {}
    for parent in sorted(tree.regions, key=_order):
        children = records.get(parent, {}).get("children")
        for child in children if isinstance(children, list) else ():
            if not isinstance(child, str) or child not in tree.regions or child == ROOT:
                tree.notes.append(f"node {parent}: its child {str(child)[:40]!r} is not there")
            elif child in above and above[child] != parent:
                tree.notes.append(f"node {child} is a child of {above[child]} and of {parent}: taken as the first's")
            else:
                above.setdefault(child, parent)
    return above


def _by_place(node: str, record: Mapping[str, Any], regions: Mapping[str, Region]) -> str | None:
    """The one node a level up that it lies in, where its box within its parent says so; None unless it is certain."""
    level = _order(node)[0]
    inner, outer = four_numbers(record.get("bbox_parent")), regions[node].box
    if level == 1:
        return ROOT
    if inner is None:
        return None
    corner = (number(outer.x1 - inner[0]), number(outer.y1 - inner[1]))
    found = [
        name
        for name, region in regions.items()
        if _order(name)[0] == level - 1
        and (region.box.x1, region.box.y1) == corner
        and outer.intersection_area(region.box) == outer.area
    ]
    return found[0] if len(found) == 1 else None


def _reason(node: str, above: Mapping[str, str], tree: Tree) -> str:
    if node not in above:
        return "no node has it as a child, and its place does not tell its parent"
    seen, at = {node}, above[node]
    while at in above and at not in seen:
        seen.add(at)
        at = above[at]
    if at in seen:
        return "its parents go round in a circle"
    return f"its ancestor {at} was left out"


def _order(node: str) -> tuple[int, int, str]:
    level, _, place = node.partition("-")
    return (int(level), int(place), node) if level.isdecimal() and place.isdecimal() else (1 << 30, 0, node)
