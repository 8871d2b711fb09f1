"""Reading size, timeline and frame rate of a media file."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from pathlib import Path

import av
from av.video.stream import VideoStream

from affordance.core.errors import MediaError
from affordance.core.lru import LRUCache
from affordance.media.animated_webp import TIME_BASE, read_animation
from affordance.media.decoder import decode_still, open_video
from affordance.media.formats import JPEG, MATROSKA, MOV, MediaFormat, detect_format, is_complete
from affordance.media.media_info import (
    TOLERANCE,
    UPRIGHT,
    MediaInfo,
    frame_orientation,
    jpeg_orientation,
    truncated_error,
)

# Codecs whose containers hold one packet for each displayed frame, so that the timeline is known without decoding.
# VP8 is not among them: its hidden reference frames are packets of their own.
_PACKET_IS_FRAME = {"h264", "hevc", "vp9", "av1", "libdav1d", "gif", "apng"}

_PROBE_CACHE: LRUCache[tuple[Path, int, int], MediaInfo] = LRUCache(256)  # by path, size and time
_STILL_TIME_BASE = Fraction(1, 25)  # which ffmpeg gives to images
_MISSING_SECONDS = Fraction(1, 4)  # a Matroska file that ends this much before its own duration has lost frames


@dataclass(frozen=True, slots=True)
class _Timeline:
    """The first frame of a file, and when each frame is shown, in the stream's time base."""

    first: av.VideoFrame
    pts: tuple[int, ...]
    time_base: Fraction
    last_duration: Fraction


def probe(path: Path) -> MediaInfo:
    """Read size and timeline of an image or video.

    Only the first frame is decoded where the container states the times of the others reliably. An unchanged file is
    not read again.

    Raises:
        MediaError: the file is no image or video, or is incomplete.
    """
    return probe_and_decode(path)[0]


def probe_and_decode(path: Path) -> tuple[MediaInfo, av.VideoFrame | None]:
    """As `probe`, with the frame of a PNG, JPEG or WebP if it was decoded for that, to save decoding it again."""
    try:
        stat = path.stat()
    except OSError:
        return _read(path)  # raises the error
    key = path, stat.st_size, stat.st_mtime_ns
    if (known := _PROBE_CACHE.get(key)) is not None:
        return known, None
    clip, frame = _read(path)
    _PROBE_CACHE.put(key, clip)
    return clip, frame if clip.format.first_frame_only else None


def _read(path: Path) -> tuple[MediaInfo, av.VideoFrame | None]:
    media_format = detect_format(path)
    if media_format.demuxer is None:
        return _read_webp(path, media_format), None
    timeline = _timeline(path, media_format)
    first, start = timeline.first, timeline.pts[0]
    if media_format is JPEG:
        orientation = jpeg_orientation(path)
    else:
        orientation = UPRIGHT if media_format.is_image else frame_orientation(first, path)
    width, height = orientation.displayed_size(first.width, first.height)
    still = media_format.is_image and len(timeline.pts) == 1
    end = (timeline.pts[-1] - start) * timeline.time_base + timeline.last_duration
    clip = MediaInfo(
        path=path,
        width=width,
        height=height,
        pts=tuple(pts - start for pts in timeline.pts),
        time_base=timeline.time_base,
        duration=Fraction(0) if still else end,
        is_still=still,
        start_pts=start,
        orientation=orientation,
        format=media_format,
    )
    return clip, first


def _read_webp(path: Path, media_format: MediaFormat) -> MediaInfo:
    animation = read_animation(path)
    *starts, end = accumulate(animation.durations, initial=0)
    still = len(starts) == 1
    return MediaInfo(
        path=path,
        width=animation.width,
        height=animation.height,
        pts=tuple(starts),
        time_base=TIME_BASE,
        duration=Fraction(0) if still else end * TIME_BASE,
        is_still=still,
        start_pts=0,
        orientation=UPRIGHT,
        format=media_format,
    )


