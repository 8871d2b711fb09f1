"""`affordance import-log`: a log of Inspect becomes the run that it is, and whatever is wrong with one is one line."""

import base64
import json
import os
import sqlite3
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec, read_eval_log, write_eval_log

import inspect_loop
from affordance.cli.main import run_command
from affordance.integrations.inspect import log_files as reading
from affordance.integrations.inspect import log_schema
from affordance.integrations.inspect.log_schema import LOG_KEY
from behavior_data import because, pair, write_pairs
from cases import case, folder_names, numbers_in
from errors import assert_carries, assert_user_error
from inspect_world import evaluated
from loopback import Loopback, Seen, completion

pytestmark = pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning")  # Inspect's

TABLES = ("runs", "questions", "attempts", "asks", "replies", "steps", "verdicts", "pictures", "sources")
GIVEN_ANEW = ("created", "seconds", "reply")  # what differs from one time to the next
Command = Callable[..., subprocess.CompletedProcess[str]]


@dataclass(frozen=True, slots=True)
class World:
    """Pairs, a server that answers about them, and the logs of three evaluations."""

    data: str
    server: Loopback
    choices: Path  # made by `loop/m`, complete
    explained: Path  # with a judge, by `affordance/openai:m`, one attempt of it failed
    limited: Path  # the first two of six attempts


async def answers(seen: Seen, _: web.Request) -> web.StreamResponse:
    if "Statement 1" in seen.text:
        return completion("Yes" if len(seen.text) % 2 else "No")
    if seen.body["model"] == "fails" and seen.images[0] < seen.images[1]:
        return web.json_response({"error": {"message": "not this one"}}, status=400)
    return completion(f"Answer: {'first' if seen.images[0] < seen.images[1] else 'second'}, as {seen.key[:8]} says.")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Any:
    root = tmp_path_factory.mktemp("logs")
    pairs = [
        pair(f"p{n}", n % 2, rationales=[because(f"Part {n} is larger."), because(f"Part {n} is blue.")])
        for n in range(3)
    ]
    write_pairs(root / "data", *pairs)
    data = {"data": str(root / "data"), "trials": 1}
    with pytest.MonkeyPatch.context() as within, Loopback(answers) as server:
        for name, value in {
            "AFFORDANCE_CACHE": str(root / "cache"),
            "XDG_DATA_HOME": str(root / "cache"),  # Inspect's own notes
            inspect_loop.KEY_VARIABLE: "sk-loop-123456",
            "OPENAI_API_KEY": "sk-openai-123456",
        }.items():
            within.setenv(name, value)
        theirs = evaluated("behavior/choice", "loop/m", root / "logs", data, model_base_url=server.url)
        roles = {"judge": f"affordance/openai:judge@{server.url}"}
        failing = f"affordance/openai:fails@{server.url}"
        explained = evaluated("behavior/rationale", failing, root / "logs", data, model_roles=roles)
        limited = evaluated("behavior/choice", f"affordance/openai:m@{server.url}", root / "limited", data, limit=2)
        yield World(data["data"], server, *(Path(one.location) for one in (theirs, explained, limited)))  # type: ignore[arg-type]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.setenv("AFFORDANCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("AFFORDANCE_LEDGER", str(tmp_path / "ledger.db"))
    monkeypatch.setenv(inspect_loop.KEY_VARIABLE, "sk-loop-123456")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        code = run_command([str(one) for one in arguments])
        told = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, told.out, told.err)

    return run


def tables(ledger: Path) -> dict[str, list[tuple[str, ...]]]:
    """All that a ledger has, without what is given anew each time."""
    connection = sqlite3.connect(ledger)
    connection.row_factory = sqlite3.Row
    try:
        found = {}
        for table in TABLES:
            left_out = {*GIVEN_ANEW, *(("id",) if table in ("replies", "verdicts") else ())}
            rows = connection.execute(f"SELECT * FROM ledger_{table}").fetchall()
            found[table] = sorted(tuple(str(row[key]) for key in row.keys() if key not in left_out) for row in rows)  # noqa: SIM118
        return found
    finally:
        connection.close()


