"""Opening: every mistake is one line that says what to do, and none tells a secret."""

import os
import sqlite3
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from ledger_samples import a_run

from affordance.core.errors import LedgerError
from affordance.ledger import open_ledger
from affordance.ledger.database_errors import (
    _CONNECTION_MESSAGES,
    _LOGIN_REFUSED,
    _NO_DATABASE,
    _NO_SCHEMA,
    _SQLITE,
    _UNKNOWN_HOST,
    NO_PERMISSION,
    UNREACHABLE,
    DatabaseProblem,
)
from affordance.ledger.migrations import MIGRATIONS
from errors import raises

NOBODY = 65534
CANNOT_OPEN = _SQLITE[sqlite3.SQLITE_CANTOPEN]
UNKNOWN_OPTION = dict(_CONNECTION_MESSAGES)["invalid"]


def a_foreign_database(path: Path) -> None:
    _sqlite(path, "CREATE TABLE customers (id INTEGER)")


def a_foreign_version_table(path: Path) -> None:
    _sqlite(path, "CREATE TABLE schema_version (version TEXT, script TEXT)")


def a_newer_ledger(path: Path) -> None:
    open_ledger(path).close()
    _sqlite(path, "UPDATE schema_version SET version = 99")


def no_database(path: Path) -> None:
    path.write_bytes(b"%PDF-1.7 " * 500)


def a_folder(path: Path) -> None:
    path.mkdir()


def an_empty_file(path: Path) -> None:
    path.touch()


def nothing(path: Path) -> None:
    pass


@pytest.mark.parametrize(
    ("made", "data"),
    [
        (a_foreign_database, ("'customers'", "--ledger")),
        (a_foreign_version_table, ("'schema_version'", "--ledger")),
        (a_newer_ledger, (99, max(MIGRATIONS), "pip install --upgrade affordance")),
        (no_database, (_SQLITE[sqlite3.SQLITE_NOTADB].description, _SQLITE[sqlite3.SQLITE_NOTADB].remedy)),
        (a_folder, ("postgresql://",)),
        (nothing, ("affordance run", "--ledger")),
        (an_empty_file, ("affordance run", "--ledger")),
    ],
)
def test_what_cannot_be_opened(tmp_path: Path, made: Callable[[Path], None], data: tuple[object, ...]) -> None:
    path = tmp_path / "ledger.db"
    made(path)
    before = path.read_bytes() if path.is_file() else None
    for read_only in (True, False) if made not in (nothing, an_empty_file) else (True,):
        with raises(LedgerError, path, *data):
            open_ledger(path, read_only=read_only)
        assert before is None or path.read_bytes() == before


def test_an_empty_file_becomes_a_ledger(tmp_path: Path) -> None:
    an_empty_file(tmp_path / "ledger.db")
    with open_ledger(tmp_path / "ledger.db") as ledger:
        assert ledger.run_summaries() == []


def test_the_folder_must_exist(tmp_path: Path) -> None:
    with raises(LedgerError, tmp_path / "missing"):
        open_ledger(tmp_path / "missing" / "ledger.db")


@pytest.mark.parametrize("name", ["a b?c#d%e.db", ":memory:", "déjà.db"])
def test_a_path_is_taken_literally(tmp_path: Path, name: str) -> None:
    with open_ledger(tmp_path / name) as ledger:
        ledger.begin_run(a_run())
    assert (tmp_path / name).is_file()


def test_reading_leaves_nothing_behind(tmp_path: Path) -> None:
    open_ledger(tmp_path / "ledger.db").close()
    open_ledger(tmp_path / "ledger.db", read_only=True).close()
    assert [path.name for path in tmp_path.iterdir()] == ["ledger.db"]


def test_no_permission_to_write_the_file(open_folder: Path) -> None:
    open_ledger(open_folder / "ledger.db").close()
    (open_folder / "ledger.db").chmod(0o444)
    open_folder.chmod(0o777)
    with unprivileged(), raises(LedgerError, open_folder / "ledger.db", NO_PERMISSION.description):
        open_ledger(open_folder / "ledger.db")


