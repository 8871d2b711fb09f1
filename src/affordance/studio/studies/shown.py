"""What a model was shown in an attempt, as blocks of a sheet; what is not there any more is told in its place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from affordance import media
from affordance.core.errors import MediaError
from affordance.core.formatting import count_noun
from affordance.core.geometry import Box, CoordinateSpace, Point
from affordance.core.media_spec import (
    GREEN,
    RED,
    BoxOutline,
    ImageEncoding,
    ImageFormat,
    ImageSpec,
    MediaSpec,
    VideoSpec,
)
from affordance.grounding.location_scoring import TargetTruth
from affordance.grounding.locations import location_from_text
from affordance.ledger import Ledger
from affordance.report.source_files import SourceFiles, SourceMissing, decode_error, image_specs
from affordance.studio.studies.sheets import Block, Film, Still, Text

_MOST_A_SECOND = Fraction(30)  # frames of a video
_ENCODE = ImageEncoding(ImageFormat.WEBP, 80)
_POINT = 6  # pixels around a point that a model pointed at


@dataclass(frozen=True, slots=True)
class Shown:
    blocks: tuple[Block, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict)


def shown(ledger: Ledger, digests: Sequence[str], marks: Sequence[BoxOutline] = ()) -> Shown:
    """The pictures with these digests: frames of one clip as a film, all others one by one. With `marks`, the first
    once more with them on it."""
    if not digests:
        return Shown()
    try:
        visuals, files = image_specs(ledger, SourceFiles(), digests)
        try:
            return Shown(_blocks(visuals, files, marks), files)
        except MediaError as error:
            raise decode_error(error, files.values()) from None
    except SourceMissing as reason:
        said = f"The model was shown {count_noun(len(digests), 'picture')} that cannot be shown here: {reason}."
        return Shown((Text(said, "Pictures"),))


def marks_of(truth: str, answer: str | None) -> list[BoxOutline]:
    """Of a question about a place: what is right, thin and green, and what was answered, thick and red."""
    found = [BoxOutline(box, GREEN, 2) for box in TargetTruth.from_text(truth).boxes]
    place = None if answer is None else location_from_text(answer)
    if isinstance(place, Point):
        place = Box(CoordinateSpace.PIXEL, place.x - _POINT, place.y - _POINT, place.x + _POINT, place.y + _POINT)
    return [*found, BoxOutline(place, RED, 4)] if isinstance(place, Box) else found


def _blocks(visuals: Sequence[MediaSpec], files: Mapping[str, Path], marks: Sequence[BoxOutline]) -> tuple[Block, ...]:
    frames = [one for one in visuals if isinstance(one, ImageSpec) and one.time is not None]
    if len(frames) == len(visuals) > 1 and len({one.source for one in frames}) == 1:
        return (_film(frames, _rate(frames), files),)
    found: list[Block] = []
    for number, one in enumerate(visuals, 1):
        label = "Picture" if len(visuals) == 1 else f"Picture {number} of {len(visuals)}"
        if isinstance(one, VideoSpec):
            clip = media.probe(files[one.source])
            rate = min(one.fps or media.frame_rate(clip), _MOST_A_SECOND)
            found.append(_film(media.video_frames(replace(one, fps=rate), clip), rate, files))
        else:
            found.append(_still(one, files, label))
            if marks and number == 1:
                marked = ImageSpec(one.source, time=one.time, outlines=tuple(marks))
                found.append(_still(marked, files, "Thin and green: what is right. Thick and red: what was answered."))
    return tuple(found)


def _rate(frames: Sequence[ImageSpec]) -> Fraction:
    """Frames a second, by when they are of."""
    times = [one.time for one in frames if one.time is not None]
    lasts = max(times) - min(times)
    return Fraction(len(times) - 1) / lasts if lasts else Fraction(1)


def _film(frames: Sequence[ImageSpec], rate: Fraction, files: Mapping[str, Path]) -> Film:
    """As the model got them, but for the encoding: without loss they are too large for a page."""
    small = tuple(replace(one, encoding=_ENCODE) for one in frames)
    return Film(small, rate, _size(small[0], files), count_noun(len(small), "frame"))


def _still(picture: ImageSpec, files: Mapping[str, Path], label: str) -> Still:
    return Still(picture, _size(picture, files), label)


def _size(picture: ImageSpec, files: Mapping[str, Path]) -> tuple[int, int]:
    return media.rendered_size(picture, media.probe(files[picture.source]))
