"""Commands as processes that begin at once: what they import is loaded once for each worker, and each is a fork."""

import importlib
import multiprocessing
import os
import signal
import time
from collections.abc import Mapping, Sequence
from multiprocessing import forkserver
from pathlib import Path

from patience import PATIENCE

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["preloaded", "affordance.cli.main", "affordance.studio.app"])


def surroundings(cache: Path, **more: str) -> dict[str, str]:
    """The variables of such a process: ours, without keys."""
    ours = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return {**ours, "OMP_NUM_THREADS": "1", "AFFORDANCE_CACHE": str(cache), **more}


class Forked:
    """`affordance ARGUMENTS...`, under way. What it says is in two files."""

    def __init__(
        self,
        arguments: Sequence[str],
        variables: Mapping[str, str],
        output: Path,
        errors: Path,
        limits: Mapping[str, float] | None = None,  # in seconds: other values of module-level names
    ) -> None:
        self._output = output
        _prepare()
        given = (list(arguments), dict(variables), output, errors, dict(limits or {}))
        self._process = _CONTEXT.Process(target=_run, args=given)
        self._process.start()

    @property
    def code(self) -> int | None:
        """None while it runs."""
        return self._process.exitcode

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def first_line(self, seconds: float = PATIENCE) -> str:
        """That it prints, as soon as it has; nothing if it ends before that, or takes too long."""
        deadline = time.monotonic() + seconds
        ended = False  # looked at before the output: what is said last counts, too
        while "\n" not in (told := self._output.read_text("utf-8")):
            if ended or time.monotonic() > deadline:
                return ""
            time.sleep(0.01)
            ended = self.code is not None
        return told.partition("\n")[0].strip()

    def send_signal(self, number: int) -> None:
        if self.code is None and self._process.pid is not None:
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, seconds: float = PATIENCE) -> int | None:
        self._process.join(seconds)
        return self.code


def _prepare() -> None:
    """Start the process that all others are forks of. Where its modules are it hears only from the variable; a module
    that it does not find it leaves out without a word."""
    here, before = str(Path(__file__).parent), os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = here if before is None else f"{here}{os.pathsep}{before}"
    try:
        forkserver.ensure_running()
    finally:
        del os.environ["PYTHONPATH"]
        os.environ.update({} if before is None else {"PYTHONPATH": before})


def _run(arguments: list[str], variables: dict[str, str], output: Path, errors: Path, limits: dict[str, float]) -> None:
    os.environ.clear()
    os.environ.update(variables)
    for number, path in ((1, output), (2, errors)):
        there = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(there, number)
        os.close(there)
    for name, seconds in limits.items():
        module, _, own = name.rpartition(".")
        setattr(importlib.import_module(module), own, seconds)
    from affordance.cli.main import main

    main(arguments)
