"""What is known of a published dataset: one row, with its licence, where it is downloaded from and how it is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from affordance.core.errors import UserError
from affordance.datasets.dataset import Issue, ReadResult, Severity
from affordance.datasets.items import DatasetHeader, ItemKind


@dataclass(frozen=True, slots=True)
class HubRepo:
    """A dataset repository on the Hugging Face hub."""

    repo: str
    revision: str = "main"  # a commit where one is known
    files: tuple[str, ...] = ("*",)  # patterns, in which * also matches slashes
    folder: str = ""  # below the download folder, for sets of several repositories
    read_from: str = ""  # below that folder, where the reader starts
    size_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class GitHubArchive:
    """Files of a GitHub repository, unpacked from its archive."""

    repo: str
    revision: str = "main"
    files: tuple[str, ...] = ("*",)
    folder: str = ""
    read_from: str = ""
    size_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class GitHubFile:
    """One file of a GitHub repository at a commit."""

    repo: str
    revision: str
    path: str
    folder: str = ""
    read_from: str = ""
    size_bytes: int | None = None


DatasetSource = HubRepo | GitHubArchive | GitHubFile


class Reader(Protocol):
    """Reads a file or folder of a published dataset. Images inside tables are written to `cache`."""

    def __call__(self, dataset: "PublishedDataset", path: Path, cache: Path | None, /) -> ReadResult: ...


@dataclass(frozen=True, slots=True)
class PublishedDataset:
    """One row of the table of published datasets."""

    name: str  # users write `NAME` or `NAME:PATH`
    title: str  # as reports name it
    kind: ItemKind
    licence: str  # SPDX identifier; empty where the source states it
    citation: str
    reader: Reader | None = None
    description: str = ""
    provenance: str = ""  # where the data comes from, in the header of what is read
    terms: str = ""  # conditions of use beyond the licence
    notes: str = ""
    sources: tuple[DatasetSource, ...] = ()  # empty where nothing can be downloaded
    expected: Mapping[str, int] = field(default_factory=dict)  # counts of the whole set, by what is counted
    images_elsewhere: bool = False  # the set lists image URLs, which are downloaded next

    def read(self, path: Path, cache: Path | None = None) -> ReadResult:
        """Read a file or folder of this set."""
        if self.reader is None:
            raise UserError(f"{self.name} has no reader; read it as FORMAT:{path}")
        return self.reader(self, path, cache)

    def header(self, kind: ItemKind | None = None, title: str = "") -> DatasetHeader:
        """The header of what is read; by default with the kind and title of this row."""
        return DatasetHeader(
            format=1,
            kind=kind or self.kind,
            name=title or self.title,
            licence=self.licence,
            provenance=self.provenance,
            synthetic=False,
        )


@dataclass(frozen=True, slots=True)
class ExpectedCount:
    """A count of the published set next to the one found. A difference is a warning: people use parts of sets."""

    what: str
    expected: int
    found: int

    def issues(self) -> list[Issue]:
        if self.expected == self.found:
            return []
        message = f"expected {self.expected} {self.what} of the published set, found {self.found}"
        return [Issue(Severity.WARNING, "published-counts", message)]
