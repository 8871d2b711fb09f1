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
from affordance.ledger._engine import writing
from affordance.ledger._group import Record, Statements, write
from affordance.ledger._trouble import Trouble, trouble
from affordance.ledger.leases import Lease

# A transaction costs as much as some ten records in it, whatever its size. So a group is waited for: for a moment, and
# for another one as long as more keeps coming. Whoever waits for a reply to be written, as the next step of a strategy,
# is not kept waiting for company that does not come.
MOMENT = 0.01  # seconds
MOST_MOMENTS = 5
BUSY = 4  # records within a moment
MOST_RECORDS = 1000

_log = logging.getLogger("affordance.ledger")


class Writer:
    def __init__(self, engine: Engine, where: str, patience: float) -> None:
        self._engine = engine
        self._statements = Statements(engine.dialect)
        self._where = where
        self._patience = patience
        self._queue: queue.SimpleQueue[Record | None] = queue.SimpleQueue()  # None: stop
        self._lock = threading.Lock()  # between putting a record and the end of the queue
        self._news = threading.Condition()  # a group was written, or could not be
        self._closed = False
        self._stopping = False  # whether the end of the queue was reached
        self._failure: BaseException | None = None
        self.on_group: Callable[[], None] = lambda: None
        self.lease: Lease | None = None  # that is to be renewed
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._work, name="ledger-writer", daemon=True)
        self._thread.start()

    def put(self, record: Record) -> Record:
        record.queued(self._news)
        with self._lock:
            if self._closed:
                raise LedgerError(f"the ledger {self._where} is closed")
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

    def _work(self) -> None:
        while not self._stopping:
            records = self._next_group()
            if self._failure is not None:
                _fail(records, self._failure)
            elif records:
                self._commit(records)
            if records:
                with self._news:
                    self._news.notify_all()
                self.on_group()
            self._renew()
        self._disconnect()

    def _next_group(self) -> list[Record]:
        try:
            record = self._queue.get(timeout=leases.RENEWAL_SECONDS)
        except queue.Empty:
            return []
        if record is None:
            self._stopping = True
            return []
        gathered = 0
        for _ in range(MOST_MOMENTS):
            time.sleep(MOMENT)
            before, gathered = gathered, self._queue.qsize()
            if gathered - before < BUSY:
                break
        return [record, *self._waiting(MOST_RECORDS - 1)]

    def _waiting(self, most: float = math.inf) -> list[Record]:
        """Takes what is in the queue by now."""
        records: list[Record] = []
        while len(records) < most and not self._stopping:
            try:
                record = self._queue.get_nowait()
            except queue.Empty:
                break
            if record is None:
                self._stopping = True
            else:
                records.append(record)
        return records

    def _commit(self, records: list[Record]) -> None:
        pauses = _pauses(self._patience)
        warned = False
        while True:
            try:
                self._write(records)
                break
            except Exception as error:  # noqa: BLE001  # whatever it is, those who wait must be told
                self._disconnect()
                found = trouble(error)
                pause = next(pauses, None)
                if found is None or pause is None:
                    self._give_up(records, error, found)
                    return
                if not warned:
                    _log.warning("the ledger %s: %s; trying for %g s", self._where, found.what, self._patience)
                    warned = True
                time.sleep(pause)
        for record in records:
            record.keep(None if record.reply is None else record.reply["id"])

    def _write(self, records: list[Record]) -> None:
        with self._transaction() as connection:
            write(connection, self._statements, records)

    def _renew(self) -> None:
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
            if trouble(error) is None:
                self._failure = error

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        if self._connection is None:
            self._connection = writing(self._engine)
        with self._connection.begin():
            yield self._connection

    def _give_up(self, records: list[Record], error: Exception, found: Trouble | None) -> None:
        records = records + self._waiting()
        if found is None:
            self._failure = error
        else:
            lost = "1 record was" if len(records) == 1 else f"{len(records)} records were"
            self._failure = LedgerError(
                f"cannot write to the ledger {self._where}: {found.what} (tried for {self._patience:g} s), {lost} "
                f"not written, those before are safe; {found.todo}, then run the same command again"
            )
        _fail(records, self._failure)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def _pauses(patience: float) -> Iterator[float]:
    """Ever longer pauses that add up to the patience, which begins when the first is asked for."""
    deadline = time.monotonic() + patience
    pause = 0.05
    while (left := deadline - time.monotonic()) > 0:
        yield min(pause, left)
        pause = min(2 * pause, 1.0)


def _fail(records: list[Record], failure: BaseException) -> None:
    # An exception object collects the traceback of each thread that raises it, so each record has one of its own.
    for record in records:
        own = LedgerError(*failure.args) if isinstance(failure, LedgerError) else failure
        record.break_off(own)
