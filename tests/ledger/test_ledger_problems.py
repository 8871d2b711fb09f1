"""Which problems of a database are retried, and how they are described."""

import shutil
import sqlite3
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from ledger_samples import RIGHT
from sqlalchemy import Engine, event
from sqlalchemy.exc import DBAPIError, OperationalError, ProgrammingError

from affordance.core.errors import LedgerError, LedgerNotFound
from affordance.ledger import BatchKey, DocumentDraft, DocumentSelection, Redaction, open_ledger
from affordance.ledger.database_errors import LOCKED, NO_PERMISSION, UNREACHABLE, DatabaseProblem, database_problem
from errors import raises
from patience import PATIENCE

DRAFT = DocumentDraft("region", "s/1", {"text": "one"}, "person:ada", "s")
LEDGERS = Path(__file__).parent / "data"


def test_a_permanent_problem_is_raised_at_once(tmp_path: Path) -> None:
    """A damaged file stays damaged, however long it is waited for."""
    path = tmp_path / "ledger.db"
    with open_ledger(path, retry_seconds=PATIENCE) as ledger:
        ledger.documents.write([DRAFT])
    with sqlite3.connect(path) as connection:
        page = connection.execute("PRAGMA page_size").fetchone()[0]
        roots = [row[0] for row in connection.execute("SELECT rootpage FROM sqlite_master WHERE rootpage > 1")]
    connection.close()
    content = bytearray(path.read_bytes())
    for root in roots[1:]:  # all tables and indexes but that of the version
        content[(root - 1) * page : root * page] = b"\xff" * page
    path.write_bytes(bytes(content))
    begun = time.monotonic()
    with open_ledger(path, retry_seconds=PATIENCE) as ledger:
        with raises(LedgerError, path):
            ledger.documents.write([DRAFT])
        with raises(LedgerError, path):
            ledger.documents.save_edit_batch(
                BatchKey("one", "person:ada", ""), DocumentSelection([("region", "s/1")]), lambda _: [DRAFT]
            )
        future = ledger.add_verdict("a", RIGHT)
        with raises(LedgerError, path):
            future.result(PATIENCE)
        with pytest.raises(LedgerError):
            ledger.close()
    assert time.monotonic() - begun < PATIENCE / 2


@pytest.mark.parametrize("version", sorted(path.stem for path in LEDGERS.glob("v*.db")))
def test_a_read_only_ledger_of_any_version_can_be_read(tmp_path: Path, version: str) -> None:
    """A ledger without tables for documents has none: a study is looked up in it before anything upgrades it."""
    path = shutil.copy(LEDGERS / f"{version}.db", tmp_path / "ledger.db")
    with open_ledger(path, read_only=True) as ledger:
        documents = ledger.documents
        found: list[Any] = [
            documents.latest(),
            list(documents.iter_latest(["region"])),
            documents.get_many([("region", "x")]),
            documents.changes_since(2**40),
            documents.history("region", "x"),
            documents.histories_in_scope("x"),
            documents.recent_edit_batches(0),
            ledger.verdict_origins("x"),
        ]
        assert documents.last_revision_id() >= 0
        assert documents.subjects("none") == []
        assert documents.edit_counts() is not None
        assert ledger.judge_calibrations() is not None
        assert ledger.mismatches() is not None
        if version in ("v1", "v2"):
            assert not any(found)


def test_ids_are_looked_up_in_chunks(tmp_path: Path) -> None:
    """SQLite before 3.32 takes 999 values in a statement."""

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 999)

    event.listen(Engine, "connect", limit)
    try:
        with open_ledger(tmp_path / "ledger.db") as ledger:
            ids = [f"{number}" for number in range(2500)]
            assert set(ledger.steps_of(ids)) == set(ids)
            assert ledger.answered_steps(ids) == {}
            assert ledger.run_ids_of(ids) == {}
            assert ledger.documents.get_many([("region", one) for one in ids]) == []
    finally:
        event.remove(Engine, "connect", limit)


def test_no_ledger_says_where(tmp_path: Path) -> None:
    with raises(LedgerNotFound, tmp_path / "none.db") as error:
        open_ledger(tmp_path / "none.db", read_only=True)
    assert error.value.location == str(tmp_path / "none.db")


@pytest.mark.parametrize(
    ("state", "transient", "same"),
    [
        pytest.param("55P03", True, LOCKED, id="locked"),
        pytest.param("42501", False, NO_PERMISSION, id="no permission"),
        pytest.param("40P01", True, None, id="deadlock"),
        pytest.param("53200", True, None, id="out of memory"),
        pytest.param("57014", True, None, id="cancelled"),
        pytest.param("57P01", True, UNREACHABLE, id="shut down"),
        pytest.param("08006", True, UNREACHABLE, id="connection lost"),
        pytest.param("58030", False, None, id="any other"),
    ],
)
def test_what_a_server_reports(state: str, transient: bool, same: DatabaseProblem | None) -> None:
    cause = SimpleNamespace(sqlstate=state)
    error = OperationalError("SELECT 1", None, cause)  # type: ignore[arg-type]  # has what is looked at
    problem = database_problem(error)
    assert problem is not None
    assert problem.transient is transient
    assert (problem is UNREACHABLE) is (same is UNREACHABLE)
    assert same is None or problem is same


def test_defects_of_the_program_are_no_problems_of_the_database() -> None:
    assert database_problem(ValueError()) is None
    cause = SimpleNamespace(sqlstate="42P01")
    assert database_problem(ProgrammingError("SELECT 1", None, cause)) is None  # type: ignore[arg-type]
    assert isinstance(ProgrammingError("SELECT 1", None, cause), DBAPIError)  # type: ignore[arg-type]


def test_nothing_of_what_was_erased_is_in_the_files_of_postgres(postgres_url: str) -> None:
    secret = "what was said in confidence " * 20
    with open_ledger(postgres_url) as ledger, psycopg.connect(postgres_url, autocommit=True) as connection:
        ledger.documents.write([DocumentDraft("answer", "s/1", {"text": secret}, "person:ada", "s")])
        connection.execute("CHECKPOINT")
        path = _file_of(connection)
        assert secret[:100].encode() in path.read_bytes()
        redaction = Redaction({("answer", "s/1"): lambda _: {}}, "person:ada", "", "none/")
        assert ledger.documents.redact(redaction)
        connection.execute("CHECKPOINT")
        assert _file_of(connection) != path
        assert secret[:100].encode() not in _file_of(connection).read_bytes()
        assert not path.exists() or secret[:100].encode() not in path.read_bytes()


def _file_of(connection: "psycopg.Connection[Any]") -> Path:
    """The file in which the server keeps the revisions."""
    row = connection.execute(
        "SELECT current_setting('data_directory'), pg_relation_filepath('author_revisions')"
    ).fetchone()
    assert row is not None
    return Path(row[0]) / row[1]
