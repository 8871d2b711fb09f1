"""Pictures to a video."""

from collections.abc import Iterable
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
import numpy as np
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc, VideoReformatter
from numpy.typing import NDArray


class Quality(Enum):
    """How much of the pictures a video keeps. All are H.264 in MP4."""

    EXACT = ("libx264rgb", {"crf": "0", "preset": "medium"})  # every pixel; few players show it
    CLOSE = ("libx264", {"crf": "2", "preset": "veryfast", "tune": "psnr"})  # a few grey levels off, and quick
    FINE = ("libx264", {"crf": "12", "preset": "medium", "tune": "animation"})  # no eye sees the difference
    SMALL = ("libx264", {"crf": "24", "preset": "slow", "tune": "animation"})  # to be passed around


class VideoWriter:
    """Writes RGB pictures of one size, each shown for as long as the others; an existing file is replaced.

    Two writes give the same bytes under the same library versions: one thread, and no time of day in the file.
    """

    def __init__(self, path: Path, fps: int | Fraction, quality: Quality) -> None:
        self._fps = fps
        self._encoder, self._options = quality.value
        self._container = av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"})
        self._stream: av.VideoStream | None = None
        self._reformatter = VideoReformatter()  # one for all pictures: a frame's own is set up, with threads, each time
        self._count = 0

    def close(self, *, finished: bool = True) -> None:
        """Write what is left; a video that is not finished cannot be read."""
        try:
            if self._stream is not None and finished:
                self._container.mux(self._stream.encode())
        finally:
            self._container.close()

    def add(self, image: NDArray[np.uint8]) -> None:
        if self._stream is None:
            self._stream = self._open_stream(*image.shape[1::-1])
        frame = av.VideoFrame.from_ndarray(image, format="rgb24")
        if self._encoder == "libx264":
            frame = self._reformatter.reformat(
                frame,
                format=self._stream.pix_fmt,
                dst_colorspace=Colorspace.ITU601,
                dst_color_range=ColorRange.MPEG,
                threads=1,
            )
        frame.pts, frame.time_base = self._count, Fraction(1, self._fps)
        self._container.mux(self._stream.encode(frame))
        self._count += 1

    def _open_stream(self, width: int, height: int) -> av.VideoStream:
        stream = cast(av.VideoStream, self._container.add_stream(self._encoder, self._fps, options=self._options))
        stream.width, stream.height = width, height
        codec = stream.codec_context
        codec.thread_count = 1
        codec.time_base = Fraction(1, self._fps)
        if self._encoder == "libx264rgb":
            stream.pix_fmt = "rgb24"
            return stream
        # Half the colours in each direction, which needs even sides and is what every player shows.
        stream.pix_fmt = "yuv444p" if width % 2 or height % 2 else "yuv420p"
        # Said and used alike: decoders that ignore the label assume BT.601 for a picture of this size.
        codec.colorspace = Colorspace.ITU601
        codec.color_range = ColorRange.MPEG
        codec.color_primaries = ColorPrimaries.BT709
        codec.color_trc = ColorTrc.IEC61966_2_1
        return stream


def write_video(
    path: Path, images: Iterable[NDArray[np.uint8]], fps: int | Fraction, quality: Quality = Quality.FINE
) -> None:
    writer = VideoWriter(path, fps, quality)
    try:
        for picture in images:
            writer.add(picture)
    except BaseException:
        writer.close(finished=False)
        raise
    writer.close()
