"""Checks of a whole dataset: everything that is wrong with it, each with its position."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from affordance import media
from affordance.core.errors import DataError, MediaError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.threads import map_threads
from affordance.datasets.check_items import check_flashes, check_item, published_boxes
from affordance.datasets.clips import Clip
from affordance.datasets.dataset import (
    FilePosition,
    Issue,
    ItemIssue,
    ReadResult,
    Severity,
    missing_media,
    missing_media_error,
    read_errors,
)
from affordance.datasets.folder import read_native
from affordance.datasets.items import Item
from affordance.datasets.pairs import DesignPair, count_undecided
from affordance.datasets.screens import Screen
from affordance.datasets.spec import read_spec


def check_winners(reading: ReadResult) -> Iterator[Issue]:
    """What `data check` has to say of them."""
    found = count_undecided(reading)
    if found.count:
        message = f"{reading.root}: {found}; nothing is asked about such pairs until they have votes or a winner"
        yield Issue(Severity.WARNING, message)


MIN_MISFIT_SHARE = 0.05  # share of boxes; fewer are mistakes of their own
MIN_MISFITS = 3  # boxes, likewise
MAX_LOG_PROBABILITY = math.log(
    1e-6
)  # that so many boxes would end so early by chance, were they anywhere on the screen

UNIT_NAMES = {
    CoordinateSpace.PIXEL: "pixels",
    CoordinateSpace.MILLE: "thousandths",
    CoordinateSpace.UNIT: "shares of 0 to 1",
}

BoxOnImage = tuple[Box, tuple[int, int]]


def find_unit_mismatch(placed: Sequence[BoxOnImage]) -> str | None:
    """What is odd about boxes of one space, each with the size of its picture; None where nothing is."""
    if not placed:
        return None
    space = placed[0][0].space
    if space is not CoordinateSpace.UNIT and all(max(box.xyxy) <= 1 for box, _ in placed):
        return _mismatch_message(space, CoordinateSpace.UNIT, f"none of {len(placed)} boxes has a number above 1")
    outside = [(box, size) for box, size in placed if not _fits(box, space, size)]
    fitting = [
        other
        for other in CoordinateSpace
        if other is not space and all(_fits(box, other, size) for box, size in placed)
    ]
    if fitting and len(outside) >= max(MIN_MISFITS, MIN_MISFIT_SHARE * len(placed)):
        closest = min(fitting, key=lambda other: sum(sum(_extent(other, size)) for _, size in placed))
        largest = max(max(box.xyxy) for box, _ in outside)
        found = f"{len(outside)} of {len(placed)} boxes reach outside of their pictures, with numbers up to {largest:g}"
        return _mismatch_message(space, closest, found)
    for other in fitting:
        if CoordinateSpace.UNIT not in (space, other) and _ends_early(placed, space, other):
            return _mismatch_message(space, other, f"all of {len(placed)} boxes end where {UNIT_NAMES[other]} would")
    return None


def _mismatch_message(declared: CoordinateSpace, likely: CoordinateSpace, found: str) -> str:
    return f"expected boxes in {UNIT_NAMES[declared]}, found that {found}: are they {UNIT_NAMES[likely]}?"


def _extent(space: CoordinateSpace, size: tuple[int, int]) -> tuple[float, float]:
    return {
        CoordinateSpace.PIXEL: (float(size[0]), float(size[1])),
        CoordinateSpace.MILLE: (1000.0, 1000.0),
        CoordinateSpace.UNIT: (1.0, 1.0),
    }[space]


def _fits(box: Box, space: CoordinateSpace, size: tuple[int, int]) -> bool:
    right, bottom = _extent(space, size)
    slack = 0.01 * max(right, bottom)
    return min(box.x1, box.y1) >= -slack and box.x2 <= right + slack and box.y2 <= bottom + slack


def _ends_early(placed: Sequence[BoxOnImage], space: CoordinateSpace, other: CoordinateSpace) -> bool:
    """Whether boxes that fit the other unit too leave large parts of the pictures without any."""
    pairs = [zip(_extent(space, size), _extent(other, size), strict=True) for _, size in placed]
    return sum(math.log(min(1.0, others / own)) for pair in pairs for own, others in pair) < MAX_LOG_PROBABILITY


Advance = Callable[[int, int], None]

MAX_SHOWN = 20  # findings of one topic; of a broken dataset nobody reads a thousand


@dataclass(frozen=True, slots=True)
class CheckReport:
    """`name` is that of the dataset; None where it could not be opened."""

    name: str | None
    findings: tuple[Issue, ...]

    def count(self, level: Severity) -> int:
        return sum(finding.level is level for finding in self.findings)


def check_folder(root: Path) -> Iterator[Issue]:
    """What is wrong with the dataset in a folder; nothing, if all is well."""
    try:
        reading = read_native(root)
    except DataError as error:
        yield _error(error)
        return
    yield from check_reading(reading)


def check_dataset(spec: str, cache: Path | None = None, progress: Advance | None = None) -> CheckReport:
    """What is wrong with the dataset that a SPEC names. Where there is somebody to `watch`, videos are decoded to the
    end, which takes time: they are told how many of how many are done."""
    try:
        reading = read_spec(spec, cache)
    except DataError as error:
        return CheckReport(None, (_error(error),))
    found = [*check_reading(reading), *(() if progress is None else _check_videos(reading, progress))]
    return CheckReport(reading.header.name, tuple(found))


def check_reading(reading: ReadResult) -> Iterator[Issue]:
    """All that is wrong with what was read, but for what only decoding videos to the end tells."""
    return _iter_issues(reading)


def limit_per_topic(findings: Iterable[Issue]) -> Iterator[Issue]:
    """Of each topic the first twenty findings, and how many more there are."""
    more: Counter[tuple[str, Severity]] = Counter()
    for finding in findings:
        key = (finding.topic, finding.level)
        more[key] += 1
        if not finding.topic or more[key] <= MAX_SHOWN:
            yield finding
    for (topic, level), count in more.items():
        if topic and count > MAX_SHOWN:
            yield Issue(level, f"and {count - MAX_SHOWN} more ({topic}); --json lists them all")


def _iter_issues(reading: ReadResult) -> Iterator[Issue]:
    yield from reading.findings
    yield from (_error(error, "rows that cannot be read") for error in read_errors(reading))
    missing = list(missing_media(reading)) if reading.own else _deduplicate_by_path(missing_media(reading))
    for place, record, path in missing:
        yield _error(missing_media_error(reading, place, record, path), "missing files")
    for place, record in reading.records():
        yield from _check_record(reading, place, record)
    yield from check_winners(reading)
    yield from _check_units(reading)
    yield from _check_links(reading)
    if reading.own:
        yield from _check_unused(reading)


def _deduplicate_by_path(missing: Iterable[tuple[FilePosition, Item, str]]) -> list[tuple[FilePosition, Item, str]]:
    """A picture that many rows share is missing once."""
    return list({path: (place, record, path) for place, record, path in reversed(list(missing))}.values())[::-1]


def _check_record(reading: ReadResult, place: FilePosition, record: Item) -> Iterator[Issue]:
    clips: dict[str, media.MediaInfo] = {}
    wrong: list[ItemIssue] = []
    for path in record.media():
        if not reading.file(path).is_file():
            continue
        try:
            clips[path] = media.probe(reading.file(path))
        except MediaError as error:
            wrong.append(ItemIssue(str(error), "unreadable media"))
    wrong += check_item(record, clips)
    for one in wrong:
        where = reading.targets.get(one.target, place) if one.target is not None else place
        yield _to_issue(where, record, one)


def _check_videos(reading: ReadResult, advance: Advance) -> Iterator[Issue]:
    clips = [(place, one) for place, one in reading.records() if isinstance(one, Clip)]
    found = map_threads(lambda clip: list(_check_video(reading.file(clip[1].video))), clips)
    for done, ((place, record), wrong) in enumerate(zip(clips, found, strict=True), 1):
        advance(done, len(clips))
        yield from (_to_issue(place, record, one) for one in wrong)


def _check_video(path: Path) -> Iterator[ItemIssue]:
    """Nothing of a video that is not there or cannot be opened: that is told already."""
    try:
        film = media.probe(path)
    except MediaError:
        return
    yield from check_flashes(film)


def _to_issue(place: FilePosition, record: Item, wrong: ItemIssue) -> Issue:
    return Issue(wrong.level, str(place.error(f"item {record.id!r}: {wrong.message}")), wrong.topic)


def _check_units(reading: ReadResult) -> Iterator[Issue]:
    """Over all boxes that are not our own: those of a folder of ours say their space each for itself."""
    if reading.own:
        return
    spaces: dict[str, list[BoxOnImage]] = {}
    for _, record in reading.records():
        if isinstance(record, Screen):
            for box in published_boxes(record):
                spaces.setdefault(box.space, []).append((box, (record.width, record.height)))
    for placed in spaces.values():
        if (odd := find_unit_mismatch(placed)) is not None:
            yield _error(DataError(odd, reading.root))


def _check_links(reading: ReadResult) -> Iterator[Issue]:
    known = {record.id for _, record in reading.records()}
    for place, record in reading.records():
        for link in record.links:
            if link.to not in known:
                message = f"item {record.id!r}: its {link.kind} link goes to {link.to!r}, which is not in the dataset"
                yield _error(place.error(message), "links")


def _check_unused(reading: ReadResult) -> Iterator[Issue]:
    used = {reading.file(path) for _, record in reading.records() for path in (*record.media(), *_extra_files(record))}
    folder = reading.root / "media"
    unused = sorted(p for p in folder.rglob("*") if p.is_file() and p not in used) if folder.is_dir() else []
    if unused:
        yield Issue(Severity.WARNING, f"{folder}: {len(unused)} files that no item names, the first {unused[0].name!r}")


def _extra_files(record: Item) -> list[str]:
    return record.extra_files() if isinstance(record, DesignPair) else []


def _error(error: DataError, topic: str = "") -> Issue:
    return Issue(Severity.ERROR, str(error), topic)
