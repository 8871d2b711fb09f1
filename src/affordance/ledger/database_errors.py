"""What an error of the database means to the user.

Messages are chosen from tables, never quoted: what a driver says may hold a connection string or a user's name."""

import sqlite3
from typing import NamedTuple

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError


class DatabaseProblem(NamedTuple):
    """Something outside of the program that keeps a ledger from being opened, read or written."""

    description: str
    remedy: str


LOCKED = DatabaseProblem("another process keeps it locked", "wait until that one is done")
FULL = DatabaseProblem("the disk is full", "free some space")
NO_PERMISSION = DatabaseProblem(
    "there is no permission to write to it", "change its permissions or name another with --ledger"
)
UNREACHABLE = DatabaseProblem("the server cannot be reached", "check host and port, and that the server is running")

_SQLITE = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_PROTOCOL: LOCKED,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_IOERR: DatabaseProblem("the disk reports an I/O error", "check the disk and its free space"),
    sqlite3.SQLITE_CANTOPEN: DatabaseProblem("the file cannot be opened", "check that it exists and its permissions"),
    sqlite3.SQLITE_READONLY: NO_PERMISSION,
    sqlite3.SQLITE_PERM: NO_PERMISSION,
    sqlite3.SQLITE_CORRUPT: DatabaseProblem(
        "the file is damaged", "restore it from a copy or name another with --ledger"
    ),
    sqlite3.SQLITE_NOTADB: DatabaseProblem("the file is not a database", "name another with --ledger"),
}

_LOGIN_REFUSED = DatabaseProblem("the server refused the user name or password", "check them in the URL")
_NO_DATABASE = DatabaseProblem("the server has no such database", "create it or check the name in the URL")
_NO_SCHEMA = DatabaseProblem("the search path names no schema that exists", "create the schema or correct the URL")

_SQLSTATE = {
    "25006": DatabaseProblem("the server is read-only", "name the primary server"),
    "28000": _LOGIN_REFUSED,
    "28P01": _LOGIN_REFUSED,
    "3D000": _NO_DATABASE,
    "3F000": _NO_SCHEMA,
    "42501": NO_PERMISSION,
    "53100": FULL,
    "53300": DatabaseProblem("the server has too many connections", "close some"),
    "55P03": LOCKED,
}

_UNKNOWN_HOST = DatabaseProblem("there is no such host", "check the host in the URL")

# While connecting, the driver gives no code, only words; the first that fits counts.
_CONNECTION_MESSAGES = (
    ("password", _LOGIN_REFUSED),
    ("pg_hba.conf", _LOGIN_REFUSED),
    ('role "', _LOGIN_REFUSED),
    ('" does not exist', _NO_DATABASE),
    ("too many", _SQLSTATE["53300"]),
    ("resolve host", _UNKNOWN_HOST),
    ("translate host name", _UNKNOWN_HOST),
    (
        "SSL",
        DatabaseProblem("no encrypted connection can be made", "check sslmode in the URL and the server's settings"),
    ),
    ("invalid", DatabaseProblem("the driver does not know an option of the URL", "correct the URL")),
)


def database_problem(error: BaseException) -> DatabaseProblem | None:
    """What is wrong outside of the program, or None where the error is the program's own."""
    if not isinstance(error, DBAPIError):
        return None
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)
        return None if code is None else _SQLITE.get(code & 0xFF)
    code = getattr(cause, "sqlstate", None)
    if code is not None and code in _SQLSTATE:
        return _SQLSTATE[code]
    connecting = error.statement is None
    if connecting or isinstance(error, OperationalError | InterfaceError):
        return next((found for words, found in _CONNECTION_MESSAGES if words in str(cause)), UNREACHABLE)
    return None
