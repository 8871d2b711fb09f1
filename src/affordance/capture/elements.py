"""What a page's elements and regions are: gathered by our script, named by the browser's accessibility tree, and kept
only where pointing at them really hits them."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from affordance.capture.browser import StepFailed
from affordance.capture.world import Frame, World
from affordance.core.digest import digest_text
from affordance.core.geometry import Box, CoordinateSpace

LEAST_SHARE = 0.3  # of the points tried in an element's box, those that must hit it
SMALLEST_SIDE = 6  # CSS pixels
MOST_ELEMENTS = 2000
ID_LENGTH = 10
ALMOST_EQUAL = 0.95  # overlap above which a region says nothing that its parent does not

# Roles that the accessibility tree has for what is no control in itself.
_PLAIN = {"generic", "none", "StaticText", "InlineTextBox", "paragraph", "LabelText", "image"}
# Why something is left out.
HIDDEN, OUTSIDE, TOO_SMALL = "is hidden", "is outside the window", "is too small"
COVERED = "is covered, or filled by other controls"
_LEFT_OUT = {"hidden": HIDDEN, "outside": OUTSIDE}
_STATES = ("checked", "pressed", "expanded", "selected", "disabled", "required", "invalid", "readonly", "modal")


@dataclass(frozen=True, slots=True)
class Found:
    """An element of the page that can be operated."""

    id: str
    locator: str  # frame and path: finds it again in another load of the page
    box: Box  # in pixels of the picture
    point: tuple[float, float]  # hits it; in CSS pixels of the window, where the mouse moves
    role: str
    name: str
    description: str
    states: dict[str, str]
    raw: dict[str, Any]
    index: int  # in the last search of its frame

    @property
    def disabled(self) -> bool:
        return bool(self.raw["disabled"])


@dataclass(frozen=True, slots=True)
class FoundRegion:
    id: str
    box: Box
    type: str
    name: str
    parent: str | None


async def find_elements(world: World, scale: float, *, named: bool = True) -> tuple[list[Found], Counter[str]]:
    """The elements that are kept, and why others are not. `scale` is picture pixels per CSS pixel. The accessibility
    tree takes most of the time: who needs no names, descriptions and states can do without."""
    kept: list[Found] = []
    left: Counter[str] = Counter()
    ids: set[str] = set()
    for frame in world.frames:
        answer = await world.call(frame, "elements")
        left.update({_LEFT_OUT[why]: number for why, number in answer["left"].items() if number})
        for index, raw in enumerate(answer["found"]):
            if len(kept) >= MOST_ELEMENTS:
                left[f"comes after the first {MOST_ELEMENTS}"] += 1
                continue
            found = await _keep(world, frame, index, raw, scale, named)
            if isinstance(found, Found) and found.id in ids:
                left["has the place of another element"] += 1
            elif isinstance(found, Found):
                ids.add(found.id)
                kept.append(found)
            else:
                left[found] += 1
    return kept, left


async def _keep(world: World, frame: Frame, index: int, raw: dict[str, Any], scale: float, named: bool) -> Found | str:
    x1, y1, x2, y2 = frame.box(raw["box"])
    if min(x2 - x1, y2 - y1) < SMALLEST_SIDE:
        return TOO_SMALL
    points = [frame.to_window(x, y) for x, y in raw["points"]]
    shown = await world.frame_shows(frame, points)
    own = [point for point, there in zip(points, shown, strict=True) if there]
    if not own or len(own) < LEAST_SHARE * raw["tried"]:
        return COVERED
    middle = ((x1 + x2) / 2, (y1 + y2) / 2)
    point = min(own, key=lambda p: (round((p[0] - middle[0]) ** 2 + (p[1] - middle[1]) ** 2, 3), p))
    role, name, description, states = (
        await _accessible(world, frame, index, raw) if named else (raw["role"], "", "", {})
    )
    return Found(
        _id("e", frame, raw), _locator(frame, raw), pixels((x1, y1, x2, y2), scale), point,
        role, name, description, states, raw, index,
    )  # fmt: skip


async def _accessible(
    world: World, frame: Frame, index: int, raw: dict[str, Any]
) -> tuple[str, str, str, dict[str, str]]:
    """Role, name, description and states as the browser tells them to a screen reader."""
    states = {name: str(value) for name, value in raw["states"].items()}
    try:
        handle = await world.handle(frame, f"affordance.element({index})")
        answer = await world.send("Accessibility.getPartialAXTree", objectId=handle, fetchRelatives=False)
    except StepFailed:
        return raw["role"], "", "", states  # it has gone in the meantime
    node = answer["nodes"][0] if answer["nodes"] else {}
    told = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
    states |= {name: str(told[name]).lower() for name in _STATES if told.get(name) not in (None, False, "false", "")}
    role = str(node.get("role", {}).get("value", ""))
    if role in _PLAIN or not role:
        role = "scrollable" if raw["scrolls"] else "clickable"
    return role, _value(node, "name"), _value(node, "description"), states


def _value(node: dict[str, Any], field: str) -> str:
    return " ".join(str(node.get(field, {}).get("value") or "").split())[:300]


async def find_regions(world: World, scale: float, width: int, height: int) -> list[FoundRegion]:
    """The tree of functional regions, parents before children. A region that covers nearly what its parent does is
    left out unless it has a name of its own. Width and height are those of the picture."""
    found: list[FoundRegion] = []
    ids: set[str] = set()
    for frame in world.frames:
        known: dict[str, FoundRegion] = {}
        outer = _innermost(found, frame, scale) if frame.parent is not None else None
        for raw in await world.call(frame, "regions"):
            box = pixels(frame.box(raw["box"]), scale).clip(width, height)
            if box is None:
                continue
            parent = next((known[path] for path in raw["ancestors"] if path in known), outer)
            region = FoundRegion(
                _id("r", frame, raw),
                box,
                raw["role"],
                raw["name"],
                parent.id if parent is not None else None,
            )
            if parent is not None and box.iou(parent.box) > ALMOST_EQUAL and not region.name:
                known[raw["path"]] = parent
                continue
            known[raw["path"]] = region
            if region.id not in ids:
                ids.add(region.id)
                found.append(region)
    return found


def _innermost(regions: list[FoundRegion], frame: Frame, scale: float) -> FoundRegion | None:
    """The smallest region that a frame begins in."""
    around = [region for region in regions if region.box.contains(frame.x * scale, frame.y * scale)]
    return min(around, key=lambda region: region.box.area, default=None)


def pixels(box: tuple[float, float, float, float], scale: float) -> Box:
    """CSS pixels of the window as whole pixels of the picture."""
    return Box(CoordinateSpace.PIXEL, *(round(value * scale) for value in box))


def _id(kind: str, frame: Frame, raw: dict[str, Any]) -> str:
    return f"{kind}-{digest_text(_locator(frame, raw))[:ID_LENGTH]}"


def _locator(frame: Frame, raw: dict[str, Any]) -> str:
    return f"{frame.number}:{raw['path']}"
