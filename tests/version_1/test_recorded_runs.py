"""Runs and datasets of version 1: the ledger is opened, reported, resumed and exported, and gives what was recorded."""

import io
import json
import os
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from postgres_copy import load_into_postgres
from recorded_ledger import (
    attempt_ids,
    describe_dataset,
    question_ids,
    request_key,
    request_keys,
    run_ids,
)
from recorded_server import PORT, RecordedServer
from recorded_values import VERSION_1, assert_contains, copy_runs, csv_numbers, expected

from affordance.cli.main import run_command
from cases import case

CLOSED = "http://127.0.0.1:9"  # nothing listens there
COMMANDS: list[dict[str, Any]] = json.loads((VERSION_1 / "runs" / "commands.json").read_text("utf-8"))


@dataclass(frozen=True)
class Recorded:
    """A copy of the recorded folder, which is the current one, and the ledger in use."""

    folder: Path
    cache: Path
    ledger: str = "ledger.db"

    def command(self, *arguments: str, code: int = 0) -> str:
        """What a command prints to standard output."""
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            found = run_command([one.replace("{ledger}", self.ledger) for one in arguments])
        assert found == code, f"{arguments}: exit code {found}\n{out.getvalue()}\n{err.getvalue()}"
        return out.getvalue()

    def json(self, *arguments: str) -> Any:
        return json.loads(self.command(*arguments))


@pytest.fixture(scope="module")
def cache(shared: Path) -> Path:
    """That of other commands: the screens of a calibration take seconds to draw."""
    return shared / "cache"


