"""What reading a dataset returns: items with their positions and issues, the dataset, and several datasets together."""

from collections.abc import Collection as Many
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from affordance.core.digest import digest, digest_file
from affordance.core.errors import DataError
from affordance.core.json_text import Json
from affordance.datasets.items import DatasetHeader, Item


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
class FilePosition:
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
    header: DatasetHeader  # name, kind, licence...
    items: tuple[Item, ...]  # sorted by id
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
class ReadItem:
    """An item, or what is wrong with it, and where that is."""

    place: FilePosition  # where it is
    found: Item | DataError  # the item, or what is wrong with it


@dataclass(frozen=True, slots=True)
class ReadResult:
    """Entries in the order of the source, which for our `own` format is that of the ids. `targets` says where targets
    of screens come from, and `findings` is what the reader has to say of the whole."""

    root: Path  # its folder
    header: DatasetHeader  # name, kind, licence...
    entries: tuple[ReadItem, ...]  # in the order of the source
    own: bool = False  # whether it is our own format
    elsewhere: Mapping[str, Path] = field(default_factory=dict)  # where media lie that are not in the folder
    targets: Mapping[str, FilePosition] = field(default_factory=dict)  # where targets of screens come from
    findings: tuple[Issue, ...] = ()  # about the whole

    def file(self, media: str) -> Path:
        return self.elsewhere.get(media) or self.root / media

    def records(self) -> Iterator[tuple[FilePosition, Item]]:
        for entry in self.entries:
            if isinstance(entry.found, Item):
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


def read_errors(reading: ReadResult) -> Iterator[DataError]:
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


def missing_media(reading: ReadResult) -> Iterator[tuple[FilePosition, Item, str]]:
    """Each file that is not there, with every item that needs it."""
    for place, item in reading.records():
        for path in item.media():
            if not reading.file(path).is_file():
                yield place, item, path


def missing_media_error(reading: ReadResult, place: FilePosition, item: Item, path: str) -> DataError:
    where = " in the dataset folder" if reading.own else ""
    return place.error(f"item {item.id!r} needs {path!r}, found no such file{where}")


@dataclass(frozen=True, slots=True)
class ItemIssue:
    """`topic` names others of its kind; `target` is the id of the target that it is about."""

    message: str
    topic: str
    level: Severity = Severity.ERROR
    target: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class DatasetCollection:
    """At most one dataset of each kind."""

    name: str  # as reports call it
    parts: tuple[Dataset, ...]  # one of each kind at most
    errors: int = 0  # that a check found in them

    def __repr__(self) -> str:
        return f"<{self.name}: {', '.join(map(repr, self.parts))}>"

    def part(self, kind: str) -> Dataset | None:
        return next((part for part in self.parts if part.header.kind == kind), None)

    def only(self, kinds: Many[str]) -> "DatasetCollection":
        return replace(self, parts=tuple(part for part in self.parts if part.header.kind in kinds))

    def to_record(self) -> dict[str, Json]:
        """As the ledger keeps it. One dataset alone is described as itself."""
        headers = [part.header for part in self.parts]
        digests = [part.digest() for part in self.parts]
        return {
            "name": self.parts[0].name if len(self.parts) == 1 else self.name,
            "digest": digests[0] if len(digests) == 1 else digest("collection", *digests),
            "kind": "+".join(header.kind for header in headers),
            "items": sum(len(part.items) for part in self.parts),
            "synthetic": any(header.synthetic for header in headers),
            "licence": ", ".join(dict.fromkeys(header.licence for header in headers)),
            **({"errors": self.errors} if self.errors else {}),
        }


def single_dataset(dataset: Dataset) -> DatasetCollection:
    return DatasetCollection(dataset.name, (dataset,))


def merge_datasets(one: Dataset, other: Dataset) -> Dataset:
    """Two datasets of a kind as one, under the first one's name; the media of the other stay where they are."""
    elsewhere = {path: other.file(path) for item in other.items for path in item.media()}
    taken = {path for item in one.items for path in item.media()} & elsewhere.keys()
    taken |= {item.id for item in one.items} & {item.id for item in other.items}
    if taken or one.header.kind != other.header.kind:
        raise ValueError(f"cannot join {one.name!r} and {other.name!r}: {sorted(taken) or 'they are of two kinds'}")
    items = tuple(sorted((*one.items, *other.items), key=lambda item: item.id))
    return replace(one, items=items, missing=one.missing | other.missing, elsewhere={**one.elsewhere, **elsewhere})
