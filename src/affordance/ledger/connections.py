"""Connections to SQLite and Postgres, and how their transactions begin.

A transaction on a connection with the option `writes` takes the one write lock of the ledger when it begins, also
against other processes. So transactions of several writers never deadlock, and ids follow the order of the commits.
"""

import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError, DisconnectionError

from affordance.core.errors import LedgerError

_POSTGRES_OPTIONS = {
    "application_name": "affordance",
    "connect_timeout": "10",
    # A peer that vanishes is noticed within half a minute.
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "25000",
}

_POOL_SIZE = 20  # idle connections that are kept: opening one takes longer than most queries
_IDLE_SECONDS = 1.0  # seconds

# One lock for each schema; the first number keeps it apart from advisory locks of other programs.
_POSTGRES_LOCK = "SELECT pg_advisory_xact_lock(1634100591, hashtext(current_schema()))"
_BEGIN_WRITE_STATEMENTS = "opening"  # engine option: the statements that begin a transaction under the write lock


def write_connection(engine: Engine) -> Connection:
    """A connection whose transactions hold the write lock."""
    return engine.connect().execution_options(writes=True)


@contextmanager
def driver_connection(engine: Engine) -> Iterator[Any]:
    """The driver's own connection, in autocommit mode until `begin_write`: for a short statement, SQLAlchemy's overhead
    exceeds its execution. What was not committed is rolled back; errors are raised as SQLAlchemy's."""
    wrong: type[Exception] = engine.dialect.loaded_dbapi.Error
    try:
        held = engine.raw_connection()
    except wrong as error:
        raise DBAPIError.instance(None, None, error, wrong, hide_parameters=True) from error
    try:
        driver: Any = held.driver_connection
        _set_autocommit(driver, True)
        try:
            yield driver
        finally:
            driver.rollback()
            _set_autocommit(driver, False)
    except wrong as error:
        held.invalidate()
        raise DBAPIError.instance("", None, error, wrong, hide_parameters=True) from error
    finally:
        held.close()


def _set_autocommit(driver: Any, on: bool) -> None:
    if hasattr(driver, "pipeline"):  # SQLite's driver is in this mode already
        driver.autocommit = on


def begin_write(engine: Engine, cursor: DBAPICursor) -> None:
    """Begins a transaction that holds the write lock, on a `driver_connection`."""
    for text in engine.get_execution_options()[_BEGIN_WRITE_STATEMENTS]:
        cursor.execute(text)


def pipeline(driver: Any) -> AbstractContextManager[object]:
    """Statements of the block are sent to a server together; their results are available after the block."""
    return driver.pipeline() if hasattr(driver, "pipeline") else nullcontext()


def sqlite_engine(path: Path, *, read_only: bool, lock_seconds: float) -> Engine:
    """`lock_seconds` is how long a transaction waits for the write lock before it fails."""
    query = {"uri": "true", **(_read_mode(path) if read_only else {"mode": "rwc"})}
    url = URL.create("sqlite", database=f"file:{quote(str(path.absolute()))}", query=query)
    engine = create_engine(
        url,
        poolclass=QueuePool,
        paramstyle="named",  # rows are mappings on both databases
        hide_parameters=True,
        connect_args={"timeout": lock_seconds},
        execution_options={_BEGIN_WRITE_STATEMENTS: ("BEGIN IMMEDIATE",)},
    )

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # no implicit BEGIN by the driver
        connection.execute(f"PRAGMA query_only = {read_only:d}")
        connection.execute("PRAGMA synchronous = NORMAL")
        # The statement journal of a multi-row INSERT: in a file it doubles what is written.
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA wal_autocheckpoint = 4000")  # pages: 16 MB, four times the default

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _read_mode(path: Path) -> dict[str, str]:
    """How to open a file for reading. A connection that may write but does not (`query_only`) is best: it removes
    the files that WAL mode puts next to the database. In a folder without write permission they cannot be created; if
    there are none, no process writes to the ledger, so that the file can be opened as immutable."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return {"mode": "rw"}
    if os.access(path.parent, os.W_OK) or path.with_name(path.name + "-wal").exists():
        return {"mode": "ro"}
    return {"mode": "ro", "immutable": "1"}


def postgres_engine(url: URL, *, lock_seconds: float) -> Engine:
    """`lock_seconds` is how long a transaction waits for the write lock before it fails."""
    try:
        import psycopg  # noqa: F401  # an optional dependency
    except ImportError:
        raise LedgerError("a ledger in Postgres needs psycopg: pip install 'affordance[postgres]'") from None
    set_lock_timeout = f"SET lock_timeout = {max(1.0, lock_seconds * 1000):.0f}"  # 0 would mean for ever
    options = {name: value for name, value in _POSTGRES_OPTIONS.items() if name not in url.query}
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=_POOL_SIZE,
        pool_use_lifo=True,  # the most recently used connection has the most prepared statements
        hide_parameters=True,
        connect_args=options,
        execution_options={_BEGIN_WRITE_STATEMENTS: ("BEGIN", _POSTGRES_LOCK)},
    )
    _ping_idle_connections(engine)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.execute(set_lock_timeout)
        connection.commit()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if connection.get_execution_options().get("writes", False):
            connection.exec_driver_sql(_POSTGRES_LOCK)

    return engine


def _ping_idle_connections(engine: Engine) -> None:
    """Tests a connection that was idle before it is used again: the server may have closed it."""

    @event.listens_for(engine, "checkin")
    def _checkin(_connection: object, record: Any) -> None:
        record.info["used"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def _checkout(connection: Any, record: Any, _proxy: object) -> None:
        if time.monotonic() - record.info.get("used", time.monotonic()) < _IDLE_SECONDS:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error:
            raise DisconnectionError from None  # the pool opens a new one
