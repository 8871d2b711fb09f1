"""What can be wrong with a clip: first what its record and timeline tell, then what only watching all of it does."""

import difflib
import statistics
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from affordance import media
from affordance.core.box import Box, CoordinateSpace
from affordance.core.errors import MediaError
from affordance.datasets.clips import Clip
from affordance.datasets.purposes import PURPOSES
from affordance.datasets.reading import Severity
from affordance.datasets.wrong import ItemIssue

MAX_FLASHES = 3  # in any second, WCAG 2.3.1
FRAME_TIME_TOLERANCE = Fraction(1, 1000)  # seconds that frames may be shown shorter or longer than others
MAX_COORDINATE = {CoordinateSpace.UNIT: 1, CoordinateSpace.MILLE: 1000}


def check_clip(record: Clip, video: media.MediaInfo | None) -> Iterator[ItemIssue]:
    """`film` is its video, where that is there and can be read."""
    if record.purpose is not None and record.purpose not in PURPOSES:
        yield ItemIssue(_unknown_purpose_message(record.purpose), "purposes")
    for name in ("effect_responses", "meaning_responses"):
        for place, response in enumerate(getattr(record, name)):
            if not response.strip():
                yield ItemIssue(f"{name}.{place}: expected a description, found an empty one", "empty responses")
    if video is None:
        yield from _check_relative_boxes(record.regions)
        return
    yield from (ItemIssue(message, "frames") for message in _check_frames(record, video))
    if video.is_still:
        yield ItemIssue(f"expected a video, found a still image in {record.video!r}", "still images")
    if (span := _uneven_frame_times(video)) is not None:
        shortest, longest = (f"{1000 * float(one):.0f}" for one in span)
        message = f"expected frames of one length, found some of {shortest} and some of {longest} ms"
        yield ItemIssue(f"{message}; it is sampled by time", "variable frame rates", Severity.WARNING)


def check_flashes(video: media.MediaInfo) -> Iterator[ItemIssue]:
    """What decoding every frame tells."""
    try:
        flashing = media.count_flashes(video.path)
    except MediaError as error:
        yield ItemIssue(str(error), "unreadable media")
        return
    if flashing.max_per_second > MAX_FLASHES:
        second = f"the second that ends at {float(flashing.second_end):.2f} s"
        message = f"expected at most {MAX_FLASHES} flashes in any second, found {flashing.max_per_second} in {second}"
        yield ItemIssue(f"{message}; warn people before they see it", "flashes", Severity.WARNING)


def _unknown_purpose_message(found: str) -> str:
    near = difflib.get_close_matches(found.strip().capitalize(), PURPOSES, n=1)
    hint = f"write {near[0]!r}" if near else f"known: {', '.join(PURPOSES)}"
    return f"unknown purpose {found!r}; {hint}"


def _check_relative_boxes(regions: list[Box]) -> Iterator[ItemIssue]:
    """Boxes that need no picture to be outside of it."""
    for place, box in enumerate(regions):
        most = MAX_COORDINATE.get(box.space)
        if most is not None and (min(box.xyxy) < 0 or max(box.xyxy) > most):
            numbers = ", ".join(f"{number:.10g}" for number in box.xyxy)
            message = f"regions.{place}: expected numbers from 0 to {most} ({box.space}), found [{numbers}]"
            yield ItemIssue(message, "boxes outside of their pictures")


def _check_frames(record: Clip, video: media.MediaInfo) -> Iterator[str]:
    last = len(video.pts) - 1
    for name, frame in (("start_frame", record.start_frame), ("end_frame", record.end_frame)):
        if frame is not None and frame > last:
            yield f"expected {name} from 0 to {last}, found {frame}"
    if record.motion is None:
        return
    if record.motion.frames != len(video.pts):
        yield f"motion tells of {record.motion.frames} frames, found {len(video.pts)} in the video"
    for mover in record.motion.movers:
        if mover.first_frame + len(mover.boxes) != record.motion.frames:
            found = f"{len(mover.boxes)} from frame {mover.first_frame}"
            yield f"mover {mover.locator!r}: expected a box for each frame to the last, found {found}"


def _uneven_frame_times(video: media.MediaInfo) -> tuple[Fraction, Fraction] | None:
    """How long the shortest and the longest frame but the last are shown, where that differs by more than rounding."""
    shown = [after - before for before, after in pairwise(video.pts)]
    if len(shown) < 2:
        return None
    usual = statistics.median_low(shown)
    # Where a unit is coarse, as the hundredths of a GIF are, a rate that is no multiple of it is kept in turns of two.
    rounding = 1 if usual >= 2 else 0
    if max(abs(one - usual) for one in shown) * video.time_base <= max(
        FRAME_TIME_TOLERANCE, rounding * video.time_base
    ):
        return None
    return min(shown) * video.time_base, max(shown) * video.time_base
