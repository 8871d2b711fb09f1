"""Commands as processes."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Result = subprocess.CompletedProcess[str]
Command = Callable[..., Result]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


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
            timeout=120,
            check=False,
        )

    return run
