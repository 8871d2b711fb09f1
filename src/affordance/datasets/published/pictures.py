"""The pictures of published rows: files in or beside the folder, or bytes in a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from affordance.core.digest import digest_bytes
from affordance.core.errors import MediaError, UserError
from affordance.core.files import atomic_write
from affordance.datasets.parts import inside
from affordance.datasets.published.rows import Row, shown

FOLDERS = ("", "images", "imgs", "screenspot_imgs", "screenspotv2_image", "screenspotv2_imgs")
BESIDE = {"annotations", "data", "benchmark"}  # folders of tables, which pictures lie beside
SUFFIXES = ((b"\x89PNG", ".png"), (b"\xff\xd8\xff", ".jpg"), (b"RIFF", ".webp"), (b"GIF8", ".gif"), (b"BM", ".bmp"))


@dataclass(frozen=True, slots=True)
class Picture:
    """`media` is its name in the dataset; `file` is None where nobody has it."""

    media: str
    file: Path | None


class Pictures:
    """Finds pictures, and puts those out of tables into the cache, each once and as they are."""

    def __init__(self, path: Path, cache: Path | None) -> None:
        self.root = path if path.is_dir() else path.parent
        around = [self.root.parent] if self.root.name in BESIDE else []
        self._folders = [root / folder for root in (self.root, *around) for folder in FOLDERS]
        self._cache = cache
        self._known: dict[str, Picture] = {}
        self._sizes: dict[str, tuple[int, int]] = {}

    def elsewhere(self) -> dict[str, Path]:
        """Where those pictures lie that are not in the folder under their name."""
        found = {one.media: one.file for one in self._known.values() if one.file is not None}
        return {name: file for name, file in found.items() if file != self.root / name}

    def of(self, row: Row, columns: Sequence[str]) -> Picture:
        """The picture in the first of these columns that has one."""
        for column in columns:
            found = row.values.get(column)
            if isinstance(found, dict):
                found = found.get("bytes") or found.get("path")
            if isinstance(found, bytes) and found:
                return self._extracted(found)
            if isinstance(found, str) and found:
                return self._named(row, found)
            if found is not None:
                raise row.error(f"expected a picture or its name in {column!r}, found {shown(found)}")
        raise row.error(f"expected a picture in {' or '.join(map(repr, columns))}, found none")

    def size(self, row: Row, picture: Picture, stated: tuple[int, int] | None) -> tuple[int, int]:
        """As it is stated, otherwise that of the picture itself."""
        if stated is not None:
            return stated
        if picture.media not in self._sizes:
            if picture.file is None:
                raise row.error(
                    f"found neither the picture {picture.media!r} nor its size; put it in or beside {self.root}"
                )
            from affordance import media  # which is heavy

            try:
                self._sizes[picture.media] = media.displayed_size(picture.file)
            except MediaError as error:
                raise row.error(str(error)) from None
        return self._sizes[picture.media]

    def _named(self, row: Row, name: str) -> Picture:
        if name not in self._known:
            try:
                inside(name)
            except ValueError as error:
                raise row.error(str(error)) from None
            file = next((place / name for place in self._folders if (place / name).is_file()), None)
            self._known[name] = Picture(name, file)
        return self._known[name]

    def _extracted(self, content: bytes) -> Picture:
        digest = digest_bytes(content)
        if digest not in self._known:
            if self._cache is None:
                raise UserError(
                    f"{self.root}: its pictures are inside of tables; expected a cache folder to put them into"
                )
            suffix = next((suffix for start, suffix in SUFFIXES if content.startswith(start)), ".png")
            file = self._cache / "published" / digest[:2] / f"{digest}{suffix}"
            _keep(file, content)
            self._known[digest] = Picture(f"{digest}{suffix}", file)
        return self._known[digest]


def _keep(file: Path, content: bytes) -> None:
    if file.is_file() and file.stat().st_size == len(content):
        return
    try:
        atomic_write(file, content)
    except OSError as error:
        raise UserError(f"cannot write the picture {file}: {error.strerror}") from None
