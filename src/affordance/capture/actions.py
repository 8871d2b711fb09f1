"""Actions: which apply to an element, and carrying them out with real mouse and keyboard input."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from affordance.capture.browser import StepFailed, within
from affordance.capture.elements import Found
from affordance.capture.world import Frame, World
from affordance.core.errors import UnknownName
from affordance.datasets.taxonomies import Action, canonical_action

if TYPE_CHECKING:
    from playwright.async_api import Page

ACTION_SECONDS = 10.0
LONG_PRESS_MILLISECONDS = 800
HOVER_MILLISECONDS = 400
DRAG_STEPS = 10
SLIDE_SHARE = 0.3  # of a slider's length
PULL_PIXELS = 60.0  # where there is nothing of its kind to be dragged to
NEXT_OPTION = "ArrowDown"

TEXTS = {
    "email": "alex@example.org",
    "url": "https://example.org",
    "tel": "5550123",
    "number": "7",
    "date": "2026-03-14",
    "time": "09:30",
    "password": "correct horse",
}
DEFAULT_TEXT = "hello"

_PRESSED = {"pointerdown", "mousedown", "touchstart"}
_POINTED_AT = {"mouseenter", "mouseover", "pointerenter", "pointerover", "mousemove", "pointermove"}
_CLICKED = {"click", "mouseup", "pointerup", *_PRESSED}


CARRIED_OUT = (
    *(Action.CLICK, Action.DOUBLE_CLICK, Action.RIGHT_CLICK, Action.HOVER),
    *(Action.DRAG, Action.TYPE, Action.LONG_PRESS, Action.SCROLL),
)


@dataclass(frozen=True, slots=True)
class Move:
    """An action on an element, with all that it takes. Points are CSS pixels of the window."""

    action: Action
    element: Found
    to: tuple[float, float] | None = None  # where a drag ends
    typed: str | None = None


class Listeners:
    """What kinds of events elements listen to, by themselves or through what is around them. Asks each node once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._known: dict[str, frozenset[str]] = {}

    async def possibilities(self, found: Sequence[Found]) -> list[tuple[Found, list[Action]]]:
        """The elements that were just found, each with the actions that apply to it. Where only something around them
        or the whole page listens, nobody can tell which elements it means: then an action is tried on the first of
        each kind of element."""
        tried: set[tuple[Action, str, str, str]] = set()
        result = []
        for one in found:
            own = applicable(
                one, await self._ask(self._world.frame_of(one.locator), f"affordance.element({one.index})", one.locator)
            )
            for action in applicable(one, await self._around(one)):
                kind = (action, one.raw["tag"], one.raw["role"], one.raw["style"])
                if action not in own and kind not in tried:
                    own.append(action)
                tried.add(kind)
            result.append((one, own))
        return result

    async def _around(self, found: Found) -> frozenset[str]:
        frame = self._world.frame_of(found.locator)
        nodes = [f"affordance.find({json.dumps(path)})" for path in await self._world.call(frame, "chain", found.index)]
        nodes += ["document.body", "document.documentElement", "document"]
        return frozenset().union(*[await self._ask(frame, node, f"{frame.number}:{node}") for node in nodes])

    async def _ask(self, frame: Frame, node: str, key: str) -> frozenset[str]:
        if key not in self._known:
            try:
                handle = await self._world.as_the_page_sees_it(frame, node)
                answer = await self._world.send("DOMDebugger.getEventListeners", objectId=handle)
                self._known[key] = frozenset(listener["type"] for listener in answer["listeners"])
            except StepFailed:
                self._known[key] = frozenset()  # it has gone in the meantime
        return self._known[key]


def applicable(found: Found, listens: frozenset[str]) -> list[Action]:
    """The actions that can have an effect on an element, as far as page and browser tell."""
    raw = found.raw
    if found.disabled:
        return []
    actions = []
    if found.role != "scrollable" or listens & _CLICKED:
        actions.append(Action.CLICK)
    if "dblclick" in listens:
        actions.append(Action.DOUBLE_CLICK)
    if "contextmenu" in listens:
        actions.append(Action.RIGHT_CLICK)
    if raw["hint"] or raw["hover"] or listens & _POINTED_AT:
        actions.append(Action.HOVER)
    if raw["draggable"] or found.role in ("slider", "splitter", "separator") or listens & _PRESSED:
        actions.append(Action.DRAG)
    if raw["editable"] or raw["tag"] == "select":
        actions.append(Action.TYPE)
    if listens & _PRESSED:
        actions.append(Action.LONG_PRESS)
    if raw["scrolls"]:
        actions.append(Action.SCROLL)
    return actions


