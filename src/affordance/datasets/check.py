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
    for path in record.media():
        if not (root / path).is_file():
            yield _error(missing_media(root, line, record, path))
            continue
        try:
            clip = media.probe(root / path)
        except MediaError as error:
            yield _error(DataError(f"item {record.id!r}: {error}", root / ITEMS, line))
            continue
        if isinstance(record, Clip):
            yield from _check_frames(root, line, record, clip)
        for name, box in _boxes(record):
            if not _inside(box, clip.width, clip.height):
                size = f"{clip.width}x{clip.height}"
                message = f"item {record.id!r}: {name} {list(box.xyxy)} ({box.space}) is not inside its {size} picture"
                yield _error(DataError(message, root / ITEMS, line))


def _check_frames(root: Path, line: int, record: Clip, clip: media.Clip) -> Iterator[Finding]:
    last = len(clip.pts) - 1
    for name, frame in (("start_frame", record.start_frame), ("end_frame", record.end_frame)):
        if frame is not None and frame > last:
            message = f"item {record.id!r}: expected {name} from 0 to {last}, found {frame}"
            yield _error(DataError(message, root / ITEMS, line))


def _boxes(record: Record) -> list[tuple[str, Box]]:
    match record:
        case Clip():
            return [(f"regions.{i}", box) for i, box in enumerate(record.regions)]
        case Screen():
            return [(f"element {e.id!r}", e.box) for e in record.elements] + [
                (f"region {r.id!r}", r.box) for r in record.regions
            ]
        case Outcome():
            return [("target", record.target)]
        case ChoiceQuestion() if record.target is not None:
            return [("target", record.target)]
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
