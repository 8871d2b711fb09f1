"""The picture cache: memory in front of disk in front of rendering."""

import threading
from binascii import a2b_base64, b2a_base64
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path

import av
import cv2

from affordance.core.digest import digest
from affordance.core.picture import Footage, Picture, Visual
from affordance.media._recent import Stills
from affordance.media._reel import render_reel
from affordance.media._render import render
from affordance.media._shelf import Shelf

Batch = tuple[bytes, ...]
_Key = tuple[str, ...]

# Raise it when the same recipe gives other bytes than before.
_RENDERING = 1


def _edition() -> str:
    """Under what pictures are kept: bytes are equal only under equal libraries."""
    ffmpeg = [f"{name} {version}" for name, version in sorted(av.library_versions.items())]
    return digest("pictures", _RENDERING, cv2.__version__, *ffmpeg)


def _entry(visual: Visual) -> str:
    return visual.digest if isinstance(visual, Footage) else visual.source


def _rendered(visuals: Sequence[Visual], files: Mapping[str, Path], stills: Stills | None) -> list[bytes]:
    """The files of one entry: pictures, or one video as often as it was asked for."""
    if isinstance(visuals[0], Footage):
        return [render_reel(visuals[0], files)] * len(visuals)
    return render([visual for visual in visuals if isinstance(visual, Picture)], files, stills)


class Darkroom:
    """Renders pictures and videos and keeps them. Safe to share between threads, and its folder between processes.

    What belongs together is kept together: the pictures of one source within a call are one entry, in memory and on
    disk, so ask for the frames of a clip in one call. A video is an entry of its own.
    """

    def __init__(
        self,
        folder: Path,
        files: Mapping[str, Path],
        limit_bytes: int = 2 << 30,
        memory_bytes: int = 96 << 20,
        stills_bytes: int = 0,
    ) -> None:
        """`files` says where sources lie, by content digest; it may grow later. `stills_bytes` are for decoded images:
        worth it where many pictures are made of one image, and not all at once."""
        self._files = files
        self._shelf = Shelf(folder, _edition(), limit_bytes)
        self._stills = Stills(stills_bytes) if stills_bytes else None
        self._memory_bytes = memory_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[_Key, Batch] = OrderedDict()
        self._kept_bytes = 0
        self._under_way: dict[_Key, Future[Batch]] = {}

    def rendered(self, pictures: Sequence[Visual]) -> list[bytes]:
        """The pictures and videos as encoded files, in the order given."""
        return [a2b_base64(text) for text in self.base64(pictures)]

    def base64(self, pictures: Sequence[Visual]) -> list[bytes]:
        """The pictures and videos as base64 text, in the order given."""
        entries: dict[str, list[Visual]] = {}
        for picture in pictures:
            entries.setdefault(_entry(picture), []).append(picture)
        batches = {entry: iter(self._batch(batch)) for entry, batch in entries.items()}
        return [next(batches[_entry(picture)]) for picture in pictures]

    def recall(self, pictures: Sequence[Visual]) -> list[bytes] | None:
        """As `base64`, if that takes no waiting: they are one entry and in memory. None otherwise."""
        key = tuple([picture.digest for picture in pictures])
        with self._lock:
            batch = self._kept.get(key)
            if batch is None:
                return None
            self._kept.move_to_end(key)
            return list(batch)

    def _batch(self, pictures: list[Visual]) -> Batch:
        key = tuple([picture.digest for picture in pictures])
        with self._lock:
            batch = self._kept.get(key)
            if batch is not None:
                self._kept.move_to_end(key)
                return batch
            future = self._under_way.get(key)
            mine = future is None
            if future is None:
                future = self._under_way[key] = Future()
        if mine:
            self._produce(key, pictures, future)
        return future.result()

    def _produce(self, key: _Key, pictures: list[Visual], future: Future[Batch]) -> None:
        """Fulfil the promise to everybody who waits for the same batch, also if it fails."""
        try:
            batch = self._read_or_render(key, pictures)
        except BaseException as error:
            with self._lock:
                del self._under_way[key]
            future.set_exception(error)
            raise
        with self._lock:
            del self._under_way[key]
            self._keep(key, batch)
        future.set_result(batch)

    def _read_or_render(self, key: _Key, pictures: list[Visual]) -> Batch:
        name = digest(*key)
        batch = self._shelf.read(name)
        if batch is None or len(batch) != len(key):
            batch = tuple([b2a_base64(file, newline=False) for file in _rendered(pictures, self._files, self._stills)])
            self._shelf.write(name, batch)
        return batch

    def _keep(self, key: _Key, batch: Batch) -> None:
        size = sum(map(len, batch))
        if size > self._memory_bytes:
            return
        self._kept[key] = batch
        self._kept_bytes += size
        while self._kept_bytes > self._memory_bytes:
            _, dropped = self._kept.popitem(last=False)
            self._kept_bytes -= sum(map(len, dropped))
