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
from affordance.datasets.dataset import Issue, Severity
from affordance.datasets.items import Item
from affordance.datasets.pairs import DesignPair, named_sides
from affordance.datasets.screens import ActionOutcome, ChoiceItem, Screen, Target
from affordance.datasets.taxonomies import PURPOSES, Action, Area, Density, law_issues

MAX_FLASHES = 3  # in any second, WCAG 2.3.1
FRAME_TIME_TOLERANCE = Fraction(1, 1000)  # seconds by which display times of frames may differ
MAX_COORDINATE = {CoordinateSpace.UNIT: 1, CoordinateSpace.MILLE: 1000}
NEAR_IDENTICAL_SHARE = 0.001  # of the pixels: people do not see a smaller difference
FORMAT_OF_SUFFIX = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".gif": "gif"}
SLACK = 0.5  # pixels: rounding in other tools

# Classes of targets that publishers state, by tag.
PUBLISHED_CLASSES = {
    "density_shipped": tuple(Density),
    "area_shipped": tuple(Area),
}


def _check_clip(clip: Clip, video: media.MediaInfo | None) -> Iterator[Issue]:
    """Check a clip; `video` is None where its file cannot be read."""
    if clip.purpose is not None and clip.purpose not in PURPOSES:
        yield Issue(Severity.ERROR, "unknown-purpose", _unknown_purpose_message(clip.purpose))
    for name in ("effect_responses", "meaning_responses"):
        for place, response in enumerate(getattr(clip, name)):
            if not response.strip():
                yield Issue(
                    Severity.ERROR, "empty-response", f"{name}.{place}: expected a description, found an empty one"
                )
    if video is None:
        yield from _check_relative_boxes(clip.regions)
        return
    yield from (Issue(Severity.ERROR, "frames", message) for message in _check_frames(clip, video))
    if video.is_still:
        yield Issue(Severity.ERROR, "still-image", f"expected a video, found a still image in {clip.video!r}")
    if (span := _uneven_frame_times(video)) is not None:
        shortest, longest = (f"{1000 * float(one):.0f}" for one in span)
        message = f"expected frames of one length, found some of {shortest} and some of {longest} ms"
        yield Issue(Severity.WARNING, "uneven-frames", f"{message}; it is sampled by time")


def check_flashes(video: media.MediaInfo) -> Iterator[Issue]:
    """Check for flashes, by decoding every frame."""
    try:
        flashing = media.count_flashes(video.path)
    except MediaError as error:
        yield Issue(Severity.ERROR, "unreadable-media", str(error))
        return
    if flashing.max_per_second > MAX_FLASHES:
        second = f"the second that ends at {float(flashing.second_end):.2f} s"
        message = f"expected at most {MAX_FLASHES} flashes in any second, found {flashing.max_per_second} in {second}"
        yield Issue(Severity.WARNING, "flashes", f"{message}; warn people before they see it")


def _unknown_purpose_message(found: str) -> str:
    near = difflib.get_close_matches(found.strip().capitalize(), PURPOSES, n=1)
    hint = f"write {near[0]!r}" if near else f"known: {', '.join(PURPOSES)}"
    return f"unknown purpose {found!r}; {hint}"


def _check_relative_boxes(regions: list[Box]) -> Iterator[Issue]:
    """Check boxes that are outside of any image."""
    for place, box in enumerate(regions):
        most = MAX_COORDINATE.get(box.space)
        if most is not None and (min(box.xyxy) < 0 or max(box.xyxy) > most):
            numbers = ", ".join(f"{number:.10g}" for number in box.xyxy)
            message = f"regions.{place}: expected numbers from 0 to {most} ({box.space}), found [{numbers}]"
            yield Issue(Severity.ERROR, "box-outside-image", message)


def _check_frames(clip: Clip, video: media.MediaInfo) -> Iterator[str]:
    last = len(video.pts) - 1
    for name, frame in (("start_frame", clip.start_frame), ("end_frame", clip.end_frame)):
        if frame is not None and frame > last:
            yield f"expected {name} from 0 to {last}, found {frame}"
    if clip.motion is None:
        return
    if clip.motion.frames != len(video.pts):
        yield f"motion states {clip.motion.frames} frames, found {len(video.pts)} in the video"
    for mover in clip.motion.movers:
        if mover.first_frame + len(mover.boxes) != clip.motion.frames:
            found = f"{len(mover.boxes)} from frame {mover.first_frame}"
            yield f"mover {mover.locator!r}: expected a box for each frame to the last, found {found}"


