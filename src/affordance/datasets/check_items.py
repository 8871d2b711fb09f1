"""Checks of one item of each kind."""

import difflib
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import PurePosixPath

from affordance import media
from affordance.core.errors import MediaError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets.clips import Clip
from affordance.datasets.dataset import ItemIssue, Severity
from affordance.datasets.items import Item
from affordance.datasets.pairs import DesignPair
from affordance.datasets.published.wiserui import named_sides
from affordance.datasets.screens import ActionOutcome, ChoiceItem, Screen, Target
from affordance.datasets.taxonomies import PURPOSES, Action, Area, Density, law_issues

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


NEAR_IDENTICAL_SHARE = 0.001  # of the pixels: less is nothing that a person would see
FORMAT_OF_SUFFIX = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".gif": "gif"}


def check_pair(pair: DesignPair, images: Mapping[str, media.MediaInfo]) -> Iterator[ItemIssue]:
    """`clips` are those of its pictures that are there and can be read."""
    yield from _check_rationales(pair)
    yield from _check_votes(pair)
    for image in pair.images:
        named = FORMAT_OF_SUFFIX.get(PurePosixPath(image).suffix.lower())
        if image in images and named is not None and images[image].format.name.removeprefix("animated ") != named:
            message = f"{image!r} has the name of a {named} file, found {images[image].format.name} in it"
            yield ItemIssue(message, "names of files", Severity.WARNING)
    if all(image in images for image in pair.images):
        yield from _check_similarity(*(images[image] for image in pair.images))


def _check_rationales(pair: DesignPair) -> Iterator[ItemIssue]:
    for place, one in enumerate(pair.rationales, 1):
        if one.law is not None:
            for message in law_issues(one.law, one.dimension):
                yield ItemIssue(f"rationale {place}: {message}", "laws")
        if one.neutral is None and named_sides(one.reason):
            message = f"rationale {place} says {named_sides(one.reason)[0]!r} of a version, which a model cannot know"
            yield ItemIssue(f"{message}; add the reason without a side as 'neutral'", "sides", Severity.WARNING)
    for law, count in Counter(one.law for one in pair.rationales if one.law is not None).items():
        if count > 1:
            yield ItemIssue(f"{count} of its rationales are of one law, {law}", "repeated laws", Severity.WARNING)


def _check_votes(pair: DesignPair) -> Iterator[ItemIssue]:
    if (message := pair.vote_conflict()) is not None:
        yield ItemIssue(message, "votes")


def _check_similarity(first: media.MediaInfo, second: media.MediaInfo) -> Iterator[ItemIssue]:
    if (first.width, first.height) != (second.width, second.height):
        return
    try:
        share = media.pixel_difference(first.path, second.path)
        same = share == 0 and media.same_pixels(first.path, second.path)
    except MediaError as error:
        yield ItemIssue(f"its pictures cannot be compared: {error}", "unreadable media")
        return
    if same:
        message = "its two pictures are the same, pixel by pixel; whatever is chosen there is a control"
        yield ItemIssue(message, "identical pictures", Severity.WARNING)
    elif share <= NEAR_IDENTICAL_SHARE:
        message = f"its two pictures are nearly the same: {share:.3%} of the pixels differ visibly"
        yield ItemIssue(message, "nearly identical pictures", Severity.WARNING)


SLACK = 0.5  # pixels: rounding in other tools

# What publishers say of targets, by the tag that it is kept in.
PUBLISHED_CLASSES = {
    "density_shipped": tuple(Density),
    "area_shipped": tuple(Area),
}


@dataclass(frozen=True, slots=True)
class NamedBox:
    """A box of a record: its name, the picture that it is on, and the target that it belongs to."""

    image: str
    name: str
    box: Box
    target: str | None = None


def check_item(record: Item, media_info: Mapping[str, media.MediaInfo]) -> Iterator[ItemIssue]:
    """`clips` are those of its media that are there and can be read."""
    for part in item_boxes(record):
        size = _size(record, part.image, media_info)
        if size is not None and not _inside(part.box, *size):
            message = (
                f"{part.name} {_format_box(part.box)} ({part.box.space}) is not inside its {size[0]}x{size[1]} picture"
            )
            yield ItemIssue(message, "boxes outside of their pictures", target=part.target)
    match record:
        case Clip():
            yield from check_clip(record, media_info.get(record.video))
        case Screen():
            yield from _check_screen(record, media_info.get(record.image))
        case ActionOutcome() if (
            record.after is not None and record.after in media_info and record.after_box is not None
        ):
            cut, whole = media_info[record.after], media_info.get(record.image)
            yield from (
                ItemIssue(message, "pictures after") for message in _check_after_image(record.after_box, cut, whole)
            )
        case DesignPair():
            yield from check_pair(record, media_info)
        case ChoiceItem():
            yield from _check_choice_question(record, media_info.get(record.image))


