"""One ledger database: opening it, reading from it, and writing to it under its one write lock."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import URL, Connection, Engine, Table, inspect, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from affordance.core.digest import digest
from affordance.core.errors import LedgerError, LedgerNotFound
from affordance.ledger.connections import driver_connection, postgres_engine, sqlite_engine, write_connection
from affordance.ledger.database_errors import LOCKED, DatabaseProblem, database_problem
from affordance.ledger.migrations import check_version, migrate, schema_version_of
from affordance.ledger.statements import SqlStatements

_EXPECTED = "expected the path of a SQLite file or postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
_IDENTIFYING_OPTIONS = frozenset({"dbname", "host", "hostaddr", "options", "port", "service", "user"})  # in a URL
_MAX_LOCK_SECONDS = 5.0  # then a write reports that it waits, and tries again
_FIRST_PAUSE, _MAX_PAUSE = 0.05, 1.0  # seconds between two attempts to write

T = TypeVar("T")


class Database:
    """An open SQLite file or Postgres database with a ledger's schema.

    Attributes:
        location: Path or URL without secrets, for messages.
        fingerprint: Identifies the ledger in the name of a file; `legacy_fingerprint` is the one of earlier versions.
        read_only: Whether nothing may be written. Only then the schema may be an older one.
        retry_seconds: How long a write is retried while the database is locked, full or unreachable.
    """

    def __init__(
        self, engine: Engine, location: str, fingerprints: tuple[str, str], *, read_only: bool, retry_seconds: float
    ) -> None:
        self.engine = engine
        self.location = location
        self.fingerprint, self.legacy_fingerprint = fingerprints
        self.read_only = read_only
        self.retry_seconds = retry_seconds
        self.statements = SqlStatements(engine.dialect)
        self._tables: frozenset[str] = frozenset()  # as far as known

    @classmethod
    def open(cls, location: str | Path, *, read_only: bool = False, retry_seconds: float = 30.0) -> Self:
        """Opens a database; creates or upgrades the schema unless it is `read_only`."""
        lock_seconds = min(_MAX_LOCK_SECONDS, retry_seconds)
        if isinstance(location, str) and "://" in location:
            url = _postgres_url(location)
            public = str(URL.create("postgresql", host=url.host, port=url.port, database=url.database))
            name, legacy_name = _database_name(url), url.set(password=None).render_as_string()
            engine = postgres_engine(url, lock_seconds=lock_seconds)
        else:
            path = Path(location)
            _check_path(path, read_only=read_only)
            public, name = str(path), str(path.resolve())
            legacy_name = name
            engine = sqlite_engine(path, read_only=read_only, lock_seconds=lock_seconds)
        fingerprints = _fingerprint(name), _fingerprint(legacy_name)
        database = cls(engine, public, fingerprints, read_only=read_only, retry_seconds=retry_seconds)
        try:
            database._prepare()
        except BaseException:
            engine.dispose()
            raise
        return database

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def read(self, *, autocommit: bool = False) -> Iterator[Connection]:
        """A connection to read with. Problems of the database become a `LedgerError`.

        Args:
            autocommit: For a single query, which needs no transaction: two round trips to a server less.
        """
        options: dict[str, Any] = {"isolation_level": "AUTOCOMMIT"} if autocommit else {}
        with self._reading(), self.engine.connect().execution_options(**options) as connection:
            yield connection

    @contextmanager
    def read_with_driver(self) -> Iterator[Any]:
        """The same as the database's driver has it, for short queries that are sent many times."""
        with self._reading(), driver_connection(self.engine) as driver:
            yield driver

    def write(self, work: Callable[[Connection], T]) -> T:
        """Runs `work` in one transaction under the write lock. It is retried while the database is locked, full or
        unreachable, and may have been committed before: a connection that breaks in COMMIT does not say."""
        return self.retry(lambda: self.write_once(work))

    def write_once(self, work: Callable[[Connection], T]) -> T:
        """The same without retries. Errors are SQLAlchemy's."""
        with write_connection(self.engine) as connection, connection.begin():
            return work(connection)

    def retry(self, work: Callable[[], T]) -> T:
        """Retries `work` while a transient problem keeps it from writing, at most for `retry_seconds`."""
        self.check_writable()
        left = pauses(self.retry_seconds)
        while True:
            try:
                return work()
            except DBAPIError as error:
                problem = database_problem(error)
                if problem is None:
                    raise
                pause = next(left, None) if problem.transient else None
                if pause is None:
                    raise self.error("cannot write to", problem) from None
                time.sleep(pause)

    def has(self, table: Table) -> bool:
        """Whether the table exists. Only a read-only ledger of an older version may lack one; read it as empty."""
        if self.read_only and table.name not in self._tables:
            with self.read(autocommit=True) as connection:
                self._tables = frozenset(inspect(connection).get_table_names())
            return table.name in self._tables
        return True

    def check_writable(self) -> None:
        if self.read_only:
            raise LedgerError(f"ledger {self.location} is open read-only")

    def error(self, what: str, problem: DatabaseProblem) -> LedgerError:
        return LedgerError(f"{what} ledger {self.location}: {problem.description}; {problem.remedy}")

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            problem = database_problem(error)
            if problem is None:
                raise
            raise self.error("cannot read", problem) from None

    def _prepare(self) -> None:
        """Waits while another process that opens the same new ledger switches its journal mode: SQLite's own waiting
        does not cover that."""
        left = pauses(self.retry_seconds)
        while True:
            try:
                self._check_and_migrate()
            except DBAPIError as error:
                problem = database_problem(error)
                if problem is None:
                    raise
                pause = next(left, None) if problem is LOCKED else None
                if pause is None:
                    raise self.error("cannot open", problem) from None
                time.sleep(pause)
            else:
                return

    def _check_and_migrate(self) -> None:
        with self.engine.connect() as connection:
            if self.engine.dialect.name == "postgresql":
                encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
                if encoding != "UTF8":
                    raise LedgerError(
                        f"ledger {self.location}: expected a database with encoding UTF8, found {encoding}"
                    )
            check_version(schema_version_of(connection, self.location), self.location, read_only=self.read_only)
        if self.read_only:
            return
        if self.engine.dialect.name == "sqlite":
            # Outside of a transaction, and only once the file is known to be a ledger.
            with self.engine.raw_connection() as raw:
                raw.execute("PRAGMA journal_mode = WAL")
        self.write_once(lambda connection: migrate(connection, self.location))


