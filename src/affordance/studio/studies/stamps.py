"""Files that a study is made of: whether they have the content they should, and whether they were touched since."""

from collections.abc import Iterable
from pathlib import Path

from affordance.core.digest import digest_file
from affordance.core.errors import UserError
from affordance.datasets import expand_spec, spec_path
from affordance.datasets.folder import HEADER_FILE, ITEMS_FILE


class Stamps:
    """Files as they are now, by time and size; also that one is not there. Where contents are looked at too, that comes
    after: so what changes in between is noticed."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._before = {path: _stamp(path) for path in paths}

    def touched(self) -> bool:
        return any(_stamp(path) != before for path, before in self._before.items())


def check_content(study: str, what: str, name: str, path: Path, content: str) -> None:
    """Raises a `UserError` where a file has not the digest that it had when the study was made."""
    if not path.is_file() or digest_file(path) != content:
        found = "another one" if path.is_file() else "no such file"
        raise UserError(
            f"study {study}: expected the {what} {name} as it was when the study was made, found {found}; put it back"
        )


def record_files(spec: str) -> list[Path]:
    """The files with the records of a dataset."""
    places = [spec_path(member) for member in expand_spec(spec)]
    return [
        path for place in places for path in ((place / HEADER_FILE, place / ITEMS_FILE) if place.is_dir() else (place,))
    ]


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