def move_for(action: Action, found: Found, others: Sequence[Found], size: tuple[float, float]) -> Move:
    """The move that stands for an action: always the same for the same page. `size` is that of the window."""
    if action is Action.TYPE:
        typed = NEXT_OPTION if found.raw["tag"] == "select" else TEXTS.get(found.raw["type"], DEFAULT_TEXT)
        return Move(action, found, typed=typed)
    if action is Action.DRAG:
        return Move(action, found, to=_end_of_drag(found, others, size))
    return Move(action, found)


def _end_of_drag(found: Found, others: Sequence[Found], size: tuple[float, float]) -> tuple[float, float]:
    x, y = found.point
    x1, y1, x2, y2 = found.raw["box"]
    if found.raw["role"] == "slider":
        if y2 - y1 > 2 * (x2 - x1):
            return x, _within(y - SLIDE_SHARE * (y2 - y1), size[1])
        return _within(x + SLIDE_SHARE * max(x2 - x1, 2 * PULL_PIXELS), size[0]), y
    kin = [other for other in others if other.raw["role"] == found.raw["role"] and _parent(other) == _parent(found)]
    later = [other for other in kin if other.locator != found.locator and other.point > found.point]
    if later or len(kin) > 1:
        near = later or [other for other in kin if other.locator != found.locator]
        goal = min(near, key=lambda other: (abs(other.point[0] - x) + abs(other.point[1] - y), other.locator)).point
        # Beyond the middle of the other one, so that a list takes it as a change of places.
        return _within(goal[0] + (goal[0] - x) * 0.2, size[0]), _within(goal[1] + (goal[1] - y) * 0.2, size[1])
    return _within(x + PULL_PIXELS, size[0]), _within(y + PULL_PIXELS, size[1])


def _parent(found: Found) -> tuple[str, str]:
    return found.locator.partition(":")[0], found.raw["parent"]


def _within(value: float, extent: float) -> float:
    return min(max(value, 2.0), extent - 2.0)


async def carry_out(page: "Page", world: World, move: Move) -> None:
    await within(ACTION_SECONDS, _input(page, world, move), f"the {move.action}")


async def _input(page: "Page", world: World, move: Move) -> None:
    x, y = move.element.point
    mouse = page.mouse
    match move.action:
        case Action.CLICK:
            await mouse.click(x, y)
        case Action.DOUBLE_CLICK:
            await mouse.dblclick(x, y)
        case Action.RIGHT_CLICK:
            await mouse.click(x, y, button="right")
        case Action.HOVER:
            await mouse.move(x, y, steps=2)
            await page.wait_for_timeout(HOVER_MILLISECONDS)
        case Action.DRAG:
            assert move.to is not None
            await mouse.move(x, y)
            await mouse.down()
            await mouse.move(*move.to, steps=DRAG_STEPS)
            await mouse.up()
        case Action.TYPE:
            await _type(page, world, move)
        case Action.LONG_PRESS:
            await mouse.move(x, y)
            await mouse.down()
            await page.wait_for_timeout(LONG_PRESS_MILLISECONDS)
            await mouse.up()
        case Action.SCROLL:
            x1, y1, x2, y2 = move.element.raw["box"]
            await mouse.move(x, y)
            if move.element.raw["scrolls"] == "x":
                await mouse.wheel(0.8 * (x2 - x1) * (-1 if move.element.raw["rtl"] else 1), 0)
            else:
                await mouse.wheel(0, 0.8 * (y2 - y1))
        case _:
            raise AssertionError(f"{move.action} was planned and cannot be carried out")


async def _type(page: "Page", world: World, move: Move) -> None:
    assert move.typed is not None
    frame = world.frame_of(move.element.locator)
    path = move.element.locator.partition(":")[2]
    if move.element.raw["tag"] == "select":
        # Focused without a click, which would open a list outside of the page.
        await world.call(frame, "focus", path)
        await page.keyboard.press(move.typed)
        return
    await page.mouse.click(*move.element.point)
    if move.element.raw["type"] in ("date", "time"):
        await world.call(frame, "fill", path, move.typed)  # what keys do there depends on the locale
        return
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.type(move.typed, delay=5)


def read_action(text: str) -> Action:
    """One that can be carried out, under any of its names: `double-click`, `double click`, `dblclick`."""
    name = canonical_action(text)
    if name not in CARRIED_OUT:
        raise UnknownName("action", name, CARRIED_OUT)
    return Action(name)