def test_no_permission_to_write_into_the_folder(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with unprivileged(), raises(LedgerError, open_folder / "ledger.db", CANNOT_OPEN.description):
        open_ledger(open_folder / "ledger.db")


def test_a_ledger_in_a_folder_of_somebody_else_can_be_read(open_folder: Path) -> None:
    with open_ledger(open_folder / "ledger.db") as ledger:
        run = ledger.begin_run(a_run())
    (open_folder / "ledger.db").chmod(0o444)
    open_folder.chmod(0o555)
    with unprivileged(), open_ledger(open_folder / "ledger.db", read_only=True) as ledger:
        assert ledger.find_run("first") == run


SECRET = "s3cr3t/w0rd"
TOKEN = "t0k3n"


@pytest.mark.parametrize(
    ("url", "data"),
    [
        (f"postgresql://user:{SECRET}@127.0.0.1:1/db?sslpassword={TOKEN}", UNREACHABLE.description),
        (f"postgres://user:{SECRET}@127.0.0.1:1/db?password={TOKEN}", "postgresql://127.0.0.1:1/db"),
        (f"postgresql://user:{SECRET}@no-such-host.invalid/db", _UNKNOWN_HOST.description),
        (f"postgresql://user:{SECRET}@127.0.0.1:1/db?tokenx={TOKEN}", UNKNOWN_OPTION.description),
        (f"postgresql://user:{SECRET}@127.0.0.1:port/{TOKEN}", "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"),
        (f"mysql://user:{SECRET}@127.0.0.1/db?x={TOKEN}", "mysql://"),
    ],
)
def test_a_url_that_cannot_be_opened_keeps_its_secrets(url: str, data: str) -> None:
    with raises(LedgerError, data) as error:
        open_ledger(url)
    _keeps_secrets(error.value)


def test_a_wrong_password(postgres_server: str, a_role_with_password: str) -> None:
    url = postgres_server.replace("postgres:@", f"{a_role_with_password}:{TOKEN}@")
    with raises(LedgerError, _LOGIN_REFUSED.description) as error:
        open_ledger(url)
    _keeps_secrets(error.value)


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (("/postgres?", "/missing?"), _NO_DATABASE),
        (("postgres:@", "stranger:@"), _LOGIN_REFUSED),
        (("search_path%3D", "search_path%3Dmissing_"), _NO_SCHEMA),
    ],
)
def test_a_postgres_that_has_no_room(postgres_url: str, change: tuple[str, str], trouble: DatabaseProblem) -> None:
    with raises(LedgerError, trouble.description, trouble.remedy):
        open_ledger(postgres_url.replace(*change))


def test_no_permission_in_postgres(postgres_server: str, a_role_with_password: str) -> None:
    url = postgres_server.replace("postgres:@", f"{a_role_with_password}:right@")
    with raises(LedgerError, NO_PERMISSION.description):
        open_ledger(url)


def test_a_postgres_schema_of_another_program_is_left_alone(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER)")
    with raises(LedgerError, "'customers'", "--ledger"):
        open_ledger(postgres_url)


def test_postgres_in_another_encoding_is_refused(postgres_server: str) -> None:
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with raises(LedgerError, "UTF8", "LATIN1"):
        open_ledger(postgres_server.replace("/postgres?", "/latin?"))


def test_without_psycopg_the_message_ends_with_the_command(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from affordance.ledger import open_ledger\n"
        "open_ledger(sys.argv[1]).close()\n"
        "print('open')\n"
        "open_ledger(sys.argv[2])"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "ledger.db"), f"postgresql://u:{SECRET}@h/db"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "open\n")
    assert done.stderr.rstrip().endswith("pip install 'affordance[postgres]'")
    assert SECRET not in done.stderr


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach; pytest's own cannot be reached by others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Permissions do not bind root, so for a while we are somebody else."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def a_role_with_password(postgres_server: str) -> Iterator[str]:
    """A role which has to give its password ('right') and may do nothing."""
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        rules = Path(connection.execute("SHOW hba_file").fetchone()[0])  # type: ignore[index]
        before = rules.read_text()
        rules.write_text(f"local all guarded scram-sha-256\n{before}")
        connection.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'")
        connection.execute("SELECT pg_reload_conf()")
        yield "guarded"
        rules.write_text(before)
        connection.execute("DROP ROLE guarded")
        connection.execute("SELECT pg_reload_conf()")


def _keeps_secrets(error: LedgerError) -> None:
    told = "".join(traceback.format_exception(error))
    assert "\n" not in str(error)
    for secret in (SECRET, "s3cr3t", "w0rd", TOKEN):
        assert secret not in told


def _sqlite(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement)
    connection.close()