def the_line(result: subprocess.CompletedProcess[str]) -> str:
    (line,) = result.stderr.splitlines()
    return line


@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_a_log_becomes_the_run_that_it_is(world: World, here: Command, tmp_path: Path, suffix: str) -> None:
    log = tmp_path / f"log{suffix}"
    write_eval_log(read_eval_log(str(world.choices)), str(log))
    result = here("import-log", log)
    assert (result.returncode, result.stderr) == (0, "")
    imported = tables(tmp_path / "ledger.db")
    run = ("run", "behavior/choice", "--model", f"inspect:loop/m@{world.server.url}", "--data", world.data)
    assert here(*run, "--trials", "1", "--ledger", "own.db").returncode == 0
    assert imported == tables(tmp_path / "own.db")
    assert here("report", "--format", "json").stdout == here("report", "--format", "json", "--ledger", "own.db").stdout

    asked = len(world.server.seen)
    assert here(*run, "--trials", "1").returncode == 0
    assert len(world.server.seen) == asked
    again = here("import-log", log, "--json")
    assert again.returncode == 0
    ((found),) = json.loads(again.stdout)
    assert (found["planned"], found["missing"], found["attempts"], found["replies"]) == (6, 0, 0, 0)
    assert tables(tmp_path / "ledger.db") == imported


def test_what_failed_is_incomplete_and_the_runner_asks_just_that(world: World, here: Command, tmp_path: Path) -> None:
    result = here("import-log", world.explained, "--name", "explained")
    model = f"openai:fails@{world.server.url}"
    assert result.returncode == 3
    assert_carries(the_line(result), "1 of 3", model, "'explained'", "`inspect eval-retry`", "`affordance run`")
    first = tables(tmp_path / "ledger.db")
    assert here("import-log", world.explained, "--name", "explained").returncode == 3
    assert tables(tmp_path / "ledger.db") == first
    (row,) = json.loads(here("report", "--format", "json").stdout)
    assert (row["complete"], row["ended"]["failed"], row["n"]) == (False, 1, 3)

    asked = len(world.server.seen)
    judge = ("--judge", f"openai:judge@{world.server.url}", "--trials", "1", "--name", "explained")
    run = ("run", "behavior/rationale", "--model", model, "--data", world.data, *judge)
    assert here(*run).returncode == 3
    assert len(world.server.seen) == asked + 1
    assert here(*run, "--ledger", "own.db").returncode == 3
    assert first == tables(tmp_path / "own.db")


def test_a_log_of_some_attempts_is_a_run_that_others_are_missing_from(world: World, here: Command) -> None:
    result = here("import-log", world.limited)
    assert result.returncode == 3
    assert "4 of 6" in the_line(result)
    (row,) = json.loads(here("report", "--format", "json").stdout)
    assert (row["complete"], row["pending"], row["n"]) == (False, 4, 6)


def test_an_interrupted_log_has_what_was_made(world: World, here: Command, tmp_path: Path) -> None:
    """As it lies there when the process was killed: without a header, without the last samples."""
    killed = tmp_path / "killed.eval"
    with zipfile.ZipFile(world.choices) as whole, zipfile.ZipFile(killed, "w") as cut:
        names = [name for name in whole.namelist() if name.startswith("samples/")][:4]
        for name in ["_journal/start.json", *names]:
            cut.writestr(name, whole.read(name))
    result = here("import-log", killed)
    assert result.returncode == 3
    assert "2 of 6" in the_line(result)
    assert here("import-log", world.choices).returncode == 0


