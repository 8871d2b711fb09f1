"""What a file is found to be: size, timeline, still or not."""

import struct
import zlib
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from media_files import HEIGHT, RECIPES, UNEVEN, WIDTH, add_exif_orientation, numbered, write_still, write_video

from affordance.core.errors import MediaError
from affordance.media import decode_image, import_image, pixel_difference, probe, sample_times
from errors import raises

STEADY = ("mp4", "faststart", "fragmented", "mov", "hevc", "mkv", "webm", "vp8")
MILLISECOND = Fraction(1, 1000)


@pytest.mark.parametrize("kind", STEADY)
def test_steady_clip(steady: dict[str, Path], kind: str) -> None:
    clip = probe(steady[kind])
    assert (clip.width, clip.height, len(clip.pts), clip.is_still) == (WIDTH, HEIGHT, 60, False)
    assert clip.pts[0] == 0
    assert abs(clip.duration - 1) <= MILLISECOND
    assert all(abs(clip.frame_time(index) - Fraction(index, 60)) <= MILLISECOND / 2 for index in range(60))
    # Ten a second of sixty is every sixth frame.
    times = sample_times(clip, Fraction(10))
    assert times == [Fraction(k, 10) for k in range(10)]
    assert [clip.frame_at(time) for time in times] == list(range(0, 60, 6))
    assert [clip.frame_at(Fraction(index, 60)) for index in range(60)] == list(range(60))


@pytest.mark.parametrize("kind", RECIPES)
def test_uneven_clip(uneven: dict[str, Path], kind: str) -> None:
    clip = probe(uneven[kind])
    assert [clip.frame_time(index) for index in range(len(clip.pts))] == [Fraction(time, 1000) for time in UNEVEN]
    assert clip.duration > clip.frame_time(len(clip.pts) - 1)
    assert clip.frame_at(Fraction(299, 1000)) == 4
    assert clip.frame_at(Fraction(300, 1000)) == 5


def test_times_count_from_the_first_frame(tmp_path: Path) -> None:
    frames = [numbered(index) for index in range(10)]
    path = write_video(tmp_path / "late.mkv", RECIPES["mkv"], frames, pts=range(300, 310))
    clip = probe(path)
    assert (clip.pts[0], clip.frame_at(Fraction(3, 60))) == (0, 3)


@pytest.mark.parametrize(
    ("frames", "rate", "times"),
    [
        pytest.param(1, 10, [0], id="one frame"),
        pytest.param(3, 10, [0], id="shorter than an interval"),
        pytest.param(6, 10, [0], id="exactly one interval"),
        pytest.param(7, 10, [0, Fraction(1, 10)], id="one frame more"),
        pytest.param(6, 60, [Fraction(k, 60) for k in range(6)], id="every frame"),
        pytest.param(3, 120, [Fraction(k, 120) for k in range(6)], id="more often than frames"),
    ],
)
def test_sample_times(tmp_path: Path, frames: int, rate: int, times: list[Fraction]) -> None:
    path = write_video(tmp_path / "clip.mp4", RECIPES["mp4"], map(numbered, range(frames)))
    assert sample_times(probe(path), Fraction(rate)) == times


def test_a_sampling_rate_is_positive(steady: dict[str, Path]) -> None:
    with pytest.raises(ValueError):
        sample_times(probe(steady["mp4"]), Fraction(0))


def test_no_frame_outside_of_the_clip(steady: dict[str, Path]) -> None:
    clip = probe(steady["mp4"])
    for time in (Fraction(-1, 10), Fraction(1), Fraction(100)):
        with raises(MediaError, steady["mp4"], "1.000", f"{float(time):.3f}"):
            clip.frame_at(time)


