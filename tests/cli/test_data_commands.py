"""`affordance data check` and `affordance data stats`."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., subprocess.CompletedProcess[str]]

TASK: dict[str, Any] = {
    "id": "a-0",
    "image_path": "a.png",
    "image_size": [1280, 720],
    "instruction": "Open the menu",
    "box_type": "bbox",
    "box_coordinates": [10, 20, 30, 40],
}


@pytest.fixture
def spec(tmp_path: Path) -> str:
    tasks = [TASK, TASK | {"id": "a-1", "box_type": "refusal"}]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks))
    return "osworld-g:tasks.json"


def test_check_says_which_set_it_is_and_what_is_missing(here: Command, spec: str) -> None:
    result = here("data", "check", spec)
    assert result.returncode == 2
    assert "error: tasks.json: row 1: item 'a' needs 'a.png', found no such file" in result.stdout
    assert result.stdout.splitlines()[-1] == f"{spec} (OSWorld-G): 1 error, 2 warnings"
    assert json.loads(here("data", "check", spec, "--json").stdout)[0]["level"] == "warning"


def test_stats_are_tables_and_data(here: Command, spec: str) -> None:
    result = here("data", "stats", spec)
    assert result.returncode == 0
    assert result.stdout.startswith("OSWorld-G: 1 items, 1 files, 1 missing files, 2 targets")
    assert all(len(line) <= 100 for line in result.stdout.splitlines())
    assert "absent" in result.stdout
    data = json.loads(here("data", "stats", spec, "--json").stdout)
    assert data["counts"]["targets"] == 2
    assert {"box": 1, "absent": 1} in [dict(one["counts"]) for one in data["distributions"]]
