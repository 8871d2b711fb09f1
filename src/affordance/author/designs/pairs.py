"""`author pairs`: for each goal a model writes two pages and the browser renders them; what cannot be used is asked for
again. The result is a dataset of pairs without a winner, for people to vote on."""

import asyncio
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np

from affordance.author.designs.documents import documents
from affordance.author.designs.goals import Goal
from affordance.author.designs.placeholders import write_placeholders
from affordance.author.designs.task import asking, images_of, planned_pairs
from affordance.capture.browser import Browser, PageBroken, again
from affordance.capture.journal import Journal
from affordance.capture.looks import Look
from affordance.capture.pool import each
from affordance.capture.screens import note_lost, open_page, picture
from affordance.capture.sources import ORIGIN, Site, recorded
from affordance.core.attempts import AttemptStatus
from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.datasets import DatasetHeader, DesignPair, write_folder
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run import RunRequest, execute_run, open_run_ledger
from affordance.ledger import RunRecord
from affordance.media import decode_image, pixel_difference

ROUNDS = 3
PAGES = "pages"
INLINE = ("data:", "blob:", "about:")  # addresses of what is in the page itself
LEAST_SHOWN = 0.005  # of the pixels: a page with less on it is blank
LEAST_DIFFERENT = 0.002  # of the pixels: two pages with less between them look the same


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be made, and with what. The tasks and the data of the request are filled in here."""

    goals: Sequence[Goal]
    folder: Path
    request: RunRequest
    look: Look = field(default_factory=Look)
    name: str = ""
    licence: str = "unknown"
    browser: str | None = None
    workers: int = 2


@dataclass(slots=True)
class Made:
    pairs: int = 0
    unusable: dict[str, list[str]] = field(default_factory=dict)  # by goal, why replies could not be used
    lost: dict[str, str] = field(default_factory=dict)  # goals without a pair, and why
    pending: int = 0  # goals that the provider failed or an interruption left
    progress: RunProgress = field(default_factory=RunProgress)  # of the last round
    run: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A reply with two documents."""

    goal: Goal
    pages: tuple[str, str]
    origin: Mapping[str, Json]


def make_pairs(order: Order, watch: Callable[[RunProgress], None] = lambda _: None) -> Made:
    """Make the pairs into a new dataset, or what is left of an interrupted one. A goal for which `ROUNDS` replies could
    not be used is told and left out. While goals are pending the dataset is not finished: the same again goes on."""
    made = Made()
    goals = [goal.model_dump() for goal in order.goals]
    of = digest("author pairs", goals, order.look.to_json(), [str(name) for name in order.request.models])
    with Journal(order.folder, of, DesignPair) as journal:
        write_placeholders(order.folder / PAGES)
        left = [goal for goal in order.goals if journal.known(goal.id) is None]
        remarks: dict[str, str] = {}
        for number in range(ROUNDS):
            if not left:
                break
            written, unusable, pending = _ask(order, left, number, remarks, made, watch)
            made.pending += len(pending)
            if written:
                unusable |= asyncio.run(_render_all(order, written, journal))
            for name, why in unusable.items():
                made.unusable.setdefault(name, []).append(why)
            left, remarks = [goal for goal in left if goal.id in unusable], unusable
            if not made.progress.complete:
                made.pending += len(left)
                break
        else:
            for goal in left:
                journal.add(goal.id, remarks[goal.id])
        made.lost, made.pairs = journal.left_out(), len(list(journal.kept()))
        if not made.pending:
            _finish(order, journal, made)
    return made


def _ask(
    order: Order,
    goals: Sequence[Goal],
    number: int,
    remarks: Mapping[str, str],
    made: Made,
    watch: Callable[[RunProgress], None],
) -> tuple[list[Written], dict[str, str], list[str]]:
    """What was written for goals, why a reply is of no use, and the goals that got none."""
    settings = order.request.config.replace(tasks=(asking(goals, order.look, number, remarks),))
    data = planned_pairs(order.goals, order.look, order.folder)
    run, made.progress = execute_run(replace(order.request, config=settings, data=data), watch)
    made.run = run.name
    (model,) = made.progress.models
    by_id = {goal.id: goal for goal in goals}
    written: list[Written] = []
    unusable: dict[str, str] = {}
    with open_run_ledger(made.progress, order.request.ledger) as ledger:
        for outcome in ledger.attempt_results(run.id):
            verdict = outcome.verdict
            if outcome.model != model or outcome.trial != number or outcome.item_id not in by_id or verdict is None:
                continue
            if verdict.status is AttemptStatus.ANSWERED:
                reply = ledger.answered_steps([outcome.attempt_id])[outcome.attempt_id].response
                pages = documents(reply.text)
                if isinstance(pages, str):  # the reply was cut, or was read by other rules then
                    unusable[outcome.item_id] = pages
                    continue
                origin = {**_origin(run, model, number), "attempt": outcome.attempt_id, "served_by": reply.served_by}
                written.append(Written(by_id[outcome.item_id], pages, origin))
            elif verdict.status is not AttemptStatus.FAILED:
                unusable[outcome.item_id] = verdict.reason
    answered = {one.goal.id for one in written} | set(unusable)
    return written, unusable, [goal.id for goal in goals if goal.id not in answered]


