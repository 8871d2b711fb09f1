"""`fetch.json`: what a fetched folder has, from where and at which commit. It is written last, so that where it is,
everything was. While files are put into place, `fetch.unfinished.json` says what may be there besides."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from affordance.core.errors import DataError
from affordance.core.json_text import parse_json_object
from affordance.core.validation import format_validation_error
from affordance.datasets.items import RelativePath
from affordance.integrations.hub.checksums import FORM, matches_checksum
from affordance.integrations.hub.durable import durable_write
from affordance.integrations.hub.listing import MANIFEST, UNFINISHED


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FetchedFile(_Entry):
    path: RelativePath
    size: Annotated[int, Field(ge=0)]
    checksum: Annotated[str, Field(pattern=FORM)]

    def under(self, folder: str) -> "FetchedFile":
        return self.model_copy(update={"path": f"{folder}/{self.path}"}) if folder else self

    def is_at(self, root: Path) -> bool:
        """Whether it is there as it was fetched."""
        return matches_checksum(root / self.path, self.size, self.checksum)


class FetchedPart(_Entry):
    """`revision` is what was asked for, `commit` what that was then, and `source` the digest of what else the source
    says of the part."""

    folder: RelativePath | Literal[""]
    source: str
    kind: str
    repo: str | None
    revision: str
    commit: str | None
    place: str
    files: tuple[FetchedFile, ...]


class FetchManifest(_Entry):
    format: int = 1
    name: str
    licence: str
    only: tuple[str, ...]
    parts: tuple[FetchedPart, ...]

    def part(self, folder: str) -> FetchedPart | None:
        return next((one for one in self.parts if one.folder == folder), None)

    @property
    def files(self) -> list[FetchedFile]:
        """By their paths in the folder."""
        return [one.under(part.folder) for part in self.parts for one in part.files]

    def damaged_files(self, root: Path) -> list[str]:
        """Files that are not there, or not as they were fetched."""
        return [str(root / one.path) for one in self.files if not one.is_at(root)]


class UnfinishedFetch(_Entry):
    """The files that this fetch, and those of the same before it, may have left in the folder, by their paths in it."""

    files: tuple[FetchedFile, ...]


E = TypeVar("E", bound=_Entry)


def read_manifest(root: Path) -> FetchManifest | None:
    return _read(root / MANIFEST, FetchManifest)


def known_files(root: Path) -> dict[str, list[FetchedFile]]:
    """By path, every state in which a fetch may have left a file there."""
    manifest = read_manifest(root)
    known: dict[str, list[FetchedFile]] = {}
    for one in {*(manifest.files if manifest is not None else ()), *_unfinished_files(root)}:
        known.setdefault(one.path, []).append(one)
    return known


def earlier_files(root: Path, now: FetchManifest) -> set[FetchedFile]:
    """What is of an earlier fetch of the same set or repository, or of one that was cut. Another set that somebody has
    fetched into the same folder is not among it."""
    found = set(_unfinished_files(root))
    if (before := read_manifest(root)) is not None:
        repos = {(part.kind, part.repo) for part in now.parts if part.repo is not None}
        for part in before.parts:
            if before.name == now.name or (part.kind, part.repo) in repos:
                found.update(one.under(part.folder) for one in part.files)
    return found


def _unfinished_files(root: Path) -> tuple[FetchedFile, ...]:
    unfinished = _read(root / UNFINISHED, UnfinishedFetch)
    return unfinished.files if unfinished is not None else ()


def write_unfinished(root: Path, files: Iterable[FetchedFile]) -> None:
    found = sorted(files, key=lambda one: (one.path, one.checksum))
    _write(root / UNFINISHED, UnfinishedFetch(files=tuple(found)))


def is_unfinished(root: Path) -> bool:
    return (root / UNFINISHED).exists()


def _read(path: Path, kind: type[E]) -> E | None:
    if not path.is_file():
        return None
    try:
        return kind.model_validate(parse_json_object(path.read_bytes()))
    except ValidationError as error:
        message = f"expected what an earlier fetch has written, found: {format_validation_error(error)}; move it away"
        raise DataError(message, path) from None
    except ValueError as error:
        raise DataError(f"{error}; move it away", path) from None


def write_manifest(root: Path, manifest: FetchManifest) -> None:
    _write(root / MANIFEST, manifest)


def _write(path: Path, entry: _Entry) -> None:
    durable_write(path, (entry.model_dump_json(indent=1) + "\n").encode())
