"""Clips of a drawn page in which something moves, at a known place and time."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Draw = Callable[[Pixels, int], None]

WIDTH, HEIGHT = 320, 200
FRAMES = 60
FPS = 30


@cache
def page() -> Pixels:
    """A page with a bar, a picture and lines of text, RGB."""
    pixels = np.full((HEIGHT, WIDTH, 3), 245, np.uint8)
    pixels[:24] = (40, 60, 120)
    pixels[36:96, 16:96] = np.random.default_rng(5).integers(60, 200, (6, 8, 3)).repeat(10, 0).repeat(10, 1)
    for line in range(6):
        cv2.putText(
            pixels, "the quick brown fox", (120, 50 + 24 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 30), 1
        )
    return pixels


def frames(draw: Draw, count: int = FRAMES, noise: float = 0.0) -> list[Pixels]:
    """The page with what is drawn on it at each frame."""
    random = np.random.default_rng(7)
    made = []
    for index in range(count):
        pixels = page().copy()
        draw(pixels, index)
        if noise:
            pixels = np.clip(pixels + random.normal(0, noise, pixels.shape), 0, 255).astype(np.uint8)
        made.append(pixels)
    return made


def write_clip(
    path: Path, pictures: Iterable[Pixels], crf: int = 12, fps: int = FPS, pts: list[int] | None = None
) -> Path:
    """H.264 in MP4; a GIF where the name says so. `pts` are when frames are shown, in units of 1 / `fps`."""
    gif = path.suffix == ".gif"
    with av.open(str(path), "w") as output:
        stream = output.add_stream("gif" if gif else "libx264", rate=fps, options={} if gif else {"crf": str(crf)})
        made = list(pictures)
        stream.height, stream.width = made[0].shape[:2]
        stream.pix_fmt = "rgb8" if gif else "yuv420p"
        stream.codec_context.time_base = Fraction(1, fps)
        stream.codec_context.thread_count = 1  # or else the bytes depend on how many cores there are
        for index, pixels in enumerate(made):
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24").reformat(format=stream.pix_fmt)
            frame.pts, frame.time_base = index if pts is None else pts[index], Fraction(1, fps)
            output.mux(stream.encode(frame))
        output.mux(stream.encode(None))
    return path


def at(index: int, start: int, end: int) -> float:
    """How far an animation is that runs between two frames, from 0 to 1."""
    return min(max((index - start) / (end - start), 0.0), 1.0)


def slide(pixels: Pixels, index: int) -> None:
    """A square goes from (40, 140) to (240, 160) between frames 20 and 45."""
    left = 40 + round(180 * at(index, 20, 45))
    pixels[140:160, left : left + 20] = (200, 30, 30)


def still(pixels: Pixels, index: int) -> None:
    pass
