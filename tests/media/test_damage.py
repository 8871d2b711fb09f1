"""A file that cannot be read to the end is told, and never becomes a silently wrong picture."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from media_files import RECIPES, numbered, render, source, write_still, write_video

from affordance.core.errors import MediaError
from affordance.core.picture import Picture
from affordance.media import probe

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
    render([Picture(source(path), None if clip.still else clip.time_of(i)) for i in range(len(clip.pts))])


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("mp4", r"cannot be opened as mp4/mov: .*; it may be truncated"),
        ("faststart", r"truncated or corrupt: decoded \d+ of 60 frames \(\d\.\d{3} s of 1\.000 s\)"),
        ("fragmented", r"truncated or corrupt: decoded \d+ frames \("),
        ("mkv", r"truncated or corrupt: decoded \d+ frames \(\d\.\d{3} s of 1\.000 s\)"),
        ("webm", r"truncated or corrupt: decoded \d+ frames"),
        ("gif", r"truncated or corrupt: decoded \d+ frames"),
        ("apng", r"truncated or corrupt: decoded \d+ frames"),
        ("webp", r"truncated or corrupt: decoded \d+ frames"),
        ("png", r"truncated or corrupt: decoded 0 frames"),
        ("jpg", r"truncated or corrupt: decoded 0 frames"),
    ],
)
def test_truncated(whole: dict[str, bytes], tmp_path: Path, kind: str, message: str, share: float) -> None:
    path = tmp_path / f"cut.{kind}"
    path.write_bytes(whole[kind][: int(len(whole[kind]) * share)])
    with pytest.raises(MediaError, match=rf"cut\.{kind}: {message}") as caught:
        render_all(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["mp4", "faststart", "mkv", "gif", "apng", "webp", "png"])
def test_corrupt_in_the_middle(whole: dict[str, bytes], tmp_path: Path, kind: str) -> None:
    data = bytearray(whole[kind])
    middle = len(data) // 2
    end = min(middle + 15_000, len(data))  # enough to hit more than samples, in which any bits are some picture
    data[middle:end] = b"\x55" * (end - middle)
    path = tmp_path / f"hurt.{kind}"
    path.write_bytes(data)
    with pytest.raises(MediaError, match=rf"hurt\.{kind}: truncated or corrupt: decoded \d+ "):
        render_all(path)


def test_what_comes_before_the_damage_can_still_be_had(whole: dict[str, bytes], tmp_path: Path) -> None:
    data = bytearray(whole["faststart"])
    data[-3000:-2000] = b"\x55" * 1000
    path = tmp_path / "hurt.mp4"
    path.write_bytes(data)
    assert len(render([Picture(source(path), Fraction(0))])) == 1
    with pytest.raises(MediaError, match=r"decoded 5\d of 60 frames \(0\.\d{3} s of 1\.000 s\)"):
        render_all(path)


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("gone.mp4", lambda path: None, "found no such file"),
        ("folder.mp4", lambda path: path.mkdir(), "found a directory"),
        ("empty.mp4", lambda path: path.touch(), "found an empty file"),
        ("notes.txt", lambda path: path.write_text("not a video"), "found a file that begins with b'not a vi'"),
        ("notes.mp4", lambda path: path.write_text("x"), "found a file that begins with b'x'"),
        ("zeros.png", lambda path: path.write_bytes(bytes(5000)), "found a file that begins with"),
        ("head.gif", lambda path: path.write_bytes(b"GIF89a"), "."),
        ("head.png", lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n"), "."),
        ("head.jpg", lambda path: path.write_bytes(b"\xff\xd8\xff"), "."),
        ("head.webp", lambda path: path.write_bytes(b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\x02"), "."),
        ("head.webm", lambda path: path.write_bytes(b"\x1aE\xdf\xa3"), "."),
        ("head.mp4", lambda path: path.write_bytes(b"\0\0\0\x08ftyp"), "."),
    ],
)
def test_no_media(tmp_path: Path, name: str, make: Callable[[Path], object], message: str) -> None:
    path = tmp_path / name
    make(path)
    with pytest.raises(MediaError, match=message) as caught:
        probe(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
