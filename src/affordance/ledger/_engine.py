"""Engines: how each database is connected to, and how a transaction begins on it.

A transaction of a connection with the option `writes` takes the ledger's one write lock as it begins, also
against other processes. So groups of several writers never deadlock, and ids can be counted on.
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
    # A peer that is gone without a word is noticed within half a minute.
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "25000",
}

_POOL_SIZE = 20  # connections that are kept once they were needed: to make one takes longer than what it is for
_IDLE_SECONDS = 1.0  # seconds

# Every ledger is one schema; the first number only keeps us apart from advisory locks of other programs.
_POSTGRES_LOCK = "SELECT pg_advisory_xact_lock(1634100591, hashtext(current_schema()))"
_BEGIN_WRITE_STATEMENTS = "opening"  # the option of an engine: what begins a transaction that holds the write lock


def write_connection(engine: Engine) -> Connection:
    """A connection whose transactions hold the write lock."""
    return engine.connect().execution_options(writes=True)


@contextmanager
def driver_connection(engine: Engine) -> Iterator[Any]:
    """A connection as its driver has it, in no transaction until `begin`: what SQLAlchemy does around a short statement
    takes longer than the statement. What was not committed is taken back. Errors are SQLAlchemy's all the same."""
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
    if hasattr(driver, "pipeline"):  # sqlite's driver does so from the beginning
        driver.autocommit = on


def begin_write(engine: Engine, cursor: DBAPICursor) -> None:
    """Begins a transaction that holds the write lock, on a connection of `driving`."""
    for text in engine.get_execution_options()[_BEGIN_WRITE_STATEMENTS]:
        cursor.execute(text)


def pipeline(driver: Any) -> AbstractContextManager[object]:
    """What is executed in the block goes to a server at once; what comes of it is there after the block."""
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
        connection.isolation_level = None  # no BEGIN of the driver's own
        connection.execute(f"PRAGMA query_only = {read_only:d}")
        connection.execute("PRAGMA synchronous = NORMAL")
        # What a statement of many rows may have to take back: in a file it is as much writing as the rows themselves.
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA wal_autocheckpoint = 4000")  # pages: 16 MB, four times the default

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _read_mode(path: Path) -> dict[str, str]:
    """How to open a file for reading. A connection that may write but does not (`query_only`) is best: it clears
    the files that WAL mode puts beside the database. A folder that cannot be written to has no room for them; if
    there are none, nobody writes to the ledger and sqlite may be told so."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return {"mode": "rw"}
    if os.access(path.parent, os.W_OK) or path.with_name(path.name + "-wal").exists():
        return {"mode": "ro"}
    return {"mode": "ro", "immutable": "1"}


def postgres_engine(url: URL, *, lock_seconds: float) -> Engine:
    """`lock_seconds` is how long a transaction waits for the write lock before it fails."""
    try:
        import psycopg  # noqa: F401  # an extra: everything else works without it
    except ImportError:
        raise LedgerError("a ledger in Postgres needs psycopg: pip install 'affordance[postgres]'") from None
    patience = f"SET lock_timeout = {max(1.0, lock_seconds * 1000):.0f}"  # 0 would be for ever
    options = {name: value for name, value in _POSTGRES_OPTIONS.items() if name not in url.query}
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=_POOL_SIZE,
        pool_use_lifo=True,  # the one that was used last knows its statements best
        hide_parameters=True,
        connect_args=options,
        execution_options={_BEGIN_WRITE_STATEMENTS: ("BEGIN", _POSTGRES_LOCK)},
    )
    _ping_idle_connections(engine)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:
        connection.execute(patience)
        connection.commit()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if connection.get_execution_options().get("writes", False):
            connection.exec_driver_sql(_POSTGRES_LOCK)

    return engine


def _ping_idle_connections(engine: Engine) -> None:
    """A connection that was used just now is taken as it is; of one that lay there, the server may have let go."""

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
            raise DisconnectionError from None  # the pool makes a new one
