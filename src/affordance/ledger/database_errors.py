"""Errors of the database, as problems that a user can act on.

Descriptions are chosen from tables and drivers are never quoted: their messages may hold a connection string or a user
name."""

import sqlite3
from typing import NamedTuple

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError


class DatabaseProblem(NamedTuple):
    """A problem outside of the program that keeps a ledger from being opened, read or written."""

    description: str
    remedy: str
    transient: bool = False  # whether it may pass, so that writing is retried


LOCKED = DatabaseProblem("another process has locked it", "wait until that process is done", transient=True)
FULL = DatabaseProblem("the disk is full", "free some space", transient=True)
NO_PERMISSION = DatabaseProblem(
    "there is no permission to write to it", "change its permissions or name another with --ledger"
)
UNREACHABLE = DatabaseProblem(
    "the server cannot be reached", "check host and port, and that the server is running", transient=True
)

_SQLITE = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_PROTOCOL: LOCKED,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_IOERR: DatabaseProblem(
        "the disk reports an I/O error", "check the disk and its free space", transient=True
    ),
    sqlite3.SQLITE_CANTOPEN: DatabaseProblem("the file cannot be opened", "check that it exists and its permissions"),
    sqlite3.SQLITE_READONLY: NO_PERMISSION,
    sqlite3.SQLITE_PERM: NO_PERMISSION,
    sqlite3.SQLITE_CORRUPT: DatabaseProblem(
        "the file is damaged", "restore it from a backup or name another with --ledger"
    ),
    sqlite3.SQLITE_NOTADB: DatabaseProblem("the file is not a database", "name another with --ledger"),
}

_LOGIN_REFUSED = DatabaseProblem("the server refused the user name or password", "check them in the URL")
_NO_DATABASE = DatabaseProblem("the server has no such database", "create it or check the name in the URL")
_NO_SCHEMA = DatabaseProblem("the search path names no existing schema", "create the schema or correct the URL")
_CONFLICT = DatabaseProblem("another transaction got in the way", "run the command again", transient=True)

_SQLSTATE = {
    "25006": DatabaseProblem("the server is read-only", "name the primary server", transient=True),
    "28000": _LOGIN_REFUSED,
    "28P01": _LOGIN_REFUSED,
    "3D000": _NO_DATABASE,
    "3F000": _NO_SCHEMA,
    "40001": _CONFLICT,
    "40P01": _CONFLICT,
    "42501": NO_PERMISSION,
    "53100": FULL,
    "53200": DatabaseProblem("the server is out of memory", "check its settings and load", transient=True),
    "53300": DatabaseProblem(
        "the server has no free connections", "close some or raise max_connections", transient=True
    ),
    "55P03": LOCKED,
    "57014": DatabaseProblem("the server cancelled the query", "check its statement_timeout", transient=True),
}
_CONNECTION_CLASSES = ("08", "57P")  # states of a connection that is lost: SQL's class 08, and shutdown of the server

_UNKNOWN_HOST = DatabaseProblem("there is no such host", "check the host in the URL", transient=True)

# While connecting, the driver gives no code but only a message; the first match counts.
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
    """The problem outside of the program; None if the error is a defect of the program."""
    if not isinstance(error, DBAPIError):
        return None
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", None)
        return None if code is None else _SQLITE.get(code & 0xFF)
    state = getattr(cause, "sqlstate", None)
    if state is not None and state in _SQLSTATE:
        return _SQLSTATE[state]
    connecting = error.statement is None
    if not connecting and not isinstance(error, OperationalError | InterfaceError):
        return None
    if state is None or connecting or state.startswith(_CONNECTION_CLASSES):
        return next((found for words, found in _CONNECTION_MESSAGES if words in str(cause)), UNREACHABLE)
    return DatabaseProblem(f"the server reports error {state}", "look it up in the log of the server")
