"""What the tests of datasets write to disk."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

HEADER = {
    "format": 1,
    "kind": "clip",
    "name": "few",
    "licence": "CC0-1.0",
    "provenance": "drawn here",
    "synthetic": True,
}

Make = Callable[..., Path]


def write_video(path: Path, frames: int = 12) -> None:
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 10)
        for number in range(frames):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 20 * number, np.uint8), format="rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
