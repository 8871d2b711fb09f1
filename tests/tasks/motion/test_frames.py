"""A clip as a model is shown it, looked at in real pixels: which frames, what is blended, when the box is there."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.media_spec import GREEN, FrameBlend, ImageSpec, VideoSpec
from affordance.datasets import Clip, Dataset
from affordance.media import decode_image, render
from affordance.tasks.motion.clips import (
    AnimationCoverage,
    ClipImages,
    ClipParams,
    animation_coverage,
    clip_frames,
    clip_video,
    describe_input,
)
from motion_data import CLIPS, REGION, clip, film, is_green
from moving_clips import frames, still, write_clip

TEN, ONE = Fraction(10), Fraction(1)
WEIGHTS = [0.1069, 0.1257, 0.1479, 0.1740, 0.2047, 0.2408]  # oldest to newest, as published


def level(index: int) -> int:
    """Such that every frame differs much from those before it."""
    return (index * 37) % 200


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a clip of 60 frames in a second."""
    root = tmp_path_factory.mktemp("second")
    film(root / clip("a").video, 60, level)
    return root


@pytest.fixture(scope="module")
def four_seconds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("four")
    film(root / clip("a").video, 240)
    return root


def of(root: Path, one: Clip) -> tuple[Dataset, Clip]:
    return Dataset(root, CLIPS, (one,)), one


def pixels_of(shown: ClipImages) -> list[NDArray[np.uint8]]:
    pictures = [picture for picture in shown.images if isinstance(picture, ImageSpec)]
    assert len(pictures) == len(shown.images)
    return [decode_image(data) for data in render(pictures, shown.files)]


# When the animation runs, and which of the frames 0, 6, ... 54 have the box.
RANGES: dict[str, tuple[int | None, int | None, list[int]]] = {
    "begins on a sampled frame": (12, 29, [12, 18, 24]),
    "ends on a sampled frame": (13, 24, [18, 24]),
    "ends just before one": (13, 23, [18]),
    "begins just after one": (19, 30, [24, 30]),
    "one frame, sampled": (12, 12, [12]),
    "between two sampled frames": (7, 11, []),
    "the first frame": (0, 0, [0]),
    "throughout": (0, 59, [*range(0, 60, 6)]),
    "up to the end of the clip and further": (43, 500, [48, 54]),
    "said to begin after the end": (70, 80, []),
    "without a beginning": (None, 6, [0, 6]),
    "without an end": (40, None, [42, 48, 54]),
    "nobody said": (None, None, [*range(0, 60, 6)]),
}


@pytest.mark.parametrize(("start", "end", "boxed"), RANGES.values(), ids=RANGES.keys())
def test_the_box_is_on_exactly_the_frames_inside_the_range(
    second: Path, start: int | None, end: int | None, boxed: list[int]
) -> None:
    shown = clip_frames(*of(second, clip("a", start_frame=start, end_frame=end)), TEN)
    seen = pixels_of(shown)
    assert [picture.time for picture in shown.images if isinstance(picture, ImageSpec)] == [
        Fraction(k, 10) for k in range(10)
    ]
    assert [6 * place for place, pixels in enumerate(seen) if is_green(pixels).any()] == boxed
    for place, pixels in enumerate(seen):
        assert (pixels[0, 0] == level(6 * place)).all(), "outside the box it is the frame itself"


def test_frames_and_box_go_by_timestamp_where_the_rate_varies(tmp_path: Path) -> None:
    """60 ticks a second; at 10 frames a second the frames shown at ticks 0, 6, 12... are sampled."""
    pts = [0, 5, 7, 8, 9, 10, 11, 20, 25, 50, 55]
    write_clip(tmp_path / "a.mp4", frames(still, len(pts)), fps=60, pts=pts)
    one = clip("a", video="a.mp4", start_frame=1, end_frame=7)
    shown = clip_frames(*of(tmp_path, one), TEN)
    indexes = [max(i for i, tick in enumerate(pts) if tick <= 6 * k) for k in range(len(shown.images))]
    assert indexes[:5] == [0, 1, 6, 6, 7]
    assert [is_green(pixels).any() for pixels in pixels_of(shown)] == [1 <= index <= 7 for index in indexes]
    assert shown.coverage == AnimationCoverage(4, 3 / 7), "a frame that is shown twice counts once in the share"


