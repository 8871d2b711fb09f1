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
from affordance.core.sizes import shrunk_size
from affordance.media._geometry import size_of
from affordance.media._probe import probe
from affordance.media._recent import Stills
from affordance.media._reel import frames_of, render_reel
from affordance.media._render import render
from affordance.media._shelf import Shelf
from affordance.media._still import displayed_size

# Raise it when the same recipe gives other bytes than before.
_RENDERING = 1


def _edition() -> str:
    """Under what pictures are kept: bytes are equal only under equal libraries."""
    ffmpeg = [f"{name} {version}" for name, version in sorted(av.library_versions.items())]
    return digest("pictures", _RENDERING, cv2.__version__, *ffmpeg)


def _entry(visual: Visual) -> str:
    return visual.digest if isinstance(visual, Footage) else visual.source


def _rendered(visuals: Sequence[Visual], files: Mapping[str, Path], stills: Stills | None) -> list[bytes]:
    """The files of one entry: pictures of one source, or one video."""
    if isinstance(visuals[0], Footage):
        return [render_reel(visuals[0], files)]
    return render([visual for visual in visuals if isinstance(visual, Picture)], files, stills)


class Darkroom:
    """Renders pictures and videos and keeps them. Safe to share between threads, and its folder between processes.

    Pictures of one source are rendered in one pass, and kept in one file, if they are asked for in one call: so ask for
    the frames of a clip together. Each of them can be had alone afterwards.
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
        self._kept: OrderedDict[str, bytes] = OrderedDict()  # by digest, as base64, the oldest first
        self._kept_bytes = 0
        self._under_way: dict[str, Future[bytes]] = {}
        self._sizes: dict[str, tuple[int, ...]] = {}  # of sources, and of videos as they are sent

    def rendered(self, pictures: Sequence[Visual]) -> list[bytes]:
        """The pictures and videos as encoded files, in the order given."""
        return [a2b_base64(text) for text in self.base64(pictures)]

    def base64(self, pictures: Sequence[Visual]) -> list[bytes]:
        """The pictures and videos as base64 text, in the order given."""
        found: dict[str, bytes] = {}
        awaited: dict[str, Future[bytes]] = {}
        mine: dict[str, list[Visual]] = {}  # by source: those that nobody renders yet
        with self._lock:
            for picture in {picture.digest: picture for picture in pictures}.values():
                name = picture.digest
                if (kept := self._recall(name)) is not None:
                    found[name] = kept
                elif (future := self._under_way.get(name)) is not None:
                    awaited[name] = future
                else:
                    awaited[name] = self._under_way[name] = Future()
                    mine.setdefault(_entry(picture), []).append(picture)
        for entry, visuals in mine.items():
            self._produce(entry, visuals)
        found |= {name: future.result() for name, future in awaited.items()}
        return [found[picture.digest] for picture in pictures]

    def recall(self, pictures: Sequence[Visual]) -> list[bytes] | None:
        """As `base64`, if that takes no waiting: they are all in memory. None otherwise."""
        found = []
        with self._lock:
            for picture in pictures:
                if (kept := self._recall(picture.digest)) is None:
                    return None
                found.append(kept)
        return found

    def size(self, visual: Visual) -> tuple[int, ...]:
        """Width and height of a picture or video as it is sent, and of a video the number of its frames."""
        path = self._files[visual.source]
        if isinstance(visual, Footage):
            if visual.digest not in self._sizes:
                clip = probe(path)
                frames = frames_of(visual, clip)
                self._sizes[visual.digest] = (*size_of(frames[0], clip), len(frames))
            return self._sizes[visual.digest]
        if visual.crop is not None:
            return size_of(visual, probe(path))
        if visual.source not in self._sizes:
            self._sizes[visual.source] = displayed_size(path)
        width, height = self._sizes[visual.source]
        return shrunk_size(width, height, visual.longest_side)

    def _recall(self, name: str) -> bytes | None:
        if (kept := self._kept.get(name)) is not None:
            self._kept.move_to_end(name)
        return kept

    def _produce(self, entry: str, visuals: Sequence[Visual]) -> None:
        """Fulfil the promises to everybody who waits for these pictures of one source, also if it fails."""
        try:
            images = self._read_or_render(entry, visuals)
        except BaseException as error:  # noqa: BLE001  # goes to all who wait, and the caller is one of them
            for future in self._delivered(visuals, {}):
                future.set_exception(error)
        else:
            for future, visual in zip(self._delivered(visuals, images), visuals, strict=True):
                future.set_result(images[visual.digest])

    def _read_or_render(self, entry: str, visuals: Sequence[Visual]) -> dict[str, bytes]:
        images = self._shelf.read(entry, [visual.digest for visual in visuals])
        missing = [visual for visual in visuals if visual.digest not in images]
        if missing:
            files = _rendered(missing, self._files, self._stills)
            new = {one.digest: b2a_base64(file, newline=False) for one, file in zip(missing, files, strict=True)}
            self._shelf.write(entry, new)
            images |= new
        return images

    def _delivered(self, visuals: Sequence[Visual], images: Mapping[str, bytes]) -> list[Future[bytes]]:
        """The promises of these pictures, which are kept now instead, unless they are too many for that."""
        size = sum(map(len, images.values()))
        with self._lock:
            if size <= self._memory_bytes:
                self._kept |= images
                self._kept_bytes += size
            while self._kept_bytes > self._memory_bytes:
                _, dropped = self._kept.popitem(last=False)
                self._kept_bytes -= len(dropped)
            return [self._under_way.pop(visual.digest) for visual in visuals]