@pytest.mark.parametrize("name", ["still.png", "still.jpg", "still.webp", "still.gif"])
def test_still(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.endswith("gif"):
        write_video(path, RECIPES["gif"], [numbered(0)])
    else:
        write_still(path, numbered(0))
    clip = probe(path)
    assert (clip.width, clip.height, clip.is_still, clip.duration) == (WIDTH, HEIGHT, True, 0)
    assert sample_times(clip, Fraction(10)) == [0]
    assert clip.frame_at(Fraction(0)) == 0
    with raises(MediaError, path):
        clip.frame_at(Fraction(1))


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_rotated_video_has_its_displayed_size(tmp_path: Path, degrees: int) -> None:
    path = write_video(
        tmp_path / "phone.mp4",
        RECIPES["mp4"],
        [numbered(0)],
        prepare=lambda stream: stream.set_display_rotation(degrees),
    )
    clip = probe(path)
    assert (clip.width, clip.height) == ((WIDTH, HEIGHT) if degrees == 180 else (HEIGHT, WIDTH))


def test_slanted_video_is_refused(tmp_path: Path) -> None:
    path = write_video(
        tmp_path / "slanted.mp4", RECIPES["mp4"], [numbered(0)], prepare=lambda stream: stream.set_display_rotation(30)
    )
    with raises(MediaError, path, 90):
        probe(path)


def test_rotated_photograph_has_its_displayed_size(tmp_path: Path) -> None:
    for order in "<>":
        for orientation in range(1, 9):
            path = write_still(tmp_path / f"photo{ord(order)}{orientation}.jpg", numbered(0))
            clip = probe(add_exif_orientation(path, orientation, order))
            assert (clip.width, clip.height) == ((WIDTH, HEIGHT) if orientation < 5 else (HEIGHT, WIDTH)), orientation


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    write_video(path, RECIPES["mp4"], map(numbered, range(5)))
    before = probe(path)
    write_video(path, RECIPES["mp4"], map(numbered, range(9)))
    assert (len(before.pts), len(probe(path).pts)) == (5, 9)


def test_names_that_mean_something_to_ffmpeg(tmp_path: Path) -> None:
    for name in ("concat:a|b.mp4", "frame%03d.png", "a b#?.mp4"):
        path = tmp_path / name
        if name.endswith("png"):
            write_still(tmp_path / "x.png", numbered(0)).rename(path)
        else:
            write_video(tmp_path / "x.mp4", RECIPES["mp4"], [numbered(0)]).rename(path)
        assert probe(path).width == WIDTH


def test_sound_and_cover_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "sound.mp4"
    with av.open(path, "w") as output:
        sound = output.add_stream("aac", rate=44100, layout="mono")
        video = output.add_stream("libx264", rate=60)
        video.width, video.height, video.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for index in range(12):
            frame = av.VideoFrame.from_ndarray(numbered(index), format="rgb24")
            output.mux(video.encode(frame))
        quiet = av.AudioFrame.from_ndarray(np.zeros((1, 44100), np.float32), format="fltp", layout="mono")
        quiet.sample_rate = 44100
        output.mux(sound.encode(quiet))
        output.mux(sound.encode(None))
        output.mux(video.encode(None))
    clip = probe(path)
    assert (len(clip.pts), clip.duration) == (12, Fraction(12, 60))


def test_a_coarse_clock_is_forgiven_half_a_millisecond(steady: dict[str, Path]) -> None:
    clip = probe(steady["webm"])
    assert clip.frame_time(1) == Fraction(17, 1000)
    assert clip.frame_at(Fraction(1, 60)) == 1
    assert clip.frame_at(Fraction(1, 60) - Fraction(1, 1000)) == 0


@pytest.mark.parametrize(("brand", "name"), [(b"avif", "AVIF"), (b"heic", "HEIF"), (b"mif1", "HEIF")])
def test_still_images_in_the_container_of_mp4_are_refused(tmp_path: Path, brand: bytes, name: str) -> None:
    path = tmp_path / "photo.png"
    path.write_bytes(b"\0\0\0\x1cftyp" + brand + b"\0\0\0\0mif1miaf" + bytes(64))
    with raises(MediaError, path, name):
        probe(path)


def test_an_animated_png_is_recognised_behind_a_long_comment(tmp_path: Path) -> None:
    path = write_video(tmp_path / "plain.png", RECIPES["apng"], [numbered(index) for index in range(3)])
    content = path.read_bytes()
    comment = b"Comment\0" + b"x" * 5000
    chunk = b"tEXt" + comment
    header = 8 + 25  # signature and the first chunk
    long = len(comment).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big")
    path.write_bytes(content[:header] + long + content[header:])
    assert len(probe(path).pts) == 3


def test_an_image_of_too_many_pixels_is_an_error(tmp_path: Path) -> None:
    header = b"IHDR" + struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    data += b"\0\0\0\0IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))
    with pytest.raises(MediaError):
        decode_image(data)
    path = tmp_path / "huge.png"
    path.write_bytes(data)
    with pytest.raises(MediaError):
        pixel_difference(path, path)
    with pytest.raises(MediaError):
        import_image(path)
