"""`affordance data import` and `prepare`."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from errors import assert_carries
from moving_clips import frames, slide, write_clip

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    write_clip(folder / "send.mp4", frames(slide))
    write_clip(folder / "same.gif", frames(slide), fps=25)
    return folder


@pytest.fixture
def recordings(drawn: Path, tmp_path: Path) -> Path:
    shutil.copytree(drawn, tmp_path / "recordings")
    return tmp_path / "recordings"


def numbers(text: str) -> list[int]:
    return [int(one) for one in re.findall(r"\d+", text)]


def test_import_reports_what_is_left_to_do(here: Command, tmp_path: Path, recordings: Path) -> None:
    result = here("data", "import", "recordings", "-o", "clips", "--name", "mine", "--licence", "CC0-1.0")
    assert result.returncode == 0, result.stderr
    first, second = result.stdout.splitlines()
    assert_carries(first, "clips", 2)
    assert_carries(second, "platform (2), context (2), inputs (2), purpose (2), ")
    assert "2/2" in result.stderr
    assert json.loads((tmp_path / "clips" / "dataset.json").read_text())["name"] == "mine"
    again = here("data", "import", "recordings/send.mp4", "-o", "clips")
    assert numbers(again.stdout.splitlines()[0]) == [0, 1]
    check = here("data", "check", "clips")
    assert (check.returncode, numbers(check.stdout)) == (0, [0, 0])
    assert_carries(check.stdout, "clips", "mine")
    assert "2/2" in check.stderr


def test_what_cannot_be_imported_is_reported(here: Command, recordings: Path) -> None:
    (recordings / "broken.webm").write_bytes(b"\x1aE\xdf\xa3 and no more")
    result = here("data", "import", "recordings", "-o", "clips")
    assert result.returncode == 3
    assert "recordings/broken.webm" in result.stderr
    assert numbers(result.stdout.splitlines()[0]) == [2, 1]
    result = here("data", "import", "recordings/broken.webm", "-o", "others")
    assert result.returncode == 2
    assert here("data", "import", "recordings", "-o", "recordings").returncode == 2


def test_prepare_renders_once_what_a_run_asks_for(here: Command, tmp_path: Path, recordings: Path) -> None:
    assert here("data", "import", "recordings", "-o", "clips").returncode == 0
    cache = {"AFFORDANCE_CACHE": str(tmp_path / "cache")}
    first = here("data", "prepare", "clips", **cache)
    assert first.returncode == 0, first.stderr
    assert numbers(first.stdout.rpartition(": ")[2])[:2] == [2, 44]
    files = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.pics")}
    assert len(files) == 2
    inodes = {path: path.stat().st_ino for path in files}
    assert here("data", "prepare", "clips", **cache).stdout == first.stdout
    assert {path: path.stat().st_ino for path in (tmp_path / "cache").rglob("*.pics")} == inodes
    more = here("data", "prepare", "clips", "--motion", **cache)
    assert numbers(more.stdout.rpartition(": ")[2])[:2] == [2, 88]
    assert len(list((tmp_path / "cache").rglob("*.pics"))) == 4
    few = here("data", "prepare", "clips", "--fps", "2.5", "--max-frames", "3", **cache)
    assert numbers(few.stdout.rpartition(": ")[2])[:2] == [2, 6]


def test_prepare_goes_on_past_what_cannot_be_rendered(here: Command, tmp_path: Path, recordings: Path) -> None:
    assert here("data", "import", "recordings", "-o", "clips").returncode == 0
    gif = tmp_path / "clips" / "media" / "same.gif"
    gif.write_bytes(gif.read_bytes()[:5000])
    result = here("data", "prepare", "clips")
    assert result.returncode == 3
    assert "clips/media/same.gif" in result.stderr
    assert numbers(result.stdout.rpartition(": ")[2])[:2] == [1, 20]


@pytest.mark.parametrize("command", ["import", "prepare"])
def test_help_has_examples(here: Command, command: str) -> None:
    result = here("data", command, "--help")
    assert result.returncode == 0
    assert f"affordance data {command} " in result.stdout
