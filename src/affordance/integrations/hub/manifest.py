"""`fetch.json`: what a fetched folder holds, from where and at which commit. It is written last, so a folder that has
it is complete."""

import errno
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from affordance.core.errors import DataError, InvalidOption, UserError
from affordance.core.files import atomic_write
from affordance.core.json_text import parse_json_object
from affordance.core.validation import format_validation_error
from affordance.datasets.items import RelativePath

MANIFEST_FILE = "fetch.json"
_BLOCK_BYTES = 2**20
_MAX_NAME_BYTES = 255
_DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FetchedFile(_Entry):
    """A file with its checksum: `sha256:` of its content, or `git:`, the name that git gives it."""

    path: RelativePath
    size: Annotated[int, Field(ge=0)]
    checksum: Annotated[str, Field(pattern="^(sha256:[0-9a-f]{64}|git:[0-9a-f]{40})$")]

    def in_folder(self, folder: str) -> "FetchedFile":
        """The file with its path from outside of a folder."""
        return self.model_copy(update={"path": f"{folder}/{self.path}"}) if folder else self

    def matches(self, file: Path) -> bool:
        """Whether a file has this content."""
        if not file.is_file() or file.stat().st_size != self.size:
            return False
        return checksum(file, self.checksum.partition(":")[0]) == self.checksum

    def is_at(self, root: Path) -> bool:
        """Whether the file is in a folder as it was fetched."""
        file = root / self.path
        return not file.is_symlink() and self.matches(file)


class FetchedSource(_Entry):
    """One repository of a fetched dataset. `revision` is what was requested, `commit` what it was then, and `source` a
    digest of what else identifies the source."""

    folder: RelativePath | Literal[""]
    source: str
    kind: str
    repo: str | None
    revision: str
    commit: str | None
    place: str
    files: tuple[FetchedFile, ...]


class FetchManifest(_Entry):
    """`fetch.json`. `only` are the patterns of the last fetch, and `parts` the sources."""

    format: int = 1
    name: str
    licence: str
    only: tuple[str, ...]
    parts: tuple[FetchedSource, ...]

    def source_in(self, folder: str) -> FetchedSource | None:
        """The source whose files are in a folder of the fetched one."""
        return next((one for one in self.parts if one.folder == folder), None)

    @property
    def files(self) -> list[FetchedFile]:
        """All files, with their paths in the fetched folder."""
        return [one.in_folder(part.folder) for part in self.parts for one in part.files]

    def damaged_files(self, root: Path) -> list[str]:
        """Files that are missing or were changed since they were fetched."""
        return [str(root / one.path) for one in self.files if not one.is_at(root)]


def read_manifest(root: Path) -> FetchManifest | None:
    """The manifest of a fetched folder; None where there is none."""
    path = root / MANIFEST_FILE
    if not path.is_file():
        return None
    try:
        content = parse_json_object(path.read_bytes())
        if "pictures" in content:
            raise ValueError("expected the record of a fetched dataset, found that of WiserUI-Bench's images")
        return FetchManifest.model_validate(content)
    except ValidationError as error:
        message = f"expected the record of an earlier fetch, found: {format_validation_error(error)}"
        raise DataError(f"{message}; move it away or choose another folder", path) from None
    except ValueError as error:
        raise DataError(f"{error}; move it away or choose another folder", path) from None


def write_manifest(root: Path, manifest: FetchManifest) -> None:
    atomic_write(root / MANIFEST_FILE, (manifest.model_dump_json(indent=1) + "\n").encode())


def checksum(file: Path, kind: str) -> str:
    """The checksum of a file, as `sha256:...` or `git:...`."""
    if kind == "git":
        state = hashlib.sha1(b"blob %d\0" % file.stat().st_size, usedforsecurity=False)
    else:
        state = hashlib.sha256()
    with file.open("rb") as content:
        while block := content.read(_BLOCK_BYTES):
            state.update(block)
    return f"{kind}:{state.hexdigest()}"


def describe_file(root: Path, path: str) -> FetchedFile:
    """A file of a folder with its size and checksum."""
    file = root / path
    return FetchedFile(path=path, size=file.stat().st_size, checksum=checksum(file, "sha256"))


def check_file_names(files: Iterable[FetchedFile], where: str) -> tuple[FetchedFile, ...]:
    """The files sorted by path. Raises `UserError` for names that are reserved or would replace each other."""
    found = sorted(files, key=lambda one: one.path)
    seen: dict[str, str] = {}
    folders: set[str] = set()
    for one in found:
        _check_name(one.path, where)
        lower = one.path.casefold()
        if lower in seen:
            raise UserError(
                f"{where}: {seen[lower]!r} and {one.path!r} are one file on some systems; choose with --only"
            )
        seen[lower] = one.path
        parts = lower.split("/")
        folders.update("/".join(parts[:depth]) for depth in range(1, len(parts)))
    if both := sorted(seen.keys() & folders):
        raise UserError(f"{where}: {seen[both[0]]!r} is a file and a folder; nothing was fetched")
    return tuple(found)


def _check_name(path: str, where: str) -> None:
    parts = path.split("/")
    printable = all(" " <= letter != "\x7f" for letter in path)
    reserved = path == MANIFEST_FILE or parts[0] == ".git"
    if reserved or not printable or any(len(part.encode()) > _MAX_NAME_BYTES for part in parts):
        raise UserError(f"{where}: expected names of files inside the folder, found {path!r}; nothing was fetched")


def not_cached_error(what: str) -> InvalidOption:
    """The error of an offline fetch of something that is not in the cache."""
    return InvalidOption("offline", f"{what} is not in the cache; run the command once with the network")


@contextmanager
def disk_errors(file: Path) -> Iterator[None]:
    """Errors of the disk as `UserError`, with what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in _DISK_FULL:
            raise UserError(
                f"the disk is full: cannot write {file} ({error.strerror}); make room and run the command again, or "
                "set AFFORDANCE_CACHE to a larger disk"
            ) from None
        raise UserError(f"cannot write {file}: {error.strerror}; choose a folder that you may write to") from None
