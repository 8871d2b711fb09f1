"""Files and folders are written as a whole or not at all."""

import os
import stat
import threading
from pathlib import Path

import pytest

from affordance.core.errors import UserError
from affordance.core.files import atomic_copy, atomic_write, create_empty_folder, is_new_or_empty
from errors import raises


def test_a_new_file_in_a_new_folder(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.txt"
    atomic_write(path, b"one")
    atomic_write(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


def test_a_copy(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"1")
    atomic_copy(tmp_path / "one", tmp_path / "folder" / "two")
    assert (tmp_path / "folder" / "two").read_bytes() == b"1"


def test_others_may_read_it_as_any_file(tmp_path: Path) -> None:
    """Caches are shared between users: a temporary file's permissions would make them private."""
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    atomic_write(tmp_path / "atomic", b"")
    assert stat.S_IMODE((tmp_path / "atomic").stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_nothing_is_left_of_a_failure(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "x"
    path.write_bytes(b"before")
    with pytest.raises(FileNotFoundError):
        atomic_copy(tmp_path / "none", path)
    assert list(path.parent.iterdir()) == [path]
    assert path.read_bytes() == b"before"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    atomic_write(tmp_path / "link", b"x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"x"


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    atomic_write(tmp_path / "pipe", b"x")
    reader.join()
    assert found == [b"x"]


def test_new_or_empty_folders(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    assert [is_new_or_empty(tmp_path / name) for name in ("new", "empty", "file", "")] == [True, True, False, False]
    for name in ("new/deep", "empty"):
        create_empty_folder(tmp_path / name)
        assert (tmp_path / name).is_dir()
    for path in (tmp_path / "file", tmp_path):
        with raises(UserError, path):
            create_empty_folder(path)
    with raises(UserError, tmp_path / "file" / "inside"):
        create_empty_folder(tmp_path / "file" / "inside")
