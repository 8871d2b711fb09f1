"""Everything that can be wrong with a dataset, all of it at once, each with its place."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from affordance import media
from affordance.core.errors import DataError, MediaError
from affordance.datasets.check_clips import check_flashes
from affordance.datasets.check_records import check_item, published_boxes
from affordance.datasets.clips import Clip
from affordance.datasets.folder import read_native
from affordance.datasets.parts import Record
from affordance.datasets.published.units import BoxOnImage, find_unit_mismatch
from affordance.datasets.reading import Issue, Place, Reading, Severity, missing_media, missing_media_error, read_errors
from affordance.datasets.records import Pair
from affordance.datasets.screens import Screen
from affordance.datasets.spec import read_spec
from affordance.datasets.undecided import check_winners
from affordance.datasets.wrong import ItemIssue

__all__ = ["CheckReport", "Issue", "Severity", "check_dataset", "check_folder", "check_reading", "limit_per_topic"]

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


def check_reading(reading: Reading) -> Iterator[Issue]:
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


def _iter_issues(reading: Reading) -> Iterator[Issue]:
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


def _deduplicate_by_path(missing: Iterable[tuple[Place, Record, str]]) -> list[tuple[Place, Record, str]]:
    """A picture that many rows share is missing once."""
    return list({path: (place, record, path) for place, record, path in reversed(list(missing))}.values())[::-1]


def _check_record(reading: Reading, place: Place, record: Record) -> Iterator[Issue]:
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


def _check_videos(reading: Reading, advance: Advance) -> Iterator[Issue]:
    clips = [(place, one) for place, one in reading.records() if isinstance(one, Clip)]
    found = media.map_threads(lambda clip: list(_check_video(reading.file(clip[1].video))), clips)
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


def _to_issue(place: Place, record: Record, wrong: ItemIssue) -> Issue:
    return Issue(wrong.level, str(place.error(f"item {record.id!r}: {wrong.message}")), wrong.topic)


def _check_units(reading: Reading) -> Iterator[Issue]:
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


def _check_links(reading: Reading) -> Iterator[Issue]:
    known = {record.id for _, record in reading.records()}
    for place, record in reading.records():
        for link in record.links:
            if link.to not in known:
                message = f"item {record.id!r}: its {link.kind} link goes to {link.to!r}, which is not in the dataset"
                yield _error(place.error(message), "links")


def _check_unused(reading: Reading) -> Iterator[Issue]:
    used = {reading.file(path) for _, record in reading.records() for path in (*record.media(), *_extra_files(record))}
    folder = reading.root / "media"
    unused = sorted(p for p in folder.rglob("*") if p.is_file() and p not in used) if folder.is_dir() else []
    if unused:
        yield Issue(Severity.WARNING, f"{folder}: {len(unused)} files that no item names, the first {unused[0].name!r}")


def _extra_files(record: Record) -> list[str]:
    return record.extra_files() if isinstance(record, Pair) else []


def _error(error: DataError, topic: str = "") -> Issue:
    return Issue(Severity.ERROR, str(error), topic)
