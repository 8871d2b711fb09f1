"""Everything that can be wrong with a dataset, all of it at once, each with its place."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from affordance import media
from affordance.core.box import Box, Space
from affordance.core.errors import DataError, MediaError
from affordance.datasets.folder import ITEMS, missing_media, out_of_order, read_header, read_items
from affordance.datasets.records import ChoiceQuestion, Clip, Outcome, Record, Screen


class Level(StrEnum):
    ERROR = "error"  # the dataset cannot be used as it is
    WARNING = "warning"  # it can, but somebody should look


@dataclass(frozen=True, slots=True)
class Finding:
    level: Level
    message: str


def check(root: Path) -> Iterator[Finding]:
    """What is wrong with the dataset in a folder; nothing, if all is well."""
    try:
        header = read_header(root)
        lines = list(read_items(root, header.kind))
    except DataError as error:
        yield _error(error)
        return
    records: dict[int, Record] = {}
    before: Record | None = None
    for number, found in lines:
        if isinstance(found, DataError):
            yield _error(found)
            continue
        if before is not None and before.id >= found.id:
            yield _error(out_of_order(root, number, before.id, found.id))
        records[number] = before = found
        yield from _check_record(root, number, found)
    if not lines:
        yield _error(DataError("expected at least one item, found none", root / ITEMS))
    yield from _check_links(root, records)
    yield from _check_unused(root, records.values())


def _check_record(root: Path, line: int, record: Record) -> Iterator[Finding]:
    def wrong(message: str) -> Finding:
        return _error(DataError(f"item {record.id!r}: {message}", root / ITEMS, line))

    clips: dict[str, media.Clip] = {}
    for path in record.media():
        if not (root / path).is_file():
            yield _error(missing_media(root, line, record, path))
            continue
        try:
            clips[path] = media.probe(root / path)
        except MediaError as error:
            yield wrong(str(error))
    for path, name, box in _boxes(record):
        if path in clips and not _inside(box, clips[path].width, clips[path].height):
            size = f"{clips[path].width}x{clips[path].height}"
            yield wrong(f"{name} {list(box.xyxy)} ({box.space}) is not inside its {size} picture")
    match record:
        case Clip() if record.video in clips:
            yield from map(wrong, _wrong_frames(record, clips[record.video]))
        case Screen() if record.image in clips:
            yield from map(wrong, _wrong_screen(record, clips[record.image]))
        case Outcome() if record.after in clips and record.after_box is not None:
            yield from map(wrong, _wrong_cut(record.after_box, clips[record.after], clips.get(record.image)))


def _wrong_screen(screen: Screen, clip: media.Clip) -> Iterator[str]:
    if (screen.width, screen.height) != (clip.width, clip.height):
        yield f"expected a picture of {screen.width}x{screen.height}, found {clip.width}x{clip.height}"
    for element in screen.elements:
        if element.point is None:
            continue
        point = element.point.to(Space.PIXEL, screen.width, screen.height)
        if not element.box.to(Space.PIXEL, screen.width, screen.height).contains(point.x1, point.y1):
            yield f"element {element.id!r}: its point {list(element.point.xyxy[:2])} is not inside its box"


def _wrong_cut(box: Box, cut: media.Clip, whole: media.Clip | None) -> Iterator[str]:
    size = (whole.width, whole.height) if whole is not None else (cut.width, cut.height)
    pixels = box.to(Space.PIXEL, *size)
    expected = (round(pixels.x2 - pixels.x1), round(pixels.y2 - pixels.y1))
    if expected != (cut.width, cut.height):
        yield f"after_box is {expected[0]}x{expected[1]}, found {cut.width}x{cut.height} pixels in the picture after"


def _wrong_frames(record: Clip, clip: media.Clip) -> Iterator[str]:
    last = len(clip.pts) - 1
    for name, frame in (("start_frame", record.start_frame), ("end_frame", record.end_frame)):
        if frame is not None and frame > last:
            yield f"expected {name} from 0 to {last}, found {frame}"
    if record.motion is None:
        return
    if record.motion.frames != len(clip.pts):
        yield f"motion tells of {record.motion.frames} frames, found {len(clip.pts)} in the video"
    for mover in record.motion.movers:
        if mover.first_frame + len(mover.boxes) != record.motion.frames:
            found = f"{len(mover.boxes)} from frame {mover.first_frame}"
            yield f"mover {mover.locator!r}: expected a box for each frame to the last, found {found}"


def _boxes(record: Record) -> list[tuple[str, str, Box]]:
    """Every box with its name and the picture that it is on."""
    match record:
        case Clip():
            return [(record.video, f"regions.{i}", box) for i, box in enumerate(record.regions)]
        case Screen():
            parts = [(f"element {e.id!r}", e.box) for e in record.elements]
            parts += [(f"region {r.id!r}", r.box) for r in record.regions]
            return [(record.image, name, box) for name, box in parts]
        case Outcome():
            found = [(record.image, "target", record.target)]
            found += [(record.image, "after_box", record.after_box)] if record.after_box is not None else []
            return found + [(step.image, f"step {n}'s target", step.target) for n, step in enumerate(record.steps, 1)]
        case ChoiceQuestion() if record.target is not None:
            return [(record.image, "target", record.target)]
        case _:
            return []


def _inside(box: Box, width: int, height: int) -> bool:
    pixels = box.to(Space.PIXEL, width, height)
    slack = 0.5  # rounding in other tools
    return min(pixels.x1, pixels.y1) >= -slack and pixels.x2 <= width + slack and pixels.y2 <= height + slack


def _check_links(root: Path, records: Mapping[int, Record]) -> Iterator[Finding]:
    known = {record.id for record in records.values()}
    for line, record in records.items():
        for link in record.links:
            if link.to not in known:
                message = f"item {record.id!r}: its {link.kind} link goes to {link.to!r}, which is not in the dataset"
                yield _error(DataError(message, root / ITEMS, line))


def _check_unused(root: Path, records: Iterable[Record]) -> Iterator[Finding]:
    used = {root / path for record in records for path in record.media()}
    folder = root / "media"
    unused = sorted(p for p in folder.rglob("*") if p.is_file() and p not in used) if folder.is_dir() else []
    if unused:
        yield Finding(Level.WARNING, f"{folder}: {len(unused)} files that no item names, the first {unused[0].name!r}")


def _error(error: DataError) -> Finding:
    return Finding(Level.ERROR, str(error))
