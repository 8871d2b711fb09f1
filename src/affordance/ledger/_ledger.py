"""The ledger as its users see it: one object that writes through one thread and reads from any."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from affordance.core.attempts import Attempt, AttemptResult, AttemptStatus, Verdict
from affordance.core.errors import LedgerError, UnknownName
from affordance.core.json_text import Json
from affordance.core.media_spec import MediaSpec
from affordance.core.question import Question
from affordance.core.requests import CallSettings, RequestStep, Response
from affordance.ledger import integrity as integrity
from affordance.ledger import legacy_keys as request_keys
from affordance.ledger import reader as judged
from affordance.ledger import reader as reader
from affordance.ledger import reader as responses
from affordance.ledger import row_mapping as rows
from affordance.ledger import schema as schema
from affordance.ledger._documents import DocumentStore
from affordance.ledger._names import describe_name_conflict
from affordance.ledger.database import driver_connection, retry_write, write_connection
from affordance.ledger.integrity import MediaSource, Mismatch
from affordance.ledger.leases import Lease
from affordance.ledger.migrations import schema_version_of
from affordance.ledger.records import (
    AttemptStep,
    JudgeCalibration,
    MediaRecord,
    ModelUsage,
    RequestRecord,
    RequestTotals,
    ResponseCount,
    RunEntry,
    RunRecord,
    RunSummary,
    UncountedResponse,
    VerdictOrigin,
)
from affordance.ledger.response_lookup import read_response_ids
from affordance.ledger.writer import LedgerWriter, PendingWrite, WriteFuture


class Ledger(DocumentStore):
    """An open ledger; `open_ledger` makes one.

    Writing returns a promise at once. It is kept when the record is committed, together with all that was
    written before it, and broken with a `LedgerError` if the ledger cannot be written. Values that cannot be stored
    (a score of NaN, say) raise ValueError from the call itself.
    """

    def __init__(
        self, engine: Engine, location: str, fingerprints: tuple[str, str], *, read_only: bool, retry_seconds: float
    ) -> None:
        super().__init__(engine, location, fingerprints, read_only=read_only, retry_seconds=retry_seconds)
        self._writer = None if read_only else LedgerWriter(engine, location, retry_seconds)
        self._known_media: set[str] = set()  # those this process has written or is about to

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
    def schema_version(self) -> int:
        """Of the schema, as it is in the database."""
        with self._read_connection() as connection:
            return schema_version_of(connection, self.location)

    @property
    def retry_seconds(self) -> float:
        """How many seconds a writer waits for a locked or full or lost database."""
        return self._retry_seconds

    def on_commit(self, call: Callable[[], None]) -> None:
        """Have something called, in the writer's thread, each time a group has been written or could not be."""
        if self._writer is not None:
            self._writer.on_commit = call

    def begin_run(self, run: RunRecord) -> RunRecord:
        """Records the run, or returns the stored one of that id. Waits for the commit."""
        self._put(PendingWrite({schema.runs: [rows.run_row(run)]})).result()
        with self._read_connection() as connection:
            stored = reader.read_run(connection, schema.runs.c.id == run.id)
            if stored is None:
                taken = reader.read_run(connection, schema.runs.c.name == run.name)
                raise LedgerError(describe_name_conflict(run, taken, self.location))
        return stored

    @contextmanager
    def lease(self, run: RunRecord, models: Sequence[str]) -> Iterator[Lease]:
        """In here no other process sends the requests of these models of a run. Raises `LeaseHeld` where another one
        does. Begin with what is left of the run only after that."""
        lease = Lease(run, models)
        writer = self._writer
        if writer is None:
            raise self._read_only_error()
        if lease.models:
            retry_write(self.location, self._retry_seconds, lambda: self._in_transaction(lease.acquire))
            writer.lease = lease
        try:
            yield lease
        finally:
            writer.lease = None
            if lease.models:
                with suppress(LedgerError):
                    writer.put(
                        PendingWrite()
                    ).result()  # what this process has to say is there before another one begins
                lease.give_up()
                with suppress(DBAPIError):  # it is void soon
                    self._in_transaction(lease.release)

    def add_attempts(self, entries: Sequence[tuple[Attempt, str, Question]]) -> WriteFuture[None]:
        """Records attempts, each with the name of its task and its question. Those already there stay."""
        questions = {(attempt.run_id, question.id): question for attempt, _, question in entries}
        return self._put(
            PendingWrite(
                {
                    schema.questions: [rows.question_row(run, question) for (run, _), question in questions.items()],
                    schema.attempts: [rows.attempt_row(attempt, task) for attempt, task, _ in entries],
                }
            )
        )

    def add_response(
        self,
        attempt_id: str,
        step: RequestStep,
        request: RequestRecord,
        response: Response,
        *,
        run: str,
        requests: int = 1,
    ) -> WriteFuture[int]:
        """Records a reply made in `run` after `requests` requests, its ask, and that the attempt used it. The promise
        gives the reply's id."""
        new = self._unknown_media(request.media)
        return self._put(
            PendingWrite(
                {
                    schema.sources: rows.source_rows(request.source_paths) if new else [],
                    schema.media_specs: [rows.media_row(picture) for picture in new],
                    schema.requests: [rows.request_row(request)],
                    schema.steps: [rows.step_row(attempt_id, step, None)],
                },
                reply=rows.response_row(request.key, run, response, requests),
            )
        )

    def link_response(self, attempt_id: str, step: RequestStep, response_id: int) -> WriteFuture[None]:
        """Records that the attempt used a reply which was in the ledger before."""
        return self._put(PendingWrite({schema.steps: [rows.step_row(attempt_id, step, response_id)]}))

    def add_verdict(
        self,
        attempt_id: str,
        verdict: Verdict,
        first: Verdict | None = None,
        origin: VerdictOrigin | None = None,
    ) -> WriteFuture[None]:
        """Records how the attempt ended; the latest verdict counts. `first` is the one on the first try, where
        the model was asked again. Without an `origin` it is a verdict of parser version 1, read from an unknown
        response."""
        row = rows.verdict_row(attempt_id, verdict, first or verdict)
        origins = {} if origin is None else {schema.verdict_origins: [rows.verdict_origin_row(origin)]}
        return self._put(PendingWrite(origins, verdict=row))

    def add_request_keys(self, legacy_keys: Collection[str]) -> None:
        """Records which keys requests have today that an earlier version has stored; others are left out. Waits for the
        commit."""
        self._check_writable()
        add = partial(request_keys.add_request_keys, legacy=legacy_keys)
        retry_write(self.location, self._retry_seconds, lambda: self._in_transaction(add))

    def add_judge_calibration(self, calibration: JudgeCalibration) -> WriteFuture[None]:
        """Records what was measured of a judge. The same measurements once more change nothing."""
        return self._put(PendingWrite({schema.judge_calibrations: [rows.judge_calibration_row(calibration)]}))

    def run_summaries(self) -> list[RunSummary]:
        """All runs, oldest first, with how far they are."""
        with self._read_connection() as connection:
            return reader.read_run_summaries(connection)

    def runs(self) -> list[RunRecord]:
        """All runs, oldest first, without a look at how far they are."""
        with self._read_connection() as connection:
            return reader.read_runs(connection)

    def find_run(self, name_or_id: str) -> RunRecord:
        """The run of that name, else of that id."""
        with self._read_connection() as connection:
            found = {key: run for run in reader.read_runs(connection) for key in (run.id, run.name)}
        if name_or_id not in found:
            raise UnknownName("run", name_or_id, {run.name for run in found.values()})
        return found[name_or_id]

    def reusable_response_ids(self, *, fresh_run: str | None = None) -> dict[str, int]:
        """By request key, the id of the newest reply that can be used again. For a fresh run, only those made in it."""
        with self._read_connection() as connection:
            return reader.read_reusable_response_ids(connection, fresh_run)

    def response_ids_by_key(self, keys: Sequence[str], *, fresh_run: str | None = None) -> dict[str, int]:
        """The same of some keys, which takes no longer in a large ledger; those without a response are left out."""
        with self._translate_errors(), driver_connection(self._engine) as driver:
            return read_response_ids(driver, self._statements, keys, fresh_run)

    def get_response(self, response_id: int) -> Response:
        """The reply of an id that `cached` or `add_reply` gave."""
        with self._read_connection() as connection:
            found = reader.read_response(connection, response_id)
        if found is None:
            raise LedgerError(f"the ledger {self.location} has no reply {response_id}")
        return found

    def statuses(self, run: str) -> dict[str, AttemptStatus]:
        """By attempt id, how the attempts and judgements of a run ended; those pending are not in it."""
        with self._read_connection() as connection:
            return reader.read_statuses(connection, run)

    def attempt_results(self, run: str, *, judgements: bool = False) -> Iterator[AttemptResult]:
        """The attempts of a run, or its judgements, in the order of task, model, strategy, item, axes and trial.
        Read as they are asked for: close the iterator if you leave it early. Of the verdict on the first try only
        `ended` and `score` are kept."""
        with self._read_connection() as connection:
            yield from reader.read_attempt_results(connection, run, judgements=judgements)

    def run_entries(self) -> list[RunEntry]:
        """Who was asked what in which run, oldest run first."""
        with self._read_connection() as connection:
            return reader.read_run_entries(connection)

    def judged_attempts(self, run: str) -> dict[str, str]:
        """By id of a judgement, the id of the attempt it is about."""
        with self._read_connection() as connection:
            return reader.read_judged_attempts(connection, run)

    def run_ids_of(self, attempt_ids: Sequence[str]) -> dict[str, str]:
        """By id of an attempt or judgement, the id of its run; those that are not there are left out."""
        with self._read_connection() as connection:
            return judged.read_run_ids(connection, attempt_ids)

    def question_axes(self, run: str) -> dict[str, Mapping[str, Json]]:
        """By id of a question of a run, what varies by design in it."""
        with self._read_connection() as connection:
            return judged.read_question_axes(connection, run)

    def judge_calibrations(self) -> list[JudgeCalibration]:
        """What was measured of judges, oldest first."""
        with self._read_connection() as connection:
            return judged.read_judge_calibrations(connection)

    def verdict_history(self, attempt_id: str) -> list[Verdict]:
        """All verdicts on an attempt, the one that counts last."""
        with self._read_connection() as connection:
            return reader.read_verdicts(connection, attempt_id)

    def steps(self, attempt_id: str) -> list[AttemptStep]:
        """What was asked and replied in an attempt, in the order of the steps."""
        return self.steps_of([attempt_id])[attempt_id]

    def steps_of(self, attempt_ids: Sequence[str]) -> dict[str, list[AttemptStep]]:
        """The same of many attempts at once, which takes far less time than one after the other."""
        with self._read_connection() as connection:
            return reader.read_steps(connection, attempt_ids)

    def answered_steps(self, attempt_ids: Sequence[str]) -> dict[str, AttemptStep]:
        """By attempt, the step whose response the latest verdict was read from; the last step where that is not known.
        Attempts without a response are left out."""
        with self._read_connection() as connection:
            return reader.read_answered_steps(connection, attempt_ids)

    def verdict_origins(self, run: str) -> dict[str, VerdictOrigin]:
        """By attempt and judgement of a run, what its latest verdict was read from, where that is known."""
        with self._read_connection() as connection:
            return reader.read_verdict_origins(connection, run)

    def mismatches(self) -> list[Mismatch]:
        """Rows that point to what is not there, and digests that are not those of what is stored."""
        with self._read_connection() as connection:
            return [*integrity.read_broken_references(connection), *integrity.read_wrong_digests(connection)]

    def media_sources(self) -> list[MediaSource]:
        """All images and videos that models were asked about."""
        with self._read_connection() as connection:
            return integrity.read_media_sources(connection)

    def row_counts(self) -> dict[str, int]:
        """By kind, how many rows the ledger has."""
        with self._read_connection() as connection:
            return integrity.read_row_counts(connection)

    def media_record(self, digest: str) -> MediaRecord | None:
        """Source and recipe of a picture that was asked about, or None."""
        with self._read_connection() as connection:
            return reader.read_media_record(connection, digest)

    def source_path(self, digest: str) -> Path | None:
        """Where the file with this content was when models were asked about it."""
        with self._read_connection() as connection:
            return reader.read_source_path(connection, digest)

    def token_usage(self, run: str) -> list[ModelUsage]:
        """What the replies made in a run took, by model; replies from the cache are not counted."""
        with self._read_connection() as connection:
            return reader.read_token_usage(connection, run)

    def uncounted_responses(self, run: str, models: Sequence[str]) -> list[UncountedResponse]:
        """The replies of these models made in a run whose tokens nobody counted."""
        with self._read_connection() as connection:
            return reader.read_uncounted_responses(connection, run, models)

    def request_totals(self, run: str) -> dict[tuple[str, str, str], RequestTotals]:
        """By task, model and strategy; judgements are not among them."""
        with self._read_connection() as connection:
            return reader.read_request_totals(connection, run)

    def response_counts(self, run: str) -> list[ResponseCount]:
        """Under which names the responses of a run were served, made in it or taken from the cache, and how many are
        empty."""
        with self._read_connection() as connection:
            return responses.read_response_counts(connection, run)

    def source_runs(self, run: str) -> set[str]:
        """The ids of the runs in which the responses of a run were made: its own, and those it took from the cache."""
        with self._read_connection() as connection:
            return reader.read_source_runs(connection, run)

    def call_settings(self, run: str) -> dict[str, list[CallSettings]]:
        """By model, whom the asks went to whose replies a run used, made in it or taken from the cache."""
        with self._read_connection() as connection:
            return reader.read_call_settings(connection, run)

    def judge_call_settings(self, run: str) -> dict[str, list[CallSettings]]:
        """By task, whom its judgements were asked of."""
        with self._read_connection() as connection:
            return reader.read_judge_call_settings(connection, run)

    def _in_transaction(self, work: Callable[[Connection], None]) -> None:
        with write_connection(self._engine) as connection, connection.begin():
            work(connection)

    def _put(self, record: PendingWrite) -> PendingWrite:
        if self._writer is None:
            raise self._read_only_error()
        return self._writer.put(record)

    def _unknown_media(self, pictures: tuple[MediaSpec, ...]) -> list[MediaSpec]:
        # Knowing them before they are committed is safe: the queue keeps its order, and once a group has failed
        # nothing after it is written.
        new = {picture.digest: picture for picture in pictures if picture.digest not in self._known_media}
        self._known_media.update(new)
        return list(new.values())
