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
from affordance.core.picture import Footage, Picture
from affordance.media._clip import TOLERANCE, Clip
from affordance.media._pixels import Pixels
from affordance.media._probe import probe
from affordance.media._render import developed
from affordance.media._video import Quality, write_video

# Of an uneven clip: recorders of screens now and then write two frames a millisecond apart.
_HIGHEST_RATE = Fraction(60)


def render_reel(footage: Footage, files: Mapping[str, Path]) -> bytes:
    """The footage as an MP4 file with its index in front. Sides are even, as H.264 with half the colours needs them:
    the last row or column is there twice where it must be."""
    clip = probe(files[footage.source])
    frames = frames_of(footage, clip)
    with TemporaryDirectory(prefix="affordance-") as folder:
        path = Path(folder) / "reel.mp4"
        write_video(path, _shown(clip, frames), footage.fps or rate_of(clip), Quality.CLOSE)
        return path.read_bytes()


def frames_of(footage: Footage, clip: Clip) -> list[Picture]:
    """What the reel of a footage shows, one picture after the other."""
    rate = footage.fps or rate_of(clip)
    if rate <= 0:
        raise ValueError(f"a frame rate is positive, found {rate}")
    end = clip.duration if footage.end is None else footage.end
    if not 0 <= footage.start < end <= clip.duration + TOLERANCE:
        raise MediaError(
            f"{clip.path}: expected footage within a clip of {float(clip.duration):.3f} s, "
            f"found {float(footage.start):.3f} s to {float(end):.3f} s"
        )
    count = max(1, -((TOLERANCE + footage.start - end) * rate // 1))
    times = [footage.start + place / rate for place in range(count)]
    side = footage.longest_side and footage.longest_side - footage.longest_side % 2
    return [
        Picture(
            footage.source,
            at=time,
            blend=footage.blend,
            longest_side=side,
            outlines=footage.outlines if _drawn(footage, clip.time_of(clip.index_at(time))) else (),
        )
        for time in times
    ]


def rate_of(clip: Clip) -> Fraction:
    """Frames per second: if there is a rate at which sampling shows every frame once, that one; otherwise so many that
    none is passed over, but at most 60."""
    times = [clip.time_of(index) for index in range(1, len(clip.pts))]
    if not times:
        if clip.still:
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


def _drawn(footage: Footage, time: Fraction) -> bool:
    """Whether the outlines are on the frame that begins at a time."""
    late_enough = footage.drawn_from is None or time >= footage.drawn_from - TOLERANCE
    return late_enough and (footage.drawn_until is None or time < footage.drawn_until - TOLERANCE)


def _shown(clip: Clip, frames: list[Picture]) -> Iterator[Pixels]:
    for _, pixels in developed(clip, frames):
        height, width = pixels.shape[:2]
        even = cv2.copyMakeBorder(pixels, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE)
        yield np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2RGB), np.uint8)
