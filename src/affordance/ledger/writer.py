"""The writer thread: records are queued and committed in groups."""

import logging
import math
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Engine, Table, select

from affordance.core.errors import LedgerError
from affordance.ledger import leases
from affordance.ledger.database import write_connection
from affordance.ledger.database_errors import DatabaseProblem, database_problem
from affordance.ledger.leases import Lease
from affordance.ledger.row_mapping import RowValues, now
from affordance.ledger.schema import responses, steps, verdict_origins, verdicts
from affordance.ledger.statements import KEYED_TABLES, NUMBERED_TABLES, SqlStatements

T = TypeVar("T")


class WriteFuture(Generic[T]):
    """Kept when the record is committed, or broken with an error when it cannot be; never left open. It cannot be
    cancelled: the record is going to be written, whoever waits for it. All of a ledger share one condition, where
    each `concurrent.futures.Future` makes its own, which costs more than building the rows."""

    __slots__ = ("_error", "_news", "_value", "done")

    def __init__(self) -> None:
        self.done = False
        self._value: T | None = None
        self._error: BaseException | None = None
        self._news: threading.Condition | None = None

    def attach(self, condition: threading.Condition) -> None:
        """From now on somebody else keeps it, and then notifies all who wait for the news."""
        self._news = condition

    def set_result(self, value: T) -> None:
        self._value = value
        self.done = True

    def set_exception(self, error: BaseException) -> None:
        self._error = error
        self.done = True

    def result(self, timeout: float | None = None) -> T:
        """What the ledger says of the record, once it is committed; raises what kept it from being so."""
        if not self.done:
            assert self._news is not None, "a record is waited for only after it was put into the queue"
            with self._news:
                if not self._news.wait_for(lambda: self.done, timeout):
                    raise TimeoutError
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[return-value]  # kept, so it is a T


class PendingWrite(WriteFuture[Any]):
    """What is written together and told together: rows that carry their own key, of which those already there
    stay as they are, and a reply with its step, or a verdict, which get the next number."""

    __slots__ = ("reply", "rows", "verdict")

    def __init__(
        self,
        rows: dict[Table, list[RowValues]] | None = None,
        reply: RowValues | None = None,
        verdict: RowValues | None = None,
    ) -> None:
        super().__init__()
        self.rows = rows or {}
        self.reply = reply
        self.verdict = verdict


def write_records(connection: Connection, statements: SqlStatements, records: Sequence[PendingWrite]) -> None:
    """Adds the records and gives their replies and verdicts ids. The caller's transaction holds the write lock."""
    if _is_written(connection, records):
        return
    cursor = connection.connection.cursor()
    last_reply, last_verdict = statements.last_ids(cursor)
    batches: dict[Table, list[RowValues]] = {table: [] for table in (*KEYED_TABLES, *NUMBERED_TABLES)}
    time = now()
    for record in records:
        for table, rows in record.rows.items():
            batches[table] += rows
        if record.reply is not None:
            last_reply += 1
            record.reply["id"] = last_reply
            record.reply["created"] = time
            batches[responses].append(record.reply)
            for row in record.rows[steps]:
                row["reply"] = last_reply
        if record.verdict is not None:
            last_verdict += 1
            record.verdict["id"] = last_verdict
            record.verdict["created"] = time
            batches[verdicts].append(record.verdict)
            for row in record.rows.get(verdict_origins, ()):
                row["verdict"] = last_verdict
    for table, rows in batches.items():
        if rows:
            statements.insert(cursor, table, rows)


def _is_written(connection: Connection, records: Sequence[PendingWrite]) -> bool:
    """Whether an earlier try to write this group was committed after all: a connection that breaks during COMMIT
    does not say. One numbered row stands for the group, which is written as a whole; without any, writing it
    again changes nothing. The time, in microseconds, tells the row from another process' of the same number."""
    for record in records:
        for table, row in ((responses, record.reply), (verdicts, record.verdict)):
            if row is not None:
                if "id" not in row:
                    return False
                query = select(table.c.created).where(table.c.id == row["id"])
                return connection.execute(query).scalar() == row["created"]
    return False


# A transaction costs as much as some ten records in it, whatever its size. So a group is waited for: for a moment, and
# for another one as long as more keeps coming. Whoever waits for a reply to be written, as the next step of a strategy,
# is not kept waiting for company that does not come.
GATHER_SECONDS = 0.01  # seconds
MAX_GATHER_ROUNDS = 5
MIN_NEW_RECORDS = 4  # records within a moment
MAX_RECORDS = 1000

_log = logging.getLogger("affordance.ledger")


