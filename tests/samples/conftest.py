"""Checks on published files that are not part of the repository: `make test-samples DIR=folder`. They fail where the
folder lacks a file, and are not collected without a folder."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

GIVEN = os.environ.get("AFFORDANCE_SAMPLES", "")
FOLDER = Path(GIVEN).resolve()
FILES = {
    "animint-sample": ["record.json"],
    "autogui-v2-sample": ["region_outcome_multi.json", "region_outcome_single.json"],
    "osworld-g-sample": ["tasks.json"],
    "wiserui": ["WiserUI_Bench.json"],
}

collect_ignore_glob = [] if GIVEN else ["*"]


@pytest.fixture
def sample() -> Callable[[str], Path]:
    """The folder of a published dataset, by name. It fails with a line for each file that is not there."""

    def find(name: str) -> Path:
        folder = FOLDER / name
        missing = [path for path in _needed(folder) if not path.is_file()]
        if missing:
            pytest.fail("\n".join(f"missing file: {path}" for path in missing), pytrace=False)
        return folder

    return find


def _needed(folder: Path) -> list[Path]:
    paths = [folder / name for name in FILES[folder.name]]
    if folder.name == "osworld-g-sample" and paths[0].is_file():
        tasks = json.loads(paths[0].read_text("utf-8"))
        paths += [folder / "images" / name for name in sorted({task["image_path"] for task in tasks})]
    return paths
