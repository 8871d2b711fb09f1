"""`affordance data check` and `affordance data stats`."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cases import numbers_in
from errors import assert_carries

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
    *lines, last = result.stdout.splitlines()
    assert any("tasks.json" in line and "'a.png'" in line for line in lines)
    assert_carries(last, spec, "OSWorld-G")
    assert numbers_in(last.partition(")")[2]) == [1, 2], "errors and warnings"
    listed = json.loads(here("data", "check", spec, "--json").stdout)
    assert sorted(one["level"] for one in listed) == ["error", "warning", "warning"]
    assert listed[0]["level"] == "warning"


def test_stats_are_tables_and_data(here: Command, spec: str) -> None:
    result = here("data", "stats", spec)
    assert result.returncode == 0
    first = result.stdout.splitlines()[0]
    assert first.startswith("OSWorld-G")
    assert numbers_in(first) == [1, 1, 1, 2], "items, files, those that are missing, targets"
    assert all(len(line) <= 100 for line in result.stdout.splitlines())
    assert "absent" in result.stdout
    (data,) = json.loads(here("data", "stats", spec, "--json").stdout)
    assert data["counts"]["targets"] == 2
    assert {"box": 1, "absent": 1} in [dict(one["counts"]) for one in data["distributions"]]
