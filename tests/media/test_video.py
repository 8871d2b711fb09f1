"""Pictures into a video and out of it again."""

from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from affordance.core.digest import digest_file
from affordance.core.media_spec import ImageEncoding, ImageFormat
from affordance.media import WEBP_LOSSLESS, VideoQuality, decode_image, encode_image, probe, write_video


def noise(width: int, height: int, count: int = 4) -> list[NDArray[np.uint8]]:
    generator = np.random.default_rng(1)
    return [generator.integers(0, 256, (height, width, 3), np.uint8) for _ in range(count)]


def panels(width: int, height: int, count: int = 6) -> list[NDArray[np.uint8]]:
    pictures = [np.full((height, width, 3), 240, np.uint8) for _ in range(count)]
    for number, picture in enumerate(pictures):
        picture[8:24, 4 * number : 4 * number + 16] = (20, 90, 200)
    return pictures


def read(path: Path) -> list[NDArray[np.uint8]]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


@pytest.mark.parametrize("size", [(64, 48), (33, 51), (2, 2)], ids=["even", "odd", "tiny"])
def test_exact_keeps_every_pixel(tmp_path: Path, size: tuple[int, int]) -> None:
    pictures = noise(*size)
    write_video(tmp_path / "clip.mp4", pictures, 60, VideoQuality.EXACT)
    assert all((one == other).all() for one, other in zip(pictures, read(tmp_path / "clip.mp4"), strict=True))


@pytest.mark.parametrize(("quality", "most"), [(VideoQuality.FINE, 4), (VideoQuality.SMALL, 12)])
def test_the_others_come_close(tmp_path: Path, quality: VideoQuality, most: int) -> None:
    pictures = panels(64, 48)
    write_video(tmp_path / "clip.mp4", pictures, 60, quality)
    for one, other in zip(pictures, read(tmp_path / "clip.mp4"), strict=True):
        assert np.abs(one.astype(int) - other)[10:22].mean() < most


def test_every_frame_has_its_time(tmp_path: Path) -> None:
    write_video(tmp_path / "clip.mp4", panels(64, 48, 30), 60)
    clip = probe(tmp_path / "clip.mp4")
    assert (len(clip.pts), float(clip.duration)) == (30, 0.5)
    assert [float(clip.frame_time(number)) for number in (0, 15, 29)] == pytest.approx([0, 0.25, 29 / 60])


def test_written_again_every_byte_is_the_same(tmp_path: Path) -> None:
    for name in ("one.mp4", "two.mp4"):
        write_video(tmp_path / name, panels(64, 48), 60)
    assert digest_file(tmp_path / "one.mp4") == digest_file(tmp_path / "two.mp4")


def test_a_picture_as_webp_without_loss() -> None:
    (picture,) = noise(31, 17, 1)
    data = encode_image(picture, ImageEncoding(ImageFormat.WEBP, WEBP_LOSSLESS))
    assert data[8:12] == b"WEBP"
    assert (decode_image(data) == picture).all()
