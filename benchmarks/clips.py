"""Clips for the benchmarks: two phone-sized 60-fps H.264 recordings, the same pixels on every machine.

`busy` is ffmpeg's test pattern, expensive to decode. `screen` is what a phone records: a still page over which a
sheet slides up and a card is dragged, cheap to decode and therefore the harder case for whatever comes after.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 1170, 2532
RATE = 60
SECONDS = 4

Pixels = NDArray[np.uint8]


def busy_frames() -> Iterator[av.VideoFrame]:
    pattern = f"testsrc2=size={WIDTH}x{HEIGHT}:rate={RATE}:duration={SECONDS}"
    with av.open(pattern, format="lavfi") as source:
        yield from source.decode(video=0)


def screen_frames() -> Iterator[av.VideoFrame]:
    page = _page()
    sheet = _sheet()
    for index in range(RATE * SECONDS):
        phase = index / (RATE * SECONDS)
        pixels = page.copy()
        card = int(60 + 500 * _ease(min(1.0, 2 * phase)))
        pixels[700:1000, card : card + 520] = (90, 140, 230)
        cv2.putText(pixels, "Card", (card + 40, 870), cv2.FONT_HERSHEY_SIMPLEX, 3, (255, 255, 255), 6, cv2.LINE_AA)
        top = int(HEIGHT - 1400 * _ease(max(0.0, 2 * phase - 1)))
        pixels[top:] = sheet[: HEIGHT - top]
        yield av.VideoFrame.from_ndarray(pixels, format="rgb24")


CLIPS: dict[str, Callable[[], Iterator[av.VideoFrame]]] = {"busy": busy_frames, "screen": screen_frames}

# Encoder settings as phones and screen recorders use them: B-frames, a key frame every few seconds.
ENCODER: dict[str, dict[str, str]] = {
    "busy": {"preset": "veryfast", "crf": "23"},
    "screen": {"preset": "medium", "crf": "23"},
}


def make_clip(name: str, folder: Path) -> Path:
    """Write one of `CLIPS` to the folder as an mp4."""
    path = folder / f"{name}.mp4"
    with av.open(path, "w") as output:
        stream = output.add_stream("libx264", rate=RATE, options={**ENCODER[name], "bf": "3"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for index, frame in enumerate(CLIPS[name]()):
            frame.pts, frame.time_base = index, Fraction(1, RATE)
            output.mux(stream.encode(frame))
        output.mux(stream.encode(None))
    return path


def _page() -> Pixels:
    pixels = np.full((HEIGHT, WIDTH, 3), 245, np.uint8)
    cv2.rectangle(pixels, (0, 0), (WIDTH, 180), (30, 60, 120), -1)
    for row in range(22):
        top = 260 + row * 100
        colour = ((40 + row * 37) % 256, (90 + row * 71) % 256, (160 + row * 13) % 256)
        cv2.circle(pixels, (100, top), 34, colour, -1, cv2.LINE_AA)
        cv2.putText(
            pixels,
            f"Message {row}: the quick brown fox jumps",
            (170, top + 15),
            cv2.FONT_HERSHEY_SIMPLEX,
            1.4,
            (40, 40, 40),
            3,
            cv2.LINE_AA,
        )
        cv2.line(pixels, (160, top + 50), (WIDTH, top + 50), (210, 210, 210), 2)
    return pixels


def _sheet() -> Pixels:
    rows = np.linspace(255, 215, HEIGHT)[:, None, None]
    pixels = np.broadcast_to(rows, (HEIGHT, WIDTH, 3)).astype(np.uint8)
    for row in range(12):
        cv2.rectangle(pixels, (60, 80 + row * 110), (WIDTH - 60, 160 + row * 110), (225, 235, 250), -1)
        cv2.putText(
            pixels, f"Option {row}", (100, 140 + row * 110), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (20, 20, 20), 3, cv2.LINE_AA
        )
    return pixels


def _ease(phase: float) -> float:
    return phase * phase * (3 - 2 * phase)
