"""Batches of encoded pictures on disk: bounded, shared between processes, and never trusted blindly.

A batch is one file, so that the frames of a clip are one read. It holds the pictures as base64, the form in which they
are sent: encoding them again would cost several times what reading them does. A batch is written beside its place
and moved there, so a killed process leaves at most a stray temporary file, swept up later.
"""

import logging
import os
import struct
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

_LOG = logging.getLogger(__name__)

_MAGIC = b"AFFPICS1"
_HEADER = struct.Struct("<8sII")  # magic, checksum of all that follows it, number of pictures

# The folder may be anything the user names: only what matches these is ever counted or removed.
_EDITION = "pictures-{}"
_SUFFIX = ".pics"
_TEMPORARY = ".tmp"
_STRAY_AFTER_SECONDS = 3600.0

# Each process knows what it wrote itself and looks at the folder again after writing this share of the limit. Cutting
# back below the limit by as much makes room until then.
_SLACK = 8


class Shelf:
    """The files of a folder, least recently used ones removed once they are more than `limit_bytes` together.

    The limit may be passed by an eighth for each process that writes. If the folder cannot be written, it is told once
    and the shelf stays as it is: a cache is never a reason to fail.
    """

    def __init__(self, folder: Path, edition: str, limit_bytes: int) -> None:
        self._root = folder
        self._folder = folder / _EDITION.format(edition)
        self._limit = limit_bytes
        self._lock = threading.Lock()
        self._unseen: int | None = None  # bytes written since the last look at the folder
        self._writable = True

    def read(self, key: str) -> tuple[bytes, ...] | None:
        """A batch, or None if it is not there or not as it was written."""
        path = self._path(key)
        try:
            with path.open("rb", buffering=0) as file:
                data = file.readall()
        except OSError:
            return None
        with suppress(OSError):  # a folder that can only be read still serves
            os.utime(path)  # the time of last use, by which batches are removed
        return _unpacked(data)

    def write(self, key: str, batch: Sequence[bytes]) -> None:
        if not self._writable:
            return
        data = _packed(batch)
        path = self._path(key)
        temporary = path.with_name(f"{key}-{os.getpid()}-{threading.get_ident()}{_TEMPORARY}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                temporary.write_bytes(data)
                temporary.replace(path)
            except OSError:
                temporary.unlink(missing_ok=True)
                raise
            self._count(len(data))
        except OSError as error:
            self._give_up(error)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}{_SUFFIX}"

    def _give_up(self, error: OSError) -> None:
        with self._lock:
            told, self._writable = not self._writable, False
        if not told:
            _LOG.warning("pictures are no longer cached in %s: %s", self._root, error.strerror)

    def _count(self, written: int) -> None:
        with self._lock:
            self._unseen = None if self._unseen is None else self._unseen + written
            if self._unseen is None or self._unseen > self._limit // _SLACK:
                _trim(self._root, self._limit)
                self._unseen = 0


def _trim(root: Path, limit: int) -> None:
    """Bring the files of a folder below the limit, oldest first. Other processes may do the same at the same time."""
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
    """Time of last use, size and path of each batch; stray temporary files are removed on the way."""
    stray_before = time.time() - _STRAY_AFTER_SECONDS
    for path in root.glob(f"{_EDITION.format('*')}/??/*"):
        try:
            stat = path.stat()
        except FileNotFoundError:  # removed by another process
            continue
        if path.suffix == _TEMPORARY:
            if stat.st_mtime < stray_before:
                path.unlink(missing_ok=True)
        elif path.suffix == _SUFFIX:
            yield stat.st_mtime, stat.st_size, path


def _packed(batch: Sequence[bytes]) -> bytes:
    body = b"".join((struct.pack(f"<{len(batch)}I", *map(len, batch)), *batch))
    return _HEADER.pack(_MAGIC, zlib.crc32(body), len(batch)) + body


def _unpacked(data: bytes) -> tuple[bytes, ...] | None:
    if len(data) < _HEADER.size:
        return None
    magic, checksum, count = _HEADER.unpack_from(data)
    body = memoryview(data)[_HEADER.size :]
    if magic != _MAGIC or zlib.crc32(body) != checksum:
        return None
    start = _HEADER.size + 4 * count
    pictures = []
    for length in struct.unpack_from(f"<{count}I", data, _HEADER.size):
        pictures.append(data[start : start + length])
        start += length
    return tuple(pictures)
