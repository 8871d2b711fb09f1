"""What a source has: files with sizes and checksums, at a commit. What servers say is checked before it is believed."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from affordance.core.digest import digest_text
from affordance.core.errors import UserError
from affordance.datasets.items import check_relative_path
from affordance.integrations.hub.durable import durable_write

MANIFEST = "fetch.json"
UNFINISHED = "fetch.unfinished.json"
GIT = ".git"


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file at its source; `path` is that in the repository, `place` the URL or path to get it from, which is kept
    without its base, as that may have a password in it."""

    path: str
    size: int
    checksum: str
    place: str


@dataclass(frozen=True, slots=True)
class Listing:
    """All that lies at one place. `commit` is None where there are no commits, `licence` where nobody says it."""

    commit: str | None
    files: tuple[RemoteFile, ...]
    licence: str | None = None

    def select(self, *choices: Sequence[str]) -> "Listing":
        """The files that match a pattern of every choice; an empty choice is all."""
        kept = [one for one in self.files if all(_matches(one.path, patterns) for patterns in choices)]
        return replace(self, files=tuple(kept))

    def with_base_url(self, base: str) -> "Listing":
        """With whole addresses where they begin with a slash."""
        files = [replace(one, place=base + one.place) if one.place.startswith("/") else one for one in self.files]
        return replace(self, files=tuple(files))

    def exclude(self, pattern: str) -> "Listing":
        return replace(self, files=tuple(one for one in self.files if not fnmatchcase(one.path, pattern)))


_ADAPTER = TypeAdapter(Listing)


def check_files(files: Iterable[RemoteFile], where: str) -> tuple[RemoteFile, ...]:
    """Sorted by path. Names that could leave the folder, or lie on top of each other, are refused."""
    found = sorted(files, key=lambda one: one.path)
    seen: dict[str, str] = {}
    folders: set[str] = set()
    for one in found:
        if not _safe(one.path):
            raise UserError(
                f"{where}: expected names of files inside the folder, found {one.path!r}; nothing is fetched"
            )
        low = one.path.casefold()
        if low in seen:
            raise UserError(
                f"{where}: {seen[low]!r} and {one.path!r} are the same file on some systems; choose with --only"
            )
        seen[low] = one.path
        parts = low.split("/")
        folders.update("/".join(parts[:depth]) for depth in range(1, len(parts)))
    if both := sorted(seen.keys() & folders):
        raise UserError(f"{where}: {seen[both[0]]!r} is a file and a folder; nothing is fetched")
    return tuple(found)


def _safe(path: str) -> bool:
    try:
        parts = check_relative_path(path).split("/")
    except ValueError:
        return False
    plain = all(" " <= letter != "\x7f" for letter in path)
    ours = path in (MANIFEST, UNFINISHED) or parts[0] == GIT
    return plain and not ours and all(len(part.encode()) < 256 for part in parts)


def _matches(path: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(path, pattern) for pattern in patterns)


class ListingCache:
    """What sources have said, kept: a commit never changes, so it is asked for once. A branch is asked for each time,
    and what it was last is what counts offline."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, key: str) -> Listing | None:
        try:
            return _ADAPTER.validate_json(self._file(key).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None

    def store(self, key: str, listing: Listing) -> None:
        durable_write(self._file(key), json.dumps(asdict(listing)).encode())

    def _file(self, key: str) -> Path:
        return self._folder / f"{digest_text(key)}.json"


def whole_number(value: Any, what: str, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UserError(f"{where}: expected {what} as a number, found {value!r:.60}; is it the right server?")
    return value
