"""Comparing two pictures, also such as cannot be read."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from media_files import write_still

from affordance.core.errors import MediaError
from affordance.media import pixel_difference, same_pixels
from errors import raises

PIXELS = np.random.default_rng(1).integers(0, 256, (40, 60, 3), np.uint8)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    return write_still(tmp_path / "whole.png", PIXELS)


def test_two_encodings_of_one_picture(picture: Path, tmp_path: Path) -> None:
    other = write_still(tmp_path / "other.png", PIXELS)
    other.write_bytes(other.read_bytes() + b"more")
    assert same_pixels(picture, other)
    assert pixel_difference(picture, other) == 0
    changed = PIXELS.copy()
    changed[:, :15] ^= 128
    assert pixel_difference(picture, write_still(tmp_path / "changed.png", changed)) == 0.25
    assert pixel_difference(picture, write_still(tmp_path / "small.png", PIXELS[1:])) == 1


def test_two_files_are_decoded_once(picture: Path, tmp_path: Path) -> None:
    """What is stored counts, unless it is damaged or about other content."""
    cache = tmp_path / "cache"
    other = write_still(tmp_path / "other.png", PIXELS)
    other.write_bytes(other.read_bytes() + b"more")
    assert same_pixels(picture, other, cache)
    [stored] = [path for path in cache.rglob("*") if path.is_file()]
    for content, expected in ((b"no", False), (b"", True), (b"yes", True)):
        stored.write_bytes(content)
        assert same_pixels(other, picture, cache) is expected
    assert not same_pixels(picture, write_still(tmp_path / "third.png", PIXELS[::-1]), cache)
    cache = tmp_path / "a file"
    cache.write_text("no folder")
    assert same_pixels(picture, other, cache)


DAMAGE: dict[str, Callable[[bytes], bytes | None]] = {
    "cut": lambda content: content[: len(content) // 2],
    "nothing": lambda content: b"",
    "words": lambda content: b"not a picture",
    "gone": lambda content: None,
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_picture_that_cannot_be_read_is_named(picture: Path, damage: Callable[[bytes], bytes | None]) -> None:
    broken = picture.with_name("broken.png")
    if (content := damage(picture.read_bytes())) is not None:
        broken.write_bytes(content)
    for compare in (pixel_difference, same_pixels):
        for both in ((broken, picture), (picture, broken)):
            with raises(MediaError) as caught:
                compare(*both)
            assert str(caught.value).startswith(f"{broken}: ")
