"""Commands as a person types them: what they print, where, and with which exit code."""

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web

from affordance.console import progress
from affordance.datasets import Dataset
from affordance.evaluation.progress import Pause, RunProgress
from affordance.ledger import open_ledger
from cases import case, numbers_in
from errors import assert_carries, assert_user_error
from loopback import Loopback, Seen, completion, says_move

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def clips(primitives: Dataset) -> Path:
    return primitives.root


def test_run_report_and_runs(here: Command, clips: Path, tmp_path: Path) -> None:
    result = here("run", "motion/effect", "--model", "oracle", "--data", str(clips), "--trials", "2", "--json")
    assert result.returncode == 0, result.stderr
    (row,) = json.loads(result.stdout)
    assert row["metrics"]["accuracy"] == 1.0
    needed = "run task model dataset n metrics intervals bounds compat trials settings ended complete breakdowns"
    assert set(needed.split()) <= set(row)
    assert set(row["ended"]) == {"answered", "refused", "unparsed", "truncated", "failed", "skipped"}
    assert {"by", "value", "n", "metrics", "ended"} == set(row["breakdowns"][0])
    assert json.loads(here("report", "--format", "json").stdout) == [row]
    table = here("report")
    assert "oracle" in table.stdout
    assert table.stderr == ""
    (listed,) = json.loads(here("runs", "--json").stdout)
    assert listed["name"] == row["run"]
    assert row["run"] in here("runs").stdout
    written = here("report", "--format", "html", "-o", "page.html")
    assert written.stdout.strip() == "page.html"
    assert (tmp_path / "page.html").stat().st_size > 10_000


def test_tasks_and_models(here: Command) -> None:
    assert "motion/effect" in here("tasks").stdout
    assert json.loads(here("tasks", "--json").stdout)[0]["name"] == "motion/effect"
    listed = json.loads(here("models", "--json", OPENAI_API_KEY="secret").stdout)
    assert {"model": "openai:MODEL", "where": "https://api.openai.com/v1", "key": "OPENAI_API_KEY is set"} in listed[
        "models"
    ]
    assert "gemini" in [row["dialect"] for row in listed["dialects"]]
    assert "secret" not in str(listed)


@pytest.mark.usefixtures("quick_pen")
def test_make_and_check(here: Command, tmp_path: Path) -> None:
    made = here("data", "make", "primitives", "clips", "--variants", "1", "--seed", "5")
    assert (made.returncode, made.stdout.strip()) == (0, "clips")
    checked = here("data", "check", "clips")
    assert checked.returncode == 0
    assert_carries(checked.stdout, "clips (primitives-1x-seed5)")
    assert numbers_in(checked.stdout.partition(")")[2]) == [0, 0], "errors and warnings"
    next((tmp_path / "clips" / "media").iterdir()).unlink()
    broken = here("data", "check", "clips")
    assert broken.returncode == 2
    assert numbers_in(broken.stdout.splitlines()[-1].partition(")")[2])[0] == 1


@pytest.mark.usefixtures("quick_pen")
def test_drawing_the_demo_clips_is_told(here: Command, tmp_path: Path) -> None:
    asked = [*RUN, "--trials", "1", "--limit", "1", "--estimate"]
    first = here(*asked, AFFORDANCE_CACHE=str(tmp_path / "cold"))
    assert first.returncode == 0
    *before, last = first.stderr.splitlines()  # those before it where drawing takes long
    assert last.startswith("7/7 ")
    assert all(re.match("[0-6]/7 ", line) for line in before)
    assert here(*asked, AFFORDANCE_CACHE=str(tmp_path / "cold")).stderr == ""
    assert here(*asked, "--quiet", AFFORDANCE_CACHE=str(tmp_path / "colder")).stderr == ""


def test_estimate(here: Command, clips: Path, tmp_path: Path) -> None:
    arguments = ["run", "motion/effect", "--model", "openai:gpt-4o", "--data", str(clips), "--estimate"]
    result = here(*arguments, "--set", "max_tokens=100", "--json")  # without a key, as nothing is sent
    assert result.returncode == 0, result.stderr
    (found,) = json.loads(result.stdout)
    assert found["asks"] == 70
    assert found["cost"] > 0
    assert not (tmp_path / "affordance.db").exists()
    assert "?" in here(*arguments).stdout


