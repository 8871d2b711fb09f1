"""What can be wrong with one record and its pictures."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from affordance import media
from affordance.core.box import Box, Space
from affordance.datasets.actions import Action
from affordance.datasets.check_clips import wrong_clip
from affordance.datasets.check_pairs import wrong_pair
from affordance.datasets.classes import Area, Density
from affordance.datasets.clips import Clip
from affordance.datasets.parts import Record
from affordance.datasets.reading import Level
from affordance.datasets.records import ChoiceQuestion, Pair
from affordance.datasets.screens import Outcome, Screen, Target
from affordance.datasets.wrong import Wrong

SLACK = 0.5  # pixels: rounding in other tools

# What publishers say of targets, by the tag that it is kept in.
CLASSES = {
    "density_shipped": tuple(Density),
    "area_shipped": tuple(Area),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A box of a record: its name, the picture that it is on, and the target that it belongs to."""

    picture: str
    name: str
    box: Box
    target: str | None = None


def wrong_with(record: Record, clips: Mapping[str, media.Clip]) -> Iterator[Wrong]:
    """`clips` are those of its media that are there and can be read."""
    for part in boxes_of(record):
        size = _size(record, part.picture, clips)
        if size is not None and not _inside(part.box, *size):
            message = (
                f"{part.name} {_listed(part.box)} ({part.box.space}) is not inside its {size[0]}x{size[1]} picture"
            )
            yield Wrong(message, "boxes outside of their pictures", target=part.target)
    match record:
        case Clip():
            yield from wrong_clip(record, clips.get(record.video))
        case Screen():
            yield from _wrong_screen(record, clips.get(record.image))
        case Outcome() if record.after is not None and record.after in clips and record.after_box is not None:
            cut, whole = clips[record.after], clips.get(record.image)
            yield from (Wrong(message, "pictures after") for message in _wrong_cut(record.after_box, cut, whole))
        case Pair():
            yield from wrong_pair(record, clips)
        case ChoiceQuestion():
            yield from _wrong_question(record, clips.get(record.image))


def boxes_of(record: Record) -> list[Part]:
    match record:
        case Clip():
            return [Part(record.video, f"regions.{i}", box) for i, box in enumerate(record.regions)]
        case Screen():
            parts = [Part(record.image, f"element {e.id!r}", e.box) for e in record.elements]
            parts += [Part(record.image, f"region {r.id!r}", r.box) for r in record.regions]
            return parts + [part for target in record.targets for part in _parts(record.image, target)]
        case Outcome():
            parts = [Part(record.image, "target", record.target)]
            parts += [Part(record.image, "after_box", record.after_box)] if record.after_box is not None else []
            return parts + [
                Part(step.image, f"step {n}'s target", step.target) for n, step in enumerate(record.steps, 1)
            ]
        case ChoiceQuestion() if record.target is not None:
            return [Part(record.image, "target", record.target)]
        case _:
            return []


def placed_boxes(screen: Screen) -> list[Box]:
    """The boxes that the publisher of a screen has written down."""
    return [box for target in screen.targets for box in ([target.box] if target.box else []) + target.alike]


def _parts(image: str, target: Target) -> Iterator[Part]:
    if (around := outline(target)) is not None:
        name = "polygon of target" if target.polygon else "target"
        yield Part(image, f"{name} {target.id!r}", around, target.id)
    for number, box in enumerate(target.alike, 1):
        yield Part(image, f"look-alike {number} of target {target.id!r}", box, target.id)


def outline(target: Target) -> Box | None:
    """The box of a target, or the one around its polygon."""
    if target.polygon is None:
        return target.box
    xs, ys = zip(*target.polygon, strict=True)
    return Box(Space.PIXEL, min(xs), min(ys), max(xs), max(ys))


def _size(record: Record, picture: str, clips: Mapping[str, media.Clip]) -> tuple[int, int] | None:
    if picture in clips:
        return clips[picture].width, clips[picture].height
    return (record.width, record.height) if isinstance(record, Screen) else None


def _inside(box: Box, width: int, height: int) -> bool:
    pixels = box.to(Space.PIXEL, width, height)
    return min(pixels.x1, pixels.y1) >= -SLACK and pixels.x2 <= width + SLACK and pixels.y2 <= height + SLACK


def _listed(box: Box) -> str:
    return "[" + ", ".join(f"{number:.10g}" for number in box.xyxy) + "]"


def _wrong_screen(screen: Screen, clip: media.Clip | None) -> Iterator[Wrong]:
    if clip is not None and (screen.width, screen.height) != (clip.width, clip.height):
        message = f"expected a picture of {screen.width}x{screen.height}, found {clip.width}x{clip.height}"
        yield Wrong(message, "sizes of pictures")
    for element in screen.elements:
        if element.point is None:
            continue
        point = element.point.to(Space.PIXEL, screen.width, screen.height)
        if not element.box.to(Space.PIXEL, screen.width, screen.height).contains(point.x1, point.y1):
            message = f"element {element.id!r}: its point {list(element.point.xyxy[:2])} is not inside its box"
            yield Wrong(message, "points outside of their boxes")
    for target in screen.targets:
        yield from _wrong_target(target)


def _wrong_target(target: Target) -> Iterator[Wrong]:
    around = outline(target)
    if around is not None and not around.area > 0:
        message = f"target {target.id!r} {_listed(around)} has no area: nothing can hit it"
        yield Wrong(message, "boxes without area", target=target.id)
    if not any((target.functionality, target.description, target.intent)):
        yield Wrong(f"target {target.id!r}: expected something that is said of it, found nothing", "silent targets")
    for message in _unknown(target.action, target.tags):
        yield Wrong(f"target {target.id!r}: {message}", "unknown values", Level.WARNING, target.id)


def _wrong_question(question: ChoiceQuestion, clip: media.Clip | None) -> Iterator[Wrong]:
    if question.target is not None and not question.target.area > 0:
        yield Wrong(f"target {_listed(question.target)} has no area: nothing can be drawn", "boxes without area")
    stated = (question.model_extra or {}).get("image_size")
    if clip is not None and stated is not None and list(stated) != [clip.width, clip.height]:
        message = f"expected a picture of {stated[0]}x{stated[1]}, found {clip.width}x{clip.height}"
        yield Wrong(message, "sizes of pictures")
    texts = [option.text for option in question.options]
    if len(set(texts)) < len(texts):
        yield Wrong("two of its options are the same", "options", Level.WARNING)
    for message in _unknown(question.action, question.tags):
        yield Wrong(message, "unknown values", Level.WARNING)


def _unknown(action: str | None, tags: Mapping[str, str]) -> Iterator[str]:
    if action is not None and action not in list(Action):
        yield f"expected an action ({', '.join(Action)}), found {action!r}"
    for tag, known in CLASSES.items():
        if tag in tags and tags[tag] not in known:
            yield f"expected {tag} {', '.join(known)}, found {tags[tag]!r}"


def _wrong_cut(box: Box, cut: media.Clip, whole: media.Clip | None) -> Iterator[str]:
    size = (whole.width, whole.height) if whole is not None else (cut.width, cut.height)
    pixels = box.to(Space.PIXEL, *size)
    expected = (round(pixels.x2 - pixels.x1), round(pixels.y2 - pixels.y1))
    if expected != (cut.width, cut.height):
        yield f"after_box is {expected[0]}x{expected[1]}, found {cut.width}x{cut.height} pixels in the picture after"
