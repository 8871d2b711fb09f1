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

from affordance.cli import progress
from affordance.datasets import Dataset
from affordance.ledger import open_ledger
from affordance.run.progress import Progress
from loopback import Loopback, Seen, completion, says_move

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def clips(primitives: Dataset) -> Path:
    return primitives.root


def test_run_report_and_runs(affordance: Command, here: Command, clips: Path, tmp_path: Path) -> None:
    result = affordance("run", "motion/effect", "--model", "oracle", "--data", str(clips), "--trials", "2", "--json")
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
    assert (checked.returncode, checked.stdout.strip()) == (0, "clips (primitives-1x-seed5): 0 errors, 0 warnings")
    next((tmp_path / "clips" / "media").iterdir()).unlink()
    broken = here("data", "check", "clips")
    assert broken.returncode == 2
    assert "1 error," in broken.stdout


@pytest.mark.usefixtures("quick_pen")
def test_drawing_the_demo_clips_is_told(here: Command, tmp_path: Path) -> None:
    asked = [*RUN, "--trials", "1", "--limit", "1", "--estimate"]
    first = here(*asked, AFFORDANCE_CACHE=str(tmp_path / "cold"))
    assert first.returncode == 0
    *before, last = first.stderr.splitlines()  # those before it where drawing takes long
    assert last == "7/7 demo clips drawn"
    assert all(re.fullmatch("[0-6]/7 demo clips drawn", line) for line in before)
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
        told = here(*asked, "--reasks", "1", "--json")
        assert set(server.counts.values()) == {2}  # the first replies were in the ledger
        foreseen = here(*asked, "--reasks", "1", "--fresh", "--estimate").stdout
    assert told.returncode == 0, told.stderr
    (row,) = json.loads(told.stdout)
    assert (once["ended"]["unparsed"], row["ended"]["answered"]) == (7, 7)
    assert (row["metrics"]["first_try_accuracy"], row["metrics"]["accuracy"]) == (0.0, pytest.approx(1 / 7))
    assert row["settings"] == once["settings"] | {"reasks": {"motion/effect": 1}}
    with open_ledger(str(tmp_path / "affordance.db"), read_only=True) as ledger:
        attempts = [one.attempt for one in ledger.outcomes(ledger.find_run(row["run"]).id)]
        steps = ledger.steps_of(attempts)
    assert {tuple(said.step[2] for said in one) for one in steps.values()} == {(0, 1)}
    assert all(one[0].reply.text == "Hm." != one[1].reply.text for one in steps.values())
    assert "comes on top: up to 1 more for each reply" in " ".join(foreseen.split())


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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ledger = 5", "ledger: expected text, found 5"),
        ("colour = 1", "no command has an option 'colour'"),
        ("[rum]\nx = 1", "there is no command 'rum'"),
        ("[run]\ncolour = 1", "the command 'run' has no option 'colour'"),
        ('[models."openai:x"]\nstop = 2020-01-01', "models.openai:x.stop"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_the_file(here: Command, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "affordance.toml").write_text(text)
    result = here(*RUN)
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1
    assert f"{tmp_path / 'affordance.toml'}: {told}" in result.stderr


def test_pipes_and_terminals_of_every_kind(affordance: Command, here: Command, clips: Path, tmp_path: Path) -> None:
    here(*RUN, "--data", str(clips), "--trials", "1")
    narrow = affordance("report", PYTHONIOENCODING="ascii")
    assert (narrow.returncode, narrow.stderr) == (0, "")
    full = subprocess.run(
        f"{sys.executable} -m affordance report > /dev/full",
        shell=True, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert full.returncode == 2
    assert len(full.stderr.strip().splitlines()) == 1
    for command in ("report", "report --format json", "tasks"):
        closed = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {sys.executable} -m affordance {command} | true"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (closed.returncode, closed.stderr) == (0, "")


RUN = ["run", "motion/effect", "--model", "oracle"]
MISTAKES = {
    "no such command": (["rum"], "No such command 'rum'; did you mean 'run'?"),
    "no such option": ([*RUN, "--colour"], "No such option"),
    "no such task": (["run", "motion/efect", "--model", "oracle"], "did you mean 'motion/effect'?"),
    "no such provider": (["run", "motion/effect", "--model", "opnai:x"], "did you mean 'openai'?"),
    "no such baseline": (["run", "motion/effect", "--model", "baseline:pixel"], "did you mean 'pixels'?"),
    "no such dialect": (["run", "motion/effect", "--model", "oracle:klingon"], "unknown dialect 'klingon'"),
    "no such protocol": ([*RUN, "--protocol", "peper"], "did you mean 'paper'?"),
    "no such strategy": ([*RUN, "--strategy", "zero"], "did you mean 'zero-shot'?"),
    "no such format": (["report", "--format", "pdf"], "pdf"),
    "no such dataset": ([*RUN, "--data", "nowhere"], "nowhere: expected a dataset folder, found nothing there"),
    "no such dataset format": ([*RUN, "--data", "coco:x"], "unknown dataset format 'coco'"),
    "no such prompts": ([*RUN, "--prompts", "nowhere"], "expected the prompt motion/effect/zero-shot.txt"),
    "no such ledger": (["report"], "no ledger at affordance.db"),
    "no such predictions": (["run", "motion/effect", "--model", "replay:nothing"], "found no file at nothing"),
    "an option that fits no task": (
        [*RUN, "--cues", "all"],
        "--cues applies to none of the chosen tasks (motion/effect)",
    ),
    "a judge nobody needs": ([*RUN, "--judge", "oracle"], "--judge applies to none"),
    "no model": (["run", "motion/effect"], "Missing option '--model'"),
    "a model twice": ([*RUN, "--model", "oracle"], "a model was named twice"),
    "a key that is not set": (["run", "motion/effect", "--model", "openai:x"], "set OPENAI_API_KEY in the environment"),
    "a parameter without value": ([*RUN, "--set", "temperature"], "--set: expected KEY=VALUE"),
    "no rate": ([*RUN, "--fps", "fast"], "--fps: expected a number such as 10"),
    "a rate of nothing": ([*RUN, "--fps", "0"], "--fps: expected a number above 0"),
    "no items": ([*RUN, "--limit", "0"], "--limit"),
    "too fast": ([*RUN, "--fps", "1e9"], "--fps: expected a number above 0 and at most 240"),
    "a parameter that is ours": ([*RUN, "--set", "model=other"], "model is not a parameter to set"),
    "another kind of URL": (
        ["run", "motion/effect", "--model", "openai:x@ftp://h/"],
        "begins with http:// or https://",
    ),
    "no room for clips": (["data", "make", "primitives", "/proc/nope"], "cannot make the folder /proc/nope"),
    "no room for the demo": (["demo", "--out", "/proc/nope"], "cannot make the folder /proc/nope"),
    "a file for a dataset": ([*RUN, "--data", __file__], "expected a dataset folder, found a file; a published set is"),
    "a ledger in no folder": ([*RUN, "--ledger", "no/where.db"], "the folder no for the ledger does not exist"),
}


def assert_told(result: subprocess.CompletedProcess[str], told: str) -> None:
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr
    assert told in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(("arguments", "told"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_one_line_and_exit_2(here: Command, arguments: list[str], told: str) -> None:
    assert_told(here(*arguments), told)


@pytest.mark.parametrize("mistake", ["no such command", "no such task"])
def test_a_mistake_ends_the_process_so(affordance: Command, mistake: str) -> None:
    arguments, told = MISTAKES[mistake]
    assert_told(affordance(*arguments), told)


def test_a_missing_video(here: Command, clips: Path, tmp_path: Path) -> None:
    shutil.copytree(clips, tmp_path / "copy")
    (tmp_path / "copy" / "media" / "fade.mp4").unlink()
    result = here(*RUN, "--data", "copy")
    assert (result.returncode, result.stdout) == (2, "")
    assert "needs 'media/fade.mp4', found no such file" in result.stderr


def test_a_ledger_that_is_no_ledger(here: Command, tmp_path: Path) -> None:
    (tmp_path / "affordance.db").write_text("Dear diary, " * 100)
    for arguments in (["report"], ["runs"], RUN):
        result = here(*arguments)
        assert result.returncode == 2
        assert len(result.stderr.strip().splitlines()) == 1
    assert (tmp_path / "affordance.db").read_text().startswith("Dear diary")


def test_waiting_for_a_throttled_endpoint_is_told(here: Command, clips: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def busy_until_it_is_told(seen: Seen, request: web.Request) -> web.StreamResponse:
        if "asks to wait" not in sys.stderr.getvalue():  # type: ignore[attr-defined]
            return web.json_response({"error": {"message": "slow down"}}, status=429, headers={"Retry-After": "2"})
        return await says_move(seen, request)

    monkeypatch.setattr("affordance.cli.progress.SECONDS_BETWEEN_LINES", 0.0)
    with Loopback(busy_until_it_is_told) as server:
        asked = ["run", "motion/effect", "--model", f"openai:test@{server.url}", "--data", str(clips)]
        result = here(*asked, "--trials", "1", "--limit", "1")
    assert result.returncode == 0, result.stderr
    told = [line for line in result.stderr.splitlines() if line.endswith(f"{asked[3]} asks to wait, 2 s")]
    assert len(told) == 1
    assert told[0].startswith("0 done, 1 remaining, ")
    assert result.stderr.count("asks to wait") == 1, "the same wait is told once"


def test_a_bar_tells_of_waiting(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    standing = Progress(quiet_until={"a:busy": now + 57.5, "a:judge": now + 8.5, "a:ready": now - 1.0})
    for name in ("a:busy", "a:ready"):
        standing.models[name].planned = 3
    monkeypatch.setattr(progress, "_can_draw", lambda: True)
    monkeypatch.setenv("COLUMNS", "150")
    with progress.shown() as watch:
        watch(standing)
    busy, ready = (line for line in capsys.readouterr().err.splitlines() if "0/3" in line)
    assert "0/3 asks to wait, 58 s  a:judge asks to wait, 9 s" in busy
    assert "0/3 a:judge asks to wait, 9 s" in ready
    assert "58 s" not in ready


def test_an_endpoint_that_is_down(here: Command, clips: Path) -> None:
    with Loopback() as server:
        pass
    model = f"openai:test@{server.url}"
    result = here("run", "motion/effect", "--model", model, "--data", str(clips), "--trials", "1", "--limit", "1")
    assert result.returncode == 3
    assert "1 not scored: cannot connect to http://127.0.0.1" in result.stderr
    assert "cannot connect to http://127.0.0.1" in here("report", "--format", "html").stdout
    assert "incomplete" in result.stderr
    assert "is incomplete: 1 of 1 attempts are missing (1 failed); accuracy is between 0.0 and 100.0%" in " ".join(
        result.stdout.split()
    )
