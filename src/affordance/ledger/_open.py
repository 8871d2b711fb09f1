"""Opening a ledger, and what to say where that fails."""

import time
from pathlib import Path

from sqlalchemy import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from affordance.core.digest import digest
from affordance.core.errors import LedgerError
from affordance.ledger._engine import postgres_engine, sqlite_engine, write_connection
from affordance.ledger._ledger import Ledger
from affordance.ledger._migrations import check_version, migrate, schema_version_of
from affordance.ledger._trouble import LOCKED, database_problem

_EXPECTED = "a ledger is the path of a sqlite file or postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
_IDENTIFYING_OPTIONS = frozenset(
    {"dbname", "host", "hostaddr", "options", "port", "service", "user"}
)  # parts of a URL's query
_MAX_LOCK_SECONDS = 5.0  # seconds; then the writer says that it is waiting, and tries again


def open_ledger(location: str | Path, *, read_only: bool = False, retry_seconds: float = 30.0) -> Ledger:
    """Opens the ledger in a sqlite file or a Postgres database; makes or upgrades it unless it is `read_only`.

    `patience` is how many seconds a writer waits for a locked or full or lost database before it gives up.
    """
    lock_seconds = min(_MAX_LOCK_SECONDS, retry_seconds)
    if isinstance(location, str) and "://" in location:
        url = _postgres_url(location)
        public = str(URL.create("postgresql", host=url.host, port=url.port, database=url.database))
        own, legacy = _database_name(url), url.set(password=None).render_as_string()
        engine = postgres_engine(url, lock_seconds=lock_seconds)
    else:
        path = Path(location)
        _check_path(path, read_only=read_only)
        public, own = str(path), str(path.resolve())
        legacy = own
        engine = sqlite_engine(path, read_only=read_only, lock_seconds=lock_seconds)
    try:
        _prepare(engine, public, read_only=read_only, retry_seconds=retry_seconds)
    except BaseException:
        engine.dispose()
        raise
    marks = _fingerprint(own), _fingerprint(legacy)
    return Ledger(engine, public, marks, read_only=read_only, retry_seconds=retry_seconds)


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
        raise LedgerError(f"no ledger at {path}; run `affordance run` first or name one with --ledger")
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