class LedgerWriter:
    def __init__(self, engine: Engine, location: str, retry_seconds: float) -> None:
        self._engine = engine
        self._statements = SqlStatements(engine.dialect)
        self._location = location
        self._retry_seconds = retry_seconds
        self._queue: queue.SimpleQueue[PendingWrite | None] = queue.SimpleQueue()  # None: stop
        self._lock = threading.Lock()  # between putting a record and the end of the queue
        self._group_done = threading.Condition()  # a group was written, or could not be
        self._closed = False
        self._stopping = False  # whether the end of the queue was reached
        self._failure: BaseException | None = None
        self.on_commit: Callable[[], None] = lambda: None
        self.lease: Lease | None = None  # that is to be renewed
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    def put(self, record: PendingWrite) -> PendingWrite:
        record.attach(self._group_done)
        with self._lock:
            if self._closed:
                raise LedgerError(f"the ledger {self._location} is closed")
            self._queue.put(record)
        return record

    def close(self) -> None:
        """Waits until all is written, at most for the patience, and raises what went wrong if something did."""
        with self._lock:
            first = not self._closed
            self._closed = True
            if first:
                self._queue.put(None)
        self._thread.join()
        if first and self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        while not self._stopping:
            records = self._next_group()
            if self._failure is not None:
                _fail_records(records, self._failure)
            elif records:
                self._commit(records)
            if records:
                with self._group_done:
                    self._group_done.notify_all()
                self.on_commit()
            self._renew_lease()
        self._disconnect()

    def _next_group(self) -> list[PendingWrite]:
        try:
            record = self._queue.get(timeout=leases.RENEWAL_SECONDS)
        except queue.Empty:
            return []
        if record is None:
            self._stopping = True
            return []
        gathered = 0
        for _ in range(MAX_GATHER_ROUNDS):
            time.sleep(GATHER_SECONDS)
            before, gathered = gathered, self._queue.qsize()
            if gathered - before < MIN_NEW_RECORDS:
                break
        return [record, *self._take_queued(MAX_RECORDS - 1)]

    def _take_queued(self, max_records: float = math.inf) -> list[PendingWrite]:
        """Takes what is in the queue by now."""
        records: list[PendingWrite] = []
        while len(records) < max_records and not self._stopping:
            try:
                record = self._queue.get_nowait()
            except queue.Empty:
                break
            if record is None:
                self._stopping = True
            else:
                records.append(record)
        return records

    def _commit(self, records: list[PendingWrite]) -> None:
        pauses = _pauses(self._retry_seconds)
        warned = False
        while True:
            try:
                self._write(records)
                break
            except Exception as error:  # noqa: BLE001  # whatever it is, those who wait must be told
                self._disconnect()
                found = database_problem(error)
                pause = next(pauses, None)
                if found is None or pause is None:
                    self._give_up(records, error, found)
                    return
                if not warned:
                    _log.warning(
                        "the ledger %s: %s; trying for %g s", self._location, found.description, self._retry_seconds
                    )
                    warned = True
                time.sleep(pause)
        for record in records:
            record.set_result(None if record.reply is None else record.reply["id"])

    def _write(self, records: list[PendingWrite]) -> None:
        with self._transaction() as connection:
            write_records(connection, self._statements, records)

    def _renew_lease(self) -> None:
        """In a transaction of its own: a ledger that cannot be written just now loses no record by it, and the lease
        is renewed later. Until then its holder sends nothing."""
        lease = self.lease
        if lease is None or not lease.is_due or self._failure is not None:
            return
        try:
            with self._transaction() as connection:
                lease.renew(connection)
        except Exception as error:  # noqa: BLE001  # an error of our own is for those who wait, as in `_commit`
            self._disconnect()
            if database_problem(error) is None:
                self._failure = error

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        if self._connection is None:
            self._connection = write_connection(self._engine)
        with self._connection.begin():
            yield self._connection

    def _give_up(self, records: list[PendingWrite], error: Exception, found: DatabaseProblem | None) -> None:
        records = records + self._take_queued()
        if found is None:
            self._failure = error
        else:
            lost = "1 record was" if len(records) == 1 else f"{len(records)} records were"
            self._failure = LedgerError(
                f"cannot write to the ledger {self._location}: {found.description} (tried for "
                f"{self._retry_seconds:g} s), {lost} "
                f"not written, those before are safe; {found.remedy}, then run the same command again"
            )
        _fail_records(records, self._failure)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def _pauses(retry_seconds: float) -> Iterator[float]:
    """Ever longer pauses that add up to the patience, which begins when the first is asked for."""
    deadline = time.monotonic() + retry_seconds
    pause = 0.05
    while (left := deadline - time.monotonic()) > 0:
        yield min(pause, left)
        pause = min(2 * pause, 1.0)


def _fail_records(records: list[PendingWrite], failure: BaseException) -> None:
    # An exception object collects the traceback of each thread that raises it, so each record has one of its own.
    for record in records:
        own = LedgerError(*failure.args) if isinstance(failure, LedgerError) else failure
        record.set_exception(own)
