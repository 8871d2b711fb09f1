"""`author classify`: which type of the taxonomy each region is."""

from collections.abc import Mapping
from functools import partial

from affordance.author.hearing import hear, plays
from affordance.author.records import Kind, RegionType
from affordance.author.regions.type_answers import OTHER, TypeAnswer, listed, read_type
from affordance.author.regions.type_rules import RULES, ruled
from affordance.author.state import Change, ScreenState
from affordance.author.tools import NotThere, Result, Tools
from affordance.core.geometry import Box
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec
from affordance.core.prompts import fill
from affordance.evaluation.ad_hoc import MODEL, AdHocQuestion

TASK = "author/classify"
LONGEST_SIDE = 1600
SMALLEST = 10  # pixels a side: less than that shows nothing to go by
TEMPERATURES = (0.0, 0.4, 0.4)


async def classify(tools: Tools, screen: ScreenState) -> Result:
    """Types of the regions that have none, or one of another box; of all where it is done again, or with the setting
    `all=yes`. What no answer can be had of takes its type from the nearest region above it that has one, else from the
    nearest below."""
    if not screen.regions:
        raise NotThere("expected regions to classify, found none; divide the screen first: affordance author divide")
    nodes = [node for node in screen.usable() if _due(tools, screen, node)]
    if not plays(tools):
        return Result([_change(screen, node, ruled(screen, node)) for node in nodes])
    own, notes = await _asked(tools, screen, nodes)
    sources = {node: found for node, found in screen.types.items() if found.inherited is None and node not in nodes}
    sources |= own
    changes: list[Change] = []
    for node in nodes:
        found = own.get(node)
        if found is None:
            found = _inherited(screen, node, sources)
            notes[node] += f"; taken from {found.inherited}" if found.inherited else "; nothing near it has a type"
        changes.append(_change(screen, node, found))
    return Result(changes, [f"{node}: {notes[node]}" for node in nodes if node in notes])


def _due(tools: Tools, screen: ScreenState, node: str) -> bool:
    """Whether a region is to be classified. What a person or an earlier model said of its box stands; what was only
    made up for does not, once there is a model to ask."""
    typed = screen.types.get(node)
    if typed is None or tools.again or tools.settings.get("all") == "yes":
        return True
    if typed.box is not None and typed.box != screen.regions[node].box:
        return True
    return plays(tools) and (typed.inherited is not None or typed.by in RULES)


async def _asked(tools: Tools, screen: ScreenState, nodes: list[str]) -> tuple[dict[str, RegionType], dict[str, str]]:
    """The types that the model gives, and what there is to tell of nodes that got none or whose answer was put
    right."""
    boxes = {node: box for node in nodes if (box := _visible(screen, node)) is not None}
    notes = {node: f"less than {SMALLEST} pixels of it can be seen" for node in nodes if node not in boxes}
    answers = await hear(tools, [_inquiry(tools, screen, node, box) for node, box in boxes.items()])
    own: dict[str, RegionType] = {}
    for node, said in zip(boxes, answers, strict=True):
        if (answer := said.value) is None:
            notes[node] = said.reason
            continue
        if answer.repairs:
            notes[node] = "; ".join(answer.repairs)
        own[node] = RegionType(
            type=answer.type,
            subtype=answer.subtype,
            confidence=answer.confidence,
            by=tools.asking.model_name(MODEL),
            box=screen.regions[node].box,
        )
    return own, notes


def _visible(screen: ScreenState, node: str) -> Box | None:
    box = screen.regions[node].box.clip(*screen.size)
    return box if box is not None and min(box.x2 - box.x1, box.y2 - box.y1) >= SMALLEST else None


def _inquiry(tools: Tools, screen: ScreenState, node: str, box: Box) -> AdHocQuestion[TypeAnswer]:
    leaf = not screen.children(node)
    parts = (
        fill(tools.prompts["type"], {"types": listed(leaf)}),
        ImageSpec(screen.shot.digest, crop=box, max_side=LONGEST_SIDE),
    )
    axes: dict[str, Json] = {"node": node, "box": box.to_json(), "leaf": leaf}
    return AdHocQuestion(TASK, screen.id, axes, parts, partial(read_type, leaf=leaf), TEMPERATURES)


def _inherited(screen: ScreenState, node: str, types: Mapping[str, RegionType]) -> RegionType:
    box = screen.regions[node].box
    below = screen.children(node)
    for near in screen.ancestors(node):
        if near in types:
            return types[near].model_copy(update={"inherited": near, "box": box})
    while below:
        if near := next((one for one in below if one in types), ""):
            return types[near].model_copy(update={"inherited": near, "box": box})
        below = [under for one in below for under in screen.children(one)]
    return RegionType(type=OTHER, box=box)


def _change(screen: ScreenState, node: str, found: RegionType) -> Change:
    return Change(Kind.TYPE, f"{screen.id}/{node}", found)
