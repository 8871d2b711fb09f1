"""Pixels to image files and videos, and image files to pixels."""

from collections.abc import Iterable
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
import cv2
import numpy as np
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc, VideoReformatter
from numpy.typing import NDArray

from affordance.core.errors import MediaError
from affordance.core.media_spec import ImageEncoding, ImageFormat

DEFAULT_QUALITY = 90
WEBP_LOSSLESS = 101  # as the quality of a WebP

# On screens, higher levels take two to ten times as long for a few percent. Choosing a filter row by row takes as long
# as compressing; this one comes within a tenth of that choice on screens.
_PNG_OPTIONS = (
    *(cv2.IMWRITE_PNG_COMPRESSION, 1),
    *(cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_DEFAULT),
    *(cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_SUB),
)


def encode(pixels: NDArray[np.uint8], encoding: ImageEncoding) -> bytes:
    """Encode BGR pixels as a file."""
    quality = DEFAULT_QUALITY if encoding.quality is None else encoding.quality
    extension, options = {
        ImageFormat.PNG: (".png", _PNG_OPTIONS),
        ImageFormat.JPEG: (".jpg", (cv2.IMWRITE_JPEG_QUALITY, quality)),
        ImageFormat.WEBP: (".webp", (cv2.IMWRITE_WEBP_QUALITY, quality)),
    }[encoding.format]
    try:
        done, data = cv2.imencode(extension, pixels, options)
    except cv2.error:
        done = False
    if not done:
        height, width = pixels.shape[:2]
        raise MediaError(f"an image of {width}x{height} cannot be encoded as {encoding.format}; make it smaller")
    return bytes(data)


def encode_image(pixels: NDArray[np.uint8], encoding: ImageEncoding = ImageEncoding()) -> bytes:  # noqa: B008  # a value
    """Encode RGB pixels as a file, PNG by default."""
    return encode(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), np.uint8), encoding)


def decode_image(data: bytes) -> NDArray[np.uint8]:
    """The RGB pixels of an encoded image."""
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error:  # such as above 2**30 pixels
        pixels = None
    if pixels is None:
        raise MediaError(f"expected an encoded image, found {len(data)} bytes that begin with {data[:8]!r}")
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB), np.uint8)


class VideoQuality(Enum):
    """How closely a video keeps its frames. All are H.264 in MP4."""

    EXACT = ("libx264rgb", {"crf": "0", "preset": "medium"})  # every pixel; few players show it
    CLOSE = ("libx264", {"crf": "2", "preset": "veryfast", "tune": "psnr"})  # a few grey levels off, and quick
    FINE = ("libx264", {"crf": "12", "preset": "medium", "tune": "animation"})  # without a visible difference
    SMALL = ("libx264", {"crf": "24", "preset": "slow", "tune": "animation"})  # to share

    def __repr__(self) -> str:
        # Journals of captures hold a digest of this text, as version 1 wrote it.
        return f"<Quality.{self.name}: {self.value!r}>"


class VideoWriter:
    """Writes RGB frames of one size at a constant rate; an existing file is replaced.

    Two writes give the same bytes under the same library versions: one thread, and no time of day in the file.
    """

    def __init__(self, path: Path, fps: int | Fraction, quality: VideoQuality) -> None:
        self._fps = fps
        self._encoder, self._options = quality.value
        self._container = av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"})
        self._stream: av.VideoStream | None = None
        self._reformatter = VideoReformatter()  # one for all: each frame would set up its own, with threads
        self._count = 0

    def close(self, *, finished: bool = True) -> None:
        """Write the rest of the video; without it (`finished=False`) the file cannot be read."""
        try:
            if self._stream is not None and finished:
                self._container.mux(self._stream.encode())
        finally:
            self._container.close()

    def add(self, image: NDArray[np.uint8]) -> None:
        """Append a frame."""
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
        # Labelled as it is used: decoders that ignore the label assume BT.601 for this size.
        codec.colorspace = Colorspace.ITU601
        codec.color_range = ColorRange.MPEG
        codec.color_primaries = ColorPrimaries.BT709
        codec.color_trc = ColorTrc.IEC61966_2_1
        return stream


def write_video(
    path: Path, images: Iterable[NDArray[np.uint8]], fps: int | Fraction, quality: VideoQuality = VideoQuality.FINE
) -> None:
    """Write RGB frames of one size as a video."""
    writer = VideoWriter(path, fps, quality)
    try:
        for image in images:
            writer.add(image)
    except BaseException:
        writer.close(finished=False)
        raise
    writer.close()


def write_image(folder: Path, path: str, pixels: NDArray[np.uint8]) -> str:
    """Write RGB pixels as PNG at a path below a folder; returns that path."""
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(encode_image(pixels))
    return path