def _origin(run: RunRecord, model: str, number: int) -> dict[str, Json]:
    return {"model": model, "run": run.name, "round": number + 1, "prompts": run.settings.get("prompts")}


async def _render_all(order: Order, written: Sequence[Written], journal: Journal[DesignPair]) -> dict[str, str]:
    """Render what was written, and keep it; by goal, why it cannot be used."""
    unusable: dict[str, str] = {}

    async def render(opened: Browser, one: Written) -> None:
        found = await _render(opened, order, one)
        if isinstance(found, str):
            unusable[one.goal.id] = found
        else:
            journal.add(one.goal.id, found)

    async with Browser(Site(PAGES, (), order.folder / PAGES), order.browser) as opened:
        await each(written, order.workers, lambda one: render(opened, one))
    return unusable


async def _render(opened: Browser, order: Order, one: Written) -> DesignPair | str:
    """The pair, or what is wrong with its pages. Which page comes first is a matter of chance, not of the writer."""
    goal = one.goal
    turned = int(digest("order", goal.id), 16) % 2 == 1
    images = images_of(goal)
    names = [f"{goal.id}-{side}.html" for side in "ab"]
    for place, (name, image) in enumerate(zip(names, images, strict=True)):
        number = place ^ turned
        said = ("first", "second")[number]
        (order.folder / PAGES / name).write_text(one.pages[number], encoding="utf-8")
        try:
            png, refused = await again(partial(_picture, opened, order.look, name))
        except PageBroken as broken:
            return f"the {said} document does not show: {broken}"
        if refused:
            return f"the {said} document loads {refused[0][:80]!r}, which is none of the given pictures"
        if _shown(png) < LEAST_SHOWN:
            return f"the {said} document shows an empty page"
        (order.folder / image).write_bytes(png)
    if pixel_difference(*(order.folder / image for image in images)) < LEAST_DIFFERENT:
        return "the two documents look the same"
    known = {"context": goal.context, "page_type": goal.page_type, "industry": goal.industry}
    return DesignPair.model_validate(
        {
            "id": goal.id,
            "images": list(images),
            "goal": goal.goal,
            **{name: value for name, value in known.items() if value},
            "pages": [f"{PAGES}/{name}" for name in names],
            "made": {
                **one.origin,
                "written": [int(turned), int(not turned)],
                "look": order.look.to_json(),
                "browser": opened.version,
            },
        }
    )


async def _picture(opened: Browser, look: Look, name: str) -> tuple[bytes, list[str]]:
    """The page as it looks, and what it wanted to load and was not let: that is missing in the picture."""
    wanted: list[str] = []
    async with opened.page(look) as page:
        page.on("request", lambda request: wanted.append(request.url))
        await open_page(page, f"{ORIGIN}/{name}", look)
        png = await picture(page)
        refused = [url for url in wanted if not url.startswith(INLINE) and opened.site.file(url) is None]
        return png, [recorded(url).removeprefix(f"{ORIGIN}/") for url in refused]


def _shown(png: bytes) -> float:
    """The share of pixels that do not have the commonest colour."""
    pixels = decode_image(png).reshape(-1, 3).astype(np.uint32)
    _, counts = np.unique(pixels @ np.array([1, 256, 65536], np.uint32), return_counts=True)
    return 1 - float(counts.max()) / len(pixels)


def _finish(order: Order, journal: Journal[DesignPair], made: Made) -> None:
    if not made.pairs:
        first, why = next(iter(made.lost.items()))
        shutil.rmtree(order.folder / PAGES)
        for file in (order.folder / "media").iterdir():
            file.unlink()
        journal.discard()
        raise UserError(f"none of the {len(made.lost)} pairs could be made; the first, {first}: {why}")
    _drop_leftovers(order, made.lost)
    models = ", ".join(map(str, order.request.models))
    header = DatasetHeader(
        format=1,
        kind="pair",
        name=order.name or order.folder.resolve().name,
        licence=order.licence,
        provenance=f"written by {models} for a goal each, rendered with affordance in Chromium",
        synthetic=True,
    )
    write_folder(order.folder, header, journal.kept())
    note_lost(order.folder, made.lost)
    journal.finish()


def _drop_leftovers(order: Order, lost: Mapping[str, str]) -> None:
    """Files of goals that got no pair."""
    for goal in order.goals:
        if goal.id in lost:
            for side in "ab":
                (order.folder / PAGES / f"{goal.id}-{side}.html").unlink(missing_ok=True)
                (order.folder / "media" / f"{goal.id}-{side}.png").unlink(missing_ok=True)
