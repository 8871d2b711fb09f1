"""The ledger of runs: writes through one thread, reads from any."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from affordance.core.attempts import Attempt, Verdict
from affordance.core.errors import LedgerError
from affordance.core.json_text import Json, canonical_json
from affordance.core.media_spec import MediaSpec
from affordance.core.question import Question
from affordance.core.requests import RequestStep, Response
from affordance.ledger import schema
from affordance.ledger.database import Database
from affordance.ledger.documents import DocumentStore
from affordance.ledger.leases import Lease
from affordance.ledger.legacy_keys import add_request_keys
from affordance.ledger.reader import LedgerReader
from affordance.ledger.records import JudgeCalibration, RequestRecord, RunRecord, VerdictOrigin
from affordance.ledger.row_mapping import (
    attempt_row,
    judge_calibration_row,
    media_row,
    question_row,
    request_row,
    response_row,
    run_from_row,
    run_row,
    source_rows,
    step_row,
    verdict_origin_row,
    verdict_row,
)
from affordance.ledger.writer import LedgerWriter, PendingWrite, WriteFuture

_MAX_SHOWN = 60  # characters of a setting in a message


def open_ledger(location: str | Path, *, read_only: bool = False, retry_seconds: float = 30.0) -> "Ledger":
    """Opens the ledger in a SQLite file or a Postgres database; creates or upgrades it unless it is `read_only`.

    Args:
        location: Path of a file, or `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`.
        retry_seconds: How long a write is retried while the database is locked, full or unreachable.

    Raises:
        LedgerNotFound: There is no file to read from.
        LedgerError: The database cannot be opened, is not a ledger, or has the schema of a newer version.
    """
    return Ledger(Database.open(location, read_only=read_only, retry_seconds=retry_seconds))


class Ledger(LedgerReader):
    """An open ledger; `open_ledger` creates one. `documents` holds the documents of authoring projects and studies.

    Writing returns a future at once. It is done when the record and all earlier ones are committed, and fails with a
    `LedgerError` if the ledger cannot be written. Values that cannot be stored, such as a score of NaN, raise
    ValueError from the call itself.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.documents = DocumentStore(database)
        self._writer = None if database.read_only else LedgerWriter(database)
        self._known_media: set[str] = set()  # digests that this process has written or queued

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except LedgerError:
            # The futures have raised it; the error that left the block must not be hidden.
            if error is None:
                raise

    def close(self) -> None:
        """Waits until all records are written. Raises the error that prevented it."""
        try:
            if self._writer is not None:
                self._writer.close()
        finally:
            self.database.close()

    @property
    def location(self) -> str:
        """Path or URL without secrets."""
        return self.database.location

    @property
    def fingerprint(self) -> str:
        """Identifies the ledger in the name of a file."""
        return self.database.fingerprint

    @property
    def legacy_fingerprint(self) -> str:
        """The fingerprint that earlier versions gave it."""
        return self.database.legacy_fingerprint

    @property
    def retry_seconds(self) -> float:
        """How long a write is retried while the database is locked, full or unreachable."""
        return self.database.retry_seconds

    def on_commit(self, callback: Callable[[], None]) -> None:
        """Sets a function that the writer's thread calls after each group was written or has failed."""
        if self._writer is not None:
            self._writer.on_commit = callback

    def begin_run(self, run: RunRecord) -> RunRecord:
        """Records a run, or returns the stored one of that id. Waits for the commit."""
        self._put(PendingWrite({schema.runs: [run_row(run)]})).result()
        with self.database.read() as connection:
            query = select(schema.runs)
            row = connection.execute(query.where(schema.runs.c.id == run.id)).first()
            if row is None:
                other = connection.execute(query.where(schema.runs.c.name == run.name)).first()
                raise LedgerError(_describe_conflict(run, None if other is None else run_from_row(other)))
        return run_from_row(row)

    @contextmanager
    def lease(self, run: RunRecord, models: Sequence[str]) -> Iterator[Lease]:
        """While the block runs, no other process sends requests to these models for a run. Read the state of the run
        only inside the block.

        Raises:
            LeaseHeld: Another process sends them now.
        """
        lease = Lease(run, models)
        self.database.check_writable()
        writer = self._writer
        assert writer is not None
        if lease.models:
            self.database.write(lease.acquire)
            writer.lease = lease
        try:
            yield lease
        finally:
            writer.lease = None
            if lease.models:
                with suppress(LedgerError):
                    writer.put(PendingWrite()).result()  # earlier records are committed before another process begins
                lease.give_up()
                with suppress(LedgerError, DBAPIError):  # it becomes void soon
                    self.database.write_once(lease.release)

    def add_attempts(self, entries: Sequence[tuple[Attempt, str, Question]]) -> WriteFuture[None]:
        """Records attempts with the name of their task and their question. Known ones are left as they are."""
        questions = {(attempt.run_id, question.id): question for attempt, _, question in entries}
        return self._put(
            PendingWrite(
                {
                    schema.questions: [question_row(run, question) for (run, _), question in questions.items()],
                    schema.attempts: [attempt_row(attempt, task) for attempt, task, _ in entries],
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
        """Records a request, its response and that the attempt used it; `requests` is the number of tries. The future
        returns the id of the response."""
        new = self._unknown_media(request.media)
        return self._put(
            PendingWrite(
                {
                    schema.sources: source_rows(request.source_paths) if new else [],
                    schema.media_specs: [media_row(spec) for spec in new],
                    schema.requests: [request_row(request)],
                    schema.steps: [step_row(attempt_id, step, None)],
                },
                response=response_row(request.key, run, response, requests),
            )
        )

    def link_response(self, attempt_id: str, step: RequestStep, response_id: int) -> WriteFuture[None]:
        """Records that an attempt used a stored response."""
        return self._put(PendingWrite({schema.steps: [step_row(attempt_id, step, response_id)]}))

    def add_verdict(
        self,
        attempt_id: str,
        verdict: Verdict,
        first: Verdict | None = None,
        origin: VerdictOrigin | None = None,
    ) -> WriteFuture[None]:
        """Records the verdict of an attempt; the latest one counts.

        Args:
            first: The verdict of the first response, if the model was asked again.
            origin: What the verdict was parsed from; without it, parser version 1 and an unknown response are assumed.
        """
        row = verdict_row(attempt_id, verdict, first or verdict)
        origins = {} if origin is None else {schema.verdict_origins: [verdict_origin_row(origin)]}
        return self._put(PendingWrite(origins, verdict=row))

    def add_request_keys(self, legacy_keys: Collection[str]) -> None:
        """Records today's keys of requests that an earlier version stored; unknown ones are left out. Waits for the
        commit."""
        self.database.write(partial(add_request_keys, legacy=legacy_keys))

    def add_judge_calibration(self, calibration: JudgeCalibration) -> WriteFuture[None]:
        """Records measurements of a judge. The same measurements are stored once."""
        return self._put(PendingWrite({schema.judge_calibrations: [judge_calibration_row(calibration)]}))

    def _put(self, record: PendingWrite) -> PendingWrite:
        self.database.check_writable()
        assert self._writer is not None
        return self._writer.put(record)

    def _unknown_media(self, specs: tuple[MediaSpec, ...]) -> list[MediaSpec]:
        # Remembering them before they are committed is safe: the queue keeps its order, and once a group has failed
        # nothing after it is written.
        new = {spec.digest: spec for spec in specs if spec.digest not in self._known_media}
        self._known_media.update(new)
        return list(new.values())


def _describe_conflict(run: RunRecord, stored: RunRecord | None) -> str:
    """Which settings of two runs with one name differ."""
    differences: list[str] = []
    if stored is not None:
        differences = [
            *_differences("", run.settings, stored.settings),
            *_differences("dataset ", run.dataset, stored.dataset),
            *_differences("", {"fresh": run.fresh}, {"fresh": stored.fresh}),
        ]
    return (
        f"run {run.name!r} exists with other settings: {', '.join(differences) or 'none that is shown'}; "
        "choose another name, or use the same settings to resume it"
    )


def _differences(label: str, now: Mapping[str, Json], stored: Mapping[str, Json]) -> list[str]:
    return [
        f"{label}{key} is {_shorten(stored.get(key))}, now {_shorten(now.get(key))}"
        for key in sorted({*now, *stored})
        if now.get(key) != stored.get(key)
    ]


def _shorten(value: Json) -> str:
    text = canonical_json(value)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"
