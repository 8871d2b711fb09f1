"""Carrying out a stage on screens: what is done is left alone, what fails is told, and the rest goes on."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from affordance.author.orders import Order, Told, made_with
from affordance.author.project import Project, is_person, open_project, plain, read_state
from affordance.author.records import Kind, Shot, Work, told_of
from affordance.author.stages import Stage, prompts_of, stage_named
from affordance.author.state import Change, ScreenState
from affordance.author.tools import Result, Tools, Unasked
from affordance.core.digest import digest, digest_file
from affordance.core.errors import EditConflict, IncompleteError, LedgerError, UserError
from affordance.core.json_text import Json, canonical_json
from affordance.core.model_name import ModelName
from affordance.evaluation.ad_hoc import MODEL, AdHocClient, AdHocModels, build_ad_hoc_models
from affordance.evaluation.budget import cost_of_run
from affordance.evaluation.interrupts import Interrupted, handle_interrupts, run_async
from affordance.ledger import DocumentRevision, RunRecord
from affordance.media import RenderCache
from affordance.media.loader import ThreadedMediaLoader

STILLS = 256 << 20  # bytes of decoded screens
WINDOW = 2  # screens at work for each ask that may be out at once
CONFLICTS = 10  # times that somebody may be faster


def work_on(order: Order, watch: Callable[[Told], None] = lambda _: None) -> Told:
    """Carry out a stage on the screens of an order. The same order again does what is left."""
    with open_project(Path(order.folder), order.db) as project:
        return run_async(_work(project, order, watch))


async def _work(project: Project, order: Order, watch: Callable[[Told], None]) -> Told:
    shift = _Shift(project, order)
    told = shift.told
    try:
        with handle_interrupts(shift.interrupt, _cancel(asyncio.current_task())):
            watcher = asyncio.create_task(_watch(told, watch))
            try:
                await shift.all()
            finally:
                watcher.cancel()
    except asyncio.CancelledError:
        told.progress.stop_reason = "interrupted twice: what was under way is dropped"
    finally:
        await shift.close()
    if isinstance(shift.bug, LedgerError):
        raise IncompleteError(told.progress.stop_reason)
    if shift.bug is not None:
        raise shift.bug
    for screen in order.screens:
        if screen not in shift.ended:
            told.pending[screen] = told.progress.stop_reason or "not got to"
    watch(told)
    return told


class _Shift:
    """The work of one process on one order."""

    def __init__(self, project: Project, order: Order) -> None:
        self.told = Told(total=len(order.screens))
        self.ended: set[str] = set()
        self.bug: Exception | None = None  # raised once what is under way has been written
        self._project = project
        self._order = order
        self._stage = stage_named(order.stage)
        self._work = self._stage.work()
        self._prompts = prompts_of(order.stage, None if order.prompts is None else Path(order.prompts))
        self._made_with = made_with(order, self._prompts)
        self._closed = False
        self._files: dict[str, Path] = {}  # of the screens that are at work
        # A screen is shown again and again, each time another part of it: decoding it costs more than all the rest.
        self._gallery = ThreadedMediaLoader(RenderCache(Path(order.pictures), self._files, decoded_bytes=STILLS))
        self._seating: AdHocModels | None = None
        self._spent_before = 0.0
        self._desk = self._make_desk() if order.models else None
        self._tools = Tools(
            desk=self._desk,
            prompts=self._prompts.texts,
            settings=order.settings,
            again=order.again,
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
        self.told.progress.stop_reason = self.told.progress.stop_reason or why
        if self._desk is not None:
            self._desk.interrupt(why)

    async def close(self) -> None:
        if self._desk is not None:
            self._desk.save_unsaved()
        if self.told.progress.cost is not None:
            self.told.progress.cost -= self._spent_before  # what is told is what this command cost
        if self._seating is not None:
            await self._seating.close()
        self._gallery.close()

    async def _one(self, screen: str) -> None:
        """Nothing is raised here: that would cancel the asks of all other screens, whose replies are paid for."""
        try:
            await self._on(screen)
        except Exception as error:  # noqa: BLE001  # told in the end
            self.bug = self.bug or error
            self.interrupt(str(error))

    async def _on(self, screen: str) -> None:
        revisions, work = await asyncio.to_thread(self._look_up, screen)
        if not self._order.again and self._is_done(screen, revisions, work):
            self.told.skipped += 1
            self.ended.add(screen)
            return
        source = ""
        try:
            state = await asyncio.to_thread(self._state, screen, revisions)
            source = state.shot.digest
            self._files[source] = state.path
            result = await self._work(self._tools, state)
            changes = [*result.changes, *_retired(self._stage, state, result)]
            notes = await self._save(screen, changes, revisions, work, result.notes)
        except Exception as error:  # noqa: BLE001  # told, or raised where it is a bug
            await self._failed(screen, error, revisions, work)
            return
        finally:
            self._files.pop(source, None)
        self.told.done += 1
        self.told.notes.update(notes)
        self.ended.add(screen)

    def _is_done(self, screen: str, revisions: Sequence[DocumentRevision], work: Work) -> bool:
        """With the same inputs; or with a model, where none is given now: what was paid for is not put aside by what
        costs nothing, unless that is asked for."""
        subject = f"{self._stage.name}/{screen}"
        found = next((one.document for one in revisions if one.kind == Kind.WORK and one.subject == subject), None)
        if found is None or found.get("state") != "done":
            return False
        made = found.get("settings")
        if not self._order.models and isinstance(made, Mapping) and MODEL in made and not self._order.insists:
            self.told.notes[f"made with {made[MODEL]}: left as it is (--rerun does it without a model)"] += 1
            return True
        return found.get("inputs") == work.inputs

    def _look_up(self, screen: str) -> tuple[list[DocumentRevision], Work]:
        revisions = self._project.ledger.documents.latest(scope=screen)
        made = {**self._made_with, **pointed_at(self._stage, self._order.extra, revisions)}
        return revisions, Work(state="done", inputs=inputs_of(self._stage, made, revisions), settings=made)

    def _state(self, screen: str, revisions: Sequence[DocumentRevision]) -> ScreenState:
        """What a stage says that it reads, and nothing else: whatever it is made of is in its inputs."""
        known = {Kind.SCREEN, *self._stage.reads, *self._stage.sees}
        return read_state(self._project.folder, screen, [one for one in revisions if one.kind in known])

    async def _failed(
        self, screen: str, error: BaseException, revisions: Sequence[DocumentRevision], work: Work
    ) -> None:
        """A group of errors is told by its first; what is nobody's fault but ours, or the database's, stays one."""
        leaves = list(_leaves(error))
        for one in leaves:
            if not isinstance(one, UserError | Interrupted) or isinstance(one, LedgerError):
                raise one
        reason = next((str(one) for one in leaves if isinstance(one, UserError)), "interrupted")
        if self._closed or self.told.progress.stop_reason:
            return
        unasked = any(isinstance(one, Unasked) for one in leaves)
        (self.told.pending if unasked else self.told.failed)[screen] = reason
        self.ended.add(screen)
        update = {"state": "pending" if unasked else "failed", "reason": reason}
        await self._save(screen, [], revisions, work.model_copy(update=update))

    async def _save(
        self,
        screen: str,
        changes: Sequence[Change],
        revisions: Sequence[DocumentRevision],
        work: Work,
        notes: Sequence[str] = (),
    ) -> list[str]:
        """Write what a stage says of a screen, but nothing over what people wrote, also not while it was at work."""
        for _ in range(CONFLICTS):
            kept, left = _not_over_people(changes, revisions)
            told = [*notes, *left]
            done = work.model_copy(update={"notes": told}) if told else work
            documents = [*kept, Change(Kind.WORK, f"{self._stage.name}/{screen}", done)]
            try:
                await asyncio.to_thread(self._project.write, screen, documents, self._author, revisions)
            except EditConflict:
                revisions = await asyncio.to_thread(self._project.ledger.documents.latest, scope=screen)
            else:
                return told
        raise UserError("somebody kept changing this screen; run the same command again")

    @property
    def _author(self) -> str:
        model = self._order.models.get(MODEL)
        return f"{self._stage.name}: {ModelName.parse(model)}" if model else self._stage.name

    def _make_desk(self) -> AdHocClient:
        order, ledger, progress = self._order, self._project.ledger, self.told.progress
        names = {role: ModelName.parse(name) for role, name in order.models.items()}
        seating = self._seating = build_ad_hoc_models(
            names, self._gallery, order.means, order.parameters, seed=order.seed
        )
        run = ledger.begin_run(self._run())
        self._spent_before = seating.budget.spent = cost_of_run(ledger, run.id, seating.prices)
        progress.cost = seating.budget.spent if seating.all_priced else None
        return AdHocClient(ledger, run, seating.by_role, self._files, self._prompts.digest, seating.budget, progress)

    def _run(self) -> RunRecord:
        """All that a stage asks with the same settings is one run of the project's ledger."""
        settings: dict[str, Json] = {"tasks": [f"author/{self._stage.name}"], **self._made_with}
        identity = digest("author run", self._project.about.id, settings)
        about = self._project.about
        dataset: dict[str, Json] = {"name": about.name, "digest": about.id, "kind": "screen"}
        return RunRecord(identity, f"{self._stage.name}-{identity[:6]}", settings, dataset)


