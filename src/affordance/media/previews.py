"""Frames of a clip as people see them in a browser: few and small."""

from dataclasses import dataclass
from fractions import Fraction

from affordance.core.geometry import fit_within
from affordance.core.media_spec import ImageEncoding, ImageFormat, ImageSpec
from affordance.media.media_info import MediaInfo, sample_times
from affordance.media.media_probe import frame_rate

MAX_RATE = Fraction(30)
MAX_FRAMES = 900  # half a minute at the maximum rate
MAX_SIDE = 960
_ENCODE = ImageEncoding(ImageFormat.WEBP, 80)


@dataclass(frozen=True, slots=True)
class PreviewFrames:
    """Image specs of the frames, with the index in the clip of the frame that each shows."""

    specs: tuple[ImageSpec, ...]
    rate: Fraction
    size: tuple[int, int]
    frame_indexes: tuple[int, ...]

    def between(self, first: int, last: int) -> tuple[int, int]:
        """Indexes of the previews from the first to the last of these frames of the clip, both included; the last
        preview before them where none of these frames is shown."""
        before = sum(index < first for index in self.frame_indexes)
        until = max(0, sum(index <= last for index in self.frame_indexes) - 1)
        return min(before, until), until


def preview_frames(
    clip: MediaInfo, source: str, max_rate: Fraction = MAX_RATE, max_side: int = MAX_SIDE
) -> PreviewFrames:
    """Previews of all frames of a clip, or at `max_rate` by timestamp where it has more; at most 900 of a long clip.

    Args:
        clip: the clip.
        source: its content digest.
        max_rate: previews per second.
        max_side: pixels.

    Raises:
        MediaError: the file is a still image.
    """
    rate = min(frame_rate(clip), max_rate)
    if clip.duration * rate > MAX_FRAMES:
        rate = MAX_FRAMES / clip.duration
    times = sample_times(clip, rate)
    return PreviewFrames(
        tuple(ImageSpec(source, time=time, max_side=max_side, encoding=_ENCODE) for time in times),
        rate,
        fit_within(clip.width, clip.height, max_side),
        tuple(clip.frame_at(time) for time in times),
    )
