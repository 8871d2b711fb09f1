"""A clip: how large it is and when each of its frames is shown."""

from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from affordance.core.errors import MediaError
from affordance.media._kinds import MediaFormat
from affordance.media._orientation import Orientation

# WebM, GIF and animated WebP round presentation times to milliseconds or worse; a time this close before a frame is
# meant to be that frame.
TOLERANCE = Fraction(1, 2000)


@dataclass(frozen=True, slots=True)
class MediaInfo:
    """Size and timeline of a file. Time 0 is the first frame; a still has one frame and no duration.

    Width and height are those of the picture as displayed, after any rotation the file asks for.
    """

    path: Path
    width: int
    height: int
    pts: tuple[int, ...]  # when each frame is shown, in units of the time base
    time_base: Fraction
    duration: Fraction  # seconds, with the display time of the last frame
    is_still: bool
    start_pts: int = field(repr=False)  # what the file calls time 0
    orientation: Orientation = field(repr=False)
    format: MediaFormat = field(repr=False)

    def frame_time(self, index: int) -> Fraction:
        """When a frame is shown, in seconds."""
        return self.pts[index] * self.time_base

    def frame_at(self, time: Fraction) -> int:
        """The index of the frame that is shown at a time."""
        inside = time == 0 if self.is_still else 0 <= time < self.duration
        if not inside:
            end = "a still image" if self.is_still else f"a clip of {float(self.duration):.3f} s"
            raise MediaError(f"{self.path}: expected a time within {end}, found {float(time):.3f} s")
        ticks = (time + TOLERANCE) / self.time_base
        return bisect_right(self.pts, ticks.numerator // ticks.denominator) - 1


def sample_times(clip: MediaInfo, rate: Fraction) -> list[Fraction]:
    """The times k / rate within the clip, always with 0.

    A time within half a millisecond of the end is left out: there the file's own rounding decides, not a frame.
    """
    if rate <= 0:
        raise ValueError(f"a sampling rate is positive, found {rate}")
    end = (clip.duration - TOLERANCE) * rate
    count = max(1, -(-end.numerator // end.denominator))
    return [k / rate for k in range(count)]


def truncated_error(
    path: Path, decoded: int, reached: Fraction, total: int | None, duration: Fraction | None
) -> MediaError:
    """The error for a file that could not be read to the end; total and duration where the file tells them."""
    frames = f"{decoded} frames" if total is None else f"{decoded} of {total} frames"
    seconds = f"{float(reached):.3f} s" + ("" if duration is None else f" of {float(duration):.3f} s")
    return MediaError(f"{path}: truncated or corrupt: decoded {frames} ({seconds}); replace the file")
