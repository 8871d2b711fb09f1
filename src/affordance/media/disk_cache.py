"""Rendered images on disk: limited in size, shared between processes, verified by checksums.

Images of one source that are rendered together are one file, a pack, so that the frames of a clip are one file to open.
Its index says where each image is, and each can be read alone. A pack holds images as base64, the form in which they
are sent: encoding them again would cost several times as much as reading. Packs are written atomically; a killed
process leaves at most a temporary file, which is removed later.
"""

import logging
import os
import struct
import threading
import time
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from io import BufferedReader
from pathlib import Path

from affordance.core.digest import DIGEST_LENGTH, digest
from affordance.core.files import atomic_write

_LOG = logging.getLogger(__name__)

_MAGIC = b"AFFPICS2"
_HEADER = struct.Struct("<8sII")  # magic, checksum of the index, number of images
_INDEX_ENTRY = struct.Struct(f"<{DIGEST_LENGTH}sII")  # an image's digest, its bytes, and their checksum

# The folder may be any that the user names: only files that match these are counted or removed.
_EDITION = "pictures-{}"
_SUFFIX = ".pics"
_TEMPORARY = (".part", ".tmp")
_STRAY_AFTER_SECONDS = 3600.0

# Each process counts what it wrote and scans the folder again after this share of the limit. Trimming to below the
# limit by the same share makes room until then.
_SLACK = 8


class DiskCache:
    """Packs in a folder; the least recently used are removed once they exceed `limit_bytes` together.

    The limit may be exceeded by an eighth for each process that writes. If the folder cannot be written, that is logged
    once and the cache is only read from then on.
    """

    def __init__(self, folder: Path, edition: str, limit_bytes: int) -> None:
        self._root = folder
        self._folder = folder / _EDITION.format(edition)
        self._limit = limit_bytes
        self._lock = threading.Lock()
        self._bytes_since_scan: int | None = None  # bytes written since the last scan of the folder
        self._writable = True

    def read(self, source: str, wanted: Collection[str]) -> dict[str, bytes]:
        """The wanted images of a source that are cached and intact, by digest."""
        left = set(wanted)
        found = _read_pack(self._path(source, wanted), left)
        for path in self._packs(source) if len(found) < len(left) else ():  # written with others, or in several packs
            found |= _read_pack(path, left - found.keys())
        return found

    def write(self, source: str, images: Mapping[str, bytes]) -> None:
        """Keep images of a source, by digest, as one pack."""
        if not self._writable:
            return
        data = _pack(images)
        try:
            atomic_write(self._path(source, images), data)
            self._count_written(len(data))
        except OSError as error:
            self._disable(error)

    def _path(self, source: str, names: Iterable[str]) -> Path:
        """The path of the pack of these images, if they are written together."""
        name = digest(source)
        return self._folder / name[:2] / f"{name}-{digest(*sorted(names))}{_SUFFIX}"

    def _packs(self, source: str) -> list[Path]:
        name = digest(source)
        try:
            with os.scandir(self._folder / name[:2]) as entries:
                return [
                    Path(one.path) for one in entries if one.name.startswith(f"{name}-") and one.name.endswith(_SUFFIX)
                ]
        except OSError:
            return []

    def _disable(self, error: OSError) -> None:
        with self._lock:
            logged, self._writable = not self._writable, False
        if not logged:
            _LOG.warning("render cache disabled: cannot write to %s (%s)", self._root, error.strerror)

    def _count_written(self, written: int) -> None:
        with self._lock:
            self._bytes_since_scan = None if self._bytes_since_scan is None else self._bytes_since_scan + written
            if self._bytes_since_scan is None or self._bytes_since_scan > self._limit // _SLACK:
                _trim(self._root, self._limit)
                self._bytes_since_scan = 0


def _trim(root: Path, limit: int) -> None:
    """Remove the oldest packs until the folder is below the limit. Other processes may do the same at the same time."""
    files = sorted(_files(root))
    total = sum(size for _, size, _ in files)
    goal = limit - limit // _SLACK
    if total <= goal:
        return
    for _, size, path in files:
        path.unlink(missing_ok=True)
        total -= size
        if total <= goal:
            return


def _files(root: Path) -> Iterator[tuple[float, int, Path]]:
    """Time of last use, size and path of each pack. Old temporary files are removed on the way."""
    stray_before = time.time() - _STRAY_AFTER_SECONDS
    for path in root.glob(f"{_EDITION.format('*')}/??/*"):
        try:
            stat = path.stat()
        except FileNotFoundError:  # removed by another process
            continue
        if path.suffix in _TEMPORARY:
            if stat.st_mtime < stray_before:
                path.unlink(missing_ok=True)
        elif path.suffix == _SUFFIX:
            yield stat.st_mtime, stat.st_size, path


def _pack(images: Mapping[str, bytes]) -> bytes:
    index = b"".join(_INDEX_ENTRY.pack(name.encode(), len(data), zlib.crc32(data)) for name, data in images.items())
    return b"".join((_HEADER.pack(_MAGIC, zlib.crc32(index), len(images)), index, *images.values()))


def _read_pack(path: Path, wanted: set[str]) -> dict[str, bytes]:
    """The wanted images of a pack, by digest; none where one of them is damaged."""
    found: dict[str, bytes] = {}
    try:
        with path.open("rb") as file:
            for name, start, length, checksum in _index(file):
                if name in wanted:
                    file.seek(start)
                    if zlib.crc32(data := file.read(length)) != checksum:
                        return {}
                    found[name] = data
    except OSError:
        return {}
    if found:
        with suppress(OSError):  # a read-only folder still serves
            os.utime(path)  # time of last use, by which packs are removed
    return found


def _index(file: BufferedReader) -> Iterator[tuple[str, int, int, int]]:
    """Digest, position, length and checksum of each image of a pack; nothing of a damaged pack."""
    head = file.read(_HEADER.size)
    if len(head) < _HEADER.size:
        return
    magic, checksum, count = _HEADER.unpack(head)
    if magic != _MAGIC or count * _INDEX_ENTRY.size > (size := os.fstat(file.fileno()).st_size):
        return
    index = file.read(count * _INDEX_ENTRY.size)
    start = _HEADER.size + len(index)
    entries = list(_INDEX_ENTRY.iter_unpack(index)) if zlib.crc32(index) == checksum else []
    if start + sum(length for _, length, _ in entries) != size:
        return
    for name, length, image_checksum in entries:
        yield name.decode(), start, length, image_checksum
        start += length
