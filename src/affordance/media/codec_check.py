"""Whether the installed libraries write and read a kind of clip: a round trip of a few frames."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
import numpy as np

from affordance.core.errors import MediaError
from affordance.core.media_spec import ImageSpec
from affordance.media.encoders import decode_image
from affordance.media.media_probe import probe
from affordance.media.renderer import render

_CHECK_SIZE = (64, 48)
_COLOURS = ((220, 20, 20), (20, 220, 20), (20, 20, 220))  # distinguished by the strongest channel, however lossy
_TICK = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class CodecCheck:
    """A kind of clip, and how one is written."""

    name: str
    suffix: str
    encoder: str
    pixels: str
    muxer: str


CODEC_CHECKS = (
    CodecCheck("h264", ".mp4", "libx264", "yuv420p", "mp4"),
    CodecCheck("vp9", ".webm", "libvpx-vp9", "yuv420p", "webm"),
    CodecCheck("gif", ".gif", "gif", "rgb8", "gif"),
    CodecCheck("webp", ".webp", "libwebp_anim", "yuva420p", "webp"),
    CodecCheck("apng", ".png", "apng", "rgb24", "apng"),
)


def check_codec(codec: CodecCheck, folder: Path) -> bool:
    """Write three frames into a folder and read them back; False where the encoder is missing.

    Raises:
        MediaError: the frames read are not those written.
    """
    path = folder / f"{codec.name}{codec.suffix}"
    try:
        _write(codec, path)
    except av.codec.codec.UnknownCodecError:
        return False
    clip = probe(path)
    specs = [ImageSpec(codec.name, time=clip.frame_time(index)) for index in range(len(clip.pts))]
    strongest = [int(np.argmax(decode_image(one).mean(axis=(0, 1)))) for one in render(specs, {codec.name: path})]
    if strongest != [0, 1, 2]:
        raise MediaError(f"{codec.name}: wrote a red, a green and a blue frame, read others; reinstall PyAV")
    return True


def _write(codec: CodecCheck, path: Path) -> None:
    width, height = _CHECK_SIZE
    with av.open(str(path), "w", format=codec.muxer) as output:
        stream = cast(av.VideoStream, output.add_stream(codec.encoder, rate=10))
        stream.width, stream.height, stream.pix_fmt = width, height, codec.pixels
        stream.codec_context.time_base = _TICK
        for index, colour in enumerate(_COLOURS):
            pixels = np.full((height, width, 3), colour, np.uint8)
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24").reformat(format=codec.pixels)
            frame.pts, frame.time_base = index, _TICK
            output.mux(stream.encode(frame))
        output.mux(stream.encode(None))
