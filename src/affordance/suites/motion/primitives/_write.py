"""A variant as a video file."""

from fractions import Fraction
from pathlib import Path

import av
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc

from affordance.suites.motion.primitives._draw import frames
from affordance.suites.motion.primitives._variant import FPS, HEIGHT, WIDTH, Variant

# Flat areas and clean edges compress so well that near-lossless quality still gives files of some ten kilobytes.
_ENCODER = {"crf": "12", "preset": "medium", "tune": "animation"}


def write_clip(variant: Variant, path: Path) -> None:
    """Writes the clip as H.264 in MP4, 60 frames a second exactly; an existing file is replaced.

    Two writes give the same bytes under the same library versions: one thread, and no time of day in the file.
    """
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=FPS, options=_ENCODER)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        codec = stream.codec_context
        codec.thread_count = 1
        codec.time_base = Fraction(1, FPS)
        # Said and used alike: decoders that ignore the label assume BT.601 for a picture of this size.
        codec.colorspace = Colorspace.ITU601
        codec.color_range = ColorRange.MPEG
        codec.color_primaries = ColorPrimaries.BT709
        codec.color_trc = ColorTrc.IEC61966_2_1
        for index, picture in enumerate(frames(variant)):
            image = av.VideoFrame.from_ndarray(picture, format="rgb24").reformat(
                format="yuv420p", dst_colorspace=Colorspace.ITU601, dst_color_range=ColorRange.MPEG
            )
            image.pts, image.time_base = index, codec.time_base
            container.mux(stream.encode(image))
        container.mux(stream.encode())
