"""The pictures of published rows: files in or beside the folder, or bytes in a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from affordance.core.digest import digest_bytes
from affordance.core.errors import MediaError, UserError
from affordance.core.files import atomic_write
from affordance.datasets.parts import check_relative_path
from affordance.datasets.published.rows import Row, short_repr

IMAGE_FOLDERS = ("", "images", "imgs", "screenspot_imgs", "screenspotv2_image", "screenspotv2_imgs")
TABLE_FOLDERS = {"annotations", "data", "benchmark"}  # folders of tables, which pictures lie beside
SUFFIX_OF_SIGNATURE = (
    (b"\x89PNG", ".png"),
    (b"\xff\xd8\xff", ".jpg"),
    (b"RIFF", ".webp"),
    (b"GIF8", ".gif"),
    (b"BM", ".bmp"),
)


@dataclass(frozen=True, slots=True)
class LocatedImage:
    """`media` is its name in the dataset; `file` is None where nobody has it."""

    media: str
    file: Path | None


class ImageLocator:
    """Finds pictures, and puts those out of tables into the cache, each once and as they are."""

    def __init__(self, path: Path, cache: Path | None) -> None:
        self.root = path if path.is_dir() else path.parent
        around = [self.root.parent] if self.root.name in TABLE_FOLDERS else []
        self._folders = [root / folder for root in (self.root, *around) for folder in IMAGE_FOLDERS]
        self._cache = cache
        self._known: dict[str, LocatedImage] = {}
        self._sizes: dict[str, tuple[int, int]] = {}

    def media_paths(self) -> dict[str, Path]:
        """Where those pictures lie that are not in the folder under their name."""
        found = {one.media: one.file for one in self._known.values() if one.file is not None}
        return {name: file for name, file in found.items() if file != self.root / name}

    def locate(self, row: Row, columns: Sequence[str]) -> LocatedImage:
        """The picture in the first of these columns that has one."""
        for column in columns:
            found = row.values.get(column)
            if isinstance(found, dict):
                found = found.get("bytes") or found.get("path")
            if isinstance(found, bytes) and found:
                return self._extract(found)
            if isinstance(found, str) and found:
                return self._find(row, found)
            if found is not None:
                raise row.error(f"expected a picture or its name in {column!r}, found {short_repr(found)}")
        raise row.error(f"expected a picture in {' or '.join(map(repr, columns))}, found none")

    def size(self, row: Row, image: LocatedImage, stated: tuple[int, int] | None) -> tuple[int, int]:
        """As it is stated, otherwise that of the picture itself."""
        if stated is not None:
            return stated
        if image.media not in self._sizes:
            if image.file is None:
                raise row.error(
                    f"found neither the picture {image.media!r} nor its size; put it in or beside {self.root}"
                )
            from affordance import media  # which is heavy

            try:
                self._sizes[image.media] = media.displayed_size(image.file)
            except MediaError as error:
                raise row.error(str(error)) from None
        return self._sizes[image.media]

    def _find(self, row: Row, name: str) -> LocatedImage:
        if name not in self._known:
            try:
                check_relative_path(name)
            except ValueError as error:
                raise row.error(str(error)) from None
            file = next((place / name for place in self._folders if (place / name).is_file()), None)
            self._known[name] = LocatedImage(name, file)
        return self._known[name]

    def _extract(self, content: bytes) -> LocatedImage:
        digest = digest_bytes(content)
        if digest not in self._known:
            if self._cache is None:
                raise UserError(
                    f"{self.root}: its pictures are inside of tables; expected a cache folder to put them into"
                )
            suffix = next((suffix for start, suffix in SUFFIX_OF_SIGNATURE if content.startswith(start)), ".png")
            file = self._cache / "published" / digest[:2] / f"{digest}{suffix}"
            _write_once(file, content)
            self._known[digest] = LocatedImage(f"{digest}{suffix}", file)
        return self._known[digest]


def _write_once(file: Path, content: bytes) -> None:
    if file.is_file() and file.stat().st_size == len(content):
        return
    try:
        atomic_write(file, content)
    except OSError as error:
        raise UserError(f"cannot write the picture {file}: {error.strerror}") from None
