"""Images of published rows: files in or next to the folder, or bytes in a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from affordance.core.digest import digest_bytes
from affordance.core.errors import MediaError, UserError
from affordance.core.files import atomic_write
from affordance.core.validation import short_repr
from affordance.datasets.items import check_relative_path
from affordance.datasets.published.rows import RawRow

TABLE_FOLDERS = {"annotations", "data", "benchmark"}  # folders of tables, which have image folders next to them


@dataclass(frozen=True, slots=True)
class LocatedImage:
    """An image with its path in the dataset; `file` is None where it is missing."""

    media: str
    file: Path | None


class ImageLocator:
    """Finds the images of rows. Images inside tables are written to the cache, unchanged and each once."""

    def __init__(self, path: Path, cache: Path | None, folders: Sequence[str] = ("", "images", "imgs")) -> None:
        self.root = path if path.is_dir() else path.parent
        around = [self.root.parent] if self.root.name in TABLE_FOLDERS else []
        self._folders = [root / folder for root in (self.root, *around) for folder in folders]
        self._cache = cache
        self._located: dict[str, LocatedImage] = {}
        self._sizes: dict[str, tuple[int, int]] = {}

    def media_paths(self) -> dict[str, Path]:
        """Paths of the images that are not in the folder under their name."""
        found = {one.media: one.file for one in self._located.values() if one.file is not None}
        return {name: file for name, file in found.items() if file != self.root / name}

    def locate(self, row: RawRow, columns: Sequence[str]) -> LocatedImage:
        """The image in the first of these columns that has one."""
        for column in columns:
            found = row.values.get(column)
            if isinstance(found, dict):
                found = found.get("bytes") or found.get("path")
            if isinstance(found, bytes) and found:
                return self._extract(found)
            if isinstance(found, str) and found:
                return self._find(row, found)
            if found is not None:
                raise row.error(f"expected an image or its name in {column!r}, found {short_repr(found)}")
        raise row.error(f"expected an image in {' or '.join(map(repr, columns))}, found none")

    def size(self, row: RawRow, image: LocatedImage, stated: tuple[int, int] | None) -> tuple[int, int]:
        """Width and height: the stated ones, otherwise those of the image."""
        if stated is not None:
            return stated
        if image.media not in self._sizes:
            if image.file is None:
                raise row.error(f"found neither the image {image.media!r} nor its size; put it in {self.root}")
            from affordance import media  # which is heavy

            try:
                self._sizes[image.media] = media.displayed_size(image.file)
            except MediaError as error:
                raise row.error(str(error)) from None
        return self._sizes[image.media]

    def _find(self, row: RawRow, name: str) -> LocatedImage:
        if name not in self._located:
            try:
                check_relative_path(name)
            except ValueError as error:
                raise row.error(str(error)) from None
            file = next((folder / name for folder in self._folders if (folder / name).is_file()), None)
            self._located[name] = LocatedImage(name, file)
        return self._located[name]

    def _extract(self, content: bytes) -> LocatedImage:
        digest = digest_bytes(content)
        if digest not in self._located:
            if self._cache is None:
                raise UserError(f"{self.root}: its images are inside tables; expected a cache folder to write them to")
            from affordance import media  # which is heavy

            image_format = media.image_format(content)
            suffix = image_format.suffix if image_format is not None else ".png"
            file = self._cache / "published" / digest[:2] / f"{digest}{suffix}"
            _write_once(file, content)
            self._located[digest] = LocatedImage(f"{digest}{suffix}", file)
        return self._located[digest]


def _write_once(file: Path, content: bytes) -> None:
    if file.is_file() and file.stat().st_size == len(content):
        return
    try:
        atomic_write(file, content)
    except OSError as error:
        raise UserError(f"cannot write the image {file}: {error.strerror}") from None
