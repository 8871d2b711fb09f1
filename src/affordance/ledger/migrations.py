"""Numbered migrations, which bring a database of any earlier version to the newest schema.

A new database runs the first migration only, which creates the newest schema; an older one runs those after its own
number. Each runs under the write lock, in one transaction with the new number.
"""

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, inspect, select

from affordance.core.errors import LedgerError, LedgerNotFound
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
    """Adds today's keys of requests, in a table of their own, and an empty table of the origins of verdicts."""
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

OLDEST_READABLE = 1  # without changing it: later versions only add tables


def schema_version_of(connection: Connection, location: str) -> int:
    """The version of the schema, 0 for an empty database. Raises LedgerError if the database is not a ledger."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return 0
    if schema_version.name not in tables or not _is_ledger(connection):
        raise LedgerError(
            f"{location} is not an Affordance ledger: it contains the table {min(tables)!r}; name another with --ledger"
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
    """Raises LedgerError for a version that cannot be read, or not without upgrading it."""
    newest = max(migrations)
    if version > newest:
        raise LedgerError(
            f"ledger {location} has schema {version} of a newer version; this one knows schemas up to {newest}; "
            "run pip install --upgrade affordance"
        )
    if read_only and version == 0:
        raise LedgerNotFound(location)
    if read_only and version < oldest_readable:
        raise LedgerError(
            f"ledger {location} has the older schema {version} and is open read-only; open it once with write "
            "permission to upgrade it, for example with `affordance runs`"
        )


def migrate(connection: Connection, location: str, migrations: Mapping[int, Migration] = MIGRATIONS) -> None:
    """Brings the database to the newest schema. The caller's transaction holds the write lock, so that one of several
    processes that open a new ledger creates it and the others find it."""
    version = schema_version_of(connection, location)
    check_version(version, location, read_only=False, migrations=migrations)
    newest = max(migrations)
    if version == 0:
        migrations[1](connection)
        connection.execute(schema_version.insert(), {"version": newest})
        return
    for number in range(version + 1, newest + 1):
        migrations[number](connection)
    # Even without changes: a ledger without write permission is detected now and not after the first response.
    connection.execute(schema_version.update(), {"version": newest})


def _is_ledger(connection: Connection) -> bool:
    """Other programs have a table of this name too, with more columns."""
    columns = inspect(connection).get_columns(schema_version.name)
    return [column["name"] for column in columns] == ["version"]
