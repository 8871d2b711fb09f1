"""One animation of a page on film: set off under a held clock, one exact picture for each sixtieth of a second."""

import asyncio
import base64
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from affordance.capture.browser import Browser, StepFailed, within
from affordance.capture.changes import Witness
from affordance.capture.clock import HeldClock, Tick
from affordance.capture.looks import Look
from affordance.capture.notes import Trigger
from affordance.capture.roll import Kept, PixelBox, Roll
from affordance.capture.world import Frame

if TYPE_CHECKING:
    from playwright.async_api import Page

FPS = 60
FRAME = 1000 / FPS  # milliseconds
SETTLING = 60  # frames before the first picture, where the animation does not begin with the page
LEAD = 15  # pictures before it is set off
TARGET_SECONDS = 5.0
POINTING = 30  # frames for what pointing at the target sets off, before it is clicked
OVER = 6  # frames without any change that will do for the end, where there is no time for more
NEAR = 32  # CSS pixels: how far a ring or shadow may reach out of its box


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be filmed, and how it is set off."""

    url: str
    look: Look
    trigger: Trigger
    target: str | None
    script: str | None
    seconds: float  # at most, after it was set off
    still: float  # seconds without any change after which it is over


@dataclass(frozen=True, slots=True)
class Pace:
    """How the time of the page goes with that of the film: `time` gives the milliseconds since it was set off for each
    frame after that; `frames`, how many there are, where that is known."""

    time: Callable[[int], float] = lambda frame: frame * FRAME
    frames: int | None = None


@dataclass(slots=True)
class Track:
    """A part of the page that changes, through all frames."""

    frame: Frame | None  # None for drawings, whose boxes are of the window
    about: dict[str, Any]
    first: int
    boxes: list[tuple[float, float, float, float] | None] = field(default_factory=list)
    history: dict[str, list[str]] = field(default_factory=dict)
    changed: list[int] = field(default_factory=list)  # frames
    comes_or_goes: bool = False


@dataclass(slots=True)
class Take:
    """What was filmed."""

    trigger_frame: int
    ended: bool
    tracks: list[Track]
    animations: list[dict[str, Any]]  # as the page declares them; `mover` is a place among the tracks
    drawn: list[dict[str, Any]]  # canvases and the like, asked for where pixels changed that nothing accounts for
    beyond: int  # parts that move but are too many to be followed


async def film(browser: Browser, scene: Scene, roll: Roll, pace: Pace | None = None, kept: Kept | None = None) -> Take:
    """Film a scene onto a roll; where they are wanted, the pictures are also kept."""
    async with browser.page(scene.look, seconds=60 + 20 * scene.seconds) as page:
        Witness(page)
        clock = await HeldClock.opened(page, scene.url, scene.look)
        return await _Filming(page, clock, scene, roll, pace or Pace(), kept).carried_out()


class _Filming:
    def __init__(self, page: "Page", clock: HeldClock, scene: Scene, roll: Roll, pace: Pace, kept: Kept | None) -> None:
        self._page = page
        self._clock = clock
        self._scene = scene
        self._roll = roll
        self._pace = pace
        self._kept = kept
        self._tracks: dict[tuple[str, int], Track] = {}
        self._animations: list[dict[str, Any]] = []
        self._adding: asyncio.Task[bool] | None = None
        self._now = 0.0  # of the page
        self._first = 0.0  # when the first picture was taken
        self._is_set_off = False

    async def carried_out(self) -> Take:
        start = await self._set_off()
        await self._looked_at()
        trigger_frame = self._roll.count
        self._is_set_off = True
        limit = self._pace.frames or round(self._scene.seconds * FPS)
        moved, still = False, 0
        tick = Tick()
        for number in range(limit):
            changes, tick = await self._picture(start + self._pace.time(number))
            moved = moved or changes
            still = 0 if changes or tick.finite or tick.endless else still + 1
            if self._pace.frames is None and moved and still >= self._scene.still * FPS:
                break
        await self._looked_at()
        if not any(track.changed for track in self._tracks.values()):
            await self._others(trigger_frame)
        drawn = await self._drawn() if self._roll.unexplained else []
        return Take(trigger_frame, still >= OVER, list(self._tracks.values()), self._joined(), drawn, tick.beyond)

    async def _set_off(self) -> float:
        """Bring the page to the moment at which the animation begins, and set it off; returns that moment."""
        scene = self._scene
        if scene.trigger is Trigger.LOAD:
            return 0.0
        await self._pass(SETTLING)
        if scene.trigger is Trigger.CLICK:
            await within(TARGET_SECONDS, self._page.mouse.move(*await self._point()), "pointing at the target")
            await self._pass(POINTING)
        await self._clock.remember()
        for _ in range(LEAD):
            await self._picture(self._now + FRAME)
        await self._pass(1)
        match scene.trigger:
            case Trigger.HOVER:
                await within(TARGET_SECONDS, self._page.mouse.move(*await self._point()), "pointing at the target")
            case Trigger.CLICK:
                await within(TARGET_SECONDS, self._page.mouse.click(*await self._point()), "clicking the target")
            case Trigger.SCRIPT:
                work = self._page.evaluate(f"() => {{ {scene.script}\n }}")
                await within(TARGET_SECONDS, work, "running the script")
        return self._now

    async def _pass(self, frames: int) -> None:
        """Let time go by without pictures."""
        for _ in range(frames):
            self._now += FRAME
            self._note(await self._clock.to(self._now, quietly=True))

    async def _point(self) -> tuple[float, float]:
        """The middle of the target, in whichever frame of the page it is."""
        target = self._scene.target or ""
        for frame in self._page.frames:
            found = await within(TARGET_SECONDS, frame.query_selector(target), f"looking for {target!r}")
            if found is None:
                continue
            await within(TARGET_SECONDS, found.scroll_into_view_if_needed(), f"scrolling to {target!r}")
            box = await within(TARGET_SECONDS, found.bounding_box(), f"looking for {target!r}")
            if box is None:
                raise StepFailed(f"the target {target!r} is on the page, but not shown")
            return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        raise StepFailed(f"expected the target {target!r} on the page, found nothing that fits")

    async def _picture(self, moment: float) -> tuple[bool, Tick]:
        """Take the picture of a moment. Says whether anything on the page has changed, or any pixel of the picture
        before this one, which is looked at meanwhile."""
        tick = await self._clock.to(moment)
        self._now = moment
        shot = await self._clock.world.send("Page.captureScreenshot", format="png", optimizeForSpeed=True)
        png = base64.b64decode(shot["data"])
        pixels = await self._looked_at()
        number = self._roll.count
        self._note(tick)
        if not number:
            self._first = moment
        changed = self._track(number, tick.moved)
        explained = [box for track in changed for box in self._around(track)]
        self._adding = asyncio.create_task(asyncio.to_thread(self._roll.add, png, explained))
        if self._kept is not None:
            self._kept.add(png)
        return bool(changed) or pixels, tick

    def _around(self, track: Track) -> Iterator[PixelBox]:
        """Where something that changed was and is, with room for what reaches out of its box, in pixels."""
        scale = self._scene.look.pixels_per_css_pixel
        for box in track.boxes[-2:]:
            if box is not None:
                yield (
                    round((box[0] - NEAR) * scale),
                    round((box[1] - NEAR) * scale),
                    round((box[2] + NEAR) * scale),
                    round((box[3] + NEAR) * scale),
                )

    def _note(self, tick: Tick) -> None:
        self._animations += [{**one, "frame": frame.id} for frame, one in tick.begun]

    async def _looked_at(self) -> bool:
        """Wait until the last picture is on the roll; whether it differs from the one before."""
        changed = await self._adding if self._adding is not None else False
        self._adding = None
        return changed

    def _track(self, number: int, moved: Sequence[tuple[Frame, dict[str, Any]]]) -> list[Track]:
        """Note where everything is in a frame; what has changed. What happens before it is set off is not noted."""
        changed = []
        for frame, one in moved:
            key = (frame.id, one["id"])
            if key not in self._tracks:
                self._tracks[key] = _new_track(frame, one["about"], number)
            track = self._tracks[key]
            track.about = one.get("about", track.about)
            box = frame.unclipped(one["box"]) if one["box"] is not None else None
            before = track.boxes[-1] if track.boxes else box
            track.boxes += [before] * (number - track.first - len(track.boxes))
            track.boxes.append(box)
            comes_or_goes = bool(one.get("fresh") or one.get("gone"))
            if not (one["changed"] or comes_or_goes or box != before):
                continue
            changed.append(track)
            if self._is_set_off:
                for name, value in one["changed"].items():
                    track.history.setdefault(name, [one["earlier"][name]]).append(value)
                track.comes_or_goes = track.comes_or_goes or comes_or_goes
                track.changed.append(number)
        return changed

    async def _others(self, trigger_frame: int) -> None:
        """What is different at the end although nothing was seen to change it, changed when the picture did."""
        last = self._roll.count - 1
        first = next((number for number in range(trigger_frame, last) if self._roll.changed[number]), last)
        for frame in self._clock.world.frames:
            for one in await self._clock.world.call(frame, "motion.others"):
                for track in self._track(last, [(frame, one)]):
                    track.changed = [first]

    async def _drawn(self) -> list[dict[str, Any]]:
        found = []
        for frame in self._clock.world.frames:
            for one in await self._clock.world.call(frame, "motion.canvases"):
                found.append({**one, "box": frame.box(one["box"]), "path": f"{frame.number}:{one['path']}"})
        return found

    def _joined(self) -> list[dict[str, Any]]:
        """The animations with their places among the tracks and their starts counted from the first picture. Those that
        were over by then are left out."""
        places = {key: place for place, key in enumerate(self._tracks)}
        found = []
        for one in self._animations:
            place = places.get((one["frame"], one["mover"]))
            endless = one["iterations"] is None
            over = not endless and one["start"] + one["delay"] + one["duration"] * one["iterations"] < self._first
            if place is not None and not over:
                found.append({**one, "mover": place, "start": one["start"] - self._first})
        return found


def _new_track(frame: Frame, about: dict[str, Any], number: int) -> Track:
    """Something that is seen to change for the first time; if it was there before, it was where it was."""
    if about["was"] is None:
        return Track(frame, about, number)
    return Track(frame, about, 0, [frame.unclipped(about["was"])] * number)