def test_unreadable_replies_are_asked_again(here: Command, clips: Path, tmp_path: Path) -> None:
    async def babbles_first(seen: Seen, request: web.Request) -> web.StreamResponse:
        return completion("Hm.") if seen.number == 1 else await says_move(seen, request)

    with Loopback(babbles_first) as server:
        asked = ["run", "motion/effect", "--model", f"openai:test@{server.url}", "--data", str(clips), "--trials", "1"]
        (once,) = json.loads(here(*asked, "--json").stdout)
        assert set(server.counts.values()) == {1}
        told = here(*asked, "--parse-retries", "1", "--json")
        assert set(server.counts.values()) == {2}  # the first replies were in the ledger
        foreseen = here(*asked, "--parse-retries", "1", "--fresh", "--estimate").stdout
    assert told.returncode == 0, told.stderr
    (row,) = json.loads(told.stdout)
    assert (once["ended"]["unparsed"], row["ended"]["answered"]) == (7, 7)
    assert (row["metrics"]["first_try_accuracy"], row["metrics"]["accuracy"]) == (0.0, pytest.approx(1 / 7))
    assert row["settings"] == once["settings"] | {"reasks": {"motion/effect": 1}}
    with open_ledger(str(tmp_path / "affordance.db"), read_only=True) as ledger:
        attempts = [one.attempt_id for one in ledger.attempt_results(ledger.find_run(row["run"]).id)]
        steps = ledger.steps_of(attempts)
    assert {tuple(said.step[2] for said in one) for one in steps.values()} == {(0, 1)}
    assert all(one[0].response.text == "Hm." != one[1].response.text for one in steps.values())
    assert foreseen != here(*asked, "--fresh", "--estimate").stdout, "that replies may be asked for again is said"


def test_defaults_come_from_the_file_and_the_environment(here: Command, clips: Path, tmp_path: Path) -> None:
    (tmp_path / "affordance.toml").write_text(
        f'ledger = "a.db"\n[run]\ntrials = 1\ndata = "{clips}"\nmodel = ["oracle"]\n'
    )
    assert here("run", "motion/effect").returncode == 0
    assert (tmp_path / "a.db").exists()
    assert here("run", "motion/effect", AFFORDANCE_LEDGER="b.db").returncode == 0
    assert (tmp_path / "b.db").exists()
    assert here("run", "motion/effect", "--ledger", "c.db", AFFORDANCE_LEDGER="b.db").returncode == 0
    assert (tmp_path / "c.db").exists()


def test_defaults_have_the_names_of_options_and_paths_of_the_file(here: Command, clips: Path, tmp_path: Path) -> None:
    text = f'ledger = "a.db"\n[run]\nset = ["max_tokens=3"]\ntrials = 1\ndata = "{clips}"\njudge = "oracle"\n'
    (tmp_path / "affordance.toml").write_text(text)
    (tmp_path / "sub").mkdir()
    result = here("run", "motion/effect", "--model", "oracle", "--json", folder="sub")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)[0]["settings"]["parameters"]["motion/effect"]["max_tokens"] == 3
    assert (tmp_path / "a.db").exists()


def test_pipes_and_terminals_of_every_kind(affordance: Command, here: Command, clips: Path, tmp_path: Path) -> None:
    here(*RUN, "--data", str(clips), "--trials", "1")
    narrow = affordance("report", PYTHONIOENCODING="ascii")
    assert (narrow.returncode, narrow.stderr) == (0, "")
    full = subprocess.run(
        f"{sys.executable} -m affordance tasks > /dev/full",
        shell=True, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert full.returncode == 2
    assert len(full.stderr.strip().splitlines()) == 1
    closed = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {sys.executable} -m affordance report --format json | true"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (closed.returncode, closed.stderr) == (0, "")


RUN = ["run", "motion/effect", "--model", "oracle"]
MISTAKES: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "no such command": (["rum"], ("'rum'", "'run'")),
    "no such baseline": (["run", "motion/effect", "--model", "baseline:pixel"], ("'pixels'",)),
    "no such dialect": (["run", "motion/effect", "--model", "oracle:klingon"], ("'klingon'",)),
    "no such dataset": ([*RUN, "--data", "nowhere"], ("nowhere",)),
    "no such dataset format": ([*RUN, "--data", "coco:x"], ("'coco'",)),
    "no such prompts": ([*RUN, "--prompts", "nowhere"], ("--prompts", "nowhere/motion/effect")),
    "no such ledger": (["report"], ("affordance.db",)),
    "no such predictions": (["run", "motion/effect", "--model", "replay:nothing"], ("nothing",)),
    "an option that fits no task": ([*RUN, "--cues", "all"], ("--cues", "motion/effect")),
    "a judge nobody needs": ([*RUN, "--judge", "oracle"], ("--judge",)),
    "a model twice": ([*RUN, "--model", "oracle"], ()),
    "a key that is not set": (["run", "motion/effect", "--model", "openai:x"], ("OPENAI_API_KEY",)),
    "a parameter without value": ([*RUN, "--set", "temperature"], ("--set", "KEY=VALUE")),
    "no rate": ([*RUN, "--fps", "fast"], ("--fps", "10")),
    "a rate of nothing": ([*RUN, "--fps", "0"], ("--fps", "0")),
    "too fast": ([*RUN, "--fps", "1e9"], ("--fps", "240")),
    "a parameter that is ours": ([*RUN, "--set", "model=other"], ("model",)),
    "another kind of URL": (["run", "motion/effect", "--model", "openai:x@ftp://h/"], ("http://", "https://")),
    "no room for clips": (["data", "make", "primitives", "/proc/nope"], ("/proc/nope",)),
    "no room for the demo": (["demo", "--out", "/proc/nope"], ("/proc/nope",)),
    "a file for a dataset": ([*RUN, "--data", __file__], (__file__,)),
    "a ledger in no folder": ([*RUN, "--ledger", "no/where.db"], ("no",)),
}


