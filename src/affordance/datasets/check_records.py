"""What can be wrong with one record and its pictures."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from affordance import media
from affordance.core.box import Box, CoordinateSpace
from affordance.datasets.actions import Action
from affordance.datasets.check_clips import check_clip
from affordance.datasets.check_pairs import check_pair
from affordance.datasets.classes import Area, Density
from affordance.datasets.clips import Clip
from affordance.datasets.parts import Record
from affordance.datasets.reading import Severity
from affordance.datasets.records import ChoiceQuestion, Pair
from affordance.datasets.screens import ActionOutcome, Screen, Target
from affordance.datasets.wrong import ItemIssue

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


def check_item(record: Record, media_info: Mapping[str, media.MediaInfo]) -> Iterator[ItemIssue]:
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
        case Pair():
            yield from check_pair(record, media_info)
        case ChoiceQuestion():
            yield from _check_choice_question(record, media_info.get(record.image))


def item_boxes(record: Record) -> list[NamedBox]:
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
        case ChoiceQuestion() if record.target is not None:
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


def _size(record: Record, image: str, media_info: Mapping[str, media.MediaInfo]) -> tuple[int, int] | None:
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


def _check_choice_question(question: ChoiceQuestion, image: media.MediaInfo | None) -> Iterator[ItemIssue]:
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
