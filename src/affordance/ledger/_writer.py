"""The one thread that writes. It takes what has gathered in the queue and commits it as one group.

Where the database is locked, full or gone, the same group is tried again until the patience is used up; after
that, and after an error of our own, this and every later record fails. No promise stays open.
"""

import logging
import math
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine

from affordance.core.errors import LedgerError
from affordance.ledger import leases
from affordance.ledger._engine import write_connection
from affordance.ledger._group import PendingWrite, SqlStatements, write_records
from affordance.ledger._trouble import DatabaseProblem, database_problem
from affordance.ledger.leases import Lease

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
