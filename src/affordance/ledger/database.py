"""Connections to SQLite and Postgres, transactions under the write lock, and the retry rule."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError

from affordance.core.digest import digest
from affordance.core.errors import LedgerError, LedgerNotFound
from affordance.ledger.database_errors import LOCKED, database_problem
from affordance.ledger.migrations import check_version, migrate, schema_version_of

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


_EXPECTED = "a ledger is the path of a sqlite file or postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
_IDENTIFYING_OPTIONS = frozenset(
    {"dbname", "host", "hostaddr", "options", "port", "service", "user"}
)  # parts of a URL's query


def _fingerprint(address: str) -> str:
    return digest("ledger", address)[:12]


def _database_name(url: URL) -> str:
    """What names a database, without secrets and without what only says how it is connected to."""
    plain = url.set(drivername="postgresql", password=None)
    return plain.difference_update_query(set(url.query) - _IDENTIFYING_OPTIONS).render_as_string()


def _postgres_url(text: str) -> URL:
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # The text is not shown: where it cannot be read, nobody knows which part of it is the password.
        raise LedgerError(f"the URL of the ledger cannot be read; {_EXPECTED}") from None
    if url.drivername not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise LedgerError(f"{_EXPECTED}; found {url.drivername}://")
    return url


def _check_path(path: Path, *, read_only: bool) -> None:
    if path.is_dir():
        raise LedgerError(f"{path} is a folder; {_EXPECTED}")
    if read_only and not path.exists():
        raise LedgerNotFound(str(path))
    if not path.absolute().parent.is_dir():
        raise LedgerError(f"the folder {path.parent} for the ledger does not exist; create it first")


def _prepare(engine: Engine, location: str, *, read_only: bool, retry_seconds: float) -> None:
    """Waits while another process that opens the same new ledger switches its journal: sqlite's own waiting does
    not cover that."""
    deadline = time.monotonic() + retry_seconds
    while True:
        try:
            _inspect_and_migrate(engine, location, read_only=read_only)
        except DBAPIError as error:
            found = database_problem(error)
            if found is None:
                raise
            if found is not LOCKED or time.monotonic() > deadline:
                raise LedgerError(f"cannot open the ledger {location}: {found.description}; {found.remedy}") from None
            time.sleep(0.05)
        else:
            return


def _inspect_and_migrate(engine: Engine, location: str, *, read_only: bool) -> None:
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
            if encoding != "UTF8":
                raise LedgerError(f"the ledger {location} needs a database with encoding UTF8, found {encoding}")
        check_version(schema_version_of(connection, location), location, read_only=read_only)
    if read_only:
        return
    if engine.dialect.name == "sqlite":
        # Outside of a transaction, and only now that the file is known to be ours.
        with engine.raw_connection() as raw:
            raw.execute("PRAGMA journal_mode = WAL")
    with write_connection(engine) as connection, connection.begin():
        migrate(connection, location)


_PAUSE_SECONDS = 0.05


W = TypeVar("W")


def retry_write(location: str, retry_seconds: float, work: Callable[[], W]) -> W:
    deadline = time.monotonic() + retry_seconds
    while True:
        try:
            return work()
        except DBAPIError as error:
            found = database_problem(error)
            if found is None:
                raise
            if time.monotonic() > deadline:
                raise LedgerError(f"cannot write to {location}: {found.description}; {found.remedy}") from None
            time.sleep(_PAUSE_SECONDS)
