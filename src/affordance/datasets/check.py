"""Everything that can be wrong with a dataset, all of it at once, each with its place."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from affordance import media
from affordance.core.errors import DataError, MediaError
from affordance.datasets.check_clips import watched
from affordance.datasets.check_records import placed_boxes, wrong_with
from affordance.datasets.clips import Clip
from affordance.datasets.folder import open_folder
from affordance.datasets.parts import Record
from affordance.datasets.published.units import Placed, mixed_up
from affordance.datasets.reading import Finding, Level, Place, Reading, lacks, missing_media, unusable
from affordance.datasets.records import Pair
from affordance.datasets.screens import Screen
from affordance.datasets.spec import open_spec
from affordance.datasets.undecided import wrong_winners
from affordance.datasets.wrong import Wrong

__all__ = ["Checked", "Finding", "Level", "check", "check_reading", "check_spec", "shortened"]

Advance = Callable[[int, int], None]

TOLD = 20  # findings of one topic; of a broken dataset nobody reads a thousand


@dataclass(frozen=True, slots=True)
class Checked:
    """`name` is that of the dataset; None where it could not be opened."""

    name: str | None
    findings: tuple[Finding, ...]

    def count(self, level: Level) -> int:
        return sum(finding.level is level for finding in self.findings)


def check(root: Path) -> Iterator[Finding]:
    """What is wrong with the dataset in a folder; nothing, if all is well."""
    try:
        reading = open_folder(root)
    except DataError as error:
        yield _error(error)
        return
    yield from check_reading(reading)


def check_spec(spec: str, cache: Path | None = None, watch: Advance | None = None) -> Checked:
    """What is wrong with the dataset that a SPEC names. Where there is somebody to `watch`, videos are decoded to the
    end, which takes time: they are told how many of how many are done."""
    try:
        reading = open_spec(spec, cache)
    except DataError as error:
        return Checked(None, (_error(error),))
    found = [*check_reading(reading), *(() if watch is None else _watch(reading, watch))]
    return Checked(reading.header.name, tuple(found))


def check_reading(reading: Reading) -> Iterator[Finding]:
    """All that is wrong with what was read, but for what only decoding videos to the end tells."""
    return _findings(reading)


def shortened(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Of each topic the first twenty findings, and how many more there are."""
    more: Counter[tuple[str, Level]] = Counter()
    for finding in findings:
        key = (finding.topic, finding.level)
        more[key] += 1
        if not finding.topic or more[key] <= TOLD:
            yield finding
    for (topic, level), count in more.items():
        if topic and count > TOLD:
            yield Finding(level, f"and {count - TOLD} more ({topic}); --json lists them all")


def _findings(reading: Reading) -> Iterator[Finding]:
    yield from reading.findings
    yield from (_error(error, "rows that cannot be read") for error in unusable(reading))
    missing = list(missing_media(reading)) if reading.own else _each_once(missing_media(reading))
    for place, record, path in missing:
        yield _error(lacks(reading, place, record, path), "missing files")
    for place, record in reading.records():
        yield from _check_record(reading, place, record)
    yield from wrong_winners(reading)
    yield from _check_units(reading)
    yield from _check_links(reading)
    if reading.own:
        yield from _check_unused(reading)


def _each_once(missing: Iterable[tuple[Place, Record, str]]) -> list[tuple[Place, Record, str]]:
    """A picture that many rows share is missing once."""
    return list({path: (place, record, path) for place, record, path in reversed(list(missing))}.values())[::-1]


def _check_record(reading: Reading, place: Place, record: Record) -> Iterator[Finding]:
    clips: dict[str, media.Clip] = {}
    wrong: list[Wrong] = []
    for path in record.media():
        if not reading.file(path).is_file():
            continue
        try:
            clips[path] = media.probe(reading.file(path))
        except MediaError as error:
            wrong.append(Wrong(str(error), "unreadable media"))
    wrong += wrong_with(record, clips)
    for one in wrong:
        where = reading.targets.get(one.target, place) if one.target is not None else place
        yield _told(where, record, one)


def _watch(reading: Reading, advance: Advance) -> Iterator[Finding]:
    clips = [(place, one) for place, one in reading.records() if isinstance(one, Clip)]
    found = media.in_threads(lambda clip: list(_watched(reading.file(clip[1].video))), clips)
    for done, ((place, record), wrong) in enumerate(zip(clips, found, strict=True), 1):
        advance(done, len(clips))
        yield from (_told(place, record, one) for one in wrong)


def _watched(path: Path) -> Iterator[Wrong]:
    """Nothing of a video that is not there or cannot be opened: that is told already."""
    try:
        film = media.probe(path)
    except MediaError:
        return
    yield from watched(film)


def _told(place: Place, record: Record, wrong: Wrong) -> Finding:
    return Finding(wrong.level, str(place.error(f"item {record.id!r}: {wrong.message}")), wrong.topic)


def _check_units(reading: Reading) -> Iterator[Finding]:
    """Over all boxes that are not our own: those of a folder of ours say their space each for itself."""
    if reading.own:
        return
    spaces: dict[str, list[Placed]] = {}
    for _, record in reading.records():
        if isinstance(record, Screen):
            for box in placed_boxes(record):
                spaces.setdefault(box.space, []).append((box, (record.width, record.height)))
    for placed in spaces.values():
        if (odd := mixed_up(placed)) is not None:
            yield _error(DataError(odd, reading.root))


def _check_links(reading: Reading) -> Iterator[Finding]:
    known = {record.id for _, record in reading.records()}
    for place, record in reading.records():
        for link in record.links:
            if link.to not in known:
                message = f"item {record.id!r}: its {link.kind} link goes to {link.to!r}, which is not in the dataset"
                yield _error(place.error(message), "links")


def _check_unused(reading: Reading) -> Iterator[Finding]:
    used = {reading.file(path) for _, record in reading.records() for path in (*record.media(), *_beside(record))}
    folder = reading.root / "media"
    unused = sorted(p for p in folder.rglob("*") if p.is_file() and p not in used) if folder.is_dir() else []
    if unused:
        yield Finding(Level.WARNING, f"{folder}: {len(unused)} files that no item names, the first {unused[0].name!r}")


def _beside(record: Record) -> list[str]:
    return record.beside() if isinstance(record, Pair) else []


def _error(error: DataError, topic: str = "") -> Finding:
    return Finding(Level.ERROR, str(error), topic)
