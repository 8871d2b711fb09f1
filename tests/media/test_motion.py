"""Where and when something moves: drawn clips of which both are known."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from affordance.core.errors import MediaError
from affordance.media import find_motion
from errors import raises
from moving_clips import FRAMES, HEIGHT, WIDTH, Draw, Pixels, at, frames, slide, still, write_clip

Corners = tuple[int, int, int, int]


def fade(pixels: Pixels, index: int) -> None:
    """A dark box comes slowly over the picture."""
    share = at(index, 10, 50)
    part = pixels[100:180, 16:96]
    part[:] = (part * (1 - share) + 40 * share).astype(np.uint8)


def faint(pixels: Pixels, index: int) -> None:
    """A large surface gets a little darker."""
    pixels[100:190, 200:300] = 245 - round(14 * at(index, 15, 40))


def blink(pixels: Pixels, index: int) -> None:
    """The cursor of a text field, from frame 10 on to 50."""
    if 10 <= index < 50 and index // 10 % 2:
        pixels[176:190, 60:62] = 0


def scroll(pixels: Pixels, index: int) -> None:
    pixels[:] = np.roll(pixels, -round(120 * at(index, 10, 40)), axis=0)


def two(pixels: Pixels, index: int) -> None:
    slide(pixels, index)
    if index >= 30:
        cv2.circle(pixels, (280, 60), 12, (20, 140, 40), -1)


def spin(pixels: Pixels, index: int) -> None:
    """From the first frame to the last."""
    angle = index * 24
    cv2.ellipse(pixels, (160, 160), (16, 16), 0, angle, angle + 90, (20, 20, 200), 4)


def beside_a_large_one(pixels: Pixels, index: int) -> None:
    """A panel comes in from below; a cursor that blinks elsewhere is not worth a region."""
    top = 200 - round(120 * at(index, 20, 40))
    pixels[top:, 160:] = (30, 30, 60)
    if index // 5 % 2:
        pixels[30:34, 4:6] = 0


class Case(NamedTuple):
    draw: Draw
    regions: Sequence[Corners]
    start: int
    end: int
    noise: float = 0.0
    crf: int = 12


SLIDE = (40, 140, 240, 160)
CASES = {
    "slide": Case(slide, [SLIDE], 21, 45),
    "slide, in noise": Case(slide, [SLIDE], 21, 45, noise=4),
    "slide, compressed badly": Case(slide, [SLIDE], 21, 45, crf=38),
    "slow fade": Case(fade, [(16, 100, 96, 180)], 12, 49),
    "faint": Case(faint, [(200, 100, 300, 190)], 24, 38),
    "blinking cursor": Case(blink, [(60, 176, 62, 190)], 10, 40),
    "scrolling": Case(scroll, [(0, 0, WIDTH, HEIGHT)], 11, 40),
    "two regions": Case(two, [SLIDE, (268, 48, 293, 73)], 21, 45),
    "spinner": Case(spin, [(142, 142, 179, 179)], 0, FRAMES - 1),
    "beside a large one": Case(beside_a_large_one, [(160, 80, WIDTH, HEIGHT)], 21, 40),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_regions_and_range_are_found(tmp_path: Path, case: Case) -> None:
    found = find_motion(write_clip(tmp_path / "clip.mp4", frames(case.draw, noise=case.noise), case.crf))
    assert found is not None
    assert len(found.regions) == len(case.regions)
    for region, expected in zip(found.regions, case.regions, strict=True):
        assert region.xyxy == pytest.approx(expected, abs=4 + case.crf // 8)
    assert (found.start, found.end) == pytest.approx((case.start, case.end), abs=4)


@pytest.mark.parametrize(("noise", "crf"), [(0, 40), (4, 12), (6, 36)], ids=["compressed", "noise", "both"])
def test_nothing_moves(tmp_path: Path, noise: float, crf: int) -> None:
    assert find_motion(write_clip(tmp_path / "clip.mp4", frames(still, 30, noise=noise), crf)) is None


def test_frames_are_exact_where_pixels_are(tmp_path: Path) -> None:
    pure = [np.where(one > 127, 255, 0).astype(np.uint8) for one in frames(slide)]  # or else it would be dithered
    found = find_motion(write_clip(tmp_path / "clip.gif", pure, fps=25))
    assert found is not None
    assert (found.start, found.end) == (21, 45)
    assert found.regions[0].xyxy == pytest.approx(SLIDE, abs=6)


def test_regions_of_large_clips_are_in_their_own_pixels(tmp_path: Path) -> None:
    large = [cv2.resize(one, None, fx=3, fy=3, interpolation=cv2.INTER_NEAREST) for one in frames(slide)[5:55:3]]
    found = find_motion(write_clip(tmp_path / "clip.mp4", large))
    assert found is not None
    assert found.regions[0].xyxy == pytest.approx([3 * one for one in SLIDE], abs=8)


def test_many_parts_are_a_few_regions(tmp_path: Path) -> None:
    def dots(pixels: Pixels, index: int) -> None:
        for place in range(6):
            if index > 10 + place:
                cv2.circle(pixels, (20 + 55 * place, 110), 8, (200, 0, 0), -1)

    found = find_motion(write_clip(tmp_path / "clip.mp4", frames(dots)))
    assert found is not None
    assert 1 <= len(found.regions) <= 3
    assert min(one.x1 for one in found.regions) == pytest.approx(12, abs=4)
    assert max(one.x2 for one in found.regions) == pytest.approx(303, abs=4)


def test_a_clip_that_breaks_off(tmp_path: Path) -> None:
    path = write_clip(tmp_path / "clip.gif", frames(slide), fps=25)
    path.write_bytes(path.read_bytes()[:-20000])
    with raises(MediaError, path):
        find_motion(path)