def test_a_folder_may_hold_logs_of_other_tasks_and_damaged_ones(world: World, here: Command, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    (folder / "a.eval").write_bytes(world.choices.read_bytes())
    (folder / "b.eval").write_bytes(b"PK cut")
    other(folder / "c.eval")
    (folder / "eval-set.json").write_text('{"eval_set_id": "x", "tasks": []}')  # as eval sets leave it
    result = here("import-log", folder)
    assert result.returncode == 2
    assert "behavior-choice" in result.stdout
    aside, damaged = result.stderr.splitlines()
    assert numbers_in(aside) == [2], "files that are something else"
    assert damaged.startswith(f"affordance: {folder / 'b.eval'}: ")
    (folder / "a.eval").unlink()
    (folder / "b.eval").unlink()
    nothing = here("import-log", folder)
    assert nothing.returncode == 2
    assert numbers_in(the_line(nothing)) == [2]


def other(path: Path) -> None:
    """A log of a task that is not ours."""
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00", task="greeting", dataset=EvalDataset(), model="m/m", config=EvalConfig()
    )
    write_eval_log(EvalLog(eval=spec, samples=[]), str(path))


def changed(change: Callable[[dict[str, Any], dict[str, Any]], object]) -> Callable[[bytes, Path], Path]:
    """A log whose header or first sample was changed."""

    def make(whole: bytes, folder: Path) -> Path:
        (folder / "whole.eval").write_bytes(whole)
        log = read_eval_log(str(folder / "whole.eval"))
        assert log.eval.metadata is not None
        assert log.samples is not None
        change(log.eval.metadata, log.samples[0].store)
        write_eval_log(log, str(folder / "log.eval"))
        return folder / "log.eval"

    return make