def inputs_of(stage: Stage, made_with: Mapping[str, str], revisions: Sequence[DocumentRevision]) -> str:
    """A digest of all that the work on a screen is made of: what it reads, and what people took back of what it
    wrote. Of what people say of texts, only what they reject makes a difference."""
    beside = frozenset(stage.sees) - frozenset(stage.owns)
    read: Json = [
        [one.kind, one.subject, dict(one.document)]
        for one in revisions
        if (one.kind in stage.reads and (one.kind != Kind.VALIDATION or one.document.get("rejected")))
        or (one.kind in beside and is_person(one.author) and one.document.get("gone"))
    ]
    return digest("work", stage.name, dict(made_with), read)


def pointed_at(stage: Stage, extra: str | None, revisions: Sequence[DocumentRevision]) -> dict[str, str]:
    """The content of the file that a stage was pointed to for a screen, if there is one."""
    shot = next((one.document for one in revisions if one.kind == Kind.SCREEN), None)
    if extra is None or shot is None or (find := stage.file_of()) is None:
        return {}
    found = find(Path(extra), Shot.model_validate(dict(shot)))
    return {} if found is None else {"extra": digest_file(found)}


def _retired(stage: Stage, state: ScreenState, result: Result) -> Iterator[Change]:
    """What an earlier time made and this one did not: it is marked as gone, and stays readable. Without a new tree the
    old one stays."""
    written = {(change.kind, change.subject) for change in result.changes}
    if Kind.REGION in stage.owns and result.changes:
        for node, region in state.regions.items():
            if (Kind.REGION, subject := f"{state.id}/{node}") not in written:
                yield Change(Kind.REGION, subject, region.model_copy(update={"gone": True}))
    if Kind.QUESTION in stage.owns:
        for name, question in state.questions.items():
            if (Kind.QUESTION, subject := f"{state.id}/{name}") not in written and not question.dropped:
                yield Change(Kind.QUESTION, subject, question.model_copy(update={"dropped": "no longer asked"}))


