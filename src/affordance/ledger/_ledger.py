"""The ledger as its users see it: one object that writes through one thread and reads from any."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from affordance.core.ask import Address, Reply, Step
from affordance.core.attempt import Attempt, Ended, Outcome, Verdict
from affordance.core.digest import Json
from affordance.core.errors import LedgerError, UnknownName
from affordance.core.picture import Visual
from affordance.core.question import Question
from affordance.ledger import _integrity as integrity
from affordance.ledger import _judged as judged
from affordance.ledger import _reader as reader
from affordance.ledger import _request_keys as request_keys
from affordance.ledger import _responses as responses
from affordance.ledger import _rows as rows
from affordance.ledger import _schema as schema
from affordance.ledger._documents import Documents
from affordance.ledger._engine import driving, writing
from affordance.ledger._group import Record
from affordance.ledger._integrity import Mismatch, StoredMedium
from affordance.ledger._migrations import version_of
from affordance.ledger._names import name_is_taken
from affordance.ledger._records import (
    Asked,
    Certificate,
    Effort,
    Line,
    ModelUsage,
    PictureRecord,
    ResponseCount,
    Run,
    RunSummary,
    StepRecord,
    Uncounted,
    VerdictOrigin,
)
from affordance.ledger._revisions import patiently
from affordance.ledger._writer import Writer
from affordance.ledger._written import Written
from affordance.ledger.leases import Lease
from affordance.ledger.response_ids import read_response_ids


class Ledger(Documents):
    """An open ledger; `open_ledger` makes one.

    Writing returns a promise at once. It is kept when the record is committed, together with all that was
    written before it, and broken with a `LedgerError` if the ledger cannot be written. Values that cannot be stored
    (a score of NaN, say) raise ValueError from the call itself.
    """

    def __init__(self, engine: Engine, where: str, marks: tuple[str, str], *, read_only: bool, patience: float) -> None:
        super().__init__(engine, where, marks, read_only=read_only, patience=patience)
        self._writer = None if read_only else Writer(engine, where, patience)
        self._known_pictures: set[str] = set()  # those this process has written or is about to

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except LedgerError:
            # Whoever waited for a record was told already; do not hide the error that leads out of the block.
            if error is None:
                raise

    def close(self) -> None:
        """Waits until all is written. Raises if something could not be."""
        try:
            if self._writer is not None:
                self._writer.close()
        finally:
            self._engine.dispose()

    @property
    def version(self) -> int:
        """Of the schema, as it is in the database."""
        with self._reading() as connection:
            return version_of(connection, self.where)

    @property
    def patience(self) -> float:
        """How many seconds a writer waits for a locked or full or lost database."""
        return self._patience

    def on_group(self, call: Callable[[], None]) -> None:
        """Have something called, in the writer's thread, each time a group has been written or could not be."""
        if self._writer is not None:
            self._writer.on_group = call

    def begin_run(self, run: Run) -> Run:
        """Records the run, or returns the stored one of that id. Waits for the commit."""
        self._put(Record({schema.runs: [rows.run_row(run)]})).result()
        with self._reading() as connection:
            stored = reader.read_run(connection, schema.runs.c.id == run.id)
            if stored is None:
                taken = reader.read_run(connection, schema.runs.c.name == run.name)
                raise LedgerError(name_is_taken(run, taken, self.where))
        return stored

    @contextmanager
    def lease(self, run: Run, models: Sequence[str]) -> Iterator[Lease]:
        """In here no other process sends the requests of these models of a run. Raises `LeaseHeld` where another one
        does. Begin with what is left of the run only after that."""
        lease = Lease(run, models)
        writer = self._writer
        if writer is None:
            raise self._not_writable()
        if lease.models:
            patiently(self.where, self._patience, lambda: self._in_transaction(lease.acquire))
            writer.lease = lease
        try:
            yield lease
        finally:
            writer.lease = None
            if lease.models:
                with suppress(LedgerError):
                    writer.put(Record()).result()  # what this process has to say is there before another one begins
                lease.give_up()
                with suppress(DBAPIError):  # it is void soon
                    self._in_transaction(lease.release)

    def plan(self, entries: Sequence[tuple[Attempt, str, Question]]) -> Written[None]:
        """Records attempts, each with the name of its task and its question. Those already there stay."""
        questions = {(attempt.run, question.id): question for attempt, _, question in entries}
        return self._put(
            Record(
                {
                    schema.questions: [rows.question_row(run, question) for (run, _), question in questions.items()],
                    schema.attempts: [rows.attempt_row(attempt, task) for attempt, task, _ in entries],
                }
            )
        )

    def add_reply(
        self, attempt_id: str, step: Step, asked: Asked, reply: Reply, *, run: str, requests: int = 1
    ) -> Written[int]:
        """Records a reply made in `run` after `requests` requests, its ask, and that the attempt used it. The promise
        gives the reply's id."""
        new = self._not_yet_known(asked.pictures)
        return self._put(
            Record(
                {
                    schema.sources: rows.source_rows(asked.files) if new else [],
                    schema.pictures: [rows.picture_row(picture) for picture in new],
                    schema.asks: [rows.ask_row(asked)],
                    schema.steps: [rows.step_row(attempt_id, step, None)],
                },
                reply=rows.reply_row(asked.key, run, reply, requests),
            )
        )

    def add_step(self, attempt_id: str, step: Step, reply_id: int) -> Written[None]:
        """Records that the attempt used a reply which was in the ledger before."""
        return self._put(Record({schema.steps: [rows.step_row(attempt_id, step, reply_id)]}))

    def add_verdict(
        self,
        attempt_id: str,
        verdict: Verdict,
        first: Verdict | None = None,
        origin: VerdictOrigin | None = None,
    ) -> Written[None]:
        """Records how the attempt ended; the latest verdict counts. `first` is the one on the first try, where
        the model was asked again. Without an `origin` it is a verdict of parser version 1, read from an unknown
        response."""
        row = rows.verdict_row(attempt_id, verdict, first or verdict)
        origins = {} if origin is None else {schema.verdict_origins: [rows.verdict_origin_row(origin)]}
        return self._put(Record(origins, verdict=row))

    def add_request_keys(self, legacy_keys: Collection[str]) -> None:
        """Records which keys requests have today that an earlier version has stored; others are left out. Waits for the
        commit."""
        self._check_writable()
        add = partial(request_keys.add_request_keys, legacy=legacy_keys)
        patiently(self.where, self._patience, lambda: self._in_transaction(add))

    def add_certificate(self, certificate: Certificate) -> Written[None]:
        """Records what was measured of a judge. The same measurements once more change nothing."""
        return self._put(Record({schema.certificates: [rows.certificate_row(certificate)]}))

    def runs(self) -> list[RunSummary]:
        """All runs, oldest first, with how far they are."""
        with self._reading() as connection:
            return reader.read_summaries(connection)

    def stored_runs(self) -> list[Run]:
        """All runs, oldest first, without a look at how far they are."""
        with self._reading() as connection:
            return reader.read_runs(connection)

    def find_run(self, name_or_id: str) -> Run:
        """The run of that name, else of that id."""
        with self._reading() as connection:
            found = {key: run for run in reader.read_runs(connection) for key in (run.id, run.name)}
        if name_or_id not in found:
            raise UnknownName("run", name_or_id, {run.name for run in found.values()})
        return found[name_or_id]

    def cached(self, *, fresh_run: str | None = None) -> dict[str, int]:
        """By request key, the id of the newest reply that can be used again. For a fresh run, only those made in it."""
        with self._reading() as connection:
            return reader.read_cached(connection, fresh_run)

    def response_ids_by_key(self, keys: Sequence[str], *, fresh_run: str | None = None) -> dict[str, int]:
        """The same of some keys, which takes no longer in a large ledger; those without a response are left out."""
        with self._told(), driving(self._engine) as driver:
            return read_response_ids(driver, self._statements, keys, fresh_run)

    def reply(self, reply_id: int) -> Reply:
        """The reply of an id that `cached` or `add_reply` gave."""
        with self._reading() as connection:
            found = reader.read_reply(connection, reply_id)
        if found is None:
            raise LedgerError(f"the ledger {self.where} has no reply {reply_id}")
        return found

    def ended(self, run: str) -> dict[str, Ended]:
        """By attempt id, how the attempts and judgements of a run ended; those pending are not in it."""
        with self._reading() as connection:
            return reader.read_ended(connection, run)

    def outcomes(self, run: str, *, judgements: bool = False) -> Iterator[Outcome]:
        """The attempts of a run, or its judgements, in the order of task, model, strategy, item, axes and trial.
        Read as they are asked for: close the iterator if you leave it early. Of the verdict on the first try only
        `ended` and `score` are kept."""
        with self._reading() as connection:
            yield from reader.read_outcomes(connection, run, judgements=judgements)

    def lines(self) -> list[Line]:
        """Who was asked what in which run, oldest run first."""
        with self._reading() as connection:
            return reader.read_lines(connection)

    def subjects(self, run: str) -> dict[str, str]:
        """By id of a judgement, the id of the attempt it is about."""
        with self._reading() as connection:
            return reader.read_subjects(connection, run)

    def runs_of(self, attempt_ids: Sequence[str]) -> dict[str, str]:
        """By id of an attempt or judgement, the id of its run; those that are not there are left out."""
        with self._reading() as connection:
            return judged.read_runs_of(connection, attempt_ids)

    def axes(self, run: str) -> dict[str, Mapping[str, Json]]:
        """By id of a question of a run, what varies by design in it."""
        with self._reading() as connection:
            return judged.read_axes(connection, run)

    def certificates(self) -> list[Certificate]:
        """What was measured of judges, oldest first."""
        with self._reading() as connection:
            return judged.read_certificates(connection)

    def verdicts(self, attempt_id: str) -> list[Verdict]:
        """All verdicts on an attempt, the one that counts last."""
        with self._reading() as connection:
            return reader.read_verdicts(connection, attempt_id)

    def steps(self, attempt_id: str) -> list[StepRecord]:
        """What was asked and replied in an attempt, in the order of the steps."""
        return self.steps_of([attempt_id])[attempt_id]

    def steps_of(self, attempt_ids: Sequence[str]) -> dict[str, list[StepRecord]]:
        """The same of many attempts at once, which takes far less time than one after the other."""
        with self._reading() as connection:
            return reader.read_steps(connection, attempt_ids)

    def answered_steps(self, attempt_ids: Sequence[str]) -> dict[str, StepRecord]:
        """By attempt, the step whose response the latest verdict was read from; the last step where that is not known.
        Attempts without a response are left out."""
        with self._reading() as connection:
            return reader.read_answered_steps(connection, attempt_ids)

    def verdict_origins(self, run: str) -> dict[str, VerdictOrigin]:
        """By attempt and judgement of a run, what its latest verdict was read from, where that is known."""
        with self._reading() as connection:
            return reader.read_verdict_origins(connection, run)

    def mismatches(self) -> list[Mismatch]:
        """Rows that point to what is not there, and digests that are not those of what is stored."""
        with self._reading() as connection:
            return [*integrity.read_broken_references(connection), *integrity.read_wrong_digests(connection)]

    def media(self) -> list[StoredMedium]:
        """All images and videos that models were asked about."""
        with self._reading() as connection:
            return integrity.read_media(connection)

    def row_counts(self) -> dict[str, int]:
        """By kind, how many rows the ledger has."""
        with self._reading() as connection:
            return integrity.read_row_counts(connection)

    def picture(self, digest: str) -> PictureRecord | None:
        """Source and recipe of a picture that was asked about, or None."""
        with self._reading() as connection:
            return reader.read_picture(connection, digest)

    def source(self, digest: str) -> Path | None:
        """Where the file with this content was when models were asked about it."""
        with self._reading() as connection:
            return reader.read_source(connection, digest)

    def usage(self, run: str) -> list[ModelUsage]:
        """What the replies made in a run took, by model; replies from the cache are not counted."""
        with self._reading() as connection:
            return reader.read_usage(connection, run)

    def uncounted(self, run: str, models: Sequence[str]) -> list[Uncounted]:
        """The replies of these models made in a run whose tokens nobody counted."""
        with self._reading() as connection:
            return reader.read_uncounted(connection, run, models)

    def effort(self, run: str) -> dict[tuple[str, str, str], Effort]:
        """By task, model and strategy; judgements are not among them."""
        with self._reading() as connection:
            return reader.read_effort(connection, run)

    def response_counts(self, run: str) -> list[ResponseCount]:
        """Under which names the responses of a run were served, made in it or taken from the cache, and how many are
        empty."""
        with self._reading() as connection:
            return responses.read_response_counts(connection, run)

    def source_runs(self, run: str) -> set[str]:
        """The ids of the runs in which the responses of a run were made: its own, and those it took from the cache."""
        with self._reading() as connection:
            return reader.read_source_runs(connection, run)

    def addresses(self, run: str) -> dict[str, list[Address]]:
        """By model, whom the asks went to whose replies a run used, made in it or taken from the cache."""
        with self._reading() as connection:
            return reader.read_addresses(connection, run)

    def judge_addresses(self, run: str) -> dict[str, list[Address]]:
        """By task, whom its judgements were asked of."""
        with self._reading() as connection:
            return reader.read_judge_addresses(connection, run)

    def _in_transaction(self, work: Callable[[Connection], None]) -> None:
        with writing(self._engine) as connection, connection.begin():
            work(connection)

    def _put(self, record: Record) -> Record:
        if self._writer is None:
            raise self._not_writable()
        return self._writer.put(record)

    def _not_yet_known(self, pictures: tuple[Visual, ...]) -> list[Visual]:
        # Knowing them before they are committed is safe: the queue keeps its order, and once a group has failed
        # nothing after it is written.
        new = {picture.digest: picture for picture in pictures if picture.digest not in self._known_pictures}
        self._known_pictures.update(new)
        return list(new.values())
