"""Commands as processes that begin at once: what they import is loaded once for each worker, and each is a fork."""

import multiprocessing
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        "forked",
        "affordance.cli.main",
        "affordance.author.project",
        "affordance.author.taking_in",
        "affordance.studio.app",
    ]
)


class Forked:
    """`affordance ARGUMENTS...`, under way. What it says is in two files."""

    def __init__(self, arguments: Sequence[str], variables: Mapping[str, str], output: Path, errors: Path) -> None:
        self._process = _CONTEXT.Process(target=_run, args=(list(arguments), dict(variables), output, errors))
        self._process.start()

    @property
    def code(self) -> int | None:
        """None while it runs."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.code is None and self._process.pid is not None:
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, seconds: float) -> int | None:
        self._process.join(seconds)
        return self.code


def _run(arguments: list[str], variables: dict[str, str], output: Path, errors: Path) -> None:
    os.environ.clear()
    os.environ.update(variables)
    for number, path in ((1, output), (2, errors)):
        there = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(there, number)
        os.close(there)
    from affordance.cli.main import main

    main(arguments)
