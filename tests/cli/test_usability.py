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

from affordance.cli.help import split_docstring
from affordance.cli.main import app
from affordance.datasets import Dataset
from cases import case, numbers_in
from errors import assert_carries, assert_user_error

Command = Callable[..., subprocess.CompletedProcess[str]]
SERVERS = {"studio", "serve", "create-and-serve"}  # what they print is an address
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]m")


def commands(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    command = command or get_command(app)
    yield path, command
    for name, one in getattr(command, "commands", {}).items():
        yield from commands(one, (*path, name))


EVERY = {" ".join(path) or "affordance": (path, command) for path, command in commands()}
LEAVES = {name: one for name, one in EVERY.items() if not hasattr(one[1], "commands")}


def test_help_pages(here: Command) -> None:
    """Each has a summary, examples, and a line of help for each option."""
    for name, (path, command) in EVERY.items():
        summary, _, examples = split_docstring(command.help or "")
        page = here(*path, "--help", COLUMNS="80")
        with case(name):
            assert summary.strip()
            assert examples
            assert (page.returncode, page.stderr) == (0, "")
            assert " ".join(("affordance", *path)) in page.stdout.splitlines()[0]
            others = [line for line in page.stdout.splitlines() if line.strip() not in examples]
            assert max(map(len, others)) <= 80
            for example in examples:
                assert f"  {example}\n" in page.stdout
            for parameter in command.params:
                assert parameter.help
                assert parameter.metavar or getattr(parameter, "is_flag", False), parameter.opts
                assert parameter.opts[-1] in page.stdout or parameter.metavar in page.stdout
            assert page.stdout.count("\n") <= (52 if not path else 100)


def test_examples_are_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are parsed by the command that they name, with all their options."""
    monkeypatch.chdir(tmp_path)
    for name in ("cert.pem", "key.pem"):
        (tmp_path / name).touch()
    whole = get_command(app)
    for name, (_, command) in EVERY.items():
        for example in split_docstring(command.help)[2]:
            words = shlex.split(example.partition(" | ")[0])
            while "=" in words[0]:
                words.pop(0)
            program, *rest = words
            with case((name, example)):
                assert program == "affordance"
                _parse(whole, program, rest)


def _parse(command: Any, name: str, words: list[str], parent: Any = None) -> None:
    context = command.make_context(name, list(words), parent=parent)
    if hasattr(command, "commands"):
        default = getattr(command, "default", "")
        if default and not any(word in command.commands for word in words[:1]):
            words = [default, *words]
        named = next(place for place, word in enumerate(words) if word in command.commands)
        _parse(command.commands[words[named]], words[named], words[named + 1 :], context)


def test_what_every_command_has() -> None:
    for name, (path, command) in LEAVES.items():
        options = {name for parameter in command.params for name in parameter.opts}
        with case(name):
            assert {"-q", "--quiet"} <= options
            assert ("--json" in options) == (path[-1] not in SERVERS)


def test_ways_in(here: Command) -> None:
    page = here("--help").stdout
    for arguments in ([], ["help"], ["-h"]):
        told = here(*arguments)
        assert (told.returncode, told.stdout, told.stderr) == (0, page, "")
    order = [page.index(f"\n  {name} ") for name in ("demo", "run", "capture", "study")]
    assert order == sorted(order), "first steps, measuring, making benchmarks, asking people"
    assert here("help", "data", "make").stdout == here("data", "make", "-h").stdout == here("data", "make").stdout
    told = here("run", "--help").stdout
    for part in ("PROVIDER:MODEL[@BASE_URL]", "AFFORDANCE_RUN_MODEL", "AFFORDANCE_LEDGER", "affordance.db"):
        assert part in told


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
    assert numbers_in(told.stderr.splitlines()[-1])[:2] == [1, 0], "done and remaining"
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
    assert here(*asked, "--name", "e").stderr  # what was said before does not hold for the next


def test_quiet_leaves_errors(here: Command, asked: list[str]) -> None:
    assert_user_error(here("-q", *asked[:2], "--model", "opnai:x", "--quiet"), "'opnai'", "'openai'")


@pytest.mark.usefixtures("quick_pen")
def test_quiet_of_other_commands(here: Command) -> None:
    made = here("data", "make", "primitives", "clips", "--json", "--quiet")
    assert (made.stderr, json.loads(made.stdout)) == ("", {"folder": "clips", "items": 7})
    checked = here("--quiet", "data", "check", "clips", "--json")
    assert (checked.stderr, json.loads(checked.stdout)) == ("", [])
    prepared = here("data", "prepare", "clips", "--fps", "0.2", "-q", "--json")
    assert prepared.stderr == ""
    assert json.loads(prepared.stdout)["clips"] == 7


RUN = ["run", "motion/effect", "--model", "oracle"]
TYPOS: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "a command": (["raport"], ("'raport'", "'report'")),
    "a command of a group": (["data", "chek", "x"], ("'chek'", "'check'")),
    "a command in capitals": (["RUN"], ("'RUN'", "'run'")),
    "a command like no other": (["xyzzy"], ("author, calibrate, ",)),
    "an option": ([*RUN, "--stratgy", "x"], ("'--stratgy'", "'--strategy'")),
    "an option of the program": (["--vershun"], ("'--version'",)),
    "a short option": (["runs", "-l"], ("'-l'", "`affordance runs list --help`")),
    "a choice": (["report", "--format", "jsn"], ("--format", "table", "latex", "'jsn'", "'json'")),
    "a choice like no other": (["author", "divide", "x", "--by", "?"], ("--by", "auto", "layout", "'?'")),
    "no number": ([*RUN, "--limit", "ten"], ("--limit", "'ten'")),
    "half a number": ([*RUN, "--limit", "1.5"], ("--limit", "'1.5'")),
    "too small a number": ([*RUN, "--limit", "0"], ("--limit", "1")),
    "a negative number": ([*RUN, "--parse-retries", "-1"], ("--parse-retries", "0")),
    "asked again for ever": ([*RUN, "--parse-retries", "11"], ("--parse-retries", "10", "11")),
    "too large a number": (["studio", "x", "--port", "99999"], ("--port", "65535")),
    "no time": ([*RUN, "--timeout", "soon"], ("--timeout", "'soon'")),
    "no value": (["run", "motion/effect", "--model"], ("--model", "`affordance run --help`")),
    "two formats": (["report", "--format", "csv", "--json"], ("--json", "--format json", "--format csv")),
    "no argument": (["run"], ("'TASK...'",)),
    "no option": (["run", "motion/effect"], ("'--model'", "PROVIDER:MODEL[@BASE_URL]")),
    "too many arguments": (["runs", "list", "x"], ("'x'",)),
    "no such file": (["studio", "x", "--certificate", "nowhere"], ("--certificate", "'nowhere'")),
    "a task": (["run", "motion/efect", "--model", "oracle"], ("'motion/efect'", "'motion/effect'")),
    "a task without its suite": (["run", "effect", "--model", "oracle"], ("'motion/effect'",)),
    "a provider": (["run", "motion/effect", "--model", "antropic:x"], ("'anthropic'",)),
    "a dialect": ([*RUN[:2], "--model", "oracle:gemni"], ("'gemini'",)),
    "a strategy": ([*RUN, "--strategy", "zeroshot"], ("'zero-shot'",)),
    "a strategy of other tasks": ([*RUN, "--strategy", "cocot"], ("motion/effect", "zero-shot", "'cocot'")),
    "an address alone": ([*RUN[:2], "--model", "openai:x@127.0.0.1:8123"], ("http://", "https://")),
    "a value of a parameter": ([*RUN, "--set", "temperature=hot"], ("temperature", "'hot'")),
    "a protocol": ([*RUN, "--protocol", "Paper"], ("'paper'",)),
    "a dataset format": (["data", "check", "autoguiv2:x"], ("'autogui-v2'",)),
    "a cue": (["run", "motion/purpose", "--model", "oracle", "--cues", "motoin"], ("'motion'",)),
    "a task of a report": (["report", "--task", "motion/purpos"], ("'motion/purpose'",)),
    "a task of a study": (["study", "x", "--task", "behaviour/choice"], ("'behavior/choice'",)),
    "a model that is no name": (["run", "motion/effect", "--model", ":x"], ("PROVIDER:MODEL[@BASE_URL]",)),
}


def test_a_typo_is_one_line(here: Command) -> None:
    for name, (arguments, data) in TYPOS.items():
        result = here(*arguments)
        with case(name):
            assert_user_error(result, *data)
            assert result.stderr.count("\n") == 1


def test_names_in_the_ledger(here: Command, asked: list[str]) -> None:
    assert here(*asked, "--name", "monday").returncode == 0
    for arguments in (
        ["report", "--run", "munday"],
        ["compare", "munday", "oracle"],
        ["judge", "sample", "--run", "munday", "-n", "1", "-o", "x"],
    ):
        assert_user_error(here(*arguments), "'munday'", "'monday'")
    assert_user_error(here("study", "export", "munday", "-o", "x"), "--task")


def test_a_parameter_that_is_nearly_known_is_remarked_on(here: Command, asked: list[str]) -> None:
    told = here(*asked, "--estimate", "--set", "temprature=0", "--set", "of_mine=1")
    assert told.returncode == 0
    assert_carries(told.stderr, "temprature", "'temperature'")


FILES = {
    'ledgr = "x.db"': ("'ledgr'", "'ledger'"),
    "[run]\nconcurency = 1": ("'run'", "'concurency'", "'concurrency'"),
    "[price]\na = 1": ("'price'", "[price]", "'prices'"),
    '[run]\nconcurrency = "many"': ("--concurrency", "'many'"),
    "ledger = 5": ("ledger", "5"),
    "colour = 1": ("'colour'",),
    "[rum]\nx = 1": ("'rum'",),
    "[run]\ncolour = 1": ("'run'", "'colour'"),
    '[models."openai:x"]\nstop = 2020-01-01': ("models.openai:x.stop",),
}


def test_a_mistake_in_the_settings_is_reported_with_the_file(here: Command, tmp_path: Path) -> None:
    path = tmp_path / "affordance.toml"
    for text, data in FILES.items():
        path.write_text(f"{text}\n")
        with case(text):
            assert_user_error(here(*RUN), path, *data)


def test_json_counts_before_a_format_of_the_file(here: Command, tmp_path: Path, asked: list[str]) -> None:
    assert here(*asked).returncode == 0
    (tmp_path / "affordance.toml").write_text('[report]\nformat = "csv"\n')
    assert json.loads(here("report", "--json").stdout)
    assert here("report").stdout.startswith("run,")


def test_who_can_be_asked(here: Command) -> None:
    listed = {one["model"]: one for one in json.loads(here("models", "--json").stdout)["models"]}
    assert "study:NAME" in listed
    assert "affordance" not in listed["inspect:PROVIDER/MODEL"]["where"], "it comes with the package"