def pauses(retry_seconds: float) -> Iterator[float]:
    """Growing pauses between attempts to write. They add up to `retry_seconds`, counted from the first one."""
    deadline = time.monotonic() + retry_seconds
    pause = _FIRST_PAUSE
    while (left := deadline - time.monotonic()) > 0:
        yield min(pause, left)
        pause = min(2 * pause, _MAX_PAUSE)


def _fingerprint(name: str) -> str:
    return digest("ledger", name)[:12]


def _database_name(url: URL) -> str:
    """What identifies a database: its URL without secrets and options of the connection."""
    plain = url.set(drivername="postgresql", password=None)
    return plain.difference_update_query(set(url.query) - _IDENTIFYING_OPTIONS).render_as_string()


def _postgres_url(text: str) -> URL:
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # The text is not quoted: in a malformed URL any part may be the password.
        raise LedgerError(f"malformed URL of a ledger; {_EXPECTED}") from None
    if url.drivername not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise LedgerError(f"{_EXPECTED}, found {url.drivername}://")
    return url


def _check_path(path: Path, *, read_only: bool) -> None:
    if path.is_dir():
        raise LedgerError(f"{path} is a folder; {_EXPECTED}")
    if read_only and not path.exists():
        raise LedgerNotFound(str(path))
    if not path.absolute().parent.is_dir():
        raise LedgerError(f"the folder {path.parent} of the ledger does not exist; create it first")