def _timeline(path: Path, media_format: MediaFormat) -> _Timeline:
    if not is_complete(path, media_format):
        raise _incomplete_error(path, media_format)
    if media_format.first_frame_only:
        return _Timeline(_only_frame(path, media_format), (0,), _STILL_TIME_BASE, _STILL_TIME_BASE)
    with open_video(path, media_format) as (container, stream):
        by_packet = stream.codec_context.name in _PACKET_IS_FRAME
        first: av.VideoFrame | None = None
        stamps: list[tuple[int | None, int]] = []
        read = 0
        try:
            for packet in container.demux(stream):
                if packet.is_corrupt:
                    raise _incomplete_error(path, media_format)
                frames = packet.decode() if first is None or not by_packet else []
                if first is None and frames:
                    first = frames[0]
                if not by_packet:
                    stamps += [(frame.pts, frame.duration) for frame in frames]
                elif packet.size and not packet.is_discard:  # neither the flush at the end nor what is edited out
                    stamps.append((packet.pts, packet.duration or 0))
                read += packet.size > 0
        except av.FFmpegError as error:
            raise _incomplete_error(path, media_format) from error
        # The index of an mp4 lists every frame, also those whose data is not in the file any more.
        if first is None or (media_format is MOV and read < len(stream.index_entries)):
            raise _incomplete_error(path, media_format)
        times, time_base, last = _times(path, stream, stamps)
        # After damage the demuxer may find no more blocks and end as if the file did. Only a file without sound states
        # the duration of its video.
        stated = container.duration if media_format is MATROSKA and len(container.streams) == 1 else None
        if stated and times[-1] * time_base + last < Fraction(stated, av.time_base) - _MISSING_SECONDS:
            raise _incomplete_error(path, media_format)
        return _Timeline(first, times, time_base, last)


def _only_frame(path: Path, media_format: MediaFormat) -> av.VideoFrame:
    try:
        frame = decode_still(path, media_format)
    except av.FFmpegError as error:
        raise _incomplete_error(path, media_format) from error
    if frame is None:
        raise _incomplete_error(path, media_format)
    return frame


def _times(
    path: Path, stream: VideoStream, stamps: list[tuple[int | None, int]]
) -> tuple[tuple[int, ...], Fraction, Fraction]:
    """Presentation times in order, their time base, and how long the last frame is shown."""
    durations = {pts: duration for pts, duration in stamps if pts is not None}
    if stream.time_base is None or not durations or None in (pts for pts, _ in stamps):
        raise MediaError(f"{path}: expected a presentation time for every frame, found frames without; re-encode it")
    times = sorted(durations)
    last = durations[times[-1]] * stream.time_base
    if not last and len(times) > 1:
        last = (times[-1] - times[-2]) * stream.time_base
    if not last:
        last = 1 / (stream.average_rate or Fraction(25))
    return tuple(times), stream.time_base, last


def _incomplete_error(path: Path, media_format: MediaFormat) -> MediaError:
    """The error for a file that ends early, with how far it decodes."""
    with open_video(path, media_format) as (container, stream):
        time_base = stream.time_base or Fraction(1)
        count, end = 0, Fraction(0)
        for frame in _until_failure(container.decode(stream)):
            count += 1
            end = ((frame.pts or 0) - (stream.start_time or 0) + frame.duration) * time_base
        # An mp4 in fragments has no count of its frames, and a GIF no duration but that of the frames found.
        total = len(stream.index_entries) if media_format is MOV and stream.frames else None
        stated = container.duration if media_format in (MOV, MATROSKA) else None
        return truncated_error(path, count, end, total, None if stated is None else Fraction(stated, av.time_base))


def _until_failure(frames: Iterator[av.VideoFrame]) -> Iterator[av.VideoFrame]:
    try:
        for frame in frames:
            if frame.is_corrupt:
                return
            yield frame
    except av.FFmpegError:
        return


# Of a clip with uneven frames: screen recorders sometimes write two frames a millisecond apart.
_MAX_RATE = Fraction(60)


def frame_rate(clip: MediaInfo) -> Fraction:
    """Frames per second: the rate at which sampling shows every frame once, if there is one; otherwise the rate at
    which none is skipped, but at most 60."""
    times = [clip.frame_time(index) for index in range(1, len(clip.pts))]
    if not times:
        if clip.is_still:
            raise MediaError(f"{clip.path}: expected a clip, found a still image; it cannot be sent as a video")
        return 1 / clip.duration
    gaps = [after - before for before, after in zip([Fraction(0), *times], times, strict=False)]
    if min(gaps) == max(gaps):
        return 1 / gaps[0]
    # A period with which every frame has begun when its turn comes, and the next one has not.
    shortest = max((time - TOLERANCE) / number for number, time in enumerate(times, 1))
    longest = min((time - TOLERANCE) / number for number, time in enumerate([*times[1:], clip.duration], 1))
    if shortest >= longest:
        return min(1 / min(gaps), _MAX_RATE)
    mean = times[-1] / len(times)
    whole = Fraction(1, max(1, round(1 / mean)))
    rounded = abs(whole - mean) * len(times) <= max(clip.time_base, 2 * TOLERANCE)
    period = whole if rounded and shortest <= whole < longest else min(max(mean, shortest), (shortest + longest) / 2)
    return 1 / period
