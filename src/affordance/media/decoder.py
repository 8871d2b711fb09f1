"""Decoding: the wanted frames of a file in one pass, converted to pixels of a crop and size."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import av
import cv2
import numpy as np
from av.container import InputContainer
from av.video.codeccontext import VideoCodecContext
from av.video.reformatter import Interpolation, VideoReformatter
from av.video.stream import VideoStream
from numpy.typing import NDArray

from affordance.core.errors import MediaError
from affordance.core.geometry import fit_within
from affordance.media.animated_webp import read_animation
from affordance.media.formats import JPEG, PNG, WEBP, MediaFormat
from affordance.media.media_info import MediaInfo, Orientation, truncated_error

# Of images. Video decoders flag a corrupt frame instead: being strict, they would also refuse harmless oddities such as
# a malformed message between frames.
IMAGE_OPTIONS = {"err_detect": "crccheck+bitstream+buffer+explode"}


@contextmanager
def open_video(path: Path, media_format: MediaFormat) -> Iterator[tuple[InputContainer, VideoStream]]:
    """Open a file with ffmpeg; its first video stream that is not cover art."""
    try:
        container = av.open(f"file:{path.absolute()}", "r", format=media_format.demuxer)
    except av.FFmpegError as error:
        raise MediaError(
            f"{path}: cannot be opened as {media_format.name}: {error.strerror}; it may be truncated or corrupt"
        ) from error
    with container:
        streams = [s for s in container.streams.video if not s.disposition & s.disposition.attached_pic]
        if not streams:
            raise MediaError(f"{path}: expected a video, found a file without one")
        stream = streams[0]
        if media_format.is_image:
            stream.codec_context.options = IMAGE_OPTIONS
        # One thread: more of them cost more CPU time per frame, and callers run several clips at once.
        stream.thread_count = 1
        yield container, stream


# Codecs that can skip, frame by frame, what no other frame refers to.
_SKIPS_UNREFERENCED = {"h264", "hevc"}

# Decoders of the formats with a single frame. Their demuxers would decode it as well, only to find out its size.
_STILL_DECODERS = {PNG: "png", JPEG: "mjpeg", WEBP: "webp"}


def decode_frames(clip: MediaInfo, indexes: Iterable[int]) -> Iterator[tuple[int, av.VideoFrame]]:
    """Decode frames of a clip in one pass; each with its index, in the order of time.

    Raises:
        MediaError: a frame is missing or corrupt. A frame that the decoder had to guess, or that depends on one, is
            never returned.
    """
    missing = {clip.start_pts + clip.pts[index]: index for index in indexes}
    reached = 0
    try:
        for frame in _frames(clip, missing):
            if frame.is_corrupt:
                break
            pts = frame.pts if frame.pts is not None else clip.start_pts
            reached = bisect_right(clip.pts, pts - clip.start_pts)
            index = missing.pop(pts, None)
            if index is not None:
                _check_size(clip, index, frame)
                yield index, frame
            if not missing:
                return
    except av.FFmpegError as error:
        raise _truncated_error(clip, reached) from error
    raise _truncated_error(clip, reached)


def decode_still(path: Path, media_format: MediaFormat) -> av.VideoFrame | None:
    """Decode a PNG, JPEG or WebP; None where the file ends early."""
    context = av.CodecContext.create(_STILL_DECODERS[media_format], "r")
    assert isinstance(context, VideoCodecContext)
    context.options = IMAGE_OPTIONS
    context.thread_count = 1
    frames = [*context.decode(av.Packet(path.read_bytes())), *context.decode(None)]
    return frames[0] if frames and not frames[0].is_corrupt else None


def _frames(clip: MediaInfo, missing: dict[int, int]) -> Iterator[av.VideoFrame]:
    if clip.format.first_frame_only:
        still = decode_still(clip.path, clip.format)
        yield from [] if still is None else [still]
        return
    if clip.format.demuxer is None:
        yield from read_animation(clip.path).frames()
        return
    with open_video(clip.path, clip.format) as (container, stream):
        context = stream.codec_context
        may_skip = context.name in _SKIPS_UNREFERENCED
        for packet in container.demux(stream):
            if packet.is_corrupt:
                return
            if may_skip:
                context.skip_frame = "DEFAULT" if packet.pts in missing else "NONREF"
            yield from packet.decode()


def _check_size(clip: MediaInfo, index: int, frame: av.VideoFrame) -> None:
    found = clip.orientation.displayed_size(frame.width, frame.height)
    if found != (clip.width, clip.height):
        raise MediaError(
            f"{clip.path}: expected frames of {clip.width}x{clip.height} throughout, "
            f"found frame {index} of {found[0]}x{found[1]}; re-encode it to one size"
        )


def _truncated_error(clip: MediaInfo, reached: int) -> MediaError:
    end = clip.frame_time(reached) if reached < len(clip.pts) else clip.duration
    return truncated_error(clip.path, reached, end, len(clip.pts), clip.duration)


@dataclass(frozen=True, slots=True)
class CropAndSize:
    """A crop in whole pixels of the displayed source, and the size of the rendered image."""

    x: int
    y: int
    crop_width: int
    crop_height: int
    width: int
    height: int


Pixels = NDArray[np.uint8]

_AREA = Interpolation.AREA | Interpolation.ACCURATE_RND


class FrameScaler:
    """Converts frames to BGR pixels of a size. Its setup costs as much as a frame: keep one per size."""

    def __init__(self) -> None:
        self._reformatter = VideoReformatter()

    def __call__(self, frame: av.VideoFrame, width: int, height: int) -> Pixels:
        # Planar: ffmpeg writes packed RGB either with half the colour resolution or at twice the cost.
        planar = self._reformatter.reformat(frame, width, height, "gbrp", interpolation=_AREA, threads=1)
        green, blue, red = (
            np.frombuffer(plane, np.uint8).reshape(height, plane.line_size)[:, :width]  # type: ignore[call-overload]  # a plane is a buffer
            for plane in planar.planes
        )
        return np.asarray(cv2.merge((blue, green, red)), np.uint8)


class DecodedFrame:
    """One frame of a clip, from which images of several crops and sizes are made; the scaler is for its full size."""

    def __init__(self, frame: av.VideoFrame, orientation: Orientation, scaler: FrameScaler) -> None:
        self._frame = _on_white(frame) if _may_be_transparent(frame) else frame
        self._orientation = orientation
        self._scaler = scaler

    @cached_property
    def _displayed(self) -> Pixels:
        """All pixels at full size, upright."""
        return self._orientation.apply(self._scaler(self._frame, self._frame.width, self._frame.height))

    def prepare(self) -> None:
        """Compute the pixels at full size now, not when they are first needed."""
        _ = self._displayed

    def resample(self, geometry: CropAndSize, scaler: FrameScaler) -> Pixels:
        """The pixels of a crop and size. Use one scaler for each geometry."""
        width, height = geometry.width, geometry.height
        displayed = self._orientation.displayed_size(self._frame.width, self._frame.height)
        if (geometry.crop_width, geometry.crop_height) == displayed:
            if (width, height) == displayed:
                return self._displayed
            return self._orientation.apply(scaler(self._frame, *self._orientation.displayed_size(width, height)))
        y, x = geometry.y, geometry.x
        part = np.ascontiguousarray(self._displayed[y : y + geometry.crop_height, x : x + geometry.crop_width])
        if (width, height) == (geometry.crop_width, geometry.crop_height):
            return part
        return scaler(av.VideoFrame.from_ndarray(part, format="bgr24"), width, height)


def _may_be_transparent(frame: av.VideoFrame) -> bool:
    return frame.format.has_palette or any(component.is_alpha for component in frame.format.components)


def _on_white(frame: av.VideoFrame) -> av.VideoFrame:
    pixels = np.asarray(frame.to_ndarray(format="bgra"), np.uint8)
    if pixels[..., 3].min() == 255:  # most images have an alpha channel without use
        return av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels[..., :3]), format="bgr24")
    alpha = pixels[..., 3:].astype(np.uint16)
    white: Pixels = ((pixels[..., :3] * alpha + 255 * (255 - alpha) + 127) // 255).astype(np.uint8)
    return av.VideoFrame.from_ndarray(white, format="bgr24")


def iter_small_frames(clip: MediaInfo, max_side: int) -> Iterator[Pixels]:
    """All frames of a clip as small, upright BGR pixels, for analyses of motion; a MediaError if one cannot be
    decoded."""
    geometry = CropAndSize(0, 0, clip.width, clip.height, *fit_within(clip.width, clip.height, max_side))
    scaler, full_size = FrameScaler(), FrameScaler()
    for _, frame in decode_frames(clip, range(len(clip.pts))):
        yield DecodedFrame(frame, clip.orientation, full_size).resample(geometry, scaler)
