"""Frames of a clip for a person: few and small enough for a browser."""

from dataclasses import dataclass
from fractions import Fraction

from affordance.core.geometry import fit_within
from affordance.core.media_spec import ImageEncoding, ImageFormat, ImageSpec
from affordance.media.media_info import MediaInfo, sample_times
from affordance.media.media_probe import frame_rate

MAX_RATE = Fraction(30)
MAX_FRAMES = 900  # of one clip: half a minute at the highest rate
LONGEST_SIDE = 960
_ENCODE = ImageEncoding(ImageFormat.WEBP, 80)


@dataclass(frozen=True, slots=True)
class PreviewFrames:
    """`indexes` says which frame of the clip each picture shows."""

    specs: tuple[ImageSpec, ...]
    rate: Fraction
    size: tuple[int, int]
    frame_indexes: tuple[int, ...]

    def between(self, first: int, last: int) -> tuple[int, int]:
        """The pictures from the first to the last of these frames of the clip, both included. Where the clip has more
        frames than are shown, and none of these is, the last picture before them."""
        before = sum(index < first for index in self.frame_indexes)
        until = max(0, sum(index <= last for index in self.frame_indexes) - 1)
        return min(before, until), until


def preview_frames(
    clip: MediaInfo, source: str, max_rate: Fraction = MAX_RATE, longest_side: int = LONGEST_SIDE
) -> PreviewFrames:
    """All frames of a clip, or where they are more than `most` a second, so many by timestamp; fewer of a long one.
    `source` is the digest of its content. A MediaError for a still image."""
    rate = min(frame_rate(clip), max_rate)
    if clip.duration * rate > MAX_FRAMES:
        rate = MAX_FRAMES / clip.duration
    times = sample_times(clip, rate)
    return PreviewFrames(
        tuple(ImageSpec(source, time=time, max_side=longest_side, encoding=_ENCODE) for time in times),
        rate,
        fit_within(clip.width, clip.height, longest_side),
        tuple(clip.frame_at(time) for time in times),
    )
