"""What people expect of a command line: help with examples that are right, quiet, colour, and hints on typos."""

import json
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from affordance.cli.help import parts_of
from affordance.cli.main import app
from affordance.datasets import Dataset

Command = Callable[..., subprocess.CompletedProcess[str]]
SERVERS = {"studio", "study"}  # what they print is an address
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]m")


def commands(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    command = command or get_command(app)
    yield path, command
    for name, one in getattr(command, "commands", {}).items():
        yield from commands(one, (*path, name))


EVERY = {" ".join(path) or "affordance": (path, command) for path, command in commands()}
LEAVES = {name: one for name, one in EVERY.items() if not hasattr(one[1], "commands")}


@pytest.mark.parametrize(("path", "command"), EVERY.values(), ids=EVERY.keys())
def test_a_help_page(here: Command, path: tuple[str, ...], command: Any) -> None:
    summary, _, examples = parts_of(command.help or "")
    assert summary.endswith((".", "?"))
    assert examples
    page = here(*path, "--help", COLUMNS="80")
    assert (page.returncode, page.stderr) == (0, "")
    assert page.stdout.startswith(f"Usage: {' '.join(('affordance', *path))} ")
    told = [line for line in page.stdout.splitlines() if line.strip() not in examples]
    assert max(map(len, told)) <= 80
    for example in examples:
        assert f"  {example}\n" in page.stdout
    for parameter in command.params:
        assert parameter.help
        assert parameter.metavar or getattr(parameter, "is_flag", False), parameter.opts
        assert parameter.opts[-1] in page.stdout or parameter.metavar in page.stdout
    assert page.stdout.count("\n") <= (48 if not path else 100)


@pytest.mark.parametrize(("path", "command"), EVERY.values(), ids=EVERY.keys())
def test_its_examples_are_right(path: tuple[str, ...], command: Any, tmp_path: Path, monkeypatch: Any) -> None:
    """They are parsed by the command that they name, with all their options."""
    monkeypatch.chdir(tmp_path)
    for name in ("cert.pem", "key.pem"):
        (tmp_path / name).touch()
    for example in parts_of(command.help)[2]:
        words = shlex.split(example.partition(" | ")[0])
        while "=" in words[0]:
            words.pop(0)
        program, *rest = words
        assert program == "affordance"
        _parse(get_command(app), program, rest)


def _parse(command: Any, name: str, words: list[str], parent: Any = None) -> None:
    context = command.make_context(name, list(words), parent=parent)
    if hasattr(command, "commands"):
        named = next(place for place, word in enumerate(words) if word in command.commands)
        _parse(command.commands[words[named]], words[named], words[named + 1 :], context)


@pytest.mark.parametrize(("path", "command"), LEAVES.values(), ids=LEAVES.keys())
def test_what_every_command_has(path: tuple[str, ...], command: Any) -> None:
    options = {name for parameter in command.params for name in parameter.opts}
    assert {"-q", "--quiet"} <= options
    assert ("--json" in options) == (path[-1] not in SERVERS)


def test_ways_in(here: Command) -> None:
    page = here("--help").stdout
    for arguments in ([], ["help"], ["-h"]):
        told = here(*arguments)
        assert (told.returncode, told.stdout, told.stderr) == (0, page, "")
    assert (
        page.index("First steps:") < page.index("Measure:") < page.index("Make benchmarks:") < page.index("Ask people:")
    )
    assert here("help", "data", "make").stdout == here("data", "make", "-h").stdout == here("data", "make").stdout
    assert "PROVIDER:MODEL[@BASE_URL]; repeatable. [required]" in here("run", "--help").stdout
    assert "AFFORDANCE_RUN_MODEL stands for --model" in here("run", "--help").stdout
    assert "[AFFORDANCE_LEDGER] [default: affordance.db]" in here("run", "--help").stdout


def test_colour(here: Command) -> None:
    assert "\x1b" not in here("--help").stdout
    assert COLOUR.search(here("--help", FORCE_COLOR="1", TERM="xterm").stdout)
    assert not COLOUR.search(here("--help", FORCE_COLOR="1", TERM="xterm", NO_COLOR="1").stdout)
    assert "\x1b" not in here("--help", FORCE_COLOR="1", TERM="dumb").stdout
    assert COLOUR.search(here("tasks", FORCE_COLOR="1", TERM="xterm").stdout) is None


def test_help_and_version_need_no_settings(here: Command, tmp_path: Path) -> None:
    (tmp_path / "affordance.toml").write_text("colour = 1\n")
    assert here("tasks").returncode == 2
    assert here("tasks", "--help").returncode == here("--version").returncode == 0


@pytest.fixture
def asked(primitives: Dataset) -> list[str]:
    return [
        "run",
        "motion/effect",
        "--model",
        "oracle",
        "--data",
        str(primitives.root),
        "--trials",
        "1",
        "--limit",
        "1",
    ]


def test_quiet(here: Command, tmp_path: Path, asked: list[str]) -> None:
    told = here(*asked, "--json", "--name", "a")
    assert "1 done, 0 remaining" in told.stderr
    rows = json.loads(told.stdout)
    for number, arguments in enumerate((["--quiet", *asked], [*asked, "--quiet"], ["-q", *asked], [*asked, "-q"])):
        result = here(*arguments, "--json", "--name", f"quiet-{number}")
        assert (result.returncode, result.stderr) == (0, "")
        assert json.loads(result.stdout)[0]["metrics"] == rows[0]["metrics"]
    assert here(*asked, "--name", "b", AFFORDANCE_QUIET="1").stderr == ""
    assert here(*asked, "--name", "c", AFFORDANCE_RUN_QUIET="1").stderr == ""
    (tmp_path / "affordance.toml").write_text("quiet = true\n")
    assert here(*asked, "--name", "d").stderr == ""
    (tmp_path / "affordance.toml").unlink()
    assert "1 done" in here(*asked, "--name", "e").stderr  # what was said before does not hold for the next


def test_quiet_leaves_errors(here: Command, asked: list[str]) -> None:
    result = here("-q", *asked[:2], "--model", "opnai:x", "--quiet")
    assert (result.returncode, result.stdout) == (2, "")
    assert "did you mean 'openai'?" in result.stderr


@pytest.mark.usefixtures("quick_pen")
def test_quiet_of_other_commands(here: Command) -> None:
    made = here("data", "make", "primitives", "clips", "--json", "--quiet")
    assert (made.stderr, json.loads(made.stdout)) == ("", {"folder": "clips", "items": 7})
    checked = here("--quiet", "data", "check", "clips", "--json")
    assert (checked.stderr, json.loads(checked.stdout)) == ("", [])
    prepared = here("data", "prepare", "clips", "--fps", "1", "-q", "--json")
    assert prepared.stderr == ""
    assert json.loads(prepared.stdout)["clips"] == 7


RUN = ["run", "motion/effect", "--model", "oracle"]
TYPOS = {
    "a command": (["raport"], "No such command 'raport'; did you mean 'report'?"),
    "a command of a group": (["data", "chek", "x"], "did you mean 'check'?"),
    "a command in capitals": (["RUN"], "did you mean 'run'?"),
    "a command like no other": (["xyzzy"], "known: author, calibrate, "),
    "an option": ([*RUN, "--stratgy", "x"], "No such option '--stratgy'; did you mean '--strategy'?"),
    "an option of the program": (["--vershun"], "did you mean '--version'?"),
    "a short option": (["runs", "-l"], "No such option '-l' (see `affordance runs --help`)"),
    "a choice": (["report", "--format", "jsn"], "expected table, json, html, md, csv or latex, found 'jsn'; did"),
    "a choice like no other": (["author", "divide", "x", "--by", "?"], "auto, model, dom or layout, found '?' (see"),
    "no number": ([*RUN, "--limit", "ten"], "--limit: expected a whole number, found 'ten'"),
    "half a number": ([*RUN, "--limit", "1.5"], "--limit: expected a whole number, found '1.5'"),
    "too small a number": ([*RUN, "--limit", "0"], "--limit: expected at least 1, found "),
    "a negative number": ([*RUN, "--reasks", "-1"], "--reasks: expected at least 0, found "),
    "asked again for ever": ([*RUN, "--reasks", "11"], "--reasks: expected a number from 0 to 10, found 11"),
    "too large a number": (["studio", "x", "--port", "99999"], "--port: expected at most 65535, found "),
    "no time": ([*RUN, "--timeout", "soon"], "--timeout: expected a number, found 'soon'"),
    "no value": (["run", "motion/effect", "--model"], "--model: expected a value, found none"),
    "where to read on": (["run", "motion/effect", "--model"], "(see `affordance run --help`)"),
    "two formats": (["report", "--format", "csv", "--json"], "--json is --format json, found --format csv beside it"),
    "no argument": (["run"], "Missing argument 'TASK...': Tasks, or a suite's name for all of its."),
    "no option": (["run", "motion/effect"], "Missing option '--model': PROVIDER:MODEL[@BASE_URL]"),
    "too many arguments": (["runs", "x"], "expected no more arguments, found 'x'"),
    "no such file": (["studio", "x", "--certificate", "nowhere"], "--certificate: file 'nowhere' does not exist"),
    "a task": (["run", "motion/efect", "--model", "oracle"], "unknown task 'motion/efect'; did you mean"),
    "a task without its suite": (["run", "effect", "--model", "oracle"], "did you mean 'motion/effect'?"),
    "a provider": (["run", "motion/effect", "--model", "antropic:x"], "did you mean 'anthropic'?"),
    "a dialect": ([*RUN[:2], "--model", "oracle:gemni"], "did you mean 'gemini'?"),
    "a strategy": ([*RUN, "--strategy", "zeroshot"], "did you mean 'zero-shot'?"),
    "a strategy of other tasks": ([*RUN, "--strategy", "cocot"], "motion/effect offers zero-shot only, found 'cocot'"),
    "an address alone": ([*RUN[:2], "--model", "openai:x@127.0.0.1:8123"], "expected http:// or https:// after @"),
    "a value of a parameter": ([*RUN, "--set", "temperature=hot"], "temperature: expected a number, found 'hot'"),
    "a protocol": ([*RUN, "--protocol", "Paper"], "did you mean 'paper'?"),
    "a dataset format": (["data", "check", "autoguiv2:x"], "did you mean 'autogui-v2'?"),
    "a cue": (["run", "motion/purpose", "--model", "oracle", "--cues", "motoin"], "did you mean 'motion'?"),
    "a task of a report": (["report", "--task", "motion/purpos"], "did you mean 'motion/purpose'?"),
    "a task of a study": (["study", "x", "--task", "behaviour/choice"], "did you mean 'behavior/choice'?"),
    "a model that is no name": (["run", "motion/effect", "--model", ":x"], "a model is PROVIDER:MODEL[@BASE_URL]"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "told"), TYPOS.values(), ids=TYPOS.keys())
def test_a_typo_is_told_in_one_line(here: Command, arguments: list[str], told: str) -> None:
    result = here(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert told in result.stderr
    assert result.stderr.count("\n") == 1


def test_names_in_the_ledger(here: Command, asked: list[str]) -> None:
    assert here(*asked, "--name", "monday").returncode == 0
    for arguments in (
        ["report", "--run", "munday"],
        ["compare", "munday", "oracle"],
        ["judge", "sample", "--run", "munday", "-n", "1", "-o", "x"],
    ):
        assert "did you mean 'monday'?" in here(*arguments).stderr
    assert "no studies yet; begin one with --task" in here("study", "munday", "--export", "x").stderr


def test_a_parameter_that_is_nearly_known_is_remarked_on(here: Command, asked: list[str]) -> None:
    told = here(*asked, "--estimate", "--set", "temprature=0", "--set", "of_mine=1")
    assert told.returncode == 0
    assert told.stderr.splitlines() == [
        "affordance: parameter temprature is not known here and is sent as it is; did you mean 'temperature'?"
    ]


FILES = {
    'ledgr = "x.db"': "no command has an option 'ledgr'; did you mean 'ledger'?",
    "[run]\nconcurency = 1": "the command 'run' has no option 'concurency'; did you mean 'concurrency'?",
    "[price]\na = 1": "there is no command 'price' for the table [price]; did you mean 'prices'?",
    '[run]\nconcurrency = "many"': "--concurrency: expected a whole number, found 'many'",
}


@pytest.mark.parametrize(("text", "told"), FILES.items(), ids=FILES.values())
def test_a_mistake_in_the_file_is_told_with_its_name(here: Command, tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "affordance.toml"
    path.write_text(f"{text}\n")
    result = here(*RUN)
    assert result.returncode == 2
    assert f"{path}: {told}" in result.stderr


def test_json_counts_before_a_format_of_the_file(here: Command, tmp_path: Path, asked: list[str]) -> None:
    assert here(*asked).returncode == 0
    (tmp_path / "affordance.toml").write_text('[report]\nformat = "csv"\n')
    assert json.loads(here("report", "--json").stdout)
    assert here("report").stdout.startswith("run,")


def test_who_can_be_asked(here: Command) -> None:
    listed = {one["model"]: one for one in json.loads(here("models", "--json").stdout)["models"]}
    assert "study:NAME" in listed
    assert "added by" not in listed["inspect:PROVIDER/MODEL"]["where"]
