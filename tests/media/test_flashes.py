"""How often clips flash, by hand: WCAG 2.3.1, general flashes."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np

from affordance.core.errors import MediaError
from affordance.media import count_flashes
from errors import raises
from moving_clips import frames, slide, write_clip

FPS = 24
Level = Callable[[int], float]


def square(rate: int, low: int = 0, high: int = 255) -> Level:
    """On and off `rate` times a second."""
    return lambda index: high if index * 2 * rate // FPS % 2 else low


def wave(rate: int) -> Level:
    return lambda index: 127 + 127 * float(np.sin(2 * np.pi * rate * index / FPS))


def clip(path: Path, level: Level, share: float = 1.0, seconds: int = 2) -> Path:
    path.joinpath("clip.mp4").unlink(missing_ok=True)
    made = []
    for index in range(seconds * FPS):
        pixels = np.full((48, 80, 3), 128, np.uint8)
        pixels[:, : round(80 * share)] = int(level(index))
        made.append(pixels)
    return write_clip(path / "clip.mp4", made, fps=FPS)


CASES: dict[str, tuple[Level, float, int]] = {
    "steady": (lambda _: 90, 1, 0),
    "once": (lambda index: 255 if index > 30 else 0, 1, 0),
    "there and back": (lambda index: 255 if 30 < index < 40 else 0, 1, 1),
    "twice a second": (square(2), 1, 2),
    "three times a second": (square(3), 1, 3),
    "three times a second, softly": (wave(3), 1, 3),
    "four times a second": (square(4), 1, 4),
    "four times a second, softly": (wave(4), 1, 4),
    "twelve times a second": (square(12), 1, 12),
    "a third of the picture": (square(4), 1 / 3, 4),
    "a fifth of the picture": (square(4), 1 / 5, 0),
    "hardly": (square(4, 120, 132), 1, 0),  # relative luminance 0.19 and 0.23
    "enough": (square(4, 120, 160), 1, 4),  # 0.19 and 0.35
    "bright": (square(4, 236, 255), 1, 0),  # 0.84 and 1: the darker one is not dark enough
    "less bright": (square(4, 220, 255), 1, 4),  # 0.72 and 1
}


def test_flashes_in_any_second(tmp_path: Path) -> None:
    found = {
        name: count_flashes(clip(tmp_path, level, share)).max_per_second for name, (level, share, _) in CASES.items()
    }
    assert found == {name: expected for name, (_, _, expected) in CASES.items()}


def test_the_second_with_most_flashes_is_found(tmp_path: Path) -> None:
    flicker = square(6)
    found = count_flashes(clip(tmp_path, lambda index: flicker(index) if 24 <= index < 48 else 0, seconds=3))
    assert found.max_per_second in (5, 6)
    assert Fraction(7, 4) <= found.second_end <= 2


def test_motion_and_noise_are_no_flashes(tmp_path: Path) -> None:
    assert count_flashes(write_clip(tmp_path / "clip.mp4", frames(slide, noise=8)[16:46:2])).max_per_second == 0


def test_a_clip_that_breaks_off(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "clip.gif", frames(slide), fps=25)
    path.write_bytes(path.read_bytes()[:-20000])
    with raises(MediaError, path):
        count_flashes(path)
