"""Reels: footage as a video file, made of the very frames that pictures of the same clip would show.

A reel has one rate throughout, for servers pick frames by their number and not by their time. A clip whose frames come
unevenly is sampled by timestamp, at the rate at which its two closest frames follow each other.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from affordance.core.errors import MediaError
from affordance.core.picture import ImageSpec, VideoSpec
from affordance.media._clip import TOLERANCE, MediaInfo
from affordance.media._pixels import Pixels
from affordance.media._probe import probe
from affordance.media._render import iter_rendered
from affordance.media._video import Quality, write_video

# Of an uneven clip: recorders of screens now and then write two frames a millisecond apart.
_HIGHEST_RATE = Fraction(60)


def render_video(spec: VideoSpec, files: Mapping[str, Path]) -> bytes:
    """The footage as an MP4 file with its index in front. Sides are even, as H.264 with half the colours needs them:
    the last row or column is there twice where it must be."""
    clip = probe(files[spec.source])
    frames = video_frames(spec, clip)
    with TemporaryDirectory(prefix="affordance-") as folder:
        path = Path(folder) / "reel.mp4"
        write_video(path, _even_sized_frames(clip, frames), spec.fps or frame_rate(clip), Quality.CLOSE)
        return path.read_bytes()


def video_frames(spec: VideoSpec, clip: MediaInfo) -> list[ImageSpec]:
    """What the reel of a footage shows, one picture after the other."""
    rate = spec.fps or frame_rate(clip)
    if rate <= 0:
        raise ValueError(f"a frame rate is positive, found {rate}")
    end = clip.duration if spec.end is None else spec.end
    if not 0 <= spec.start < end <= clip.duration + TOLERANCE:
        raise MediaError(
            f"{clip.path}: expected footage within a clip of {float(clip.duration):.3f} s, "
            f"found {float(spec.start):.3f} s to {float(end):.3f} s"
        )
    count = max(1, -((TOLERANCE + spec.start - end) * rate // 1))
    times = [spec.start + place / rate for place in range(count)]
    side = spec.max_side and spec.max_side - spec.max_side % 2
    return [
        ImageSpec(
            spec.source,
            time=time,
            blend=spec.blend,
            max_side=side,
            outlines=spec.outlines if _has_outlines(spec, clip.frame_time(clip.frame_at(time))) else (),
        )
        for time in times
    ]


def frame_rate(clip: MediaInfo) -> Fraction:
    """Frames per second: if there is a rate at which sampling shows every frame once, that one; otherwise so many that
    none is passed over, but at most 60."""
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
        return min(1 / min(gaps), _HIGHEST_RATE)
    mean = times[-1] / len(times)
    whole = Fraction(1, max(1, round(1 / mean)))
    rounded = abs(whole - mean) * len(times) <= max(clip.time_base, 2 * TOLERANCE)
    period = whole if rounded and shortest <= whole < longest else min(max(mean, shortest), (shortest + longest) / 2)
    return 1 / period


def _has_outlines(spec: VideoSpec, time: Fraction) -> bool:
    """Whether the outlines are on the frame that begins at a time."""
    late_enough = spec.outlines_start is None or time >= spec.outlines_start - TOLERANCE
    return late_enough and (spec.outlines_end is None or time < spec.outlines_end - TOLERANCE)


def _even_sized_frames(clip: MediaInfo, frames: list[ImageSpec]) -> Iterator[Pixels]:
    for _, pixels in iter_rendered(clip, frames):
        height, width = pixels.shape[:2]
        even = cv2.copyMakeBorder(pixels, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE)
        yield np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2RGB), np.uint8)