@pytest.fixture
def recorded(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Recorded:
    for name in [name for name in os.environ if name.endswith("_API_KEY") or name.startswith("AFFORDANCE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AFFORDANCE_CACHE", str(cache))
    folder = copy_runs(tmp_path)
    monkeypatch.chdir(folder)
    return Recorded(folder, cache)


@pytest.fixture
def in_postgres(recorded: Recorded, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Recorded:
    load_into_postgres(recorded.folder / "ledger.db", postgres_url)
    (recorded.folder / "ledger.db").unlink()
    monkeypatch.setenv("AFFORDANCE_LEDGER", postgres_url)
    return Recorded(recorded.folder, recorded.cache, postgres_url)


@pytest.fixture
def server() -> Iterator[RecordedServer]:
    with RecordedServer() as found:
        yield found


def check_listing_and_reports(recorded: Recorded) -> None:
    assert_contains(expected("runs.json"), _with_ids(recorded))
    assert_contains(expected("report.json"), recorded.json("report", "--format", "json"))


def _with_ids(recorded: Recorded) -> list[dict[str, Any]]:
    ids = run_ids(recorded.ledger)
    return [{**one, "id": ids[one["name"]]} for one in recorded.json("runs", "--json")]


def check_csv_export(recorded: Recorded) -> None:
    wanted = csv_numbers((VERSION_1 / "expected" / "report.csv").read_text("utf-8"))
    runs = {run for run, *_ in wanted}
    found = csv_numbers(
        recorded.command("report", "--format", "csv", *(part for one in runs for part in ("--run", one)))
    )
    assert found.keys() >= wanted.keys()
    for line, values in wanted.items():
        assert_contains(values, found[line], " ".join(line))


def check_comparisons(recorded: Recorded) -> None:
    for one in expected("compare.json"):
        assert_contains(one["found"], recorded.json("compare", *one["arguments"], "--json"))


def check_logs_of_inspect(recorded: Recorded) -> None:
    wanted = expected("import-log.json")
    assert_contains(wanted["printed"], recorded.json("import-log", "inspect", "--json"))
    runs = [part for one in wanted["printed"] for part in ("--run", one["run"])]
    assert_contains(wanted["report"], recorded.json("report", "--format", "json", *runs))


def check_preferences(recorded: Recorded) -> None:
    for place, one in enumerate(expected("preferences.json")):
        out = recorded.folder / f"preferences-{place}"
        arguments = ("data", "preferences", "datasets/pairs", "-o", str(out), *one["arguments"], "--json")
        assert_contains(one["made"], recorded.json(*arguments, "--ledger", recorded.ledger))
        for name, rows in one["files"].items():
            lines = (out / "data" / name).read_text("utf-8").splitlines()
            assert_contains(rows, [json.loads(line) for line in lines], name)


EXPORTS = (check_csv_export, check_comparisons, check_preferences, check_logs_of_inspect)


def check_identities(recorded: Recorded) -> None:
    """No run, question or attempt was added or lost."""
    assert run_ids(recorded.ledger) == {one["name"]: one["id"] for one in expected("runs.json")}
    assert question_ids(recorded.ledger) == expected("questions.json")
    assert attempt_ids(recorded.ledger) == expected("attempts.json")


def repeat(recorded: Recorded, server: RecordedServer, command: dict[str, Any]) -> None:
    """A recorded command sends what it sent when it was repeated then, and ends in the same numbers."""
    before = len(server.requests)
    printed = recorded.command(*command["arguments"], code=command["code"])
    assert len(server.requests) - before == command["requests"], command["arguments"]
    if "printed" in command:
        assert_contains(command["printed"], json.loads(printed), command["name"])
    if "report" in command:
        rows = recorded.json("report", "--format", "json", "--run", command["name"])
        assert_contains(command["report"], rows, command["name"])


@pytest.mark.parametrize("check", [check_listing_and_reports, *EXPORTS], ids=lambda check: check.__name__)
def test_reports_and_exports(recorded: Recorded, check: Callable[[Recorded], None]) -> None:
    check(recorded)


def test_commands_resume_their_runs(recorded: Recorded, server: RecordedServer) -> None:
    for command in COMMANDS:
        if command["name"] == "unsaved":
            (recorded.folder / "unsaved.jsonl").rename(recorded.folder / "ledger.db.rescue.jsonl")
        repeat(recorded, server, command)
    assert not (recorded.folder / "ledger.db.rescue.jsonl").exists()
    check_identities(recorded)
    assert request_keys(recorded.ledger) >= set(expected("all-request-keys.json"))


def test_new_runs_find_the_stored_responses(recorded: Recorded, server: RecordedServer) -> None:
    """The same commands under other names: prompts, images, parameters and keys are those of then. Not for new orders
    of options, which runs have since version 2 where `_has_other_orders`, and for judgements, which have a limit since
    then where `_is_judged_by_service`."""
    asking = [
        one
        for one in COMMANDS
        if one["arguments"][0] == "run" and not one["requests"] and _asks(one)
        if not _has_other_orders(one) and not _is_judged_by_service(one)
    ]
    for command in asking:
        recorded.command(*command["arguments"], "--name", f"again {command['name']}")
        assert not server.requests, command["arguments"]
    assert len(asking) >= 14
    assert request_keys(recorded.ledger) == set(expected("all-request-keys.json"))
    again = {f"again {command['name']}" for command in asking}
    # Labels are of the judgements of one run, so that only that one has a corrected score.
    left_out = {"certificate", "corrected"}
    wanted = [
        {key: value for key, value in {**row, "run": f"again {row['run']}"}.items() if key not in left_out}
        for row in expected("report.json")
        if f"again {row['run']}" in again
    ]
    assert_contains(wanted, recorded.json("report", "--format", "json"))


def _asks(command: dict[str, Any]) -> bool:
    """Whether the models are asked over HTTP."""
    return any(one.startswith("loop:") for one in command["arguments"])


def _is_judged_by_service(command: dict[str, Any]) -> bool:
    return ("--judge", "loop:judge") in pairwise(command["arguments"])


def _has_other_orders(command: dict[str, Any]) -> bool:
    """Whether a new run of the command orders options by other rules: limited tasks with balanced options, and outcomes
    of captured screens."""
    arguments = command["arguments"]
    balanced = {"motion/effect", "motion/purpose"} & set(arguments) and "paper" not in arguments
    return bool(balanced and "--limit" in arguments) or "daf319" in command["name"]


def test_request_keys() -> None:
    for entry in expected("request-keys.json"):
        assert request_key(entry) == entry["key"]


def test_estimates(recorded: Recorded) -> None:
    for one in expected("estimates.json"):
        assert_contains(one["found"], recorded.json(*one["arguments"]), " ".join(one["arguments"]))


# Version 1 stated other licences when it read these sets than when it fetched them; those of fetching are right.
CORRECTED_LICENCES = {"animint:published/animint": "CC-BY-NC-ND-4.0", "screenspot-pro:published/screenspot-pro": "MIT"}


def test_datasets(recorded: Recorded) -> None:
    for spec, wanted in expected("datasets.json").items():
        if spec in CORRECTED_LICENCES:
            wanted["described"]["licence"] = CORRECTED_LICENCES[spec]
        assert_contains(wanted, describe_dataset(spec, recorded.cache), spec)


def test_fetched_folders_need_no_network(recorded: Recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", CLOSED)
    found = recorded.json("data", "fetch", "hub:owner/name", "fetched/hub", "--accept", "--json")
    assert_contains(expected("fetched.json")["hub"], found)
    found = recorded.json("data", "fetch", "wiserui", "fetched/wiserui", "--accept", "--json")
    assert_contains(expected("fetched.json")["wiserui"], found)


def test_providers_of_the_configuration_file(recorded: Recorded) -> None:
    models = recorded.json("models", "--json")["models"]
    assert f"http://127.0.0.1:{PORT}/v1" in [one["where"] for one in models if one["model"].startswith("loop:")]


def test_the_ledger_in_postgres(in_postgres: Recorded, server: RecordedServer) -> None:
    check_listing_and_reports(in_postgres)
    chosen = {"motion-effect", "motion-meaning", "explained", "which", "function-ground", "interrupted"}
    begun: set[str] = set()
    for command in COMMANDS:
        kind = next((one for one in chosen if command["name"].startswith(one)), None)
        if kind is not None and kind not in begun:
            begun.add(kind)
            repeat(in_postgres, server, command)
    assert begun == chosen
    check_identities(in_postgres)
    for check in EXPORTS:
        with case(check.__name__):
            check(in_postgres)
    # Last, as attempts that version 1 skipped fail in it.
    repeat(in_postgres, server, next(command for command in COMMANDS if command["name"] == "every ending"))
