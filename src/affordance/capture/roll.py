"""The roll of film: pictures of a page on their way into a video, and which of their pixels change."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from affordance.core.digest import DIGEST_LENGTH
from affordance.media import VideoQuality, VideoWriter, decode_image

PixelBox = tuple[int, int, int, int]


class Roll:
    """Takes pictures as PNG, one after the other, all of one size."""

    def __init__(self, path: Path, fps: int, quality: VideoQuality) -> None:
        self._path = path
        self.count = 0
        self.width = self.height = 0
        self.changed: list[bool] = []  # for each frame, whether it differs from the one before
        self.unexplained: list[int] = []  # frames with changes beside what is known to have changed
        self.prints: list[bytes] = []  # of each frame: equal ones are the same picture
        self._unexplained: NDArray[np.bool_] | None = None
        self._before: NDArray[np.uint8] | None = None
        self._differs: NDArray[np.bool_] | None = None  # the pixels that have changed at all
        self._hash = hashlib.sha256()
        self._writer = VideoWriter(path, fps, quality)
        self._lock = Lock()  # pictures are added in a thread, which goes on where the film is broken off
        self._closed = False

    def add(self, png: bytes, explained: Sequence[PixelBox] = ()) -> bool:
        """Whether the picture differs from the one before; the first differs from none. `explained`: where it is known
        why."""
        with self._lock:
            return not self._closed and self._add(decode_image(png), explained)

    def _add(self, picture: NDArray[np.uint8], explained: Sequence[PixelBox]) -> bool:
        if self._before is None or self._differs is None or self._unexplained is None:
            self.height, self.width = picture.shape[:2]
            self._hash.update(f"{self.width}x{self.height}:".encode())
            self._differs, self._unexplained = (np.zeros(picture.shape[:2], bool) for _ in range(2))
            changed = False
        else:
            changed = not np.array_equal(picture, self._before)
            if changed:
                differs = (picture != self._before).any(axis=2)
                self._differs |= differs
                for x1, y1, x2, y2 in explained:
                    differs[max(0, y1) : max(0, y2), max(0, x1) : max(0, x2)] = False
                if differs.any():
                    self.unexplained.append(self.count)
                    self._unexplained |= differs
        self.changed.append(changed)
        self.prints.append(hashlib.blake2b(picture.data, digest_size=8).digest())
        self._hash.update(picture.data)
        self._writer.add(picture)
        self._before = picture
        self.count += 1
        return changed

    def __enter__(self) -> "Roll":
        return self

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._closed = True
            self._writer.close(finished=error[0] is None)
        if error[0] is not None:
            self._path.unlink(missing_ok=True)

    @property
    def digest(self) -> str:
        """Of the size and the pixels of all frames."""
        return self._hash.hexdigest()[:DIGEST_LENGTH]

    def unexplained_box(self) -> PixelBox | None:
        """The box around all that changed beside what is known to have changed."""
        return None if self._unexplained is None else _around(self._unexplained)

    def changes_within(self, box: tuple[float, float, float, float]) -> PixelBox | None:
        """The box around all pixels inside a box that have changed at any time."""
        if self._differs is None:
            return None
        x1, y1, x2, y2 = (max(0, round(value)) for value in box)
        found = _around(self._differs[y1:y2, x1:x2])
        return found and (found[0] + x1, found[1] + y1, found[2] + x1, found[3] + y1)


class Kept:
    """Pictures put by on disk, to be had again in any order: those of a minute would not fit into memory."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115  # closed on leaving
        self._places: list[tuple[int, int]] = []

    def __enter__(self) -> "Kept":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, png: bytes) -> None:
        self._file.seek(0, 2)
        self._places.append((self._file.tell(), len(png)))
        self._file.write(png)

    def backwards(self) -> Iterator[bytes]:
        for place, length in reversed(self._places):
            self._file.seek(place)
            yield self._file.read(length)


def _around(mask: NDArray[np.bool_]) -> PixelBox | None:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
