"""Reels: the frames of a film in one answer, as pages play them.

Four bytes say how long the header is, big end first; then comes the header as JSON, `{"rate": "10", "type":
"image/webp", "sizes": [bytes of each frame...]}`, and then the frames' files one after the other. A rate is frames a
second, as a fraction."""

import json
from collections.abc import Sequence
from fractions import Fraction

from affordance.core.media_spec import ImageFormat

REEL = "application/octet-stream"  # the type of a reel itself


def pack_reel(frames: Sequence[bytes], rate: Fraction, format_: ImageFormat = ImageFormat.WEBP) -> bytes:
    """Frames that are encoded already, all of one format and in the order in which they are shown."""
    told = {"rate": str(rate), "type": f"image/{format_}", "sizes": [len(frame) for frame in frames]}
    header = json.dumps(told, separators=(",", ":")).encode()
    return b"".join((len(header).to_bytes(4, "big"), header, *frames))
