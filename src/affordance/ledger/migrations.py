"""Numbered migrations: how a database gets from any earlier version to the newest.

A new database is made by the first migration alone, which creates the newest schema; an older one runs those
after its own number. Each runs under the write lock, in one transaction with the new number."""

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, inspect, select

from affordance.core.errors import LedgerError
from affordance.ledger.legacy_keys import add_request_keys
from affordance.ledger.schema import (
    edit_batches,
    judge_calibrations,
    leases,
    metadata,
    request_keys,
    revisions,
    schema_version,
    verdict_origins,
)

Migration = Callable[[Connection], None]


def add_keys_and_origins(connection: Connection) -> None:
    """Requests get the keys of today, in a table of their own. Where older verdicts came from is not known."""
    request_keys.create(connection)
    verdict_origins.create(connection)
    add_request_keys(connection)


MIGRATIONS: Mapping[int, Migration] = {
    1: metadata.create_all,
    2: judge_calibrations.create,
    3: revisions.create,
    4: edit_batches.create,
    5: add_keys_and_origins,
    6: leases.create,
}

OLDEST_READABLE = 1  # the oldest version that can be read as it is: those after it only add tables


def schema_version_of(connection: Connection, location: str) -> int:
    """The version of the schema, 0 for an empty database. Refuses a database that is somebody else's."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return 0
    if schema_version.name not in tables or not _is_ledger(connection):
        raise LedgerError(
            f"{location} is a database of another program: expected a ledger or an empty one, found the table "
            f"{min(tables)!r}; name another with --ledger"
        )
    return int(connection.execute(select(schema_version.c.version)).scalar_one())


def check_version(
    version: int,
    location: str,
    *,
    read_only: bool,
    migrations: Mapping[int, Migration] = MIGRATIONS,
    oldest_readable: int = OLDEST_READABLE,
) -> None:
    """Refuses a version that this program cannot read, or cannot read without changing it."""
    newest = max(migrations)
    if version > newest:
        raise LedgerError(
            f"the ledger {location} was made by a newer version (schema {version}, known up to {newest}); "
            "upgrade affordance: pip install --upgrade affordance"
        )
    if read_only and version == 0:
        raise LedgerError(f"{location} holds no ledger yet; run `affordance run` first or name one with --ledger")
    if read_only and version < oldest_readable:
        raise LedgerError(
            f"the ledger {location} has the older schema {version} and is open for reading only; "
            "a user who may write to it has to open it once, for example with `affordance run`"
        )


def migrate(connection: Connection, location: str, migrations: Mapping[int, Migration] = MIGRATIONS) -> None:
    """Brings the database to the newest version. The caller's transaction holds the write lock, so that of several
    processes that open a new ledger at once one creates it and the others find it."""
    version = schema_version_of(connection, location)
    check_version(version, location, read_only=False, migrations=migrations)
    newest = max(migrations)
    if version == 0:
        migrations[1](connection)
        connection.execute(schema_version.insert(), {"version": newest})
        return
    for number in range(version + 1, newest + 1):
        migrations[number](connection)
    # Also where nothing changes: a ledger that cannot be written to is found out now and not after the first reply.
    connection.execute(schema_version.update(), {"version": newest})


def _is_ledger(connection: Connection) -> bool:
    """Other programs keep a table of this name too, with more columns."""
    columns = inspect(connection).get_columns(schema_version.name)
    return [column["name"] for column in columns] == ["version"]
