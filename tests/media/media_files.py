"""Real media files whose frames say which they are: the index is written in black and white squares."""

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from affordance import media
from affordance.core.media_spec import ImageSpec

WIDTH, HEIGHT = 160, 96
SQUARE = 16
BITS = 8

# Milliseconds; uneven on purpose, and multiples of 10 so that every container can tell them.
UNEVEN = [0, 20, 50, 120, 130, 300, 310, 460, 600, 620, 700, 980]

Pixels = NDArray[np.uint8]


def numbered(index: int) -> Pixels:
    """An RGB frame with its index in the top row of squares, and a bar that moves below."""
    pixels = np.full((HEIGHT, WIDTH, 3), 200, np.uint8)
    for bit in range(BITS):
        left = bit * SQUARE
        pixels[:SQUARE, left : left + SQUARE] = 255 if index >> bit & 1 else 0
    left = index % (WIDTH - 20)
    pixels[40:70, left : left + 20] = (30, 90, 220)
    return pixels


def number_of(pixels: Pixels) -> int:
    """The index written in a frame of full size."""
    centres = pixels[SQUARE // 2, SQUARE // 2 : BITS * SQUARE : SQUARE].mean(axis=1)
    return sum(1 << bit for bit, value in enumerate(centres) if value > 127)


class Anywhere(Mapping[str, Path]):
    """Where sources lie: in these tests a file's path stands for the digest of its content."""

    def __getitem__(self, source: str) -> Path:
        return Path(source)

    def __iter__(self) -> Iterator[str]:
        raise TypeError("these are all files there are")

    def __len__(self) -> int:
        raise TypeError("these are all files there are")


ANYWHERE = Anywhere()


def source(path: Path) -> str:
    return str(path)


def render(pictures: Sequence[ImageSpec]) -> list[bytes]:
    return media.render(pictures, ANYWHERE)


@dataclass(frozen=True)
class Recipe:
    """How a kind of file is written."""

    suffix: str
    codec: str
    pix_fmt: str
    muxer: str | None = None
    time_base: Fraction = Fraction(1, 60)
    codec_options: dict[str, str] = field(default_factory=dict)
    muxer_options: dict[str, str] = field(default_factory=dict)


FAST_VPX = {"deadline": "realtime", "cpu-used": "8", "threads": "1"}  # more of them mostly wait for each other, busily
RECIPES = {
    "mp4": Recipe(".mp4", "libx264", "yuv420p"),
    "faststart": Recipe(".mp4", "libx264", "yuv420p", muxer_options={"movflags": "faststart"}),
    "fragmented": Recipe(
        ".mp4", "libx264", "yuv420p", muxer_options={"movflags": "frag_keyframe+empty_moov"}, codec_options={"g": "12"}
    ),
    "mov": Recipe(".mov", "libx264", "yuv420p"),
    "hevc": Recipe(".mp4", "libx265", "yuv420p", codec_options={"x265-params": "log-level=none"}),
    "mkv": Recipe(".mkv", "libx264", "yuv420p"),
    "webm": Recipe(".webm", "libvpx-vp9", "yuv420p", codec_options=FAST_VPX),
    "vp8": Recipe(".webm", "libvpx", "yuv420p", codec_options=FAST_VPX),
    "gif": Recipe(".gif", "gif", "rgb8", time_base=Fraction(1, 100)),
    "apng": Recipe(".png", "apng", "rgb24", muxer="apng", time_base=Fraction(1, 1000)),
    "webp": Recipe(".webp", "libwebp_anim", "yuva420p", muxer="webp", time_base=Fraction(1, 1000)),
}


def write_video(
    path: Path,
    recipe: Recipe,
    frames: Iterable[Pixels],
    pts: Sequence[int] | None = None,
    prepare: Callable[[av.VideoStream], None] = lambda stream: None,
) -> Path:
    """Write RGB frames; the times are in the recipe's time base, by default one unit apart."""
    with av.open(path, "w", format=recipe.muxer, options=recipe.muxer_options) as output:
        stream = output.add_stream(recipe.codec, rate=60, options=recipe.codec_options)
        frames = list(frames)
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt = recipe.pix_fmt
        stream.codec_context.time_base = recipe.time_base
        prepare(stream)
        for index, pixels in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24").reformat(format=recipe.pix_fmt)
            frame.pts = index if pts is None else pts[index]
            frame.time_base = recipe.time_base
            output.mux(stream.encode(frame))
        output.mux(stream.encode(None))
    return path


def write_still(path: Path, rgb: Pixels, options: Sequence[int] = ()) -> Path:
    """Write RGB or RGBA pixels in the format of the suffix."""
    order = cv2.COLOR_RGB2BGR if rgb.shape[2] == 3 else cv2.COLOR_RGBA2BGRA
    assert cv2.imwrite(str(path), cv2.cvtColor(rgb, order), options)
    return path


def add_exif_orientation(path: Path, orientation: int, order: str = "<") -> Path:
    jpeg = path.read_bytes()
    tiff = struct.pack(f"{order}2sHIH", b"II" if order == "<" else b"MM", 42, 8, 1)
    tiff += struct.pack(f"{order}HHIHHI", 0x0112, 3, 1, orientation, 0, 0)
    segment = b"Exif\0\0" + tiff
    path.write_bytes(jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + jpeg[2:])
    return path
