"""A ledger of every earlier version can be opened: `data/v1.db` was made by version 1 and is never made again."""

import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from ledger_samples import FAILED, PATH, RIGHT, STEP, a_picture, a_question, a_reply, a_run, an_ask, an_attempt
from sqlalchemy import Connection

from affordance.core.attempts import AttemptStatus
from affordance.core.errors import LedgerError
from affordance.ledger import Ledger, open_ledger
from affordance.ledger.connections import sqlite_engine, write_connection
from affordance.ledger.migrations import MIGRATIONS, check_version, migrate
from errors import raises

V1 = Path(__file__).parent / "data" / "v1.db"


def make_v1(path: Path) -> None:
    """Wrote `data/v1.db`, when version 1 was the newest: one run, two attempts, two replies, three verdicts."""
    with open_ledger(path) as ledger:
        run = ledger.begin_run(a_run("version one", seed=7))
        question = a_question(order=1)
        one, two = (an_attempt(run, question, trial=trial) for trial in range(2))
        ledger.add_attempts([(one, "effect", question), (two, "effect", question)])
        ledger.add_response(one.id, STEP, an_ask("one", pictures=2), a_reply("Yes.\0"), run=run.id)
        ledger.add_response(two.id, STEP, an_ask("two"), a_reply("No."), run=run.id)
        for verdict in (FAILED, RIGHT):
            ledger.add_verdict(one.id, verdict)
        ledger.add_verdict(two.id, replace(RIGHT, answer="no", score=0.0))


@pytest.fixture
def upgraded(tmp_path: Path) -> Path:
    """The file of version 1 after it was opened for writing."""
    path = tmp_path / "v1.db"
    shutil.copyfile(V1, path)
    open_ledger(path).close()
    return path


def test_all_of_version_1_is_still_there(upgraded: Path) -> None:
    with open_ledger(upgraded, read_only=True) as ledger:
        run = ledger.find_run("version one")
        assert replace(run, created="") == a_run("version one", seed=7)
        one, two = ledger.attempt_results(run.id)
        assert (one.verdict, two.trial, two.item_id) == (RIGHT, 1, "clip-1")
        assert ledger.verdict_history(one.attempt_id) == [FAILED, RIGHT]
        assert [step.response for step in ledger.steps_of([one.attempt_id])[one.attempt_id]] == [a_reply("Yes.\0")]
        assert set(ledger.reusable_response_ids()) == {an_ask("one").key, an_ask("two").key}
        record = ledger.media_record(a_picture(1).digest)
        assert record is not None
        assert (record.recipe, record.path) == (a_picture(1).to_recipe(), PATH)


def test_an_upgraded_ledger_has_the_schema_of_a_new_one(upgraded: Path, tmp_path: Path) -> None:
    open_ledger(tmp_path / "new.db").close()
    assert _schema(upgraded) == _schema(tmp_path / "new.db")


def test_the_maker_of_version_1_makes_the_same_today(upgraded: Path, tmp_path: Path) -> None:
    make_v1(tmp_path / "again.db")
    with open_ledger(tmp_path / "again.db") as again, open_ledger(upgraded) as first:
        assert _told(again) == _told(first)


def test_a_ledger_of_version_1_can_be_read_as_it_is(tmp_path: Path) -> None:
    """By those who may not write to it, too."""
    path = tmp_path / "v1.db"
    shutil.copyfile(V1, path)
    with open_ledger(path, read_only=True) as ledger:
        assert [summary.run.name for summary in ledger.run_summaries()] == ["version one"]
        assert ledger.documents.latest() == []
        assert ledger.judge_calibrations() == []
    assert "ledger_certificates" not in dict(_schema(path))


def test_migrations_run_in_order_and_only_those_that_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "v1.db"
    shutil.copyfile(V1, path)
    done: list[int] = []

    def step(number: int) -> None:
        done.append(number)

    def add_column(connection: Connection) -> None:
        connection.exec_driver_sql("ALTER TABLE ledger_runs ADD COLUMN note TEXT")
        step(2)

    newest = max(MIGRATIONS) + 1
    later = {number: lambda _, number=number: step(number) for number in range(3, newest + 1)}
    migrations = {1: lambda _: step(1), 2: add_column, **later}
    with raises(LedgerError, "here", 1):
        check_version(1, "here", read_only=True, migrations=migrations, oldest_readable=2)
    check_version(1, "here", read_only=True, migrations=migrations, oldest_readable=1)
    check_version(1, "here", read_only=False, migrations=migrations, oldest_readable=2)
    check_version(newest, "here", read_only=True, migrations=migrations)
    engine = sqlite_engine(path, read_only=False, lock_seconds=1)
    for _ in range(2):
        with write_connection(engine) as connection, connection.begin():
            migrate(connection, "here", migrations)
    engine.dispose()
    assert done == list(range(2, newest + 1))
    with raises(LedgerError, path, newest, newest - 1):
        open_ledger(path)


def test_a_migration_that_fails_leaves_the_old_version(upgraded: Path) -> None:
    def fail(connection: Connection) -> None:
        connection.exec_driver_sql("DROP TABLE ledger_runs")
        raise RuntimeError("half way")

    newest = max(MIGRATIONS)
    engine = sqlite_engine(upgraded, read_only=False, lock_seconds=1)
    with pytest.raises(RuntimeError), write_connection(engine) as connection, connection.begin():
        migrate(connection, "here", {**MIGRATIONS, newest + 1: fail})
    engine.dispose()
    with open_ledger(upgraded) as ledger:
        assert ledger.statuses(ledger.find_run("version one").id)


def _schema(path: Path) -> list[tuple[str, str]]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").fetchall()
    connection.close()
    return rows


def _told(ledger: Ledger) -> list[tuple[int, str, AttemptStatus]]:
    run = ledger.find_run("version one")
    return [(o.trial, o.attempt_id, ledger.statuses(run.id)[o.attempt_id]) for o in ledger.attempt_results(run.id)]
