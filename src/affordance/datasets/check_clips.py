"""What can be wrong with a clip: first what its record and timeline tell, then what only watching all of it does."""

import difflib
import statistics
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from affordance import media
from affordance.core.box import Box, Space
from affordance.core.errors import MediaError
from affordance.datasets.clips import Clip
from affordance.datasets.purposes import PURPOSES
from affordance.datasets.reading import Level
from affordance.datasets.wrong import Wrong

MOST_FLASHES = 3  # in any second, WCAG 2.3.1
UNEVEN = Fraction(1, 1000)  # seconds that frames may be shown shorter or longer than others
EXTENTS = {Space.UNIT: 1, Space.MILLE: 1000}


def wrong_clip(record: Clip, film: media.Clip | None) -> Iterator[Wrong]:
    """`film` is its video, where that is there and can be read."""
    if record.purpose is not None and record.purpose not in PURPOSES:
        yield Wrong(_unknown_purpose(record.purpose), "purposes")
    for name in ("effect_responses", "meaning_responses"):
        for place, response in enumerate(getattr(record, name)):
            if not response.strip():
                yield Wrong(f"{name}.{place}: expected a description, found an empty one", "empty responses")
    if film is None:
        yield from _wrong_shares(record.regions)
        return
    yield from (Wrong(message, "frames") for message in _wrong_frames(record, film))
    if film.still:
        yield Wrong(f"expected a video, found a still image in {record.video!r}", "still images")
    if (span := _uneven(film)) is not None:
        shortest, longest = (f"{1000 * float(one):.0f}" for one in span)
        message = f"expected frames of one length, found some of {shortest} and some of {longest} ms"
        yield Wrong(f"{message}; it is sampled by time", "variable frame rates", Level.WARNING)


def watched(film: media.Clip) -> Iterator[Wrong]:
    """What decoding every frame tells."""
    try:
        flashing = media.find_flashes(film.path)
    except MediaError as error:
        yield Wrong(str(error), "unreadable media")
        return
    if flashing.most > MOST_FLASHES:
        second = f"the second that ends at {float(flashing.until):.2f} s"
        message = f"expected at most {MOST_FLASHES} flashes in any second, found {flashing.most} in {second}"
        yield Wrong(f"{message}; warn people before they see it", "flashes", Level.WARNING)


def _unknown_purpose(found: str) -> str:
    near = difflib.get_close_matches(found.strip().capitalize(), PURPOSES, n=1)
    hint = f"write {near[0]!r}" if near else f"known: {', '.join(PURPOSES)}"
    return f"unknown purpose {found!r}; {hint}"


def _wrong_shares(regions: list[Box]) -> Iterator[Wrong]:
    """Boxes that need no picture to be outside of it."""
    for place, box in enumerate(regions):
        most = EXTENTS.get(box.space)
        if most is not None and (min(box.xyxy) < 0 or max(box.xyxy) > most):
            numbers = ", ".join(f"{number:.10g}" for number in box.xyxy)
            message = f"regions.{place}: expected numbers from 0 to {most} ({box.space}), found [{numbers}]"
            yield Wrong(message, "boxes outside of their pictures")


def _wrong_frames(record: Clip, film: media.Clip) -> Iterator[str]:
    last = len(film.pts) - 1
    for name, frame in (("start_frame", record.start_frame), ("end_frame", record.end_frame)):
        if frame is not None and frame > last:
            yield f"expected {name} from 0 to {last}, found {frame}"
    if record.motion is None:
        return
    if record.motion.frames != len(film.pts):
        yield f"motion tells of {record.motion.frames} frames, found {len(film.pts)} in the video"
    for mover in record.motion.movers:
        if mover.first_frame + len(mover.boxes) != record.motion.frames:
            found = f"{len(mover.boxes)} from frame {mover.first_frame}"
            yield f"mover {mover.locator!r}: expected a box for each frame to the last, found {found}"


def _uneven(film: media.Clip) -> tuple[Fraction, Fraction] | None:
    """How long the shortest and the longest frame but the last are shown, where that differs by more than rounding."""
    shown = [after - before for before, after in pairwise(film.pts)]
    if len(shown) < 2:
        return None
    usual = statistics.median_low(shown)
    # Where a unit is coarse, as the hundredths of a GIF are, a rate that is no multiple of it is kept in turns of two.
    rounding = 1 if usual >= 2 else 0
    if max(abs(one - usual) for one in shown) * film.time_base <= max(UNEVEN, rounding * film.time_base):
        return None
    return min(shown) * film.time_base, max(shown) * film.time_base