def written(content: bytes | str, name: str = "log.eval") -> Callable[[bytes, Path], Path]:
    def make(_: bytes, folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def cut(whole: bytes, folder: Path) -> Path:
    (folder / "log.eval").write_bytes(whole[: len(whole) // 2])
    return folder / "log.eval"


def overwritten(whole: bytes, folder: Path) -> Path:
    """The list of contents is whole, and what it lists is not."""
    middle = len(whole) // 2
    (folder / "log.eval").write_bytes(whole[: middle - 1000] + bytes(2000) + whole[middle + 1000 :])
    return folder / "log.eval"


def greeting(_: bytes, folder: Path) -> Path:
    other(folder / "log.eval")
    return folder / "log.eval"


def bomb(metadata: dict[str, Any], _: dict[str, Any]) -> None:
    packing = zlib.compressobj(9)
    packed = b"".join(packing.compress(bytes(2**20)) for _ in range(3)) + packing.flush()
    metadata[LOG_KEY].update(plan=base64.b64encode(packed).decode())


def said(store: dict[str, Any]) -> dict[str, Any]:
    return store[LOG_KEY]["steps"][0]  # type: ignore[no-any-return]


def no_steps(_: dict[str, Any], store: dict[str, Any]) -> None:
    del store[LOG_KEY]["steps"][0]["key"]


DAMAGES: dict[str, tuple[Callable[[bytes, Path], Path], str]] = {
    "nothing": (written(b""), ()),
    "half of it": (cut, ()),
    "its middle lost": (overwritten, ()),
    "text": (written("dear diary", "log.json"), ()),
    "other JSON": (written('{"version": 2, "samples": []}', "log.json"), ()),
    "JSON that is cut": (
        written('{"version": 2, "status": "success", "eval": {"ta', "log.json"),
        (),
    ),
    "another file": (written("a,b", "log.csv"), ("*.eval", "*.json", ".csv")),
    "another task": (
        greeting,
        ("'greeting'",),
    ),
    "another format": (
        changed(lambda metadata, _: metadata[LOG_KEY].update(format=2, version="9.0")),
        ("'9.0'", 2, 1),
    ),
    "a header that lacks something": (
        changed(lambda metadata, _: metadata[LOG_KEY].pop("task")),
        ("metadata", "task"),
    ),
    "a plan that is cut": (
        changed(lambda metadata, _: metadata[LOG_KEY].update(plan=metadata[LOG_KEY]["plan"][:40])),
        (),
    ),
    "an answer that lacks something": (
        changed(no_steps),
        ("steps.0.key",),
    ),
    "a score that is none": (
        changed(lambda _, store: store[LOG_KEY]["verdict"].update(score=float("nan"))),
        (),
    ),
    "a score beyond all": (
        changed(lambda _, store: store[LOG_KEY].update(verdict={"ended": "answered", "score": 7.0})),
        ("verdict.score", "7.0"),
    ),
    "a score of what cannot be read": (
        changed(lambda _, store: store[LOG_KEY].update(verdict={"ended": "unparsed", "score": 1.0})),
        ("1",),
    ),
    "a plan that is too large": (changed(bomb), ("2,097,152",)),
    "a reply under the key of another": (
        changed(lambda _, store: said(store).update(key="0" * 32)),
        ("'p0'", "0.0.0"),
    ),
    "other words than were asked": (
        changed(lambda _, store: said(store).update(transcript='[["user",["Which?"]]]')),
        ("'p0'", "0.0.0"),
    ),
    "a picture that was not shown": (
        changed(lambda _, store: said(store)["pictures"][0].update(source="0" * 32)),
        ("'p0'", "0.0.0"),
    ),
    "a picture that is none": (
        changed(lambda _, store: said(store)["pictures"][0].update(recipe={"encode": 3})),
        ("TypeError",),
    ),
    "a verdict without a response": (
        changed(lambda _, store: store[LOG_KEY].update(steps=[])),
        ("'p0'",),
    ),
    "a verdict that was read from nothing": (
        changed(lambda _, store: store[LOG_KEY]["origin"].update(step=[7, 0, 0])),
        ("'p0'",),
    ),
    "an answer format that is none": (
        changed(lambda _, store: store[LOG_KEY]["origin"].update(answer_format={"kind": "song"})),
        (),
    ),
    "an attempt of another model": (
        changed(lambda _, store: store[LOG_KEY].update(model="openai:other")),
        ("'p0'",),
    ),
    "a question that was changed": (
        changed(lambda _, store: store[LOG_KEY]["question"].update(truth="else")),
        ("'p0'",),
    ),
    "an attempt out of the blue": (
        changed(lambda _, store: store[LOG_KEY].update(trial=77)),
        ("'p0'",),
    ),
}


def test_what_cannot_be_brought_in_is_one_line_and_leaves_nothing(
    world: World, here: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_schema, "MAX_PLAN_BYTES", 2**21)
    ledger, whole = tmp_path / "ledger.db", world.choices.read_bytes()
    for folder, name, (make, data) in folder_names(DAMAGES):
        (tmp_path / folder).mkdir()
        path = make(whole, tmp_path / folder)
        result = here("import-log", path)
        with case(name):
            assert_user_error(result, *data)
            assert the_line(result).startswith(f"affordance: {path}: ")
            assert not ledger.exists() or not tables(ledger)["runs"]


def test_what_is_too_large_is_not_read(
    world: World, here: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_LOADED_BYTES", 2**10)
    assert "9.54e-07 GiB" in the_line(here("import-log", world.choices))
    large = written(" " * 2**11, "log.json")(b"", tmp_path)
    assert "`inspect log convert --to eval`" in the_line(here("import-log", large))


def test_nothing_there_and_an_empty_folder_are_told(here: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe.eval")
    for name in ("gone", "empty", "pipe.eval"):
        assert_user_error(here("import-log", name), name)
    assert not (tmp_path / "ledger.db").exists()


def test_where_the_dataset_is_not_at_hand_it_is_said(world: World, here: Command, tmp_path: Path) -> None:
    moved = changed(lambda metadata, _: metadata[LOG_KEY]["arguments"].update(data="elsewhere"))
    log = moved(world.choices.read_bytes(), tmp_path)
    line = the_line(here("import-log", log))
    assert line.startswith(f"affordance: {log}: ")
    assert_carries(line, "elsewhere", "--data")
    assert here("import-log", log, "--data", world.data).stderr == ""
    write_pairs(tmp_path / "other", pair("p0", 0))
    line = the_line(here("import-log", log, "--data", "other"))
    assert_carries(line, "other", "--data")


def test_a_log_that_was_recovered_has_its_record_in_events(world: World, here: Command, tmp_path: Path) -> None:
    log = read_eval_log(str(world.choices))
    for sample in log.samples or []:
        sample.store = {}
    write_eval_log(log, str(tmp_path / "recovered.eval"))
    assert here("import-log", "recovered.eval").returncode == 0
    assert here("import-log", world.choices, "--ledger", "own.db").returncode == 0
    assert tables(tmp_path / "ledger.db") == tables(tmp_path / "own.db")


def test_without_inspect_it_is_told_how_to_get_it(world: World, here: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    assert_user_error(here("import-log", world.choices), "pip install 'affordance[inspect]'")


def test_a_name_that_another_run_has_is_told_with_what_differs(world: World, here: Command, tmp_path: Path) -> None:
    assert here("import-log", world.choices, "--name", "mine").returncode == 0
    elsewhere = changed(lambda metadata, _: metadata[LOG_KEY]["dataset"].update(digest="0" * 32))
    log = elsewhere(world.choices.read_bytes(), tmp_path)
    result = here("import-log", log, "--name", "mine")
    assert_user_error(result, "'mine'", "dataset digest")


REWRITTEN: dict[str, Callable[[bytes, Path], Path]] = {
    "a response": changed(lambda _, store: said(store)["reply"].update(text="More effective: First")),
    "a verdict": changed(
        lambda _, store: store[LOG_KEY].update(
            verdict={"ended": "answered", "answer": "First", "score": 1.0}, first=None
        )
    ),
}


@pytest.mark.parametrize("name", REWRITTEN)
def test_verdicts_are_recomputed_from_the_responses(world: World, here: Command, tmp_path: Path, name: str) -> None:
    log = REWRITTEN[name](world.choices.read_bytes(), tmp_path)
    result = here("import-log", log)
    assert result.returncode == 0
    assert numbers_in(the_line(result).removeprefix(f"affordance: {log}")) == [1], "verdicts that differ"
    rescored = json.loads(here("rescore", "--dry-run", "--json").stdout)
    assert (rescored["changed"], rescored["stored"]) == (0, 0)
    imported = tables(tmp_path / "ledger.db")
    again = here("import-log", log)
    assert (again.returncode, again.stderr) == (0, "")
    assert tables(tmp_path / "ledger.db") == imported


def test_verdicts_of_an_earlier_parser_stay(world: World, here: Command, tmp_path: Path) -> None:
    def rewrite(_: dict[str, Any], store: dict[str, Any]) -> None:
        store[LOG_KEY].update(verdict={"ended": "answered", "answer": "First", "score": 1.0}, first=None, origin=None)

    log = changed(rewrite)(world.choices.read_bytes(), tmp_path)
    result = here("import-log", log)
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(here("rescore", "--dry-run", "--json").stdout)["changed"] == 1


def test_what_has_ended_stays_as_it_is(world: World, here: Command, tmp_path: Path) -> None:
    assert here("import-log", world.choices).returncode == 0
    before = tables(tmp_path / "ledger.db")

    def add_words(_: dict[str, Any], store: dict[str, Any]) -> None:
        store[LOG_KEY]["steps"][0]["reply"]["text"] += " So be it."

    assert here("import-log", changed(add_words)(world.choices.read_bytes(), tmp_path)).returncode == 0
    assert tables(tmp_path / "ledger.db") == before
