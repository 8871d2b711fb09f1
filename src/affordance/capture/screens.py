"""`capture page`: from pages to a dataset of screens."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from affordance.capture.browser import Browser, PageBroken, StepFailed, again, within
from affordance.capture.changes import Witness
from affordance.capture.elements import Found, find_elements, find_regions
from affordance.capture.journal import Journal
from affordance.capture.looks import FONT, Look, Variation
from affordance.capture.pool import each
from affordance.capture.sources import Site, Source, recorded
from affordance.capture.world import World, well_formed
from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import CapturedPage as PageRecord
from affordance.datasets import DatasetHeader, Element, ItemLink, Region, Screen, write_folder
from affordance.media import decode_image

if TYPE_CHECKING:
    from playwright.async_api import Page

LOAD_SECONDS = 20.0
QUIET_MILLISECONDS = 120
QUIET_LIMIT_SECONDS = 4.0
LOOK_AGAIN_MILLISECONDS = 40  # while something moves
PICTURE_SECONDS = 15.0
LOST_PAGES = "lost.json"


@dataclass(slots=True)
class Counts:
    """What was captured, and what was left out and why."""

    screens: int = 0
    elements: int = 0
    regions: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    lost: dict[str, str] = field(default_factory=dict)  # screens that could not be captured


@dataclass(frozen=True, slots=True)
class About:
    """What the dataset says of itself; without a name, that of its folder."""

    name: str = ""
    licence: str = "unknown"
    synthetic: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """One screen to capture, and the one that it is a variant of."""

    source: Source
    look: Look
    original: str | None = None

    @property
    def id(self) -> str:
        return f"{self.source.name}-{self.look.name}"


def plan(
    site: Site, looks: Sequence[Look], variations: Sequence[Variation] = (), other_locale: str = "de-DE"
) -> list[Wanted]:
    """Every page in every look, each followed by its variants. A look that is there already is not repeated."""
    wanted: dict[str, Wanted] = {}
    for source in site.pages:
        for look in looks:
            original = Wanted(source, look)
            wanted[original.id] = original
    for original in list(wanted.values()):
        for variation in variations:
            variant = Wanted(original.source, original.look.varied(variation, other_locale), original.id)
            wanted.setdefault(variant.id, variant)
    return list(wanted.values())


async def capture_screens(
    site: Site,
    wanted: Sequence[Wanted],
    folder: Path,
    *,
    about: About | None = None,
    browser: str | None = None,
    workers: int = 2,
    advance: Callable[[int, int], None] = lambda done, planned: None,
) -> Counts:
    """Capture all that is wanted into a new dataset, or what is left of an interrupted capture. A page that breaks is
    told and left out; the rest goes on."""
    counts = Counts()

    async def capture(opened: Browser, one: Wanted) -> None:
        if journal.known(one.id) is None:
            try:
                journal.add(one.id, await again(lambda: _capture(opened, one, folder)))
            except PageBroken as broken:
                counts.lost[one.id] = str(broken)

    of = digest("screens", site.digest(folder), [[one.id, one.original] for one in wanted])
    with Journal(folder, of, Screen) as journal:
        async with Browser(site, browser) as opened:
            await each(wanted, workers, lambda one: capture(opened, one), advance)
            version = opened.version
        screens = list(journal.kept())
        if not screens:
            journal.discard()
            raise none_captured("screens", counts.lost)
        there = {screen.id for screen in screens}
        screens = [_with_existing_links(screen, there) for screen in screens]
        write_folder(folder, header_for("screen", site, about or About(), folder, version), screens)
        note_lost(folder, counts.lost)
        journal.finish()
    for screen in screens:
        counts.left_out.update(screen.omitted_elements)
    counts.screens = len(screens)
    counts.elements = sum(len(screen.elements) for screen in screens)
    counts.regions = sum(len(screen.regions) for screen in screens)
    return counts


def header_for(
    kind: Literal["screen", "clip", "pair"], site: Site, about: About, folder: Path, version: str
) -> DatasetHeader:
    """What a captured dataset says of itself."""
    source = recorded(site.given)
    return DatasetHeader(
        format=1,
        kind=kind,
        name=about.name or folder.resolve().name,
        licence=about.licence,
        provenance=f"captured with affordance from {source} in Chromium {version}",
        synthetic=about.synthetic,
        **{"capture": {"source": source, "allowed": sorted(site.allowed), "cut": source != site.given}},
    )


def none_captured(what: str, lost: dict[str, str]) -> UserError:
    first, why = next(iter(lost.items()))
    return UserError(f"none of the {len(lost)} {what} could be captured; the first, {first}: {why}")


def note_lost(folder: Path, lost: dict[str, str]) -> None:
    """Write down what could not be captured, and why."""
    if lost:
        text = json.dumps(dict(sorted(lost.items())), indent=2, ensure_ascii=False)
        (folder / LOST_PAGES).write_text(text + "\n", encoding="utf-8")


def _with_existing_links(screen: Screen, there: set[str]) -> Screen:
    return screen.model_copy(update={"links": [link for link in screen.links if link.to in there]})


async def load(page: "Page", url: str) -> None:
    work = page.goto(url, wait_until="load", timeout=LOAD_SECONDS * 1000)
    await within(LOAD_SECONDS, work, f"loading {recorded(url)}")


async def open_page(page: "Page", url: str, look: Look) -> tuple[World, bool]:
    """Load a page in its look and wait until it is quiet; also says whether it ever was."""
    await load(page, url)
    world = await World.of(page)
    settled = await quiet(world)
    if page.url.startswith("chrome-error:"):
        raise PageBroken("the page leaves for an address that it may not load")
    if look.serif:
        for frame in world.frames:
            await world.call(frame, "font", FONT)
    if look.moved:
        for frame in world.frames:
            await world.call(frame, "swap")
    if look.serif or look.moved:
        settled = await quiet(world) and settled
    return world, settled


async def quiet(world: World) -> bool:
    """Wait until nothing moves in any frame, within a limit; says whether that came about."""
    deadline = time.monotonic() + QUIET_LIMIT_SECONDS
    while True:
        try:
            if world.stale or world.has_children:  # which may have been moved
                await world.refresh()
            times = QUIET_MILLISECONDS, LOOK_AGAIN_MILLISECONDS
            wait = max([await world.call(frame, "unrest", *times) for frame in world.frames], default=0)
            if not wait:
                return True
        except StepFailed:  # it is on its way to another page
            if time.monotonic() >= deadline:
                raise
            world.stale, wait = True, LOOK_AGAIN_MILLISECONDS
        if time.monotonic() >= deadline:
            return False
        await asyncio.sleep(wait / 1000)


async def picture(page: "Page") -> bytes:
    """The window as PNG, with animations held and without a caret."""
    return await within(
        PICTURE_SECONDS,
        page.screenshot(animations="disabled", caret="hide", scale="device", timeout=PICTURE_SECONDS * 1000),
        "taking the picture",
    )


async def _capture(browser: Browser, wanted: Wanted, folder: Path) -> Screen:
    look = wanted.look
    async with browser.page(look) as page:
        Witness(page)
        world, settled = await open_page(page, wanted.source.url, look)
        png = await picture(page)
        height, width = decode_image(png).shape[:2]
        elements, left = await find_elements(world, look.pixels_per_css_pixel)
        regions = await find_regions(world, look.pixels_per_css_pixel, width, height)
        title = well_formed(await within(5, page.title(), "reading the title"))
    image = f"media/{wanted.id}.png"
    (folder / image).write_bytes(png)
    return Screen(
        id=wanted.id,
        links=[ItemLink(kind="variant", to=wanted.original)] if wanted.original else [],
        image=image,
        width=width,
        height=height,
        platform="web",
        page=PageRecord(
            name=wanted.source.name,
            url=recorded(wanted.source.url),
            title=title,
            render_settings=look.to_json(),
            was_still=settled,
        ),
        elements=[element_record(found, look.pixels_per_css_pixel, width, height) for found in elements],
        regions=[
            Region(
                id=region.id, box=region.box, parent=region.parent, type=region.type, description=region.name or None
            )
            for region in regions
        ],
        omitted_elements=dict(sorted(left.items())),
    )


def element_record(found: Found, scale: float, width: int, height: int) -> Element:
    x, y = (value * scale for value in found.point)
    return Element(
        id=found.id,
        box=found.box.clip(width, height) or found.box,
        role=found.role,
        name=found.name or None,
        description=found.description or None,
        state=found.states,
        point=Box(CoordinateSpace.PIXEL, x, y, x, y),
        locator=found.locator,
    )
