"""A ledger is compared with what it is computed from; every difference is named."""

import io
import json
import shutil
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from sqlalchemy import make_url, text

from affordance.cli.main import run_command
from affordance.core.model_name import ModelName
from affordance.datasets import Dataset, DatasetCollection
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger.connections import postgres_engine, sqlite_engine, write_connection
from affordance.tasks.behavior.rationale import RATIONALE
from affordance.tasks.motion.effect import EFFECT
from behavior_data import published
from loopback import Loopback, Seen, completion

RUNS = Path(__file__).parents[1] / "data" / "version-1" / "runs"
REASONS = [[("The button is larger.", "Fitts’s Law", "Action")], [("There are fewer choices.", "Hick’s Law", "Action")]]


def check(where: str, code: int) -> dict[str, Any]:
    out = io.StringIO()
    with redirect_stdout(out):
        assert run_command(["ledger", "check", "--ledger", where, "--json"]) == code, out.getvalue()
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def differences(found: dict[str, Any]) -> dict[str, list[str]]:
    by_check: dict[str, list[str]] = {}
    for one in found["findings"]:
        if one["is_difference"]:
            by_check.setdefault(one["check"], []).append(one["message"])
    return by_check


def change(where: str, *statements: str) -> None:
    engine = (
        postgres_engine(make_url(where), lock_seconds=1)
        if "://" in where
        else sqlite_engine(Path(where), read_only=False, lock_seconds=1)
    )
    with write_connection(engine) as connection, connection.begin():
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


async def answers(seen: Seen, _: web.Request) -> web.StreamResponse:
    return completion("The button is larger." if seen.images else "Yes")


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path, primitives: Dataset, shared: Path) -> str:
    """A ledger with two runs: one of options in a balanced order, one that is judged."""
    ledger = str(tmp_path / "ledger.db") if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    pictures = shared / "cache" / "pictures"
    models = (ModelName.parse("oracle"), ModelName.parse("baseline:random"))
    settings = RunConfig(tasks=(EFFECT,), trials=1)
    execute_run(
        RunRequest(
            settings,
            DatasetCollection.single(primitives),
            models,
            ledger,
            pictures,
            "effects",
            execution=ExecutionConfig(concurrency=4),
        )
    )
    with Loopback(answers) as server:
        settings = RunConfig(tasks=(RATIONALE,), judge=f"openai:judge@{server.url}")
        model = ModelName.parse(f"openai:m@{server.url}")
        data = published(tmp_path / "set", REASONS)
        execute_run(
            RunRequest(settings, data, (model,), ledger, pictures, "reasons", execution=ExecutionConfig(concurrency=4))
        )
    return ledger


def test_a_ledger_of_today_is_sound_and_every_change_is_found(where: str, tmp_path: Path) -> None:
    found = check(where, 0)
    assert found["findings"] == []
    assert found["rows"]["runs"] == 2
    first = "(SELECT min(id) FROM ledger_{})"
    attempt = "(SELECT attempt FROM ledger_verdicts WHERE id = (SELECT min(id) FROM ledger_verdicts))"
    question = f"(SELECT question FROM ledger_attempts WHERE id = {attempt})"
    cases = {
        "verdicts": [
            f"UPDATE ledger_verdicts SET score = 0.25 WHERE id = {first.format('verdicts')}",
            f"UPDATE ledger_replies SET text = 'Both.' WHERE id = {first.format('replies')}",
        ],
        "references and digests": [
            "UPDATE ledger_asks SET transcript = '[]' WHERE key = (SELECT min(key) FROM ledger_asks)",
            "UPDATE ledger_asks SET model = 'another' WHERE key = (SELECT min(key) FROM ledger_asks)",
            "DELETE FROM ledger_asks WHERE key = (SELECT min(key) FROM ledger_asks)",
            "DELETE FROM ledger_runs WHERE name = 'reasons'",
            f"DELETE FROM ledger_replies WHERE id = {first.format('replies')}",
            f"DELETE FROM ledger_questions WHERE id = {question}",
            f"UPDATE ledger_questions SET item = 'another' WHERE id = {question}",
            "UPDATE ledger_attempts SET trial = 7 WHERE id = (SELECT min(id) FROM ledger_attempts)",
            "UPDATE ledger_pictures SET source = '00' WHERE digest = (SELECT min(digest) FROM ledger_pictures)",
            "UPDATE ledger_attempts SET subject = 'nobody' WHERE subject <> ''",
            f"DELETE FROM ledger_verdicts WHERE id = {first.format('verdicts')}",
            f"UPDATE ledger_verdict_origins SET response = 10000 WHERE verdict = {first.format('verdicts')}",
            "INSERT INTO ledger_request_keys (legacy_key, key) VALUES ('old', 'new')",
        ],
        "counts": [f"DELETE FROM ledger_attempts WHERE id = {attempt}"],
        "positions": ["UPDATE ledger_questions SET tags = replace(tags, '\"slot\":\"B\"', '\"slot\":\"A\"')"],
    }  # fmt: skip
    if "://" in where:
        cases = {name: statements[:1] for name, statements in cases.items()}
    for name, statements in cases.items():
        for number, statement in enumerate(statements):
            copy = where
            if "://" not in where:
                copy = str(shutil.copyfile(where, tmp_path / f"{name.split()[0]}-{number}.db"))
            change(copy, statement)
            assert name in differences(check(copy, 3)), statement


def test_a_file_with_other_content_is_named(where: str, tmp_path: Path) -> None:
    picture = next((tmp_path / "set").rglob("*.png"))
    picture.write_bytes(picture.read_bytes() + b"changed")
    assert [str(picture) in message for message in differences(check(where, 3))["media"]] == [True]


def test_the_ledger_of_version_1_is_sound_and_known_causes_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it cannot be written to."""
    monkeypatch.chdir(RUNS)
    path = Path(shutil.copyfile(RUNS / "ledger.db", tmp_path / "ledger.db"))
    path.chmod(0o444)
    found = check(str(path), 0)
    notes = [(one["check"], one["message"]) for one in found["findings"]]
    interrupted = [message for name, message in notes if name == "counts"]
    assert ["interrupted" in interrupted[0], "unsaved" in interrupted[1], len(interrupted)] == [True, True, 2]
    assert any(name == "positions" and "motion-effect-ff4a2d" in message for name, message in notes)
    assert found["rows"]["verdicts"] == 689


@pytest.mark.parametrize("where", ["nothing.db", str(RUNS / "commands.json")])
def test_what_is_no_ledger_is_a_mistake(where: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["ledger", "check", "--ledger", where]) == 2
    assert capsys.readouterr().out == ""
