"""`capture outcomes`: carries out every action that applies to every element, twice, and keeps what repeats."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from affordance.capture.actions import CARRIED_OUT, Listeners, Move, carry_out, move_for
from affordance.capture.browser import Browser, PageBroken, again
from affordance.capture.changes import Witness, changed_pixels, difference, has_effect, look_at, same
from affordance.capture.elements import find_elements, pixels
from affordance.capture.journal import Journal
from affordance.capture.looks import Look
from affordance.capture.pool import each
from affordance.capture.screens import open_page, picture, quiet
from affordance.capture.sentences import sentence
from affordance.capture.sources import Site
from affordance.capture.world import World
from affordance.core.digest import digest, digest_text
from affordance.core.errors import DataError, UserError
from affordance.core.files import atomic_write
from affordance.core.geometry import Box
from affordance.datasets import ActionOutcome, Dataset, DatasetHeader, OutcomeStep, PageChange, Screen, write_folder
from affordance.datasets.taxonomies import Action
from affordance.media import decode_image, encode_image

TRY_SECONDS = 45.0  # for one try of one sequence: a page that takes longer is broken
SAME_PICTURE = 0.002  # share of pixels that may differ between two tries
LEFT_OUT = "left-out.json"  # what was tried and not kept, with the reason
BRANCHES = 4  # elements tried after each step of a sequence

# Why an action has no outcome.
NOTHING_HAPPENS = "nothing happens"
UNSTABLE = "unstable: two tries differ"
NEVER_AT_REST = "the page never comes to rest after the action"


@dataclass(frozen=True, slots=True)
class Want:
    """A sequence of actions to try on a screen."""

    screen: Screen
    before: bytes  # the screen's picture, as PNG
    moves: tuple[Move, ...]

    @property
    def key(self) -> str:
        steps = (f"{move.action.replace(' ', '-')}@{move.element.locator}" for move in self.moves)
        return " ".join([self.screen.id, *steps])


@dataclass(frozen=True, slots=True)
class Seen:
    """One try of a sequence: what each step changed, seen from the state before it, and how it looked."""

    pictures: tuple[bytes, ...]  # PNG, before the first step and after each
    changes: tuple[PageChange, ...]
    following: tuple[Move, ...] = ()  # what could be done next that could not be done before


@dataclass(slots=True)
class Counts:
    kept: Counter[str] = field(default_factory=Counter)  # by action
    left_out: Counter[str] = field(default_factory=Counter)  # by reason
    broken: dict[str, str] = field(default_factory=dict)  # screens on which nothing could be tried


async def capture_outcomes(
    dataset: Dataset,
    site: Site,
    folder: Path,
    *,
    actions: Sequence[Action] | None = None,
    steps: int = 1,
    limit: int | None = None,
    browser: str | None = None,
    workers: int = 2,
    advance: Callable[[int, int], None] = lambda done, planned: None,
) -> Counts:
    """Try everything on every screen of a captured dataset, or what is left of it: what was tried before an
    interruption is not tried again. Variants are left to their originals."""
    screens = [screen for screen in dataset.items if isinstance(screen, Screen) and not screen.links]
    counts = Counts()
    with Journal(folder, digest("outcomes", dataset.digest(), site.digest(folder)), ActionOutcome) as journal:
        async with Browser(site, browser) as opened:
            tries = _Tries(opened, dataset, folder, journal, counts, workers)
            wanted: list[Want] = []
            for screen in screens:
                wanted += await tries.plan(screen, actions or CARRIED_OUT)
            wanted = wanted[:limit]
            await tries.all(wanted, advance)
            for _ in range(1, steps):
                wanted = [longer for want in wanted for longer in await tries.longer(want)]
                await tries.all(wanted, advance)
        records = list(journal.kept())
        if not records:
            journal.discard()
            raise UserError(f"{dataset.root}: no outcome was kept; {_why(counts)}")
        header = DatasetHeader(
            format=1,
            kind="outcome",
            name=f"{dataset.name}-outcomes",
            licence=dataset.header.licence,
            provenance=f"actions carried out twice on {dataset.name}; {dataset.header.provenance}",
            synthetic=dataset.header.synthetic,
        )
        write_folder(folder, header, records)
        text = json.dumps(dict(sorted(journal.left_out().items())), indent=1, ensure_ascii=False)
        (folder / LEFT_OUT).write_text(text + "\n", encoding="utf-8")
        journal.finish()
    return counts


def _why(counts: Counts) -> str:
    reasons = [f"{number} x {why}" for why, number in counts.left_out.most_common(3)]
    reasons += [f"{screen}: {why}" for screen, why in list(counts.broken.items())[:3]]
    return ", ".join(reasons) or "nothing was tried"


class _Tries:
    """Tries sequences of actions, several at once, and writes down each result as soon as it is known."""

    def __init__(
        self,
        browser: Browser,
        dataset: Dataset,
        folder: Path,
        journal: Journal[ActionOutcome],
        counts: Counts,
        workers: int,
    ) -> None:
        self._browser = browser
        self._dataset = dataset
        self._folder = folder
        self._journal = journal
        self._counts = counts
        self._workers = workers

    async def plan(self, screen: Screen, actions: Sequence[Action]) -> list[Want]:
        """What can be done on a screen, as the page says now."""
        if screen.page is None:
            raise DataError(f"screen {screen.id!r} was not captured: it has no page", self._dataset.root)
        if not screen.page.was_still:
            self._counts.broken[screen.id] = "the page never comes to rest"
            return []
        try:
            png = self._dataset.media_path(screen.image).read_bytes()
            possible = await again(lambda: possible_tries(self._browser, screen, png))
            return [want for want in possible if want.moves[0].action in actions]
        except PageBroken as broken:
            self._counts.broken[screen.id] = str(broken)
            return []

    async def all(self, wanted: Sequence[Want], advance: Callable[[int, int], None]) -> None:
        await each(wanted, self._workers, self._one, advance)

    async def _one(self, want: Want) -> None:
        known = self._journal.known(want.key)
        if known is None:
            try:
                known = await again(lambda: self._judge(want))
            except PageBroken as broken:
                known = str(broken)
            self._journal.add(want.key, known)
        if isinstance(known, ActionOutcome):
            self._counts.kept[want.moves[0].action if len(want.moves) == 1 else f"{len(want.moves)} steps"] += 1
        else:
            self._counts.left_out[known] += 1

    async def _judge(self, want: Want) -> ActionOutcome | str:
        """The outcome, if it is one and repeats; else why it is left out."""
        first = await attempt(self._browser, want)
        if not has_effect(first.changes[-1]):
            return NOTHING_HAPPENS
        second = await attempt(self._browser, want)
        if not repeats(first, second):
            return UNSTABLE
        return self._record(want, first)

    async def longer(self, want: Want) -> list[Want]:
        """Sequences that go on where one that was kept ended: with what was not there before."""
        if not isinstance(self._journal.known(want.key), ActionOutcome):
            return []
        try:
            seen = await attempt(self._browser, want, explore=True)
        except PageBroken:
            return []  # it was kept, so it can be tried; that it broke this time is no outcome
        return [replace(want, moves=(*want.moves, move)) for move in seen.following[:BRANCHES]]

    def _record(self, want: Want, seen: Seen) -> ActionOutcome:
        screen, scale = want.screen, look_of(want.screen).pixels_per_css_pixel
        name = f"{screen.id}-{_short(want.moves[0])}"
        if len(want.moves) > 1:
            name += f"-{len(want.moves)}-{digest_text(want.key)[:10]}"
        image = self._picture(Path(screen.image).name, want.before)
        start, end = (decode_image(seen.pictures[place]) for place in (0, -1))
        _, box = changed_pixels(start, end)
        after = self._picture(f"{name}-after.png", _cut_out(end, box)) if box is not None else None
        images = [image, *(self._picture(f"{name}-{n}.png", png) for n, png in enumerate(seen.pictures[1:-1], 1))]
        sentences = [sentence(change) for change in seen.changes]
        names = {element.locator: element.name for element in screen.elements}
        steps = [
            OutcomeStep(
                action=move.action,
                element=names.get(move.element.locator) or move.element.name or move.element.role,
                target=move.element.box.clip(screen.width, screen.height) or move.element.box,
                to=pixels((*move.to, *move.to), scale) if move.to is not None else None,
                typed=move.typed,
                image=picture_before,
                sentence=told,
                change=change,
            )
            for move, change, told, picture_before in zip(want.moves, seen.changes, sentences, images, strict=True)
        ]
        return ActionOutcome(
            id=name,
            image=image,
            target=steps[0].target,
            action=steps[0].action,
            sentence=sentences[-1],
            screen=screen.id,
            element=want.moves[0].element.id,
            change=seen.changes[-1],
            steps=steps,
            after=after,
            after_box=box,
        )

    def _picture(self, name: str, png: bytes) -> str:
        atomic_write(self._folder / "media" / name, png)
        return f"media/{name}"


def look_of(screen: Screen) -> Look:
    assert screen.page is not None
    try:
        return Look.from_json(screen.page.render_settings)
    except (KeyError, TypeError, ValueError):
        raise UserError(
            f"screen {screen.id!r}: expected the look of a captured page, found {screen.page.render_settings}"
        ) from None


async def possible_tries(browser: Browser, screen: Screen, png: bytes) -> list[Want]:
    """All that can be done on a screen, as the page says now: each action that applies to each of its elements."""
    look = look_of(screen)
    known = {element.locator for element in screen.elements}
    assert screen.page is not None
    async with browser.page(look) as page:
        Witness(page)
        world, _ = await open_page(page, browser.site.url(screen.page.name), look)
        share, _ = changed_pixels(decode_image(png), decode_image(await picture(page)))
        if share > SAME_PICTURE:
            raise PageBroken("the page no longer looks like its picture; capture it again")
        found, _ = await find_elements(world, look.pixels_per_css_pixel)
        return [
            Want(screen, png, (move_for(action, one, found, window_of(screen)),))
            for one, possible in await Listeners(world).possibilities(found)
            for action in possible
            if one.locator in known
        ]


def window_of(screen: Screen) -> tuple[float, float]:
    """Width and height in CSS pixels."""
    scale = look_of(screen).pixels_per_css_pixel
    return screen.width / scale, screen.height / scale


async def attempt(browser: Browser, want: Want, *, explore: bool = False) -> Seen:
    """Try a sequence once, in a fresh context; on request, also see what could be done next."""
    look = look_of(want.screen)
    assert want.screen.page is not None
    async with browser.page(look, TRY_SECONDS) as page:
        witness = Witness(page)
        world, _ = await open_page(page, browser.site.url(want.screen.page.name), look)
        changes: list[PageChange] = []
        pictures = [want.before]
        state = await look_at(world, witness.address())
        before = await _locators(world, look) if explore else set()
        for move in want.moves:
            await _check_there(world, move)
            witness.forget()
            world.opened.clear()
            await carry_out(page, world, move)
            await _come_to_rest(world, witness)
            after = await look_at(world, witness.address())
            pictures.append(await picture(page))
            shown = decode_image(pictures[-2]), decode_image(pictures[-1])
            share, _ = changed_pixels(*shown)
            elsewhere, _ = changed_pixels(*shown, besides=move.element.box)
            changes.append(difference(state, after, witness, world.opened, share, elsewhere))
            state = after
        following: list[Move] = []
        if explore and not changes[-1].url:
            following = await _new_moves(world, look, before, window_of(want.screen))
        return Seen(tuple(pictures), tuple(changes), tuple(following))


async def _locators(world: World, look: Look) -> set[str]:
    found, _ = await find_elements(world, look.pixels_per_css_pixel, named=False)
    return {one.locator for one in found}


async def _new_moves(world: World, look: Look, before: set[str], size: tuple[float, float]) -> list[Move]:
    """Of what came up, one move each: typing where that can be done, else a click."""
    found, _ = await find_elements(world, look.pixels_per_css_pixel)
    new = [one for one in found if one.locator not in before and not one.disabled]
    return [move_for(Action.TYPE if one.raw["editable"] else Action.CLICK, one, found, size) for one in new]


async def _check_there(world: World, move: Move) -> None:
    """That the element is where it was when the move was planned."""
    frame = world.frame_of(move.element.locator)
    path = move.element.locator.partition(":")[2]
    if not await world.call(frame, "hits", path, *frame.from_window(*move.element.point)):
        raise PageBroken("the element is not there on another load")


async def _come_to_rest(world: World, witness: Witness) -> None:
    """Wait for what an action set off: a new page, what it loads, transitions, timers that are due soon."""
    await asyncio.sleep(0.05)
    await witness.done()
    witness.check()
    if not await quiet(world):
        raise PageBroken(NEVER_AT_REST)
    await witness.done()
    witness.check()


def repeats(first: Seen, second: Seen) -> bool:
    if not all(same(a, b) for a, b in zip(first.changes, second.changes, strict=True)):
        return False
    one, other = first.pictures[-1], second.pictures[-1]
    return one == other or changed_pixels(decode_image(one), decode_image(other))[0] <= SAME_PICTURE


def _cut_out(shown: NDArray[np.uint8], box: Box) -> bytes:
    x1, y1, x2, y2 = (int(value) for value in box.xyxy)
    return encode_image(np.ascontiguousarray(shown[y1:y2, x1:x2]))


def _short(move: Move) -> str:
    return f"{move.action.replace(' ', '')}-{move.element.id.removeprefix('e-')}"
