"""Commands as processes, and in this one."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from affordance.cli.main import run_command
from affordance.datasets import Dataset
from patience import PATIENCE

Result = subprocess.CompletedProcess[str]
Command = Callable[..., Result]


@pytest.fixture(scope="session")
def cache(shared: Path, primitives: Dataset) -> Path:
    """With the demo clips, which commands of several workers would draw at once."""
    return shared / "cache"


@pytest.fixture
def affordance(tmp_path: Path, cache: Path) -> Command:
    def run(*arguments: str, folder: str = "", **environment: str) -> Result:
        variables = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
        return subprocess.run(
            [sys.executable, "-m", "affordance", *arguments],
            cwd=tmp_path / folder,
            env={**variables, "AFFORDANCE_CACHE": str(cache), **environment},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    return run


@pytest.fixture
def here(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The same command lines without a process for each, most of whose time is imports. Only where a process is the
    point (pipes, signals, the code it ends with) is one started."""
    monkeypatch.setenv("AFFORDANCE_CACHE", str(cache))
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)

    def run(*arguments: str, folder: str = "", **environment: str) -> Result:
        capsys.readouterr()
        with pytest.MonkeyPatch.context() as within:
            within.chdir(tmp_path / folder)
            for name, value in environment.items():
                within.setenv(name, value)
            code = run_command(arguments)
        told = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, told.out, told.err)

    return run
