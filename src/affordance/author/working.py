"""Carrying out a stage on screens: what is done is left alone, what fails is told, and the rest goes on."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from affordance.author.orders import Order, Told, made_with
from affordance.author.project import Project, is_person, open_project, plain, read_state
from affordance.author.records import Kind, Work
from affordance.author.stages import Stage, prompts_of, stage_named
from affordance.author.state import Change, ScreenState
from affordance.author.tools import Result, Tools, Unasked
from affordance.core.digest import Json, canonical, digest
from affordance.core.errors import LedgerError, UserError
from affordance.core.names import ModelName
from affordance.ledger import Revision, Run
from affordance.media import Darkroom
from affordance.run.desk import CHECKER, MODEL, Desk
from affordance.run.gallery import RenderedGallery
from affordance.run.limiter import Interrupted
from affordance.run.rescue import bring_in
from affordance.run.seating import Seating, seated
from affordance.run.signals import interruptible

STILLS = 256 << 20  # bytes of decoded screens
WINDOW = 2  # screens at work for each ask that may be out at once


def work_on(order: Order, watch: Callable[[Told], None] = lambda _: None) -> Told:
    """Carry out a stage on the screens of an order. The same order again does what is left."""
    with open_project(Path(order.folder), order.db) as project:
        bring_in(project.ledger, order.db or project.ledger.where)
        return asyncio.run(_work(project, order, watch))


async def _work(project: Project, order: Order, watch: Callable[[Told], None]) -> Told:
    shift = _Shift(project, order)
    told = shift.told
    try:
        with interruptible(shift.interrupt, _cancel(asyncio.current_task())):
            watcher = asyncio.create_task(_watch(told, watch))
            try:
                await shift.all()
            finally:
                watcher.cancel()
    except asyncio.CancelledError:
        told.progress.interrupted = "interrupted twice: what was under way is dropped"
    finally:
        await shift.close()
    for screen in order.screens:
        if screen not in shift.ended:
            told.pending[screen] = told.progress.interrupted or "not got to"
    watch(told)
    return told


class _Shift:
    """The work of one process on one order."""

    def __init__(self, project: Project, order: Order) -> None:
        self.told = Told(total=len(order.screens))
        self.ended: set[str] = set()
        self._project = project
        self._order = order
        self._stage = stage_named(order.stage)
        self._work = self._stage.work()
        self._prompts = prompts_of(order.stage, None if order.prompts is None else Path(order.prompts))
        self._made_with = made_with(order, self._prompts)
        self._closed = False
        self._files: dict[str, Path] = {}  # of the screens that are at work
        # A screen is shown again and again, each time another part of it: decoding it costs more than all the rest.
        self._gallery = RenderedGallery(Darkroom(Path(order.pictures), self._files, stills_bytes=STILLS))
        self._seating: Seating | None = None
        self._desk = self._make_desk() if order.models else None
        self._tools = Tools(
            desk=self._desk,
            checker=CHECKER in order.models,
            prompts=self._prompts.texts,
            settings={**order.settings, **({"all": "yes"} if order.again else {})},
            seed=order.seed,
            extra=None if order.extra is None else Path(order.extra),
        )

    async def all(self) -> None:
        window = asyncio.Semaphore(max(4, WINDOW * self._order.means.concurrency) if self._desk else 2)
        async with asyncio.TaskGroup() as group:
            for screen in self._order.screens:
                await window.acquire()
                if self._closed:
                    break
                task = group.create_task(self._one(screen))
                task.add_done_callback(lambda _: window.release())

    def interrupt(self, why: str) -> None:
        self._closed = True
        self.told.progress.interrupted = self.told.progress.interrupted or why
        if self._desk is not None:
            self._desk.interrupt(why)

    async def close(self) -> None:
        if self._desk is not None:
            self._desk.rescue()
        if self._seating is not None:
            await self._seating.close()
        self._gallery.close()

    async def _one(self, screen: str) -> None:
        told = self.told
        revisions = await asyncio.to_thread(self._project.ledger.documents, screen=screen)
        inputs = inputs_of(self._stage, self._made_with, revisions)
        work = Work(state="done", inputs=inputs, settings=dict(self._made_with))
        if not self._order.again and _is_done(revisions, f"{self._stage.name}/{screen}", inputs):
            told.skipped += 1
            self.ended.add(screen)
            return
        try:
            state = read_state(self._project.folder, screen, revisions)
            self._files[state.shot.digest] = state.path
            result = await self._work(self._tools, state)
            changes = [*result.changes, *_retired(self._stage, state, result)]
            kept, notes = _not_over_people(changes, revisions)
            notes = [*result.notes, *notes]
            await self._save(screen, kept, work.model_copy(update={"notes": notes} if notes else {}))
        except LedgerError:
            raise
        except Exception as error:  # noqa: BLE001  # told, or raised where it is a bug
            await self._failed(screen, error, work)
            return
        told.done += 1
        told.notes.update(notes)
        self.ended.add(screen)

    async def _failed(self, screen: str, error: BaseException, work: Work) -> None:
        """A group of errors is told by its first; a bug stays one."""
        first = next((one for one in _leaves(error) if not isinstance(one, UserError | Interrupted)), None)
        if first is not None:
            raise first
        reason = next((str(one) for one in _leaves(error) if isinstance(one, UserError)), "interrupted")
        if self._closed or self.told.progress.interrupted:
            return
        unasked = any(isinstance(one, Unasked) for one in _leaves(error))
        (self.told.pending if unasked else self.told.failed)[screen] = reason
        self.ended.add(screen)
        await self._save(screen, [], work.model_copy(update={"state": "failed", "reason": reason}))

    async def _save(self, screen: str, changes: Sequence[Change], work: Work) -> None:
        documents = [*changes, Change(Kind.WORK, f"{self._stage.name}/{screen}", work)]
        await asyncio.to_thread(self._project.write, screen, documents, self._author)

    @property
    def _author(self) -> str:
        model = self._order.models.get(MODEL)
        return f"{self._stage.name}: {model}" if model else self._stage.name

    def _make_desk(self) -> Desk:
        order = self._order
        names = {role: ModelName.parse(name) for role, name in order.models.items()}
        run = self._project.ledger.begin_run(self._run())
        seating = seated(names, self._gallery, order.means, order.parameters, seed=order.seed)
        self._seating = seating
        self.told.progress.spent = 0.0 if seating.priced else None
        progress = self.told.progress
        return Desk(
            self._project.ledger, run, seating.seats, self._files, self._prompts.digest, seating.budget, progress
        )

    def _run(self) -> Run:
        """All that a stage asks with the same settings is one run of the project's ledger."""
        settings: dict[str, Json] = {"tasks": [f"author/{self._stage.name}"], **self._made_with}
        identity = digest("author run", self._project.about.id, settings)
        about = self._project.about
        dataset: dict[str, Json] = {"name": about.name, "digest": about.id, "kind": "screen"}
        return Run(identity, f"{self._stage.name}-{identity[:6]}", settings, dataset)


