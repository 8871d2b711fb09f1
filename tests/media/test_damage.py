"""A file that cannot be read to the end is an error, and never becomes a silently wrong picture."""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from media_files import RECIPES, numbered, render, source, write_still, write_video

from affordance.core.errors import MediaError
from affordance.core.media_spec import ImageSpec
from affordance.media import probe
from errors import raises

FRAMES = 60


def noisy(index: int) -> np.ndarray:
    """A numbered frame over noise, so that the file has data to lose everywhere."""
    pixels = np.random.default_rng(index).integers(0, 256, numbered(0).shape, np.uint8)
    pixels[:16] = numbered(index)[:16]
    return pixels


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    frames = [noisy(index) for index in range(FRAMES)]
    files = {}
    for kind in ("mp4", "faststart", "fragmented", "mkv", "webm", "gif", "apng", "webp"):
        recipe = RECIPES[kind]
        step = recipe.time_base.denominator // 50 if recipe.time_base.denominator > 60 else 1
        path = write_video(folder / f"{kind}{recipe.suffix}", recipe, frames, pts=range(0, FRAMES * step, step))
        files[kind] = path.read_bytes()
    for suffix in ("png", "jpg"):
        files[suffix] = write_still(folder / f"still.{suffix}", noisy(0)).read_bytes()
    return files


def render_all(path: Path) -> None:
    clip = probe(path)
    render([ImageSpec(source(path), None if clip.is_still else clip.frame_time(i)) for i in range(len(clip.pts))])


def numbers(error: MediaError, path: Path) -> list[str]:
    """How far it could be read, as the message has it behind the file's name."""
    return re.findall(r"\d+(?:\.\d+)?", str(error).partition(f"{path}: ")[2])


# How many frames and seconds the error says there should be, where the file still tells; None: it cannot be opened.
TRUNCATED: dict[str, list[str] | None] = {
    "mp4": None,
    "faststart": ["60", "1.000"],
    "fragmented": [],
    "mkv": ["1.000"],
    "webm": [],
    "gif": [],
    "apng": [],
    "webp": [],
    "png": [],
    "jpg": [],
}


@pytest.mark.parametrize(("kind", "whole_length"), TRUNCATED.items(), ids=TRUNCATED.keys())
def test_truncated(whole: dict[str, bytes], tmp_path: Path, kind: str, whole_length: list[str] | None) -> None:
    decoded = []
    for share in (0.3, 0.95):
        path = tmp_path / f"cut-{share}.{kind}"
        path.write_bytes(whole[kind][: int(len(whole[kind]) * share)])
        with raises(MediaError, path) as caught:
            render_all(path)
        found = numbers(caught.value, path)
        if whole_length is not None:
            assert set(whole_length) <= set(found)
            decoded.append(int(found[0]))
    if kind in ("png", "jpg"):
        assert decoded == [0, 0]
    elif whole_length is not None:
        assert 0 <= decoded[0] < decoded[1] < FRAMES


@pytest.mark.parametrize("kind", ["mp4", "faststart", "mkv", "gif", "apng", "webp", "png"])
def test_corrupt_in_the_middle(whole: dict[str, bytes], tmp_path: Path, kind: str) -> None:
    data = bytearray(whole[kind])
    middle = len(data) // 2
    end = min(middle + 15_000, len(data))  # enough to hit more than samples, in which any bits are some picture
    data[middle:end] = b"\x55" * (end - middle)
    path = tmp_path / f"hurt.{kind}"
    path.write_bytes(data)
    with raises(MediaError, path) as caught:
        render_all(path)
    assert int(numbers(caught.value, path)[0]) < FRAMES


@pytest.mark.parametrize("kind", ["mkv", "webm"])
def test_nothing_readable_after_the_damage(whole: dict[str, bytes], tmp_path: Path, kind: str) -> None:
    """The demuxer ends there without an error; the file says that it lasts longer."""
    data = bytearray(whole[kind])
    data[len(data) // 2 : -1000] = b"\x55" * (len(data) - len(data) // 2 - 1000)
    path = tmp_path / f"hurt.{kind}"
    path.write_bytes(data)
    with raises(MediaError, path, "1.000"):
        probe(path)


def test_what_comes_before_the_damage_can_still_be_had(whole: dict[str, bytes], tmp_path: Path) -> None:
    data = bytearray(whole["faststart"])
    data[-3000:-2000] = b"\x55" * 1000
    path = tmp_path / "hurt.mp4"
    path.write_bytes(data)
    assert len(render([ImageSpec(source(path), Fraction(0))])) == 1
    with raises(MediaError, path, 60, "1.000") as caught:
        render_all(path)
    frames, _, seconds, _ = numbers(caught.value, path)
    assert 50 <= int(frames) < 60
    assert 0.8 < float(seconds) < 1


# Files that are none of ours, each with what the error shows of it.
OTHER: dict[str, tuple[Callable[[Path], object], object]] = {
    "gone.mp4": (lambda path: None, ""),
    "folder.mp4": (lambda path: path.mkdir(), ""),
    "empty.mp4": (lambda path: path.touch(), ""),
    "notes.txt": (lambda path: path.write_text("not a video"), b"not a vi"),
    "notes.mp4": (lambda path: path.write_text("x"), b"x"),
    "zeros.png": (lambda path: path.write_bytes(bytes(5000)), bytes(8)),
    "head.gif": (lambda path: path.write_bytes(b"GIF89a"), ""),
    "head.png": (lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n"), ""),
    "head.jpg": (lambda path: path.write_bytes(b"\xff\xd8\xff"), ""),
    "head.webp": (lambda path: path.write_bytes(b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\x02"), ""),
    "head.webm": (lambda path: path.write_bytes(b"\x1aE\xdf\xa3"), ""),
    "head.mp4": (lambda path: path.write_bytes(b"\0\0\0\x08ftyp"), ""),
}


def test_no_media(tmp_path: Path) -> None:
    messages = {}
    for name, (make, shown) in OTHER.items():
        path = tmp_path / name
        make(path)
        with raises(MediaError, path, shown) as caught:
            probe(path)
        messages[name] = str(caught.value).removeprefix(str(path))
    assert len({messages[name] for name in ("gone.mp4", "folder.mp4", "empty.mp4", "notes.mp4")}) == 4
