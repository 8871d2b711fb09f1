"""`affordance data fetch`, `clean` and `split`."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from errors import assert_carries, assert_user_error

Command = Callable[..., subprocess.CompletedProcess[str]]


def row(index: int, **changes: Any) -> dict[str, Any]:
    law = {"name": "Fitts’s Law", "type": "Action"}
    return {
        "index": index,
        "win_url": f"https://goodui.org/{index}-b.png",
        "lose_url": f"https://goodui.org/{index}-a.png",
        "source": f"https://goodui.org/{index}/",
        "rationale": [{"reason": "It is larger.", "law": law}],
        **changes,
    }


@pytest.fixture
def wiserui(tmp_path: Path) -> str:
    """Two pairs of GoodUI: one with a line drawn onto the winner, one that is a single picture of two designs."""
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "WiserUI_Bench.json").write_text(json.dumps([row(0), row(1)]))
    plain = np.full((120, 210, 3), 250, np.uint8)
    cv2.rectangle(plain, (30, 40), (90, 70), (200, 90, 30), -1)
    marked = plain.copy()
    cv2.line(marked, (150, 10), (150, 60), (121, 84, 118), 3)
    both = np.full((120, 210, 3), 250, np.uint8)
    both[:, :100] = np.random.default_rng(1).integers(0, 255, (120, 100, 1))
    both[:, 110:] = np.random.default_rng(2).integers(0, 255, (120, 100, 1))
    for index, pictures in enumerate(((marked, plain), (both, both))):
        folder = tmp_path / "set" / "images" / str(index)
        folder.mkdir(parents=True)
        for side, pixels in zip(("win", "lose"), pictures, strict=True):
            (folder / f"{side}.png").write_bytes(cv2.imencode(".png", pixels)[1].tobytes())
    return "wiserui:set"


def test_nothing_is_fetched_before_the_licence_is_accepted(here: Command, tmp_path: Path) -> None:
    result = here("data", "fetch", "wiserui", "there")
    assert_user_error(result, "--accept-licence")
    assert "CC-BY-NC-SA-4.0" in result.stderr
    assert not (tmp_path / "there").exists()


def test_what_cannot_be_fetched_is_reported(here: Command, tmp_path: Path) -> None:
    page = row(1, win_url="https://goodui.org/1/", lose_url=None)
    (tmp_path / "table.json").write_text(json.dumps([row(0, win_url="ftp://x/a.png", lose_url="file:///b"), page]))
    result = here("data", "fetch", "wiserui", "there", "--json-file", "table.json", "--accept-licence")
    assert result.returncode == 3
    *lines, last = result.stdout.splitlines()
    for name in ("images/0/win.png", "images/1/win.png"):
        assert any(name in line for line in lines), name
    assert_carries(last, 0, 4, "there/fetch.json")


def test_clean_reports_what_it_did(here: Command, tmp_path: Path, wiserui: str) -> None:
    result = here("data", "clean", wiserui, "-o", "clean")
    assert_carries(result.stdout, "clean", 2, 1)
    assert (tmp_path / "clean" / "dataset.json").is_file()


def test_split_proposes_and_cuts_what_is_confirmed(here: Command, tmp_path: Path, wiserui: str) -> None:
    result = here("data", "split", wiserui, "-o", "cuts")
    assert_carries(result.stdout.splitlines()[0], "cuts/proposals.json", 1, 2)
    path = tmp_path / "cuts" / "proposals.json"
    proposals = json.loads(path.read_text())
    proposals["pairs"][0] |= {"confirmed": True, "winner": "second"}
    path.write_text(json.dumps(proposals))
    result = here("data", "split", wiserui, "-o", "done", "--confirm", "cuts/proposals.json")
    assert_carries(result.stdout, "done", 1, 2)
    cut = [json.loads(line) for line in (tmp_path / "done" / "items.jsonl").read_text().splitlines()]
    assert [one.get("winner") for one in cut][-1] == 1


def test_only_pairs_can_be_cleaned(here: Command, tmp_path: Path) -> None:
    task = {"id": "a", "image_path": "a.png", "image_size": [9, 9], "instruction": "x", "box_type": "refusal"}
    (tmp_path / "tasks.json").write_text(json.dumps([task]))
    assert_user_error(here("data", "clean", "osworld-g:tasks.json", "-o", "out"))
    assert not (tmp_path / "out").exists()
