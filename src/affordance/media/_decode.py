"""Decoding the frames of a clip that are wanted, in one pass, and no further than the last of them."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path

import av
from av.video.codeccontext import VideoCodecContext

from affordance.core.errors import MediaError
from affordance.media._clip import MediaInfo, truncated_error
from affordance.media._container import IMAGE_OPTIONS, open_video
from affordance.media._kinds import JPEG, PNG, WEBP, MediaFormat
from affordance.media._webp import read_animation

# Codecs that can leave out, frame by frame, what no other frame refers to.
_SKIPS_UNREFERENCED = {"h264", "hevc"}

# Of the kinds whose first frame is all there is. Their demuxers decode it as well, only to find out its size.
_STILL_DECODERS = {PNG: "png", JPEG: "mjpeg", WEBP: "webp"}


def decode_frames(clip: MediaInfo, indexes: Iterable[int]) -> Iterator[tuple[int, av.VideoFrame]]:
    """The wanted frames in the order of time, each with its index.

    Either all of them come or a MediaError: a frame that the decoder had to guess, or that depends on one, is never
    handed out.
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
    """The frame of a PNG, JPEG or WebP; None where the file ends before it does."""
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
