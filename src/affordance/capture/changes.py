"""What an action changed: two states of a page, what the browser reported in between, and two pictures."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urldefrag

import numpy as np
from numpy.typing import NDArray

from affordance.capture.browser import PageBroken
from affordance.capture.sources import recorded
from affordance.capture.world import World, well_formed
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import AccessibleNode, BrowserDialog, PageChange, StateChange

if TYPE_CHECKING:
    from playwright.async_api import Dialog as PlaywrightDialog
    from playwright.async_api import Download, Page, Request

MOST_LISTED = 40
LOADING_SECONDS = 4.0
LONGEST_TEXT = 200
LOOKS_DIFFERENT = 24  # levels of 255, in any colour: less is the rounding of a gradient
MARGIN = 4  # pixels around what looks different
RING = 6  # pixels around a control that belong to its own look
TO_BE_SEEN = 0.0002  # share of the picture, some two hundred pixels of a screen: less is noise
FIELDS = ("textbox", "searchbox", "combobox", "spinbutton")  # where one types

T = TypeVar("T")


@dataclass(slots=True)
class State:
    """A page at a moment, all its frames together."""

    url: str
    title: str = ""
    heading: str = ""
    printed: int = 0
    texts: list[str] = field(default_factory=list)
    states: dict[str, dict[str, Any]] = field(default_factory=dict)
    scrolled: dict[str, list[Any]] = field(default_factory=dict)
    regions: list[tuple[str, str]] = field(default_factory=list)
    focus: tuple[str, str] | None = None


async def look_at(world: World, url: str) -> State:
    state = State(url)
    for frame in world.frames:
        found = await world.call(frame, "state")
        if frame.parent is None:
            state.title, state.heading = found["title"], found["heading"]
        state.printed += found["printed"]
        state.texts += [text[:LONGEST_TEXT] for text in found["texts"]]
        state.states |= {f"{frame.number}:{path}": one for path, one in found["states"].items()}
        state.scrolled |= {f"{frame.number}:{path}": one for path, one in found["scrolled"].items()}
        state.regions += [(one["role"], one["name"]) for one in found["regions"].values()]
        if found["focus"] is not None:
            state.focus = (found["focus"]["role"], found["focus"]["name"])
    return state


class Witness:
    """Sees what happens outside of the document: message boxes, windows, downloads, navigation, the end of the page.
    Nothing of it stops anything: boxes are turned down, windows closed, downloads dropped."""

    def __init__(self, page: "Page") -> None:
        self.dialogs: list[BrowserDialog] = []
        self.downloads: list[str] = []
        self.went_to = ""  # the last address that the page itself asked for
        self.crashed = False
        self._page = page
        self._at_work: set[asyncio.Task[None]] = set()
        self._loading: set[Request] = set()
        page.on("dialog", lambda dialog: self._do(self._dialog(dialog)))
        page.on("download", lambda download: self._do(self._download(download)))
        page.on("request", self._request)
        page.on("requestfinished", self._loaded)
        page.on("requestfailed", self._loaded)
        page.on("crash", lambda _: setattr(self, "crashed", True))
        page.on("popup", lambda other: self._do(self._window(other)))

    def _do(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)

    def forget(self) -> None:
        """What was seen so far belongs to an earlier step."""
        self.dialogs, self.downloads = [], []

    async def done(self) -> None:
        """Wait until all that was seen is dealt with and what the page asked for has come; not for ever, though: a
        stream of events never ends."""
        deadline = time.monotonic() + LOADING_SECONDS
        while (self._at_work or self._loading) and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        if self._at_work:
            raise PageBroken("the page opens more than can be closed")

    async def _dialog(self, dialog: "PlaywrightDialog") -> None:
        from playwright.async_api import Error

        if len(self.dialogs) < MOST_LISTED:
            kind: Any = dialog.type
            self.dialogs.append(
                BrowserDialog(kind=kind, message=well_formed(" ".join(dialog.message.split())[:LONGEST_TEXT]))
            )
        try:
            await dialog.dismiss()
        except Error:
            return  # the page has gone, and its dialog with it

    async def _download(self, download: "Download") -> None:
        from playwright.async_api import Error

        if len(self.downloads) < MOST_LISTED:
            self.downloads.append(well_formed(download.suggested_filename[:LONGEST_TEXT]))
        try:
            await download.cancel()
        except Error:
            return  # the page has gone, and its download with it

    async def _window(self, other: "Page") -> None:
        from playwright.async_api import Error

        try:
            await other.close()
        except Error:
            return  # it has closed itself

    def _request(self, request: "Request") -> None:
        from playwright.async_api import Error

        self._loading.add(request)
        try:
            if request.is_navigation_request() and request.frame == self._page.main_frame:
                self.went_to = request.url
        except Error:
            return  # it has no frame yet, or never will: it is not the page's own

    def _loaded(self, request: "Request") -> None:
        self._loading.discard(request)

    def address(self) -> str:
        """Where the page is, or was sent to and not let through."""
        url = self._page.url
        return recorded(self.went_to if url.startswith("chrome-error:") else url)

    def check(self) -> None:
        if self.crashed:
            raise PageBroken("the page crashed")


def difference(
    before: State, after: State, witness: Witness, windows: Sequence[str], pixels: float, elsewhere: float
) -> PageChange:
    left_page = urldefrag(before.url)[0] != urldefrag(after.url)[0]
    added, removed = ([], []) if left_page else _exchanged(before.texts, after.texts)
    appeared, disappeared = ([], []) if left_page else _exchanged(before.regions, after.regions)
    return PageChange(
        url=after.url if after.url != before.url else None,
        title=after.title if after.title != before.title or left_page else None,
        heading=after.heading if left_page and after.heading else None,
        windows=[recorded(address)[: 2 * LONGEST_TEXT] for address in windows[:MOST_LISTED]],
        dialogs=witness.dialogs,
        downloads=witness.downloads,
        printed=after.printed > before.printed,
        focus=_named(after.focus) if after.focus not in (before.focus, None) else None,
        states=[] if left_page else list(_states(before.states, after.states))[:MOST_LISTED],
        added=added[:MOST_LISTED],
        removed=removed[:MOST_LISTED],
        appeared=[AccessibleNode(role=role, name=name) for role, name in appeared[:MOST_LISTED]],
        disappeared=[AccessibleNode(role=role, name=name) for role, name in disappeared[:MOST_LISTED]],
        scrolled=[] if left_page else _scrolled(before.scrolled, after.scrolled),
        pixels=round(pixels, 4),
        pixels_outside_target=round(elsewhere, 4),
    )


def has_effect(change: PageChange) -> bool:
    """Whether something happened besides a control's own looking pressed or pointed at. That it has the focus counts
    where one could type now."""
    told = change.model_dump(exclude={"pixels", "pixels_outside_target", "focus"}, exclude_defaults=True)
    can_type = change.focus is not None and change.focus.role in FIELDS
    return bool(told) or can_type or change.pixels_outside_target >= TO_BE_SEEN


def same(a: PageChange, b: PageChange) -> bool:
    """Whether two tries had the same outcome; pictures are compared by themselves."""
    pictures = {"pixels", "elsewhere"}
    return a.model_dump(exclude=pictures) == b.model_dump(exclude=pictures)


def _exchanged(before: Sequence[T], after: Sequence[T]) -> tuple[list[T], list[T]]:
    """What came and what went, each in its order."""
    return _more(after, Counter(before)), _more(before, Counter(after))


def _more(values: Iterable[T], known: Counter[T]) -> list[T]:
    found = []
    for value in values:
        if known[value] > 0:
            known[value] -= 1
        else:
            found.append(value)
    return found


def _states(before: Mapping[str, dict[str, Any]], after: Mapping[str, dict[str, Any]]) -> Iterable[StateChange]:
    for path, now in after.items():
        if path not in before:
            continue
        then = before[path]["states"]
        for state in sorted(set(then) | set(now["states"])):
            old, new = then.get(state), now["states"].get(state)
            if old != new:
                name = before[path]["name"] or now["name"]
                yield StateChange(role=now["role"], name=name, state=state, before=_cut(old), after=_cut(new))


def _cut(value: str | None) -> str | None:
    return None if value is None else str(value)[:LONGEST_TEXT]


def _scrolled(before: Mapping[str, list[Any]], after: Mapping[str, list[Any]]) -> list[AccessibleNode]:
    moved = [path for path in sorted({*before, *after}) if before.get(path, [0, 0])[:2] != after.get(path, [0, 0])[:2]]
    return [AccessibleNode(role="area", name=(after.get(path) or before[path])[2][:60]) for path in moved][:MOST_LISTED]


def _named(focus: tuple[str, str] | None) -> AccessibleNode | None:
    return None if focus is None else AccessibleNode(role=focus[0], name=focus[1])


def changed_pixels(
    before: NDArray[np.uint8], after: NDArray[np.uint8], besides: Box | None = None
) -> tuple[float, Box | None]:
    """The share of the picture that looks different, and the box around it; `besides` a box and a ring around it."""
    if before.shape != after.shape:
        height, width = after.shape[:2]
        return 1.0, Box(CoordinateSpace.PIXEL, 0, 0, width, height)
    apart = np.maximum(before, after) - np.minimum(before, after) > LOOKS_DIFFERENT
    different = apart[..., 0] | apart[..., 1] | apart[..., 2]  # `any` over so short an axis takes ten times as long
    if besides is not None:
        x1, y1, x2, y2 = (round(value) for value in besides.xyxy)
        different[max(0, y1 - RING) : max(0, y2 + RING), max(0, x1 - RING) : max(0, x2 + RING)] = False
    share = float(different.mean())
    if not share:
        return 0.0, None
    rows, columns = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
    height, width = different.shape
    box = Box(
        CoordinateSpace.PIXEL,
        int(columns[0]) - MARGIN,
        int(rows[0]) - MARGIN,
        int(columns[-1]) + 1 + MARGIN,
        int(rows[-1]) + 1 + MARGIN,
    )
    return share, box.clip(width, height)
