"""The frames of a clip as people are shown them: few and small enough for a browser."""

from dataclasses import dataclass
from fractions import Fraction

from affordance.core.picture import Encode, Format, Picture
from affordance.core.sizes import shrunk_size
from affordance.media._clip import Clip, sample_times
from affordance.media._reel import rate_of

MOST_A_SECOND = Fraction(30)
MOST = 900  # of one clip: half a minute at the highest rate
LONGEST_SIDE = 960
_ENCODE = Encode(Format.WEBP, 80)


@dataclass(frozen=True, slots=True)
class Frames:
    """`indexes` says which frame of the clip each picture shows."""

    pictures: tuple[Picture, ...]
    rate: Fraction
    size: tuple[int, int]
    indexes: tuple[int, ...]

    def during(self, first: int, last: int) -> tuple[int, int]:
        """The pictures from the first to the last of these frames of the clip, both included. Where the clip has more
        frames than are shown, and none of these is, the last picture before them."""
        before = sum(index < first for index in self.indexes)
        until = max(0, sum(index <= last for index in self.indexes) - 1)
        return min(before, until), until


def film_frames(clip: Clip, source: str, most: Fraction = MOST_A_SECOND, longest_side: int = LONGEST_SIDE) -> Frames:
    """All frames of a clip, or where they are more than `most` a second, so many by timestamp; fewer of a long one.
    `source` is the digest of its content. A MediaError for a still image."""
    rate = min(rate_of(clip), most)
    if clip.duration * rate > MOST:
        rate = MOST / clip.duration
    times = sample_times(clip, rate)
    return Frames(
        tuple(Picture(source, at=time, longest_side=longest_side, encode=_ENCODE) for time in times),
        rate,
        shrunk_size(clip.width, clip.height, longest_side),
        tuple(clip.index_at(time) for time in times),
    )
