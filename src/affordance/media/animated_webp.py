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

from affordance.media.media_info import truncated_error

TIME_BASE = Fraction(1, 1000)

# How long browsers show a frame that claims to last no time, in milliseconds.
_UNTIMED = 100

_ALPHA_FLAG = 0x10
_PIECE_HEADER = 16


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
    chunks: bytes


@dataclass(frozen=True, slots=True)
class WebpAnimation:
    path: Path
    width: int
    height: int
    frame_chunks: tuple[_FrameChunk, ...]

    @property
    def durations(self) -> list[int]:
        """How long each frame is shown, in milliseconds."""
        return [piece.duration or _UNTIMED for piece in self.frame_chunks]

    def frames(self) -> Iterator[av.VideoFrame]:
        canvas = np.zeros((self.height, self.width, 4), np.float32)  # premultiplied
        pts = 0
        for index, (piece, duration) in enumerate(zip(self.frame_chunks, self.durations, strict=True)):
            pixels = _decode(piece)
            if pixels is None:
                total = sum(self.durations)
                raise truncated_error(self.path, index, pts * TIME_BASE, len(self.frame_chunks), total * TIME_BASE)
            area = canvas[piece.y : piece.y + piece.height, piece.x : piece.x + piece.width]
            alpha = pixels[..., 3:] / np.float32(255)
            new = np.concatenate([pixels[..., :3] * alpha, pixels[..., 3:]], axis=2)
            area[:] = new if piece.overwrite else new + area * (1 - alpha)
            yield _frame(canvas, pts)
            if piece.dispose:
                area[:] = 0
            pts += duration


def read_animation(path: Path) -> WebpAnimation:
    """The structure of the file, nothing decoded."""
    data = path.read_bytes()
    width = int.from_bytes(data[24:27], "little") + 1
    height = int.from_bytes(data[27:30], "little") + 1
    end = 8 + int.from_bytes(data[4:8], "little")
    pieces: list[_FrameChunk] = []
    position = 12
    while position + 8 <= min(end, len(data)):
        size = int.from_bytes(data[position + 4 : position + 8], "little")
        payload = data[position + 8 : position + 8 + size]
        if data[position : position + 4] == b"ANMF" and len(payload) == size >= _PIECE_HEADER:
            pieces.append(_read_frame_chunk(payload))
        position += 8 + size + size % 2
    animation = WebpAnimation(path, width, height, tuple(pieces))
    inside = all(p.x + p.width <= width and p.y + p.height <= height for p in pieces)
    if not pieces or not inside or not position == end <= len(data):
        raise truncated_error(path, len(pieces), sum(animation.durations) * TIME_BASE, None, None)
    return animation


def _read_frame_chunk(payload: bytes) -> _FrameChunk:
    x, y, width, height, duration = (int.from_bytes(payload[i : i + 3], "little") for i in range(0, 15, 3))
    flags = payload[15]
    return _FrameChunk(
        2 * x, 2 * y, width + 1, height + 1, duration, bool(flags & 2), bool(flags & 1), payload[_PIECE_HEADER:]
    )


def _decode(piece: _FrameChunk) -> NDArray[np.float32] | None:
    """BGRA of a frame, or None if it is corrupt: the frame's chunks made into a file of their own."""
    size = (piece.width - 1).to_bytes(3, "little") + (piece.height - 1).to_bytes(3, "little")
    has_alpha = piece.chunks.startswith(b"ALPH")
    header = b"VP8X" + (10).to_bytes(4, "little") + bytes([_ALPHA_FLAG, 0, 0, 0]) + size if has_alpha else b""
    body = b"WEBP" + header + piece.chunks
    file = b"RIFF" + len(body).to_bytes(4, "little") + body
    pixels = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None or pixels.shape[:2] != (piece.height, piece.width):
        return None
    if pixels.shape[2] == 3:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA)
    return pixels.astype(np.float32)


def _frame(canvas: NDArray[np.float32], pts: int) -> av.VideoFrame:
    """The canvas on white."""
    white = canvas[..., :3] + (255 - canvas[..., 3:])
    frame = av.VideoFrame.from_ndarray(np.rint(white).astype(np.uint8), format="bgr24")
    frame.pts, frame.time_base = pts, TIME_BASE
    return frame