def item_boxes(record: Item) -> list[NamedBox]:
    match record:
        case Clip():
            return [NamedBox(record.video, f"regions.{i}", box) for i, box in enumerate(record.regions)]
        case Screen():
            parts = [NamedBox(record.image, f"element {e.id!r}", e.box) for e in record.elements]
            parts += [NamedBox(record.image, f"region {r.id!r}", r.box) for r in record.regions]
            return parts + [part for target in record.targets for part in _target_boxes(record.image, target)]
        case ActionOutcome():
            parts = [NamedBox(record.image, "target", record.target)]
            parts += [NamedBox(record.image, "after_box", record.after_box)] if record.after_box is not None else []
            return parts + [
                NamedBox(step.image, f"step {n}'s target", step.target) for n, step in enumerate(record.steps, 1)
            ]
        case ChoiceItem() if record.target is not None:
            return [NamedBox(record.image, "target", record.target)]
        case _:
            return []


def published_boxes(screen: Screen) -> list[Box]:
    """The boxes that the publisher of a screen has written down."""
    return [box for target in screen.targets for box in ([target.box] if target.box else []) + target.alike]


def _target_boxes(image: str, target: Target) -> Iterator[NamedBox]:
    if (around := target_bounds(target)) is not None:
        name = "polygon of target" if target.polygon else "target"
        yield NamedBox(image, f"{name} {target.id!r}", around, target.id)
    for number, box in enumerate(target.alike, 1):
        yield NamedBox(image, f"look-alike {number} of target {target.id!r}", box, target.id)


def target_bounds(target: Target) -> Box | None:
    """The box of a target, or the one around its polygon."""
    if target.polygon is None:
        return target.box
    xs, ys = zip(*target.polygon, strict=True)
    return Box(CoordinateSpace.PIXEL, min(xs), min(ys), max(xs), max(ys))


def _size(record: Item, image: str, media_info: Mapping[str, media.MediaInfo]) -> tuple[int, int] | None:
    if image in media_info:
        return media_info[image].width, media_info[image].height
    return (record.width, record.height) if isinstance(record, Screen) else None


def _inside(box: Box, width: int, height: int) -> bool:
    pixels = box.to_space(CoordinateSpace.PIXEL, width, height)
    return min(pixels.x1, pixels.y1) >= -SLACK and pixels.x2 <= width + SLACK and pixels.y2 <= height + SLACK


def _format_box(box: Box) -> str:
    return "[" + ", ".join(f"{number:.10g}" for number in box.xyxy) + "]"


def _check_screen(screen: Screen, image: media.MediaInfo | None) -> Iterator[ItemIssue]:
    if image is not None and (screen.width, screen.height) != (image.width, image.height):
        message = f"expected a picture of {screen.width}x{screen.height}, found {image.width}x{image.height}"
        yield ItemIssue(message, "sizes of pictures")
    for element in screen.elements:
        if element.point is None:
            continue
        point = element.point.to_space(CoordinateSpace.PIXEL, screen.width, screen.height)
        if not element.box.to_space(CoordinateSpace.PIXEL, screen.width, screen.height).contains(point.x1, point.y1):
            message = f"element {element.id!r}: its point {list(element.point.xyxy[:2])} is not inside its box"
            yield ItemIssue(message, "points outside of their boxes")
    for target in screen.targets:
        yield from _check_target(target)


def _check_target(target: Target) -> Iterator[ItemIssue]:
    around = target_bounds(target)
    if around is not None and not around.area > 0:
        message = f"target {target.id!r} {_format_box(around)} has no area: nothing can hit it"
        yield ItemIssue(message, "boxes without area", target=target.id)
    if not any((target.functionality, target.description, target.intent)):
        yield ItemIssue(f"target {target.id!r}: expected something that is said of it, found nothing", "silent targets")
    for message in _unknown_values(target.action, target.tags):
        yield ItemIssue(f"target {target.id!r}: {message}", "unknown values", Severity.WARNING, target.id)


def _check_choice_question(question: ChoiceItem, image: media.MediaInfo | None) -> Iterator[ItemIssue]:
    if question.target is not None and not question.target.area > 0:
        yield ItemIssue(
            f"target {_format_box(question.target)} has no area: nothing can be drawn", "boxes without area"
        )
    stated = (question.model_extra or {}).get("image_size")
    if image is not None and stated is not None and list(stated) != [image.width, image.height]:
        message = f"expected a picture of {stated[0]}x{stated[1]}, found {image.width}x{image.height}"
        yield ItemIssue(message, "sizes of pictures")
    texts = [option.text for option in question.options]
    if len(set(texts)) < len(texts):
        yield ItemIssue("two of its options are the same", "options", Severity.WARNING)
    for message in _unknown_values(question.action, question.tags):
        yield ItemIssue(message, "unknown values", Severity.WARNING)


def _unknown_values(action: str | None, tags: Mapping[str, str]) -> Iterator[str]:
    if action is not None and action not in list(Action):
        yield f"expected an action ({', '.join(Action)}), found {action!r}"
    for tag, known in PUBLISHED_CLASSES.items():
        if tag in tags and tags[tag] not in known:
            yield f"expected {tag} {', '.join(known)}, found {tags[tag]!r}"


def _check_after_image(box: Box, after: media.MediaInfo, image: media.MediaInfo | None) -> Iterator[str]:
    size = (image.width, image.height) if image is not None else (after.width, after.height)
    pixels = box.to_space(CoordinateSpace.PIXEL, *size)
    expected = (round(pixels.x2 - pixels.x1), round(pixels.y2 - pixels.y1))
    if expected != (after.width, after.height):
        found = f"{after.width}x{after.height} pixels in the picture after"
        yield f"after_box is {expected[0]}x{expected[1]}, found {found}"
