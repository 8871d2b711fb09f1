"""What reading a dataset gives: a `Reading` with all that was found, right or wrong, and the `Dataset` it makes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from affordance.core.digest import digest, digest_file
from affordance.core.errors import DataError
from affordance.datasets.parts import Record
from affordance.datasets.records import Header


class Severity(StrEnum):
    ERROR = "error"  # the dataset cannot be used as it is
    WARNING = "warning"  # it can, but somebody should look


@dataclass(frozen=True, slots=True)
class Issue:
    """Something that is wrong. Of many findings of one `topic` only the first are told to a person."""

    level: Severity
    message: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item comes from: a line of our own format, or a row of a published file."""

    path: Path  # the file
    line: int | None = None  # of our own format, from 1
    row: int | None = None  # of a published file

    def error(self, message: str) -> DataError:
        return DataError(message, self.path, self.line, self.row)


@dataclass(frozen=True, slots=True, repr=False)
class Dataset:
    """Items with their media. `missing` are media that the items name and nobody has, which only published datasets
    may have; `elsewhere` says where those lie that are not in the folder."""

    root: Path  # its folder
    header: Header  # name, kind, licence...
    items: tuple[Record, ...]  # sorted by id
    missing: frozenset[str] = frozenset()  # media that nobody has
    elsewhere: Mapping[str, Path] = field(default_factory=dict, hash=False, compare=False)  # other places of media

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.items)} of kind {self.header.kind}>"

    @property
    def name(self) -> str:
        return self.header.name

    def file(self, media: str) -> Path:
        return self.elsewhere.get(media) or self.root / media

    def digest(self) -> str:
        """Over the records and the content of all their media: equal wherever the folder lies."""
        media = sorted({path for item in self.items for path in item.media()})
        contents = [[path, None if path in self.missing else digest_file(self.file(path))] for path in media]
        items = [item.model_dump(mode="json", exclude_unset=True) for item in self.items]
        return digest("dataset", self.header.kind, items, contents)


@dataclass(frozen=True, slots=True)
class Entry:
    """An item, or what is wrong with it, and where that is."""

    place: Place  # where it is
    found: Record | DataError  # the item, or what is wrong with it


@dataclass(frozen=True, slots=True)
class Reading:
    """Entries in the order of the source, which for our `own` format is that of the ids. `targets` says where targets
    of screens come from, and `findings` is what the reader has to say of the whole."""

    root: Path  # its folder
    header: Header  # name, kind, licence...
    entries: tuple[Entry, ...]  # in the order of the source
    own: bool = False  # whether it is our own format
    elsewhere: Mapping[str, Path] = field(default_factory=dict)  # where media lie that are not in the folder
    targets: Mapping[str, Place] = field(default_factory=dict)  # where targets of screens come from
    findings: tuple[Issue, ...] = ()  # about the whole

    def file(self, media: str) -> Path:
        return self.elsewhere.get(media) or self.root / media

    def records(self) -> Iterator[tuple[Place, Record]]:
        for entry in self.entries:
            if isinstance(entry.found, Record):
                yield entry.place, entry.found

    def dataset(self) -> Dataset:
        """Raises the first thing that makes it unusable."""
        for error in read_errors(self):
            raise error
        missing = list(missing_media(self))
        if self.own and missing:
            raise missing_media_error(self, *missing[0])
        items = tuple(sorted((item for _, item in self.records()), key=lambda item: item.id))
        return Dataset(self.root, self.header, items, frozenset(path for _, _, path in missing), self.elsewhere)


def read_errors(reading: Reading) -> Iterator[DataError]:
    """Entries that are no items, and in our own format those that are not sorted by id."""
    before: str | None = None
    for entry in reading.entries:
        if isinstance(entry.found, DataError):
            yield entry.found
            continue
        found = entry.found.id
        if reading.own and before is not None and before >= found:
            problem = "this id is there twice" if before == found else "items must be sorted by id"
            yield entry.place.error(f"{problem}: {found!r} comes after {before!r}")
        before = found
    if not reading.entries:
        path = reading.root / "items.jsonl" if reading.own else reading.root
        yield DataError("expected at least one item, found none", path)


def missing_media(reading: Reading) -> Iterator[tuple[Place, Record, str]]:
    """Each file that is not there, with every item that needs it."""
    for place, item in reading.records():
        for path in item.media():
            if not reading.file(path).is_file():
                yield place, item, path


def missing_media_error(reading: Reading, place: Place, item: Record, path: str) -> DataError:
    where = " in the dataset folder" if reading.own else ""
    return place.error(f"item {item.id!r} needs {path!r}, found no such file{where}")
