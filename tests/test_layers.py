"""Rooms: an import only goes down the list, and every room there is stands in it."""

import subprocess
import sys
import tomllib
from pathlib import Path

from patience import PATIENCE

ROOT = Path(__file__).parents[1]


def test_imports_only_go_down() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert result.returncode == 0, result.stdout


def test_every_room_is_in_the_list() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (contract,) = config["tool"]["importlinter"]["contracts"]
    listed = {name.removeprefix("affordance.") for layer in contract["layers"] for name in layer.split(" | ")}
    packages = {path.parent.name for path in (ROOT / "src" / "affordance").glob("*/__init__.py")}
    assert packages <= listed
