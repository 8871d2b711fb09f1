"""What stands in affordance.toml counts for every command."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.main import get_command

import affordance
from affordance.cli.defaults import load_defaults
from affordance.cli.main import _cached_command, app
from affordance.core.paths import find_config
from cases import case
from errors import USER_ERROR, assert_user_error

Command = Callable[..., subprocess.CompletedProcess[str]]

MODEL = ("--model", "vllm:m@http://127.0.0.1:9/v1")  # where nobody answers
# By command, what else it is given: enough to look for its ledger.
WITH_LEDGER: dict[str, tuple[str, ...]] = {
    "run": ("motion/effect", "--model", "baseline:random", "--limit", "1", "--trials", "1"),
    "report": (),
    "compare": ("a", "b"),
    "runs list": (),
    "runs show": ("r",),
    "tasks": (),
    "models": (),
    "doctor": (),
    "rescore": (),
    "ledger check": (),
    "calibrate": MODEL,
    "choose": ("a.png", "a.png", *MODEL),
    "import-log": ("a.json",),
    "judge sample": ("--run", "r", "-n", "1", "-o", "labels.csv"),
    "judge certify": ("--judge", "baseline:overlap", "--labels", "study:labels"),
    "author pairs": ("--goals", "goals.txt", "-o", "made", *MODEL),
    "data preferences": ("pairs", "-o", "made", "--from", "study:designs"),
    "study create": ("designs", "--task", "behavior/choice"),
    "study serve": ("designs",),
    "study status": ("designs",),
    "study close": ("designs",),
    "study list": (),
    "study export": ("designs", "-o", "out"),
}


def commands_with(variable: str) -> Iterator[tuple[str, str]]:
    """Commands that have an option with this variable, and what the option is called there."""

    def of(group: Any, above: str) -> Iterator[tuple[str, str]]:
        for name, one in group.commands.items():
            if hasattr(one, "commands"):
                yield from of(one, f"{above}{name} ")
            for parameter in one.params:
                if not one.hidden and variable in (parameter.envvar, *(parameter.envvar or ())):
                    yield f"{above}{name}", parameter.name

    return of(get_command(app), "")


def parsed(words: tuple[str, ...]) -> dict[str, Any]:
    """The values of a command's options, without the command being carried out."""
    command: Any = _cached_command()
    context = command.make_context(
        "affordance", list(words), default_map=load_defaults(command, find_config(Path.cwd()))
    )
    while hasattr(command, "commands"):
        name, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        context = command.make_context(name, rest, parent=context)
    values: dict[str, Any] = context.params
    return values


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Writes the file above the current folder; its path."""
    inner = tmp_path / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    for name in ("AFFORDANCE_LEDGER", "AFFORDANCE_QUIET"):
        monkeypatch.delenv(name, raising=False)

    def write(text: str) -> Path:
        path = tmp_path / "affordance.toml"
        path.write_text(text)
        return path

    return write


def test_every_command_takes_the_ledger_of_the_file(
    settings: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = dict(commands_with("AFFORDANCE_LEDGER"))
    assert set(options) == set(WITH_LEDGER)
    expected = str(tmp_path / "results.db")
    for command, rest in WITH_LEDGER.items():
        with case(command):
            words, option = (*command.split(), *rest), options[command]
            settings("")
            assert parsed(words)[option] == "affordance.db"
            settings('ledger = "results.db"\n')
            assert parsed(words)[option] == expected
            assert parsed((*words, f"--{option}", "typed.db"))[option] == "typed.db"
            monkeypatch.setenv("AFFORDANCE_LEDGER", "variable.db")
            assert parsed(words)[option] == "variable.db"
            monkeypatch.delenv("AFFORDANCE_LEDGER")
            if command in (
                "models",
                "ledger check",
                "study create-and-serve",
            ):  # [models] is about models, and `ledger` is a setting itself
                continue
            table = ".".join(command.split())
            settings(f'ledger = "results.db"\n[{table}]\n{option} = "its-own.db"\n')
            assert parsed(words)[option] == str(tmp_path / "its-own.db")


def test_commands_and_calls_open_that_ledger(here: Command, settings: Callable[[str], Path], tmp_path: Path) -> None:
    settings('ledger = "results.db"\n')
    for command in ("report", "judge sample", "judge certify", "study status"):
        with case(command):
            told = here(*command.split(), *WITH_LEDGER[command], folder="inner")
            assert told.returncode == USER_ERROR
            assert str(tmp_path / "results.db") in told.stderr
    for call in (affordance.open_results, partial(affordance.compare, "a", "b")):
        with pytest.raises(affordance.UserError, match=r"results\.db"):
            call()
    for name, grey in (("a", 90), ("b", 200)):
        image = np.full((40, 64, 3), grey, np.uint8)
        Path(f"{name}.png").write_bytes(cv2.imencode(".png", image)[1].tobytes())
    affordance.choose("a.png", "b.png", "baseline:first", trials=1, quiet=True)
    assert (tmp_path / "results.db").exists()
    assert not list((tmp_path / "inner").glob("*.db*"))


def test_other_options_count_in_groups_too(settings: Callable[[str], Path], tmp_path: Path) -> None:
    settings('quiet = true\ndata = "animint:AniMINT"\n[judge]\nseed = 3\n[judge.certify]\nrepeats = 5\n')
    certify, sample = (parsed((*one.split(), *WITH_LEDGER[one])) for one in ("judge certify", "judge sample"))
    assert (certify["quiet"], certify["repeats"]) == (sample["quiet"], 5) == (True, 5)
    assert sample["seed"] == 3
    assert parsed(("run", *WITH_LEDGER["run"]))["data"] == f"animint:{tmp_path / 'AniMINT'}"


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("[judge.certfy]\nrepeats = 3", ("'certfy'", "'certify'", "judge.certfy")),
        ("[judge.certify]\nrepeat = 3", ("'certify'", "'repeat'", "'repeats'")),
        ("[judge]\nrepeat = 3", ("'judge'", "'repeat'", "'repeats'")),
        ('[judge.certify]\nrepeats = "all"', ("--repeats", "'all'")),
    ],
)
def test_mistakes_in_groups(here: Command, settings: Callable[[str], Path], text: str, data: tuple[str, ...]) -> None:
    path = settings(text)
    assert_user_error(here("judge", "certify", *WITH_LEDGER["judge certify"], folder="inner"), path, *data)


def test_doctor_reports_a_file_that_cannot_be_read(
    here: Command, settings: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = settings("ledger = [")
    monkeypatch.setitem(sys.modules, "playwright", None)
    told = here("doctor", folder="inner")
    assert told.returncode == USER_ERROR
    assert [str(path) in line for line in told.stdout.splitlines()].count(True) == 1
    assert "Codecs" in told.stdout


@pytest.mark.parametrize(("code", "expected"), [(None, 0), (0, 0), (1, 1), (3, 3), ("no more", 1)])
def test_what_ends_the_process_says_how(
    here: Command, monkeypatch: pytest.MonkeyPatch, code: int | str | None, expected: int
) -> None:
    import shellingham

    monkeypatch.setattr(shellingham, "detect_shell", lambda: sys.exit(code))
    told = here("--install-completion")
    assert told.returncode == expected
    assert ("no more" in told.stderr) is (code == "no more")
