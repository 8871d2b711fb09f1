"""The writer thread: records are queued and committed in groups."""

import logging
import math
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Table, select

from affordance.core.errors import LedgerError
from affordance.ledger import leases
from affordance.ledger.connections import write_connection
from affordance.ledger.database import Database, pauses
from affordance.ledger.database_errors import DatabaseProblem, database_problem
from affordance.ledger.leases import Lease
from affordance.ledger.row_mapping import RowValues, now
from affordance.ledger.schema import responses, steps, verdict_origins, verdicts
from affordance.ledger.statements import KEYED_TABLES, NUMBERED_TABLES, SqlStatements

T = TypeVar("T")


class WriteFuture(Generic[T]):
    """The result of a write: available once the record is committed, or an error if it cannot be written. It cannot be
    cancelled. All futures of a ledger share one condition; each `concurrent.futures.Future` creates its own, which
    takes longer than building the rows."""

    __slots__ = ("_error", "_group_done", "_value", "done")

    def __init__(self) -> None:
        self.done = False
        self._value: T | None = None
        self._error: BaseException | None = None
        self._group_done: threading.Condition | None = None

    def attach(self, condition: threading.Condition) -> None:
        """Sets the condition that is notified once the future is done."""
        self._group_done = condition

    def set_result(self, value: T) -> None:
        self._value = value
        self.done = True

    def set_exception(self, error: BaseException) -> None:
        self._error = error
        self.done = True

    def result(self, timeout: float | None = None) -> T:
        """Waits for the commit. Raises the error that prevented it, or TimeoutError."""
        if not self.done:
            assert self._group_done is not None, "the record is in the queue"
            with self._group_done:
                if not self._group_done.wait_for(lambda: self.done, timeout):
                    raise TimeoutError
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[return-value]  # set, as it is done


class PendingWrite(WriteFuture[Any]):
    """Rows that are committed together.

    Attributes:
        rows: Rows with their own keys by table; those whose keys exist are left as they are.
        response: A response, which gets the next id; its step is among the rows.
        verdict: A verdict, which gets the next id.
    """

    __slots__ = ("response", "rows", "verdict")

    def __init__(
        self,
        rows: dict[Table, list[RowValues]] | None = None,
        response: RowValues | None = None,
        verdict: RowValues | None = None,
    ) -> None:
        super().__init__()
        self.rows = rows or {}
        self.response = response
        self.verdict = verdict


def write_records(connection: Connection, statements: SqlStatements, records: Sequence[PendingWrite]) -> None:
    """Writes records and numbers their responses and verdicts. The caller's transaction holds the write lock."""
    if _is_written(connection, records):
        return
    cursor = connection.connection.cursor()
    last_response, last_verdict = statements.last_ids(cursor)
    batches: dict[Table, list[RowValues]] = {table: [] for table in (*KEYED_TABLES, *NUMBERED_TABLES)}
    time = now()
    for record in records:
        for table, rows in record.rows.items():
            batches[table] += rows
        if record.response is not None:
            last_response += 1
            record.response["id"] = last_response
            record.response["created"] = time
            batches[responses].append(record.response)
            for row in record.rows[steps]:
                row["reply"] = last_response
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
    """Whether an earlier attempt to write this group was committed after all: a connection that breaks during COMMIT
    does not say. One numbered row stands for the group, which is written as a whole; a group without any can be written
    twice. The time in microseconds distinguishes the row from one that another process wrote under the same number."""
    for record in records:
        for table, row in ((responses, record.response), (verdicts, record.verdict)):
            if row is not None:
                if "id" not in row:
                    return False
                query = select(table.c.created).where(table.c.id == row["id"])
                return connection.execute(query).scalar() == row["created"]
    return False


# A transaction costs as much as some ten records in it, whatever its size. So the writer gathers a group: it waits a
# moment, and another one as long as more records keep coming. A single record, such as the response that the next step
# of a strategy needs, is not delayed further.
GATHER_SECONDS = 0.01
MAX_GATHER_ROUNDS = 5
MIN_NEW_RECORDS = 4  # in one round, to wait for another
MAX_RECORDS = 1000

_log = logging.getLogger("affordance.ledger")


class LedgerWriter:
    """The one thread that writes records. It commits all records that have been queued as one group.

    A group is retried while the database is locked, full or unreachable. If that takes too long, or after a permanent
    error, this group and all later records fail; no future stays open.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: queue.SimpleQueue[PendingWrite | None] = queue.SimpleQueue()  # None: stop
        self._lock = threading.Lock()  # between putting a record and closing the queue
        self._group_done = threading.Condition()  # a group was written or has failed
        self._closed = False
        self._stopping = False  # whether the end of the queue was reached
        self._failure: BaseException | None = None
        self.on_commit: Callable[[], None] = lambda: None
        self.lease: Lease | None = None  # renewed between groups
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    def put(self, record: PendingWrite) -> PendingWrite:
        record.attach(self._group_done)
        with self._lock:
            if self._closed:
                raise LedgerError(f"ledger {self._database.location} is closed")
            self._queue.put(record)
        return record

    def close(self) -> None:
        """Waits until all records are written and raises the error that prevented it."""
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
        left = pauses(self._database.retry_seconds)
        warned = False
        while True:
            try:
                with self._transaction() as connection:
                    write_records(connection, self._database.statements, records)
                break
            except Exception as error:  # noqa: BLE001  # any error must reach the futures
                self._disconnect()
                problem = database_problem(error)
                pause = next(left, None) if problem is not None and problem.transient else None
                if problem is None or pause is None:
                    self._give_up(records, error, problem)
                    return
                if not warned:
                    _log.warning(
                        "ledger %s: %s; retrying for up to %g s",
                        self._database.location,
                        problem.description,
                        self._database.retry_seconds,
                    )
                    warned = True
                time.sleep(pause)
        for record in records:
            record.set_result(None if record.response is None else record.response["id"])

    def _renew_lease(self) -> None:
        """In a transaction of its own: a ledger that cannot be written now loses no record by it, and the lease is
        renewed later. Until then its holder sends nothing."""
        lease = self.lease
        if lease is None or not lease.is_due or self._failure is not None:
            return
        try:
            with self._transaction() as connection:
                lease.renew(connection)
        except Exception as error:  # noqa: BLE001  # a defect of the program reaches the futures, as in `_commit`
            self._disconnect()
            if database_problem(error) is None:
                self._failure = error

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        if self._connection is None:
            self._connection = write_connection(self._database.engine)
        with self._connection.begin():
            yield self._connection

    def _give_up(self, records: list[PendingWrite], error: Exception, problem: DatabaseProblem | None) -> None:
        records = records + self._take_queued()
        if problem is None:
            self._failure = error
        else:
            lost = "1 record was" if len(records) == 1 else f"{len(records)} records were"
            retried = f" (retried for {self._database.retry_seconds:g} s)" if problem.transient else ""
            self._failure = LedgerError(
                f"cannot write to ledger {self._database.location}: {problem.description}{retried}; "
                f"{lost} not written, earlier ones are safe; {problem.remedy}, then run the same command again"
            )
        _fail_records(records, self._failure)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def _fail_records(records: list[PendingWrite], failure: BaseException) -> None:
    # An exception collects the traceback of each thread that raises it, so each record gets its own.
    for record in records:
        record.set_exception(LedgerError(*failure.args) if isinstance(failure, LedgerError) else failure)
