"""Footage as a video: the same frames as pictures of the clip, the box on those inside its range, and no others."""

import io
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from media_files import ANYWHERE, RECIPES, UNEVEN, Pixels, number_of, numbered, render, source, write_still, write_video

from affordance import media
from affordance.core.digest import digest
from affordance.core.errors import MediaError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.media_spec import BoxOutline, FrameBlend, ImageSpec, VideoSpec, media_spec_from_recipe
from affordance.media import RenderCache, decode_image, frame_rate, probe, video_frames
from errors import raises

BOX = BoxOutline(
    Box(CoordinateSpace.UNIT, 0.25, 0.375, 0.75, 0.875)
)  # x 40 to 120, y 36 to 84: on the grid of half the colours
ON_LINE = (slice(70, 82), slice(39, 41))  # pixels of its left line, below the bar that moves


def reel(footage: VideoSpec) -> bytes:
    return media.render([footage], ANYWHERE)[0]


def frames(data: bytes) -> list[av.VideoFrame]:
    with av.open(io.BytesIO(data)) as container:
        return list(container.decode(video=0))


def shown(data: bytes) -> list[Pixels]:
    return [frame.to_ndarray(format="rgb24") for frame in frames(data)]


def numbers(data: bytes) -> list[int]:
    return [number_of(pixels) for pixels in shown(data)]


def boxed(pixels: Pixels) -> bool:
    red, green, blue = pixels[ON_LINE].reshape(-1, 3).mean(axis=0)
    return bool(green - max(red, blue) > 60)


def greys(frame: av.VideoFrame) -> Pixels:
    plane = frame.planes[0]
    luma = np.frombuffer(plane, np.uint8).reshape(frame.height, plane.line_size)[:, : frame.width]
    return (luma.astype(float) - 16) * 255 / 219


RECIPES_OF_FOOTAGE = {
    "as it is": {},
    "made smaller": {"max_side": 120},
    "boxed": {"outlines": (BOX,)},
    "blended, smaller and boxed": {"outlines": (BOX,), "max_side": 100, "blend": FrameBlend(), "fps": Fraction(10)},
}


@pytest.mark.parametrize("recipe", RECIPES_OF_FOOTAGE.values(), ids=RECIPES_OF_FOOTAGE.keys())
def test_a_reel_shows_what_pictures_show(steady: dict[str, Path], recipe: dict[str, object]) -> None:
    footage = VideoSpec(source(steady["mp4"]), Fraction(1, 2), Fraction(3, 4), **recipe)  # type: ignore[arg-type]
    pictures = [decode_image(one) for one in render(video_frames(footage, probe(steady["mp4"])))]
    found = frames(reel(footage))
    assert len(found) == len(pictures) == (3 if footage.fps else 15)
    for frame, picture in zip(found, pictures, strict=True):
        expected = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(float)
        assert np.abs(greys(frame)[: expected.shape[0], : expected.shape[1]] - expected).max() <= 6


@pytest.mark.parametrize(
    ("start", "end"), [(0, 60), (10, 30), (0, 1), (59, 60)], ids=["all of it", "a part", "the first", "the last"]
)
def test_a_stretch_begins_and_ends_with_its_frames(steady: dict[str, Path], start: int, end: int) -> None:
    for kind in ("mp4", "webm", "vp8"):
        footage = VideoSpec(source(steady[kind]), Fraction(start, 60), None if end == 60 else Fraction(end, 60))
        found = frames(reel(footage))
        assert [number_of(frame.to_ndarray(format="rgb24")) for frame in found] == list(range(start, end)), kind
        assert [frame.time for frame in found] == pytest.approx([k / 60 for k in range(end - start)]), kind


@pytest.mark.parametrize(
    ("first", "last"), [(10, 19), (0, 29), (0, 0), (29, 29), (18, 18)], ids=lambda index: f"{index}"
)
def test_the_box_is_on_exactly_the_frames_of_its_range(steady: dict[str, Path], first: int, last: int) -> None:
    clip = probe(steady["mp4"])
    drawn = {"outlines_start": clip.frame_time(first), "outlines_end": clip.frame_time(last + 1)}
    footage = VideoSpec(source(steady["mp4"]), end=Fraction(1, 2), outlines=(BOX,), **drawn)
    assert [k for k, pixels in enumerate(shown(reel(footage))) if boxed(pixels)] == list(range(first, last + 1))
    sampled = replace(footage, fps=Fraction(10))
    expected = [k for k in range(5) if first <= 6 * k <= last]
    assert [k for k, pixels in enumerate(shown(reel(sampled))) if boxed(pixels)] == expected


