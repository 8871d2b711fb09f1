"""Opening a ledger."""

from pathlib import Path

from sqlalchemy import URL

from affordance.ledger._ledger import Ledger
from affordance.ledger.database import (
    _check_path,
    _database_name,
    _fingerprint,
    _postgres_url,
    _prepare,
    postgres_engine,
    sqlite_engine,
)

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
