"""Decoding the frames of a clip that are wanted, in one pass, and no further than the last of them."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

import av

from affordance.core.errors import MediaError
from affordance.media._clip import Clip, cut_short
from affordance.media._container import opened
from affordance.media._webp import read_animation

# Codecs that can leave out, frame by frame, what no other frame refers to.
_SKIPS_UNREFERENCED = {"h264", "hevc"}


def decoded(clip: Clip, wanted: Iterable[int]) -> Iterator[tuple[int, av.VideoFrame]]:
    """The wanted frames in the order of time, each with its index.

    Either all of them come or a MediaError: a frame that the decoder had to guess, or that depends on one, is never
    handed out.
    """
    missing = {clip.start + clip.pts[index]: index for index in wanted}
    reached = 0
    try:
        for frame in _frames(clip, missing):
            if frame.is_corrupt:
                break
            pts = frame.pts if frame.pts is not None else clip.start
            reached = bisect_right(clip.pts, pts - clip.start)
            index = missing.pop(pts, None)
            if index is not None:
                _check_size(clip, index, frame)
                yield index, frame
            if not missing:
                return
    except av.FFmpegError as error:
        raise _cut_short(clip, reached) from error
    raise _cut_short(clip, reached)


def _frames(clip: Clip, missing: dict[int, int]) -> Iterator[av.VideoFrame]:
    if clip.kind.demuxer is None:
        yield from read_animation(clip.path).frames()
        return
    with opened(clip.path, clip.kind) as (container, stream):
        context = stream.codec_context
        may_skip = context.name in _SKIPS_UNREFERENCED
        for packet in container.demux(stream):
            if packet.is_corrupt:
                return
            if may_skip:
                context.skip_frame = "DEFAULT" if packet.pts in missing else "NONREF"
            yield from packet.decode()


def _check_size(clip: Clip, index: int, frame: av.VideoFrame) -> None:
    found = clip.orientation.turned(frame.width, frame.height)
    if found != (clip.width, clip.height):
        raise MediaError(
            f"{clip.path}: expected frames of {clip.width}x{clip.height} throughout, "
            f"found frame {index} of {found[0]}x{found[1]}; re-encode it to one size"
        )


def _cut_short(clip: Clip, reached: int) -> MediaError:
    end = clip.time_of(reached) if reached < len(clip.pts) else clip.duration
    return cut_short(clip.path, reached, end, len(clip.pts), clip.duration)
