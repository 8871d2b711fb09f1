"""What reading a dataset returns: items with positions and issues, the dataset, and a collection of datasets."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from affordance.core.digest import digest, digest_file
from affordance.core.errors import DataError
from affordance.core.json_text import Json
from affordance.datasets.items import DatasetHeader, Item


class Severity(StrEnum):
    ERROR = "error"  # the dataset cannot be used as it is
    WARNING = "warning"  # it can be used, but needs a look


@dataclass(frozen=True, slots=True)
class FilePosition:
    """Where an item comes from: a line of our own format, or a row of a published file."""

    path: Path
    line: int | None = None  # of our own format, from 1
    row: int | None = None  # of a published file

    def error(self, message: str) -> DataError:
        return DataError(message, self.path, self.line, self.row)


@dataclass(frozen=True, slots=True)
class Issue:
    """A problem of a dataset. Issues with one `code` are of one kind; `str(issue)` begins with the position."""

    severity: Severity
    code: str
    message: str
    position: FilePosition | None = None
    item: str | None = None  # id
    target: str | None = None  # id

    def __str__(self) -> str:
        message = self.message if self.item is None else f"item {self.item!r}: {self.message}"
        return message if self.position is None else str(self.position.error(message))

    @classmethod
    def of_error(cls, error: DataError, code: str) -> "Issue":
        position = FilePosition(error.path, error.line, error.row)
        return cls(Severity.ERROR, code, str(error).removeprefix(str(position.error(""))), position)


@dataclass(frozen=True, slots=True, repr=False)
class Dataset:
    """Items with their media."""

    root: Path  # its folder
    header: DatasetHeader  # name, kind, licence...
    items: tuple[Item, ...]  # sorted by id
    missing_media: frozenset[str] = frozenset()  # files that items name but nobody has; only in published datasets
    media_paths: Mapping[str, Path] = field(default_factory=dict, hash=False, compare=False)  # of media elsewhere

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.items)} of kind {self.header.kind}>"

    @property
    def name(self) -> str:
        return self.header.name

    def media_path(self, media: str) -> Path:
        """The file of a path as items name it."""
        return self.media_paths.get(media) or self.root / media

    def digest(self) -> str:
        """Over the items and the content of all their media: equal wherever the folder is."""
        media = sorted({path for item in self.items for path in item.media_files()})
        contents = [
            [path, None if path in self.missing_media else digest_file(self.media_path(path))] for path in media
        ]
        items = [item.model_dump(mode="json", exclude_unset=True) for item in self.items]
        return digest("dataset", self.header.kind, items, contents)


@dataclass(frozen=True, slots=True)
class ReadItem:
    """What a line or row was read as, with its position."""

    position: FilePosition
    item: Item | DataError  # the error where it is no item


@dataclass(frozen=True, slots=True)
class ReadResult:
    """All that was read from a SPEC, valid or not."""

    root: Path  # its folder
    header: DatasetHeader  # name, kind, licence...
    entries: tuple[ReadItem, ...]  # in the order of the source; in our own format sorted by id
    is_native: bool = False  # whether it is in our own format
    media_paths: Mapping[str, Path] = field(default_factory=dict)  # of media that are not in the folder
    target_positions: Mapping[str, FilePosition] = field(default_factory=dict)  # of the targets of screens, by id
    issues: tuple[Issue, ...] = ()  # about the dataset as a whole

    def media_path(self, media: str) -> Path:
        """The file of a path as items name it."""
        return self.media_paths.get(media) or self.root / media

    def valid_items(self) -> Iterator[tuple[FilePosition, Item]]:
        """The items that could be read, with their positions."""
        for entry in self.entries:
            if isinstance(entry.item, Item):
                yield entry.position, entry.item

    def dataset(self) -> Dataset:
        """The dataset; raises the first error that makes it unusable."""
        for error in read_errors(self):
            raise error
        missing = list(missing_media(self))
        if self.is_native and missing:
            raise missing_media_error(self, *missing[0])
        items = tuple(sorted((item for _, item in self.valid_items()), key=lambda item: item.id))
        return Dataset(self.root, self.header, items, frozenset(path for _, _, path in missing), self.media_paths)


def read_errors(result: ReadResult) -> Iterator[DataError]:
    """Errors of entries that are no items, and in our own format of items that are not sorted by id."""
    before: str | None = None
    for entry in result.entries:
        if isinstance(entry.item, DataError):
            yield entry.item
            continue
        found = entry.item.id
        if result.is_native and before is not None and before >= found:
            problem = "this id occurs twice" if before == found else "items must be sorted by id"
            yield entry.position.error(f"{problem}: {found!r} comes after {before!r}")
        before = found
    if not result.entries:
        path = result.root / "items.jsonl" if result.is_native else result.root
        yield DataError("expected at least one item, found none", path)


def missing_media(result: ReadResult) -> Iterator[tuple[FilePosition, Item, str]]:
    """Each missing file, with every item that needs it."""
    for position, item in result.valid_items():
        for path in item.media_files():
            if not result.media_path(path).is_file():
                yield position, item, path


def missing_media_error(result: ReadResult, position: FilePosition, item: Item, path: str) -> DataError:
    where = " in the dataset folder" if result.is_native else ""
    return position.error(f"item {item.id!r} needs {path!r}, found no such file{where}")


@dataclass(frozen=True, slots=True, repr=False)
class DatasetCollection:
    """Datasets that are evaluated together, at most one of each kind."""

    name: str  # as reports name it
    datasets: tuple[Dataset, ...]
    error_count: int = 0  # errors that a check found in them

    def __repr__(self) -> str:
        return f"<{self.name}: {', '.join(map(repr, self.datasets))}>"

    @classmethod
    def single(cls, dataset: Dataset) -> "DatasetCollection":
        """A collection of one dataset, with its name."""
        return cls(dataset.name, (dataset,))

    def of_kind(self, kind: str) -> Dataset | None:
        """The dataset of a kind; None where there is none."""
        return next((one for one in self.datasets if one.header.kind == kind), None)

    def select(self, kinds: Collection[str]) -> "DatasetCollection":
        """The collection of the datasets of these kinds."""
        return replace(self, datasets=tuple(one for one in self.datasets if one.header.kind in kinds))

    def to_record(self) -> dict[str, Json]:
        """The description that the ledger stores. A single dataset is described as itself."""
        headers = [one.header for one in self.datasets]
        digests = [one.digest() for one in self.datasets]
        return {
            "name": self.datasets[0].name if len(self.datasets) == 1 else self.name,
            "digest": digests[0] if len(digests) == 1 else digest("collection", *digests),
            "kind": "+".join(header.kind for header in headers),
            "items": sum(len(one.items) for one in self.datasets),
            "synthetic": any(header.synthetic for header in headers),
            "licence": ", ".join(dict.fromkeys(header.licence for header in headers)),
            **({"errors": self.error_count} if self.error_count else {}),
        }


def merge_datasets(one: Dataset, other: Dataset) -> Dataset:
    """Two datasets of a kind as one, under the name of the first; the media of the other stay where they are."""
    media_paths = {path: other.media_path(path) for item in other.items for path in item.media_files()}
    shared = {path for item in one.items for path in item.media_files()} & media_paths.keys()
    shared |= {item.id for item in one.items} & {item.id for item in other.items}
    if shared or one.header.kind != other.header.kind:
        raise ValueError(f"cannot merge {one.name!r} and {other.name!r}: {sorted(shared) or 'they are of two kinds'}")
    return replace(
        one,
        items=tuple(sorted((*one.items, *other.items), key=lambda item: item.id)),
        missing_media=one.missing_media | other.missing_media,
        media_paths={**one.media_paths, **media_paths},
    )