def _is_done(revisions: Sequence[Revision], subject: str, inputs: str) -> bool:
    before = next((one.document for one in revisions if one.kind == Kind.WORK and one.subject == subject), None)
    return before is not None and before.get("state") == "done" and before.get("inputs") == inputs


def inputs_of(stage: Stage, made_with: Mapping[str, str], revisions: Sequence[Revision]) -> str:
    """A digest of all that the work on a screen is made of."""
    read: Json = [[one.kind, one.subject, dict(one.document)] for one in revisions if one.kind in stage.reads]
    return digest("work", stage.name, dict(made_with), read)


def _retired(stage: Stage, state: ScreenState, result: Result) -> Iterator[Change]:
    """What an earlier time made and this one did not: it is marked as gone, and stays readable."""
    written = {(change.kind, change.subject) for change in result.changes}
    if Kind.REGION in stage.owns:
        for node, region in state.regions.items():
            if (Kind.REGION, subject := f"{state.id}/{node}") not in written:
                yield Change(Kind.REGION, subject, region.model_copy(update={"gone": True}))
    if Kind.QUESTION in stage.owns:
        for name, question in state.questions.items():
            if (Kind.QUESTION, subject := f"{state.id}/{name}") not in written and not question.dropped:
                yield Change(Kind.QUESTION, subject, question.model_copy(update={"dropped": "no longer asked"}))


def _not_over_people(changes: Sequence[Change], revisions: Sequence[Revision]) -> tuple[list[Change], list[str]]:
    """Without what would change a document that a person wrote last. A tree that people have corrected stays as it is:
    new nodes would not fit to theirs."""
    theirs = {(one.kind, one.subject) for one in revisions if is_person(one.author)}
    if any(kind == Kind.REGION for kind, _ in theirs):
        theirs |= {(one.kind, one.subject) for one in changes if one.kind in (Kind.REGION, Kind.DIVISION)}
    current = {(one.kind, one.subject): canonical(dict(one.document)) for one in revisions}
    kept, left = [], 0
    for change in changes:
        key = (change.kind, change.subject)
        if key not in theirs:
            kept.append(change)
        elif current.get(key) != canonical(plain(change.document)):
            left += 1
    return kept, [f"{left} documents were left as people have corrected them"] if left else []


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _leaves(one)
    else:
        yield error


def _cancel(task: "asyncio.Task[object] | None") -> Callable[[], object]:
    return lambda: None if task is None else task.cancel()


async def _watch(told: Told, watch: Callable[[Told], None]) -> None:
    with suppress(asyncio.CancelledError):
        while True:
            watch(told)
            await asyncio.sleep(0.25)