def test_times_are_those_of_the_source_whatever_is_cut_off(steady: dict[str, Path]) -> None:
    footage = VideoSpec(
        source(steady["mp4"]), Fraction(25, 60), Fraction(40, 60), outlines=(BOX,), outlines_end=Fraction(30, 60)
    )
    assert [boxed(pixels) for pixels in shown(reel(footage))] == [True] * 5 + [False] * 10


@pytest.mark.parametrize(("width", "height"), [(161, 97), (97, 160), (320, 33), (1, 64)])
def test_sides_are_even_and_no_longer_than_asked(tmp_path: Path, width: int, height: int) -> None:
    drawn = [np.full((height, width, 3), 90 + 10 * k, np.uint8) for k in range(2)]
    path = write_video(tmp_path / "odd.png", RECIPES["apng"], drawn, [0, 100])
    for longest in (None, 480, 75):
        found = frames(reel(VideoSpec(source(path), max_side=longest)))
        assert len(found) == 2
        for frame in found:
            assert frame.format.name == "yuv420p"
            assert frame.width % 2 == frame.height % 2 == 0
            assert max(frame.width, frame.height) <= (longest or max(width, height) + 1)
            assert abs(frame.width * height - frame.height * width) <= 2 * max(width, height)


def test_a_gif_is_shown_at_its_own_pace(tmp_path: Path) -> None:
    drawn = [numbered(k) for k in range(8)]
    path = write_video(tmp_path / "a.gif", RECIPES["gif"], drawn, [7 * k for k in range(8)])
    assert frame_rate(probe(path)) == Fraction(100, 7)
    footage = VideoSpec(source(path), outlines=(BOX,), outlines_start=Fraction(14, 100), outlines_end=Fraction(35, 100))
    data = reel(footage)
    assert numbers(data) == list(range(8))
    assert [boxed(pixels) for pixels in shown(data)] == [k in (2, 3, 4) for k in range(8)]


@pytest.mark.parametrize("kind", ["mp4", "webm", "gif", "apng", "webp"])
def test_uneven_frames_are_sampled_by_their_time(uneven: dict[str, Path], kind: str) -> None:
    clip = probe(uneven[kind])
    assert frame_rate(clip) == 60, "two of its frames are 10 ms apart"
    found = numbers(reel(VideoSpec(source(uneven[kind]))))
    times = [1000 * k / 60 for k in range(len(found))]
    assert found == [sum(begins <= at + 0.5 for begins in UNEVEN) - 1 for at in times]
    assert len(found) == math.ceil((clip.duration - Fraction(1, 2000)) * 60)


def test_no_frame_of_a_gif_with_pauses_is_passed_over(tmp_path: Path) -> None:
    begins = [0, 2, 4, 54, 58, 158]
    path = write_video(tmp_path / "a.gif", RECIPES["gif"], [numbered(k) for k in range(6)], begins)
    assert frame_rate(probe(path)) == 50
    found = numbers(reel(VideoSpec(source(path))))
    assert [found.count(k) for k in range(5)] == [1, 1, 25, 2, 50]