def _uneven_frame_times(video: media.MediaInfo) -> tuple[Fraction, Fraction] | None:
    """Shortest and longest display time of a frame, without the last, where they differ by more than rounding."""
    shown = [after - before for before, after in pairwise(video.pts)]
    if len(shown) < 2:
        return None
    usual = statistics.median_low(shown)
    # In coarse units, such as the hundredths of a GIF, a rate that is no multiple alternates between two times.
    rounding = 1 if usual >= 2 else 0
    if max(abs(one - usual) for one in shown) * video.time_base <= max(
        FRAME_TIME_TOLERANCE, rounding * video.time_base
    ):
        return None
    return min(shown) * video.time_base, max(shown) * video.time_base


def _check_pair(pair: DesignPair, images: Mapping[str, media.MediaInfo]) -> Iterator[Issue]:
    """Check a pair; `images` has those that can be read."""
    yield from _check_rationales(pair)
    yield from _check_votes(pair)
    for image in pair.images:
        named = FORMAT_OF_SUFFIX.get(PurePosixPath(image).suffix.lower())
        if image in images and named is not None and images[image].format.name.removeprefix("animated ") != named:
            message = f"{image!r} has the name of a {named} file, found {images[image].format.name} in it"
            yield Issue(Severity.WARNING, "file-suffix", message)
    if all(image in images for image in pair.images):
        yield from _check_similarity(*(images[image] for image in pair.images))


def _check_rationales(pair: DesignPair) -> Iterator[Issue]:
    for place, one in enumerate(pair.rationales, 1):
        if one.law is not None:
            for message in law_issues(one.law, one.dimension):
                yield Issue(Severity.ERROR, "ux-law", f"rationale {place}: {message}")
        if one.neutral is None and named_sides(one.reason):
            message = f"rationale {place} says {named_sides(one.reason)[0]!r} of a version, and a model sees no sides"
            yield Issue(Severity.WARNING, "names-a-side", f"{message}; add the reason without a side as 'neutral'")
    for law, count in Counter(one.law for one in pair.rationales if one.law is not None).items():
        if count > 1:
            yield Issue(Severity.WARNING, "repeated-law", f"{count} of its rationales name one law, {law}")


def _check_votes(pair: DesignPair) -> Iterator[Issue]:
    if (message := pair.vote_conflict()) is not None:
        yield Issue(Severity.ERROR, "votes", message)


def _check_similarity(first: media.MediaInfo, second: media.MediaInfo) -> Iterator[Issue]:
    if (first.width, first.height) != (second.width, second.height):
        return
    try:
        share = media.pixel_difference(first.path, second.path)
        same = share == 0 and media.same_pixels(first.path, second.path)
    except MediaError as error:
        yield Issue(Severity.ERROR, "unreadable-media", f"its images cannot be compared: {error}")
        return
    if same:
        message = "both images are identical; the pair can only serve as a control"
        yield Issue(Severity.WARNING, "identical-images", message)
    elif share <= NEAR_IDENTICAL_SHARE:
        message = f"its two images are nearly identical: {share:.3%} of the pixels differ visibly"
        yield Issue(Severity.WARNING, "near-identical-images", message)


@dataclass(frozen=True, slots=True)
class NamedBox:
    """A box of an item: its image, its name in messages, and the target it belongs to."""

    image: str
    name: str
    box: Box
    target: str | None = None


def check_item(item: Item, media_info: Mapping[str, media.MediaInfo]) -> Iterator[Issue]:
    """Check one item; `media_info` has those of its files that can be read."""
    for part in item_boxes(item):
        size = _size(item, part.image, media_info)
        if size is not None and not _inside(part.box, *size):
            message = (
                f"{part.name} {_format_box(part.box)} ({part.box.space}) is not inside its {size[0]}x{size[1]} image"
            )
            yield Issue(Severity.ERROR, "box-outside-image", message, target=part.target)
    match item:
        case Clip():
            yield from _check_clip(item, media_info.get(item.video))
        case Screen():
            yield from _check_screen(item, media_info.get(item.image))
        case ActionOutcome() if item.after is not None and item.after in media_info and item.after_box is not None:
            cut, whole = media_info[item.after], media_info.get(item.image)
            yield from (
                Issue(Severity.ERROR, "after-image", message)
                for message in _check_after_image(item.after_box, cut, whole)
            )
        case DesignPair():
            yield from _check_pair(item, media_info)
        case ChoiceItem():
            yield from _check_choice_item(item, media_info.get(item.image))


