"""What a check of a published set found: remembered for its content, and for no other."""

import os
from pathlib import Path
from typing import Any

import published_files as files
from affordance.datasets import DatasetCollection
from affordance.datasets.check_cache import count_errors
from affordance.datasets.spec import read_spec
from affordance.evaluation.requests import load_data


def osworld(folder: Path, *changes: dict[str, Any]) -> str:
    files.write_picture(folder / "a.png")
    rows = [files.OSWORLD | {"id": f"a-{n}"} | change for n, change in enumerate(changes)]
    return f"osworld-g:{files.write_json(folder / 'tasks.json', rows)}"


def errors(spec: str, cache: Path) -> int:
    reading = read_spec(spec, cache)
    return count_errors(reading, reading.dataset(), cache)


def kept(cache: Path) -> list[Path]:
    return sorted((cache / "checks").rglob("*.json"))


OUTSIDE = {"box_coordinates": [150, 0, 60, 10]}


def test_what_was_found_is_remembered_by_content(tmp_path: Path) -> None:
    spec, cache = osworld(tmp_path / "one", {}, OUTSIDE), tmp_path / "cache"
    assert errors(spec, cache) == 1
    (file,) = kept(cache)
    file.write_text('{"errors": 7}')
    assert errors(spec, cache) == 7, "the check is not made again"

    for name in ("a.png", "tasks.json"):
        os.utime(tmp_path / "one" / name, (1, 1))
    assert errors(spec, cache) == 7, "time is no content"
    assert errors(osworld(tmp_path / "two", {}, OUTSIDE, OUTSIDE), cache) == 2
    content = (tmp_path / "one" / "a.png").read_bytes()
    (tmp_path / "one" / "a.png").write_bytes(content[:-20])  # its end is missing now
    assert errors(spec, cache) == 2
    assert len(kept(cache)) == 3


def test_a_damaged_file_is_replaced(tmp_path: Path) -> None:
    spec, cache = osworld(tmp_path, {}, OUTSIDE), tmp_path / "cache"
    errors(spec, cache)
    (file,) = kept(cache)
    whole = file.read_bytes()
    for damage in (
        b"",
        b"{",
        b"[]",
        b'{"errors": "1"}',
        b'{"errors": -1}',
        b'{"errors": true}',
        b"\xff",
        b"[" * 10_000,
    ):
        file.write_bytes(damage)
        assert (errors(spec, cache), file.read_bytes()) == (1, whole), damage


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    reading = read_spec(osworld(tmp_path, {}, OUTSIDE), tmp_path / "other")
    assert count_errors(reading, reading.dataset(), tmp_path / "cache") == 1


def test_a_run_says_how_many_errors_there_are(tmp_path: Path) -> None:
    spec, cache = osworld(tmp_path, {}, OUTSIDE), tmp_path / "cache"
    for _ in range(2):
        remarks: list[str] = []
        data = load_data(spec, [], cache, remarks.append)
        assert (data.error_count, len(remarks), spec in remarks[0]) == (1, 1, True)
        assert data.datasets == DatasetCollection.single(read_spec(spec, cache).dataset()).datasets
    assert len(kept(cache)) == 1


def test_a_folder_that_is_called_like_a_format_is_a_folder(tmp_path: Path, monkeypatch: Any) -> None:
    from behavior_data import pair, write_pairs

    monkeypatch.chdir(tmp_path)
    write_pairs(tmp_path / "pairs", pair("a"))
    assert load_data("pairs", [], tmp_path / "cache", print).error_count == 0
    assert kept(tmp_path / "cache") == []
