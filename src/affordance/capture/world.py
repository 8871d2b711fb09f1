"""Asking a page from a world of our own: the scripts beside this module, in every frame, out of the page's reach."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from affordance.capture.browser import StepFailed, within

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page

STEP_SECONDS = 10.0
MOST_FRAMES = 50


def script(name: str) -> str:
    """One of the scripts that pages are asked with."""
    return files("affordance.capture").joinpath(f"scripts/{name}.js").read_text(encoding="utf-8")


PAGE = script("page")


@dataclass(frozen=True, slots=True)
class Frame:
    """One document of the page, with where it stands in the window."""

    id: str
    parent: "Frame | None"
    number: int  # in the order of the frame tree
    context: int
    x: float = 0.0  # where its content begins in the window
    y: float = 0.0
    scale: float = 1.0  # pixels of the window for one of its own
    clip: tuple[float, float, float, float] | None = None  # the part of the window in which it is seen, if not all

    def to_window(self, x: float, y: float) -> tuple[float, float]:
        return self.x + x * self.scale, self.y + y * self.scale

    def from_window(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.x) / self.scale, (y - self.y) / self.scale

    def unclipped(self, box: Sequence[float]) -> tuple[float, float, float, float]:
        """A box of this frame in the window, whether or not it is seen."""
        return *self.to_window(*box[:2]), *self.to_window(*box[2:])

    def box(self, box: Sequence[float]) -> tuple[float, float, float, float]:
        """A box of this frame as it is seen in the window; without area where it is not seen."""
        x1, y1, x2, y2 = self.unclipped(box)
        if self.clip is not None:
            x1, y1, x2, y2 = max(x1, self.clip[0]), max(y1, self.clip[1]), min(x2, self.clip[2]), min(y2, self.clip[3])
        return x1, y1, max(x1, x2), max(y1, y2)


class World:
    """The frames of a page as they are now. After a navigation, `refresh`."""

    def __init__(self, session: "CDPSession", scripts: Sequence[str]) -> None:
        self._session = session
        self._scripts = scripts
        self.frames: list[Frame] = []
        self._met = 0
        self.opened: list[str] = []  # addresses for which the page has asked for a new window
        self.stale = False  # whether frames have come or gone since the last look
        session.on("Page.windowOpen", lambda event: self.opened.append(str(event["url"])))
        for event in ("Page.frameAttached", "Page.frameNavigated", "Page.frameDetached", "Page.documentOpened"):
            session.on(event, self._frames_changed)

    @classmethod
    async def of(cls, page: "Page") -> "World":
        """The world of a page that has loaded."""
        world = await cls.around(page)
        await world.refresh()
        return world

    @classmethod
    async def around(cls, page: "Page", *more: str) -> "World":
        """A world without frames yet, for a page that has not loaded, with more scripts where `PAGE` is not enough."""
        session = await within(STEP_SECONDS, page.context.new_cdp_session(page), "connecting to the page")
        world = cls(session, (PAGE, *more))
        await world.send("DOM.enable")
        await world.send("Page.enable")
        return world

    async def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        result = await within(STEP_SECONDS, self._session.send(method, parameters), "asking the page")
        return dict(well_formed(result))

    def _frames_changed(self, _: Any) -> None:
        self.stale = True

    @property
    def has_children(self) -> bool:
        """Whether there are frames in the page, shown or not."""
        return self._met > 1

    async def refresh(self) -> None:
        self.stale = False
        tree = (await self.send("Page.getFrameTree"))["frameTree"]
        self.frames = []
        self._met = 0
        await self._enter(tree, None)

    async def _enter(self, tree: dict[str, Any], parent: Frame | None) -> None:
        if self._met >= MOST_FRAMES:
            return
        number, self._met = self._met, self._met + 1  # counted whether or not it can be placed
        frame_id = tree["frame"]["id"]
        made = await self.send("Page.createIsolatedWorld", frameId=frame_id, worldName="affordance")
        frame = Frame(frame_id, parent, number, made["executionContextId"])
        for one in self._scripts:
            await self._evaluate(frame, one, by_value=False)
        if parent is not None:
            frame = await self._placed(frame, parent)
        self.frames.append(frame)
        for child in tree.get("childFrames", []):
            try:
                await self._enter(child, frame)
            except StepFailed:
                continue  # a frame that goes while the page is asked, or that is not shown

    async def place(self) -> None:
        """See where frames are now; those that are not shown any more go."""
        placed: dict[str, Frame] = {}
        for frame in self.frames:
            parent = placed.get(frame.parent.id) if frame.parent is not None else None
            if frame.parent is not None and parent is None:
                continue
            try:
                placed[frame.id] = (
                    frame if parent is None else await self._placed(replace(frame, parent=parent), parent)
                )
            except StepFailed:
                continue
        self.frames = list(placed.values())

    async def _placed(self, frame: Frame, parent: Frame) -> Frame:
        """The frame with where it stands in the window, how much it is magnified, and what of it is seen."""
        owner = await self._owner(frame)
        quad = (await self.send("DOM.getBoxModel", backendNodeId=owner))["model"]["content"]
        width = await self._evaluate(frame, "innerWidth", by_value=True)
        seen = await self._of_owner(owner, parent, "function () { return affordance.seen(this); }")
        clip = parent.box(seen) if seen is not None else (0.0, 0.0, 0.0, 0.0)
        scale = (quad[2] - quad[0]) / width if width else 0.0
        return replace(frame, parent=parent, x=quad[0], y=quad[1], scale=scale or 1.0, clip=clip)

    async def _owner(self, frame: Frame) -> int:
        """The element that holds a frame, as the browser numbers it."""
        return int((await self.send("DOM.getFrameOwner", frameId=frame.id))["backendNodeId"])

    async def _of_owner(self, owner: int, parent: Frame, function: str, *arguments: Any) -> Any:
        """Call a function with the element that holds a frame as `this`, in the world of the frame around it."""
        node = await self.send("DOM.resolveNode", backendNodeId=owner, executionContextId=parent.context)
        found = await self.send(
            "Runtime.callFunctionOn",
            functionDeclaration=function,
            objectId=node["object"]["objectId"],
            arguments=[{"value": argument} for argument in arguments],
            returnByValue=True,
        )
        _check(found)
        return found["result"].get("value")

    async def call(self, frame: Frame, function: str, *arguments: Any) -> Any:
        """A function of the script with plain arguments; its plain result."""
        text = ", ".join(json.dumps(argument) for argument in arguments)
        return await self._evaluate(frame, f"affordance.{function}({text})", by_value=True)

    async def handle(self, frame: Frame, expression: str) -> str:
        """The id of an object in a frame's world."""
        found = await self._evaluate(frame, expression, by_value=False)
        if found is None:
            raise StepFailed("asking the page failed: there is no such node")
        return str(found)

    def frame_of(self, locator: str) -> Frame:
        """The frame that the element of a locator is in."""
        number = int(locator.partition(":")[0])
        for frame in self.frames:
            if frame.number == number:
                return frame
        raise StepFailed("the frame of the element is not there")

    async def as_the_page_sees_it(self, frame: Frame, expression: str) -> str:
        """The id of a node in the page's own world, where its listeners are."""
        handle = await self.handle(frame, expression)
        node = await self.send("DOM.describeNode", objectId=handle)
        there = await self.send("DOM.resolveNode", backendNodeId=node["node"]["backendNodeId"])
        return str(there["object"]["objectId"])

    async def _evaluate(self, frame: Frame, expression: str, *, by_value: bool) -> Any:
        found = await self.send(
            "Runtime.evaluate",
            expression=expression,
            contextId=frame.context,
            returnByValue=by_value,
            awaitPromise=True,
            timeout=STEP_SECONDS * 1000,
        )
        _check(found)
        return found["result"].get("value") if by_value else found["result"].get("objectId")

    async def frame_shows(self, frame: Frame, points: Sequence[tuple[float, float]]) -> list[bool]:
        """For points of the window inside a child frame, whether the frames around it really show it there."""
        if frame.parent is None:
            return [True] * len(points)
        inside = [frame.parent.from_window(x, y) for x, y in points]
        function = "function (points) { return affordance.owns(this, points); }"
        here = await self._of_owner(await self._owner(frame), frame.parent, function, inside)
        above = await self.frame_shows(frame.parent, points)
        return [bool(one and other) for one, other in zip(here, above, strict=True)]


def _check(found: dict[str, Any]) -> None:
    """That what was asked could be answered."""
    if "exceptionDetails" in found:
        details = found["exceptionDetails"]
        raise StepFailed(f"asking the page failed: {details.get('exception', details).get('description', details)}")


def well_formed(found: Any) -> Any:
    """Without halves of surrogate pairs, which no file can hold: a text that was cut in a script may end in one."""
    if isinstance(found, str):
        return found if found.isascii() else found.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(found, dict):
        return {well_formed(key): well_formed(value) for key, value in found.items()}
    return [well_formed(value) for value in found] if isinstance(found, list) else found