def item_boxes(item: Item) -> list[NamedBox]:
    match item:
        case Clip():
            return [NamedBox(item.video, f"regions.{i}", box) for i, box in enumerate(item.regions)]
        case Screen():
            parts = [NamedBox(item.image, f"element {e.id!r}", e.box) for e in item.elements]
            parts += [NamedBox(item.image, f"region {r.id!r}", r.box) for r in item.regions]
            return parts + [part for target in item.targets for part in _target_boxes(item.image, target)]
        case ActionOutcome():
            parts = [NamedBox(item.image, "target", item.target)]
            parts += [NamedBox(item.image, "after_box", item.after_box)] if item.after_box is not None else []
            return parts + [
                NamedBox(step.image, f"step {n}'s target", step.target) for n, step in enumerate(item.steps, 1)
            ]
        case ChoiceItem() if item.target is not None:
            return [NamedBox(item.image, "target", item.target)]
        case _:
            return []


def published_boxes(screen: Screen) -> list[Box]:
    """The boxes of targets as the publisher of a screen states them."""
    return [box for target in screen.targets for box in ([target.box] if target.box else []) + target.look_alikes]


def _target_boxes(image: str, target: Target) -> Iterator[NamedBox]:
    if (around := target.bounds) is not None:
        name = "polygon of target" if target.polygon else "target"
        yield NamedBox(image, f"{name} {target.id!r}", around, target.id)
    for number, box in enumerate(target.look_alikes, 1):
        yield NamedBox(image, f"look-alike {number} of target {target.id!r}", box, target.id)


def _size(item: Item, image: str, media_info: Mapping[str, media.MediaInfo]) -> tuple[int, int] | None:
    if image in media_info:
        return media_info[image].width, media_info[image].height
    return (item.width, item.height) if isinstance(item, Screen) else None


def _inside(box: Box, width: int, height: int) -> bool:
    pixels = box.to_space(CoordinateSpace.PIXEL, width, height)
    return min(pixels.x1, pixels.y1) >= -SLACK and pixels.x2 <= width + SLACK and pixels.y2 <= height + SLACK


def _format_box(box: Box) -> str:
    return "[" + ", ".join(f"{number:.10g}" for number in box.xyxy) + "]"


def _check_screen(screen: Screen, image: media.MediaInfo | None) -> Iterator[Issue]:
    if image is not None and (screen.width, screen.height) != (image.width, image.height):
        message = f"expected an image of {screen.width}x{screen.height}, found {image.width}x{image.height}"
        yield Issue(Severity.ERROR, "image-size", message)
    for element in screen.elements:
        if element.point is None:
            continue
        point = element.point.to_space(CoordinateSpace.PIXEL, screen.width, screen.height)
        if not element.box.to_space(CoordinateSpace.PIXEL, screen.width, screen.height).contains(point.x1, point.y1):
            message = f"element {element.id!r}: its point {list(element.point.xyxy[:2])} is not inside its box"
            yield Issue(Severity.ERROR, "point-outside-box", message)
    for target in screen.targets:
        yield from _check_target(target)


def _check_target(target: Target) -> Iterator[Issue]:
    around = target.bounds
    if around is not None and not around.area > 0:
        message = f"target {target.id!r} {_format_box(around)} has no area, so nothing can hit it"
        yield Issue(Severity.ERROR, "empty-box", message, target=target.id)
    if not any((target.functionality, target.description, target.intent)):
        yield Issue(
            Severity.ERROR,
            "no-description",
            f"target {target.id!r}: expected a functionality, description or intent, found none",
        )
    for message in _unknown_values(target.action, target.tags):
        yield Issue(Severity.WARNING, "unknown-value", f"target {target.id!r}: {message}", target=target.id)


def _check_choice_item(item: ChoiceItem, image: media.MediaInfo | None) -> Iterator[Issue]:
    if item.target is not None and not item.target.area > 0:
        yield Issue(
            Severity.ERROR, "empty-box", f"target {_format_box(item.target)} has no area, so it cannot be drawn"
        )
    stated = (item.model_extra or {}).get("image_size")
    if image is not None and stated is not None and list(stated) != [image.width, image.height]:
        message = f"expected an image of {stated[0]}x{stated[1]}, found {image.width}x{image.height}"
        yield Issue(Severity.ERROR, "image-size", message)
    texts = [option.text for option in item.options]
    if len(set(texts)) < len(texts):
        yield Issue(Severity.WARNING, "duplicate-options", "two of its options are equal")
    for message in _unknown_values(item.action, item.tags):
        yield Issue(Severity.WARNING, "unknown-value", message)


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
        found = f"{after.width}x{after.height} pixels in the image after"
        yield f"after_box is {expected[0]}x{expected[1]}, found {found}"
