"""Runs as processes of their own, to be killed in the middle; started again, they need none."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from affordance.cli import main
from forked import Forked, surroundings
from loopback import Loopback
from patience import until

CONCURRENCY = 8


def run_command(task: str, model: str, data: str, ledger: Path | str, *more: str) -> list[str]:
    return [
        *(sys.executable, "-m", "affordance", "run", task, "--model", model, "--data", data),
        *("--ledger", str(ledger), "--concurrency", str(CONCURRENCY), "--quiet", *more),
    ]


def begin(command: Sequence[str], pictures: Path, errors: Path = Path(os.devnull)) -> Forked:
    """A command from `run_command`, as a process."""
    return Forked(command[3:], surroundings(pictures), Path(os.devnull), errors)


def wait_for_most_answers(server: Loopback, process: Forked) -> None:
    """From then on until `go_on` the run is in the middle, whatever time passes."""
    until(
        lambda: server.answered.total() >= server.most_answers,
        going=lambda: process.code is None,
        why=lambda: f"after {server.answered.total()} answers; the run has ended with {process.code}",
    )


def kill_after(
    number: int, command: Sequence[str], server: Loopback, pictures: Path, kept: Callable[[], object] = lambda: True
) -> None:
    """Start, kill -9 once the server has answered so often and something is `kept`, and wait until the server is
    through with the rest."""
    server.most_answers = number
    process = begin(command, pictures)
    wait_for_most_answers(server, process)
    until(kept)
    process.kill()
    process.wait()
    server.go_on()
    server.settle()


def start_again(again: Sequence[str], pictures: Path) -> "subprocess.CompletedProcess[str]":
    """A command from `run_command`, carried out in this process: most of the time of another would be imports."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("AFFORDANCE_CACHE", str(pictures))
        code = main.run_command(again[3:])
    return subprocess.CompletedProcess(again, code, out.getvalue(), err.getvalue())
