"""Locked, full and lost databases: waited for within the patience, and told once it is used up."""

import logging
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from ledger_samples import RIGHT, STEP, a_reply, a_run, an_ask
from sqlalchemy import Engine, event

from affordance.core.errors import LedgerError
from affordance.core.requests import Response
from affordance.ledger import (
    BatchKey,
    DocumentDraft,
    DocumentRevision,
    DocumentSelection,
    database,
    open_ledger,
    writer,
)
from affordance.ledger.connections import sqlite_engine, write_connection
from affordance.ledger.database_errors import _SQLITE, FULL, LOCKED, UNREACHABLE
from affordance.ledger.row_mapping import response_row, step_row, verdict_row
from affordance.ledger.schema import steps
from affordance.ledger.statements import SqlStatements
from affordance.ledger.writer import PendingWrite, write_records
from errors import assert_carries, raises
from patience import PATIENCE, until

LARGE = Response("x" * 1_000_000)
PRAGMAS = ("busy_timeout", "query_only", "synchronous", "temp_store", "wal_autocheckpoint", "journal_mode")


class Space:
    """How large sqlite files may become, from the next connection on."""

    pages = 2**30

    def limit(self, connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {self.pages}")


@pytest.fixture
def space() -> Iterator[Space]:
    space = Space()
    space.pages = 100
    event.listen(Engine, "connect", space.limit)
    yield space
    event.remove(Engine, "connect", space.limit)


def test_a_full_disk_that_gets_room_again_loses_nothing(
    tmp_path: Path, space: Space, caplog: pytest.LogCaptureFixture
) -> None:
    with open_ledger(tmp_path / "ledger.db", retry_seconds=PATIENCE) as ledger:
        before = ledger.add_response("a", STEP, an_ask("one"), a_reply(), run="r").result()
        waiting = [ledger.add_response("b", (0, n, 0), an_ask(f"{n}"), LARGE, run="r") for n in range(3)]
        until(lambda: told(caplog))
        assert not any(future.done for future in waiting)
        space.pages = 2**30
        assert [future.result(PATIENCE) for future in waiting] == [before + 1, before + 2, before + 3]
        assert ledger.get_response(before + 3) == LARGE
    [warning] = told(caplog)
    assert warning.levelno == logging.WARNING
    assert_carries(warning.getMessage(), tmp_path / "ledger.db", FULL.description, f"{PATIENCE:g}")


def test_a_disk_that_stays_full_is_told_and_what_was_written_stays(
    tmp_path: Path, space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.db"
    ledger = open_ledger(path, retry_seconds=0.3)
    before = ledger.add_response("a", STEP, an_ask("one"), a_reply(), run="r").result()
    monkeypatch.setattr(writer, "GATHER_SECONDS", 1.0)
    small = ledger.add_verdict("a", RIGHT)  # in one group with what does not fit
    waiting = ledger.add_response("b", STEP, an_ask("two"), LARGE, run="r")
    for future in (small, waiting, ledger.add_verdict("c", RIGHT)):
        with raises(LedgerError, path, FULL.description, FULL.remedy, "0.3"):
            future.result(PATIENCE)
    with raises(LedgerError, path, FULL.description, "3"):
        ledger.close()
    with raises(LedgerError, path) as error:
        ledger.add_verdict("d", RIGHT)
    assert FULL.description not in str(error.value)
    space.pages = 2**30
    with open_ledger(path) as again:
        assert again.reusable_response_ids() == {an_ask("one").key: before}
        assert again.verdict_history("a") == []
        assert again.steps_of(["b"])["b"] == []


def test_a_limit_on_the_size_of_files_is_waited_for(tmp_path: Path) -> None:
    script = """
import logging, resource, sys, threading
from ledger_samples import *
from affordance.ledger import open_ledger
told = threading.Event()
logging.getLogger("affordance.ledger").addFilter(lambda _: told.set() or True)
with open_ledger(sys.argv[1], retry_seconds=240) as ledger:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    future = ledger.add_response("a", STEP, an_ask("one"), Response("x" * 1_000_000), run="r")
    print(told.wait(240), future.done)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    print(future.result(240))
"""
    command = [sys.executable, "-c", script, str(tmp_path / "ledger.db")]
    done = subprocess.run(
        command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stdout.split() == ["True", "False", "1"]
    assert_carries(done.stderr, tmp_path / "ledger.db", _SQLITE[sqlite3.SQLITE_IOERR].description, "240")


@pytest.mark.parametrize("long", [False, True])
def test_a_lock_is_waited_for(
    where: str, long: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    if long:
        monkeypatch.setattr(database, "_MAX_LOCK_SECONDS", 0.3)
    with open_ledger(where, retry_seconds=PATIENCE) as ledger, the_write_lock(where) as release:
        future = ledger.add_verdict("a", RIGHT)
        if long:
            until(lambda: told(caplog))
            release.set()
        else:
            threading.Timer(0.3, release.set).start()
        future.result(PATIENCE)
        assert ledger.verdict_history("a") == [RIGHT]


def test_a_lock_that_is_kept_is_told(where: str) -> None:
    ledger = open_ledger(where, retry_seconds=0.3)
    with the_write_lock(where):
        future = ledger.add_verdict("a", RIGHT)
        with raises(LedgerError, LOCKED.description, LOCKED.remedy, "1"):
            future.result(PATIENCE)
    with raises(LedgerError, LOCKED.description):
        ledger.close()


@pytest.mark.parametrize(("patience", "shown"), [(0.3, "300ms"), (0.0, "1ms"), (60.0, "5s")])
def test_how_long_postgres_waits_for_a_lock(postgres_url: str, patience: float, shown: str) -> None:
    """0 would be for ever, and after five seconds the writer says that it waits."""
    with open_ledger(postgres_url, retry_seconds=patience) as ledger, ledger.database.engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW lock_timeout").scalar_one() == shown


def test_how_sqlite_is_set(tmp_path: Path) -> None:
    for read_only in (False, True):
        with (
            open_ledger(tmp_path / "ledger.db", read_only=read_only, retry_seconds=0.3) as ledger,
            ledger.database.engine.connect() as connection,
        ):
            found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in PRAGMAS]
        assert found == [300, read_only, 1, 2, 4000, "wal"]


def test_a_lost_connection_is_made_again(postgres_server: str, postgres_url: str) -> None:
    with open_ledger(postgres_url, retry_seconds=PATIENCE) as ledger:
        first = ledger.add_response("a", STEP, an_ask("one"), a_reply(), run="r").result()
        _disconnect_all(postgres_server)
        futures = [ledger.add_response("b", (0, n, 0), an_ask("two"), a_reply(), run="r") for n in range(5)]
        _disconnect_all(postgres_server)
        assert [future.result(PATIENCE) for future in futures] == [first + n for n in range(1, 6)]
        _disconnect_all(postgres_server)
        assert ledger.get_response(first) == a_reply()
        assert len(ledger.steps_of(["b"])["b"]) == 5


def test_a_stroke_whose_connection_breaks_at_any_moment_is_saved_once(postgres_server: str, postgres_url: str) -> None:
    made = []

    def make(there: Mapping[tuple[str, str], DocumentRevision]) -> list[DocumentDraft]:
        made.append(len(there))
        if len(made) == 2:
            _disconnect_all(postgres_server)  # after the lock, before the commit
        return [DocumentDraft("region", "s/1", {"text": str(len(there))}, "person:ada", "s")]

    with open_ledger(postgres_url, retry_seconds=PATIENCE) as ledger:
        wanted = DocumentSelection([("region", "s/1")])
        ledger.documents.save_edit_batch(BatchKey("one", "person:ada", ""), wanted, make)
        _disconnect_all(postgres_server)
        saved = ledger.documents.save_edit_batch(BatchKey("two", "person:ada", ""), wanted, make)
        assert (made, saved.is_new) == ([0, 1, 1], True)
        assert [one.version for one in ledger.documents.history("region", "s/1")] == [1, 2]
        assert len(ledger.documents.recent_edit_batches(5)) == 2


def test_a_lock_that_is_kept_is_told_to_who_saves(where: str) -> None:
    with open_ledger(where, retry_seconds=0.3) as ledger:
        stroke, wanted = BatchKey("one", "person:ada", ""), DocumentSelection([("region", "s/1")])
        drafts = [DocumentDraft("region", "s/1", {}, "person:ada", "s")]
        with the_write_lock(where), raises(LedgerError, LOCKED.description, LOCKED.remedy):
            ledger.documents.save_edit_batch(stroke, wanted, lambda _: drafts)
        assert ledger.documents.save_edit_batch(stroke, wanted, lambda _: drafts).is_new


def test_a_server_that_stays_away_is_told(postgres_server: str) -> None:
    url = postgres_server.replace("/postgres?", "/away?")
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE away")
        ledger = open_ledger(url, retry_seconds=0.3)
        run = ledger.begin_run(a_run())
        connection.execute("ALTER DATABASE away ALLOW_CONNECTIONS false")
        _disconnect_all(postgres_server)
        with raises(LedgerError, "postgresql:///away", UNREACHABLE.description, "0.3"):
            ledger.add_verdict("a", RIGHT).result(PATIENCE)
        with raises(LedgerError, "postgresql:///away", UNREACHABLE.description):
            ledger.run_summaries()
        with pytest.raises(LedgerError):
            ledger.close()
        connection.execute("ALTER DATABASE away ALLOW_CONNECTIONS true")
    with open_ledger(url) as again:
        assert again.find_run("first") == run
        assert again.verdict_history("a") == []


def test_an_error_of_our_own_reaches_who_waits_and_nothing_hangs(where: str) -> None:
    ledger = open_ledger(where)
    if "://" in where:
        with psycopg.connect(where, autocommit=True) as connection:
            connection.execute("DROP TABLE ledger_verdicts")
    else:
        other = sqlite3.connect(where)
        other.execute("DROP TABLE ledger_verdicts")
        other.close()
    for _ in range(2):
        with pytest.raises(Exception, match="ledger_verdicts"):
            ledger.add_verdict("a", RIGHT).result(PATIENCE)
    with pytest.raises(Exception, match="ledger_verdicts"):
        ledger.close()


def test_leaving_with_an_error_keeps_that_error(tmp_path: Path, space: Space) -> None:
    def write_and_fail() -> None:
        with open_ledger(tmp_path / "ledger.db", retry_seconds=0.1) as ledger:
            ledger.add_response("b", STEP, an_ask("two"), LARGE, run="r")
            raise KeyError("first")

    with pytest.raises(KeyError, match="first"):
        write_and_fail()


def test_a_group_whose_commit_was_not_confirmed_is_not_written_twice(tmp_path: Path) -> None:
    open_ledger(tmp_path / "ledger.db").close()
    engine = sqlite_engine(tmp_path / "ledger.db", read_only=False, lock_seconds=1)
    statements = SqlStatements(engine.dialect)
    records = [
        PendingWrite(verdict=verdict_row("a", RIGHT, RIGHT)),
        PendingWrite({steps: [step_row("a", STEP, None)]}, response=response_row("key", "r", a_reply(), 1)),
    ]
    for _ in range(2):
        with write_connection(engine) as connection, connection.begin():
            write_records(connection, statements, records)
    engine.dispose()
    with open_ledger(tmp_path / "ledger.db") as ledger:
        assert ledger.verdict_history("a") == [RIGHT]
        assert ledger.reusable_response_ids() == {"key": 1}
        with pytest.raises(LedgerError):
            ledger.get_response(2)


@contextmanager
def the_write_lock(where: str) -> Iterator[threading.Event]:
    """Holds the write lock as another process would, until the event is set or the block is left."""
    release, held = threading.Event(), threading.Event()

    def hold() -> None:
        if "://" in where:
            with psycopg.connect(where) as connection:
                connection.execute("SELECT pg_advisory_xact_lock(1634100591, hashtext(current_schema()))")
                held.set()
                release.wait(PATIENCE)
        else:
            other = sqlite3.connect(where, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            held.set()
            release.wait(PATIENCE)
            other.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(PATIENCE)
    try:
        yield release
    finally:
        release.set()
        thread.join()


def told(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """What the ledger has warned of."""
    return [record for record in caplog.records if record.name == "affordance.ledger"]


def _disconnect_all(server: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'affordance'"
        )