def test_without_the_box_there_is_none(second: Path) -> None:
    shown = clip_frames(*of(second, clip("a")), TEN, draw_regions=False)
    assert not any(is_green(pixels).any() for pixels in pixels_of(shown))
    assert shown.coverage == AnimationCoverage(3, 3 / 18)


def test_every_region_is_drawn(second: Path) -> None:
    regions = [Box(CoordinateSpace.PIXEL, 4, 4, 20, 16), Box(CoordinateSpace.MILLE, 500, 500, 900, 900)]
    shown = clip_frames(*of(second, clip("a", regions=regions)), TEN)
    green = is_green(pixels_of(shown)[2])
    assert green[:20, :24].any()
    assert green[24:, 32:].any()
    assert shown.region_share == pytest.approx(16 * 12 / (64 * 48) + 0.4 * 0.4)


def test_shrunk_to_480_and_the_line_is_two_pixels_after_that(tmp_path: Path) -> None:
    film(tmp_path / clip("a").video, 2, lambda _: 90, size=(960, 540))
    one = clip("a", start_frame=0, end_frame=1)
    (pixels,) = pixels_of(clip_frames(*of(tmp_path, one), TEN))
    assert pixels.shape == (270, 480, 3)
    row = is_green(pixels)[135]
    assert row.sum() == 4, "two pixels on either side"
    assert {tuple(colour) for colour in pixels.reshape(-1, 3).tolist()} == {GREEN, (90, 90, 90)}