RATES = {
    "60 a second, to the millisecond": ([round(1000 * k / 60) for k in range(180)], 60),
    "30 a second, to the millisecond": ([round(1000 * k / 30) for k in range(90)], 30),
    "24 a second, cut off": ([int(1000 * k / 24) for k in range(48)], 24),
    "30 a second, in hundredths": ([round(100 * k / 30) * 10 for k in range(48)], Fraction(100, 3)),
    "30 a second, in hundredths, cut off": ([100 * k // 30 * 10 for k in range(48)], 30),
    "almost evenly": ([0, 70, 140, 211], Fraction(3000, 211)),
    "evenly, at no whole rate": ([70 * k for k in range(20)], Fraction(100, 7)),
    "now and then": ([0, 40, 80, 500], 25),
    "two at once, almost": ([0, 33, 34, 67, 100, 120, 160], 60),
}


def test_rates(steady: dict[str, Path]) -> None:
    clip = probe(steady["mp4"])
    for name, (times, rate) in RATES.items():
        end = Fraction(2 * times[-1] - times[-2], 1000)
        unit = math.gcd(*times)
        pts = tuple(time // unit for time in times)
        assert frame_rate(replace(clip, pts=pts, time_base=Fraction(unit, 1000), duration=end)) == rate, name


def test_the_rate_of_television_stays_exact(tmp_path: Path) -> None:
    recipe = replace(RECIPES["mp4"], time_base=Fraction(1001, 30000))
    path = write_video(tmp_path / "a.mp4", recipe, [numbered(k) for k in range(20)])
    assert frame_rate(probe(path)) == Fraction(30000, 1001)
    assert numbers(reel(VideoSpec(source(path)))) == list(range(20))


def test_rendered_again_every_byte_is_the_same(steady: dict[str, Path]) -> None:
    footage = VideoSpec(source(steady["mp4"]), end=Fraction(1, 2), max_side=100, outlines=(BOX,))
    assert reel(footage) == reel(footage)


def test_the_index_stands_in_front(steady: dict[str, Path]) -> None:
    data = reel(VideoSpec(source(steady["mp4"]), end=Fraction(1, 10)))
    assert 0 < data.find(b"moov") < data.find(b"mdat"), "a server that reads a pipe cannot go back"


def test_a_truncated_clip_is_an_error_and_no_short_video(steady: dict[str, Path], tmp_path: Path) -> None:
    whole = steady["faststart"].read_bytes()
    path = tmp_path / "cut.mp4"
    path.write_bytes(whole[: len(whole) * 2 // 3])
    with raises(MediaError, path):
        reel(VideoSpec(source(path)))


BEYOND = {
    "past the end": (Fraction(0), Fraction(4)),
    "after the end": (Fraction(1), None),
    "before the start": (Fraction(-1), Fraction(1, 2)),
    "backwards": (Fraction(1, 2), Fraction(1, 4)),
    "no time at all": (Fraction(1, 2), Fraction(1, 2)),
}


@pytest.mark.parametrize(("start", "end"), BEYOND.values(), ids=BEYOND.keys())
def test_footage_lies_within_its_clip(steady: dict[str, Path], start: Fraction, end: Fraction | None) -> None:
    with raises(MediaError, steady["mp4"], "1.000"):
        reel(VideoSpec(source(steady["mp4"]), start, end))


def test_a_still_image_is_no_footage(tmp_path: Path) -> None:
    path = write_still(tmp_path / "a.png", numbered(1))
    with raises(MediaError, path):
        reel(VideoSpec(source(path)))


def test_the_cache_serves_it_when_the_clip_is_gone(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", RECIPES["mp4"], [numbered(k) for k in range(12)])
    video, picture = VideoSpec(source(path), max_side=100), ImageSpec(source(path), Fraction(0))
    other = replace(video, start=Fraction(5, 60))
    first = RenderCache(tmp_path / "pictures", ANYWHERE).get([video, picture, other, video])
    assert [len(frames(one)) for one in (first[0], first[2], first[3])] == [12, 7, 12]
    assert decode_image(first[1]).shape == (96, 160, 3)
    path.unlink()
    again = RenderCache(tmp_path / "pictures", ANYWHERE)
    assert again.get([video, picture, other, video]) == first
    assert again.peek_base64([other]) is not None, "and from memory without waiting"


def test_the_cache_of_videos_is_bounded(tmp_path: Path, steady: dict[str, Path]) -> None:
    footage = [VideoSpec(source(steady["mp4"]), Fraction(k, 60), Fraction(k + 4, 60)) for k in range(15)]
    size = len(reel(footage[0])) * 4 // 3
    darkroom = RenderCache(tmp_path, ANYWHERE, disk_bytes=8 * size, memory_bytes=3 * size)
    for one in footage:
        darkroom.get_base64([one])
    assert sum(file.stat().st_size for file in tmp_path.rglob("*.pics")) <= 10 * size
    assert sum(darkroom.peek_base64([one]) is not None for one in footage) <= 4


def test_footage_has_digests_for_ever() -> None:
    assert VideoSpec("00ff").digest == digest("footage", "00ff", {"encode": ["mp4", "h264"], "trim": ["0", None]})
    assert VideoSpec("00ff").digest == "e1792d86834d4a9717bf57bb00afea62"
    assert (
        VideoSpec("00ff", Fraction(1, 3), Fraction(2), outlines=(BOX,), outlines_start=Fraction(1)).digest
        == "e2457c28b6929433d7dd3189a308fd85"
    )


seconds = st.fractions(0, 10, max_denominator=1001)
footages = st.builds(
    VideoSpec,
    st.sampled_from(["00ff", "11ee"]),
    start=seconds,
    end=st.none() | seconds,
    fps=st.none() | st.fractions(1, 60, max_denominator=1001),
    blend=st.none() | st.builds(FrameBlend, st.integers(1, 9)),
    max_side=st.none() | st.integers(2, 480),
    outlines=st.sampled_from([(BOX,), (BOX, BOX)]),
    outlines_start=st.none() | seconds,
    outlines_end=st.none() | seconds,
)


@settings(max_examples=40)
@given(footages, footages)
def test_a_recipe_is_the_footage(one: VideoSpec, other: VideoSpec) -> None:
    assert media_spec_from_recipe(one.source, one.to_recipe()) == one
    assert (one.digest == other.digest) == (one == other)


def test_a_recipe_tells_pictures_from_footage() -> None:
    for visual in (ImageSpec("00ff", Fraction(1)), VideoSpec("00ff", Fraction(1))):
        assert media_spec_from_recipe("00ff", visual.to_recipe()) == visual
    assert ImageSpec("00ff").digest != VideoSpec("00ff").digest