def test_a_mistake_is_one_line_and_exit_2(here: Command) -> None:
    for name, (arguments, data) in MISTAKES.items():
        result = here(*arguments)
        with case(name):
            assert_user_error(result, *data)
            assert len(result.stderr.strip().splitlines()) == 1, result.stderr


def test_a_mistake_ends_the_process_so(affordance: Command) -> None:
    result = affordance("run", "motion/efect", "--model", "oracle")
    assert_user_error(result, "'motion/efect'", "'motion/effect'")
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr


def test_a_missing_video(here: Command, clips: Path, tmp_path: Path) -> None:
    shutil.copytree(clips, tmp_path / "copy")
    (tmp_path / "copy" / "media" / "fade.mp4").unlink()
    assert_user_error(here(*RUN, "--data", "copy"), "'media/fade.mp4'")


def test_a_ledger_that_is_no_ledger(here: Command, tmp_path: Path) -> None:
    (tmp_path / "affordance.db").write_text("Dear diary, " * 100)
    for arguments in (["report"], ["runs"], RUN):
        result = here(*arguments)
        assert result.returncode == 2
        assert len(result.stderr.strip().splitlines()) == 1
    assert (tmp_path / "affordance.db").read_text().startswith("Dear diary")


def test_waiting_for_a_throttled_endpoint_is_told(here: Command, clips: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def busy_until_it_is_told(seen: Seen, request: web.Request) -> web.StreamResponse:
        if "slow down" not in sys.stderr.getvalue():  # type: ignore[attr-defined]
            return web.json_response({"error": {"message": "slow down"}}, status=429, headers={"Retry-After": "2"})
        return await says_move(seen, request)

    monkeypatch.setattr("affordance.console.progress.SECONDS_BETWEEN_LINES", 0.0)
    with Loopback(busy_until_it_is_told) as server:
        asked = ["run", "motion/effect", "--model", f"openai:test@{server.url}", "--data", str(clips)]
        result = here(*asked, "--trials", "1", "--limit", "1")
    assert result.returncode == 0, result.stderr
    (told,) = [line for line in result.stderr.splitlines() if asked[3] in line and "status 429: slow down" in line]
    assert numbers_in(told)[:2] == [0, 1], "done and remaining; the same wait is told once"
    assert numbers_in(told.partition("slow down")[2])[0] in (2, 3), "seconds"
    assert "15 min" in told


def test_a_bar_tells_of_waiting(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    pauses = {"a:busy": (57.5, 900.0), "a:judge": (8.5, 40.0), "a:ready": (-1.0, 900.0)}
    standing = RunProgress(pauses={name: Pause("busy", now + ends, now + up) for name, (ends, up) in pauses.items()})
    for name in ("a:busy", "a:ready"):
        standing.models[name].planned = 3
    monkeypatch.setattr(progress, "_can_draw", lambda: True)
    monkeypatch.setenv("COLUMNS", "150")
    with progress.run_progress() as watch:
        watch(standing)
    busy, ready = (line for line in capsys.readouterr().err.splitlines() if "0/3" in line)
    assert re.search(r"0/3 .*busy.*58 s.*15 min.*a:judge: busy.*9 s.*40 s", busy)
    assert re.search(r"0/3 .*a:judge: busy.*9 s", ready)
    assert "58 s" not in ready


def test_an_endpoint_that_is_down(here: Command, clips: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affordance.evaluation.execution_config.OUTAGE_SECONDS", 1.0)
    with Loopback() as server:
        pass
    model = f"openai:test@{server.url}"
    result = here("run", "motion/effect", "--model", model, "--data", str(clips), "--trials", "1", "--limit", "1")
    assert result.returncode == 3
    *waits, reason = [line for line in result.stderr.splitlines() if "http://127.0.0.1" in line]
    assert len(waits) == 1, "it is told while the command goes on"
    assert 1 in numbers_in(reason.partition("/v1")[2]), "one attempt is not scored"
    assert here("report", "--format", "html", "-o", "page.html").returncode == 0
    assert "http://127.0.0.1" in (tmp_path / "page.html").read_text("utf-8")
    printed = " ".join(result.stdout.split())
    assert "1 of 1" in printed
    assert re.search(r"0\.0% \S+ 100\.0%", printed), "what accuracy may become"
