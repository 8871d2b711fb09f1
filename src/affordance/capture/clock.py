"""The clock of a page, held: its time goes on only when told, and everything that moves goes with it."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from affordance.capture.browser import PageBroken, StepFailed, within
from affordance.capture.looks import Look
from affordance.capture.screens import load
from affordance.capture.world import STEP_SECONDS, Frame, World, script

if TYPE_CHECKING:
    from playwright.async_api import Page

LEFT = "the page left for another one while it was filmed"
GONE = "navigated or closed"  # in Chromium's words, which may come before the event that says so


@dataclass(slots=True)
class Tick:
    """What a page tells when its time has gone on."""

    finite: int = 0  # animations that run and will end
    endless: int = 0  # animations that run for ever
    begun: list[tuple[Frame, dict[str, Any]]] = field(default_factory=list)
    moved: list[tuple[Frame, dict[str, Any]]] = field(default_factory=list)
    beyond: int = 0  # movers that are too many to be followed

    def add(self, frame: Frame, told: dict[str, Any], since: float) -> None:
        """What one frame of the page tells, whose own time began at a moment of the page's."""
        self.finite += told["running"]["finite"]
        self.endless += told["running"]["endless"]
        self.begun += [(frame, {**one, "start": one["start"] + since}) for one in told["begun"]]
        self.moved += [(frame, one) for one in told["moved"]]
        self.beyond += told["beyond"]


class HeldClock:
    """Opens a page with its clock at 0. Styles, web animations and SVG animations are set to where they are at a time,
    timers and frames of scripts are run up to it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._now = 0.0
        self._since: dict[str, float] = {}  # by frame of the page: when its own time began

    @classmethod
    async def opened(cls, page: "Page", url: str, look: Look) -> "HeldClock":
        world = await World.around(page, script("motion"))
        await within(STEP_SECONDS, page.emulate_media(reduced_motion="no-preference"), "letting things move")
        await within(STEP_SECONDS, page.add_init_script(script("clock")), "holding the clock")
        width, height = look.viewport
        scale = look.pixels_per_css_pixel  # which pictures of this session would not have of themselves
        await world.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )
        await world.send("Animation.enable")
        await world.send("Animation.setPlaybackRate", playbackRate=0)
        await load(page, url)
        clock = cls(world)
        await clock._meet()
        return clock

    async def to(self, milliseconds: float, *, quietly: bool = False) -> Tick:
        """Let the time go on to a moment, and wait until the page shows it. `quietly`, what moved is not asked."""
        if self.world.stale:
            try:
                await self._meet()
            except StepFailed as failed:
                if GONE not in str(failed):
                    raise
                raise PageBroken(LEFT) from failed
        told: dict[str, dict[str, Any]] = {}
        for frame in self.world.frames:
            try:
                time = milliseconds - self._since[frame.id]
                told[frame.id] = await self.world.call(frame, "motion.tick", time, quietly)
            except StepFailed as failed:
                if not self.world.stale and GONE not in str(failed):
                    raise
                if frame.parent is None:
                    raise PageBroken(LEFT) from failed
        self._now = milliseconds
        if len(told) > 1:
            await self.world.place()
        tick = Tick()
        for frame in self.world.frames:
            if frame.id in told:
                tick.add(frame, told[frame.id], self._since[frame.id])
        return tick

    async def remember(self) -> None:
        """What everything is like now is what it was like before anything happened."""
        for frame in self.world.frames:
            await self.world.call(frame, "motion.remember")

    async def _meet(self) -> None:
        """Take in the frames that have come, whose time begins now, and let go of those that are gone."""
        await self.world.refresh()
        for frame in self.world.frames:
            if not await self.world.call(frame, "motion.begin"):
                continue
            if frame.parent is None and self._since:
                raise PageBroken(LEFT)
            self._since[frame.id] = self._now