@pytest.mark.parametrize("index", [0, 6, 12, 30])
def test_blending_as_published(second: Path, index: int) -> None:
    """To one grey level; the first frames, which have fewer before them, are mixed of those there are."""
    shown = clip_frames(*of(second, clip("a")), TEN, blend=FrameBlend())
    pixels = pixels_of(shown)[index // 6]
    there = [frame for frame in range(index - 5, index + 1) if frame >= 0]
    weights = np.array(WEIGHTS[-len(there) :])
    expected = float(weights @ np.array([level(frame) for frame in there])) / float(weights.sum())
    assert abs(float(pixels[0, 0, 0]) - expected) <= 1


def test_a_first_frame_with_too_few_before_it(second: Path) -> None:
    """At 20 frames a second the second picture is of frame 3, which has three before it."""
    shown = clip_frames(*of(second, clip("a")), Fraction(20), blend=FrameBlend())
    raw = np.array([0.85**age for age in (3, 2, 1, 0)])
    expected = float(raw @ np.array([level(frame) for frame in range(4)])) / float(raw.sum())
    assert abs(float(pixels_of(shown)[1][0, 0, 0]) - expected) <= 1


def test_the_box_is_drawn_after_blending(second: Path) -> None:
    plain, mixed = (clip_frames(*of(second, clip("a")), TEN, blend=blend) for blend in (None, FrameBlend()))
    for one, other in zip(pixels_of(plain), pixels_of(mixed), strict=True):
        assert (is_green(one) == is_green(other)).all(), "pure green on the same pixels, no trail of it on others"


CAPS = {
    "no cap": (None, range(10)),
    "more than there are": (20, range(10)),
    "as many": (10, range(10)),
    "four": (4, [0, 3, 6, 9]),
    "two": (2, [0, 9]),
    "one": (1, [0]),
}


@pytest.mark.parametrize(("most", "places"), CAPS.values(), ids=CAPS.keys())
def test_a_cap_thins_evenly_with_first_and_last(second: Path, most: int | None, places: list[int]) -> None:
    shown = clip_frames(*of(second, clip("a")), TEN, max_frames=most)
    assert [picture.time for picture in shown.images if isinstance(picture, ImageSpec)] == [
        Fraction(k, 10) for k in places
    ]
    assert shown.subsampled == (len(places) < 10)
    assert ("10 frames per second" in describe_input(ClipParams(), shown)) != shown.subsampled, (
        "no rate is told that is not so"
    )


def test_the_audit_sees_what_the_cap_takes(second: Path) -> None:
    one = clip("a", start_frame=12, end_frame=17)
    whole, thinned = (clip_frames(*of(second, one), TEN, max_frames=most) for most in (None, 4))
    assert whole.coverage == AnimationCoverage(1, 1 / 6)
    assert thinned.coverage == AnimationCoverage(0, 0.0)
    assert thinned.coverage.label == "in no frame"


@pytest.mark.parametrize("start", [60, 61, 62, 63, 64, 65, 108, 109, 119, 120, 121, 228])
def test_200_ms_in_4_seconds(four_seconds: Path, start: int) -> None:
    """Twelve frames hold exactly two of every sixth, and one or none of every sixtieth, as the phase has it."""
    one = clip("a", start_frame=start, end_frame=start + 11)
    at_ten, at_one = (clip_frames(*of(four_seconds, one), rate) for rate in (TEN, ONE))
    assert (len(at_ten.images), len(at_one.images)) == (40, 4)
    assert at_ten.coverage == AnimationCoverage(2, 2 / 12)
    assert at_ten.coverage.label == "in several frames"
    hit = any(frame % 60 == 0 for frame in range(start, start + 12))
    assert at_one.coverage == AnimationCoverage(int(hit), hit / 12)
    assert at_one.coverage.label == ("in one frame" if hit else "in no frame")


@settings(max_examples=40)
@given(st.integers(0, 228), st.integers(1, 60))
def test_every_phase(start: int, length: int) -> None:
    """Whole multiples of the step are hit equally often in every phase; anything else, once more in some."""
    sampled = range(0, 300, 6)
    assert animation_coverage(sampled, range(start, start + 12), None).image_count == 2
    assert animation_coverage(sampled, range(start, start + 13), None).image_count == (3 if start % 6 == 0 else 2)
    found = animation_coverage(sampled, range(start, start + length), None)
    assert found.image_count in (length // 6, -(-length // 6))
    assert found.share == pytest.approx(found.image_count / length)


BLENDED = {
    "both wholes": (range(1, 13), 1.0),  # frames 6 and 12, each with the five before it
    "begins on a sampled frame": (range(12), 1.0),  # frame 12 has 7 to 11, though it is no longer in it
    "in the middle": (range(4, 16), 1.0),
    "not sampled": (range(1, 6), 1.0),  # but all of it is in the trail of frame 6
    "after the last picture": (range(55, 60), 0.0),
}


@pytest.mark.parametrize(("running", "share"), BLENDED.values(), ids=BLENDED.keys())
def test_blending_brings_more_of_the_animation(running: range, share: float) -> None:
    sampled = range(0, 60, 6)
    plain, mixed = (animation_coverage(sampled, running, blend) for blend in (None, FrameBlend()))
    assert plain.image_count == sum(index in running for index in sampled)
    assert mixed.image_count == sum(
        any(index - age in running for age in range(FrameBlend().count)) for index in sampled
    )
    assert plain.share == pytest.approx(plain.image_count / len(running))
    assert mixed.share == pytest.approx(share)


def test_an_animation_that_nobody_timed_has_no_audit(second: Path) -> None:
    assert clip_frames(*of(second, clip("a", start_frame=None, end_frame=None)), TEN).coverage is None


def footage_of(root: Path, one: Clip, blend: FrameBlend | None = None) -> VideoSpec:
    shown = clip_video(*of(root, one), blend=blend)
    (footage,) = shown.images
    assert isinstance(footage, VideoSpec)
    assert shown.coverage is None, "which frames a model looks at is its own affair"
    assert shown.region_share == pytest.approx(0.25)
    assert not shown.subsampled
    return footage


FOOTAGE: dict[str, tuple[int | None, int | None, bool, Fraction | None, Fraction | None]] = {
    "inside": (12, 29, True, Fraction(12, 60), Fraction(30, 60)),
    "to the last frame": (12, 59, True, Fraction(12, 60), None),
    "beyond it": (12, 99, True, Fraction(12, 60), None),
    "nobody said": (None, None, True, None, None),
    "said to begin after the end": (70, 80, False, None, None),
}


@pytest.mark.parametrize(("start", "end", "boxed", "since", "until"), FOOTAGE.values(), ids=FOOTAGE.keys())
def test_a_video_has_the_box_for_as_long(
    second: Path, start: int | None, end: int | None, boxed: bool, since: Fraction | None, until: Fraction | None
) -> None:
    found = footage_of(second, clip("a", start_frame=start, end_frame=end), FrameBlend())
    assert [outline.box for outline in found.outlines] == ([REGION] if boxed else [])
    assert (found.outlines_start, found.outlines_end) == (since, until)
    assert (found.max_side, found.blend) == (480, FrameBlend())


def test_clips_without_regions_cover_nothing_known(second: Path) -> None:
    shown = clip_frames(*of(second, clip("a", regions=[])), TEN)
    assert shown.region_share is None
    assert not any(is_green(pixels).any() for pixels in pixels_of(shown))
