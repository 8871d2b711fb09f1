"""Animated WebP, one frame at a time.

ffmpeg does not decode it and OpenCV only all frames at once, so the container is walked here. Each frame is handed to
the still-image decoder and drawn on the canvas the way the format says. See RFC 9649, section 2.7."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.media.containers import riff_chunks
from affordance.media.media_info import truncated_error

TIME_BASE = Fraction(1, 1000)

# Milliseconds that browsers show a frame whose stated duration is 0.
_UNTIMED = 100

_ALPHA_FLAG = 0x10
_CHUNK_HEADER = 16


@dataclass(frozen=True, slots=True)
class _FrameChunk:
    """One frame as stored: a rectangle of the canvas."""

    x: int
    y: int
    width: int
    height: int
    duration: int
    overwrite: bool
    dispose: bool
    image_data: bytes


@dataclass(frozen=True, slots=True)
class WebpAnimation:
    path: Path
    width: int
    height: int
    frame_chunks: tuple[_FrameChunk, ...]

    @property
    def durations(self) -> list[int]:
        """Display times of the frames in milliseconds."""
        return [chunk.duration or _UNTIMED for chunk in self.frame_chunks]

    def frames(self) -> Iterator[av.VideoFrame]:
        canvas = np.zeros((self.height, self.width, 4), np.float32)  # premultiplied
        pts = 0
        for index, (chunk, duration) in enumerate(zip(self.frame_chunks, self.durations, strict=True)):
            pixels = _decode(chunk)
            if pixels is None:
                total = sum(self.durations)
                raise truncated_error(self.path, index, pts * TIME_BASE, len(self.frame_chunks), total * TIME_BASE)
            area = canvas[chunk.y : chunk.y + chunk.height, chunk.x : chunk.x + chunk.width]
            alpha = pixels[..., 3:] / np.float32(255)
            new = np.concatenate([pixels[..., :3] * alpha, pixels[..., 3:]], axis=2)
            area[:] = new if chunk.overwrite else new + area * (1 - alpha)
            yield _frame(canvas, pts)
            if chunk.dispose:
                area[:] = 0
            pts += duration


def read_animation(path: Path) -> WebpAnimation:
    """Read the structure of a file; nothing is decoded."""
    data = path.read_bytes()
    width = int.from_bytes(data[24:27], "little") + 1
    height = int.from_bytes(data[27:30], "little") + 1
    end = 8 + int.from_bytes(data[4:8], "little")
    chunks: list[_FrameChunk] = []
    position = 12
    for name, content, length in riff_chunks(data[:end]):
        if name == b"ANMF" and len(content) == length >= _CHUNK_HEADER:
            chunks.append(_read_frame_chunk(content))
        position += 8 + length + length % 2
    animation = WebpAnimation(path, width, height, tuple(chunks))
    inside = all(p.x + p.width <= width and p.y + p.height <= height for p in chunks)
    if not chunks or not inside or not position == end <= len(data):
        raise truncated_error(path, len(chunks), sum(animation.durations) * TIME_BASE, None, None)
    return animation


def _read_frame_chunk(payload: bytes) -> _FrameChunk:
    x, y, width, height, duration = (int.from_bytes(payload[i : i + 3], "little") for i in range(0, 15, 3))
    flags = payload[15]
    return _FrameChunk(
        2 * x, 2 * y, width + 1, height + 1, duration, bool(flags & 2), bool(flags & 1), payload[_CHUNK_HEADER:]
    )


def _decode(chunk: _FrameChunk) -> NDArray[np.float32] | None:
    """BGRA pixels of a frame, decoded as a still WebP of its own; None if it is corrupt."""
    size = (chunk.width - 1).to_bytes(3, "little") + (chunk.height - 1).to_bytes(3, "little")
    has_alpha = chunk.image_data.startswith(b"ALPH")
    header = b"VP8X" + (10).to_bytes(4, "little") + bytes([_ALPHA_FLAG, 0, 0, 0]) + size if has_alpha else b""
    body = b"WEBP" + header + chunk.image_data
    file = b"RIFF" + len(body).to_bytes(4, "little") + body
    pixels = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None or pixels.shape[:2] != (chunk.height, chunk.width):
        return None
    if pixels.shape[2] == 3:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA)
    return pixels.astype(np.float32)


def _frame(canvas: NDArray[np.float32], pts: int) -> av.VideoFrame:
    """The canvas, flattened onto white."""
    white = canvas[..., :3] + (255 - canvas[..., 3:])
    frame = av.VideoFrame.from_ndarray(np.rint(white).astype(np.uint8), format="bgr24")
    frame.pts, frame.time_base = pts, TIME_BASE
    return frame