def _not_over_people(
    changes: Sequence[Change], revisions: Sequence[DocumentRevision]
) -> tuple[list[Change], list[str]]:
    """Without what would change a document that a person wrote last and that still holds. A tree that people have
    corrected stays as it is: new nodes would not fit to theirs."""
    boxes = {one.subject: one.document.get("box") for one in revisions if one.kind == Kind.REGION}
    theirs = {(one.kind, one.subject) for one in revisions if is_person(one.author) and _holds(one, boxes)}
    if any(kind == Kind.REGION for kind, _ in theirs):
        theirs |= {(one.kind, one.subject) for one in changes if one.kind in (Kind.REGION, Kind.DIVISION)}
    current = {(one.kind, one.subject): canonical_json(dict(one.document)) for one in revisions}
    kept, left = [], 0
    for change in changes:
        key = (change.kind, change.subject)
        if key not in theirs:
            kept.append(change)
        elif current.get(key) != canonical_json(plain(change.document)):
            left += 1
    return kept, [f"{left} documents were left as people have corrected them"] if left else []


def _holds(one: DocumentRevision, boxes: Mapping[str, Json]) -> bool:
    """Whether what is said of a region was neither taken back nor said of a box that it no longer has."""
    if one.kind not in (Kind.TYPE, Kind.RETELLING, Kind.VALIDATION):
        return True
    return not one.document.get("gone") and told_of(one.document.get("box"), boxes.get(one.subject))


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
