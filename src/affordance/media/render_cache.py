"""The render cache: memory in front of disk in front of rendering."""

import threading
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path

import av
import cv2

from affordance.core.digest import digest
from affordance.core.lru import LRUCache
from affordance.core.media_spec import MediaSpec, VideoSpec
from affordance.media.disk_cache import DiskCache
from affordance.media.renderer import Renderer

_RENDERING_VERSION = 1  # increase it when the same spec renders to other bytes than before


class RenderCache:
    """Renders images and videos and keeps them. Safe to share between threads, and its folder between processes.

    Images of one source that are requested in one call are rendered in one pass and kept in one file: so request the
    frames of a clip together. Each of them is found alone afterwards.
    """

    def __init__(
        self,
        folder: Path,
        files: Mapping[str, Path],
        *,
        disk_bytes: int = 2 << 30,
        memory_bytes: int = 96 << 20,
        decoded_bytes: int = 0,
    ) -> None:
        """
        Args:
            folder: where rendered files are kept.
            files: paths of the sources by content digest; more may be added later.
            disk_bytes: limit of the folder.
            memory_bytes: limit of rendered files in memory.
            decoded_bytes: limit of decoded stills in memory, see `Renderer`.
        """
        self._renderer = Renderer(files, decoded_bytes=decoded_bytes)
        self._disk_cache = DiskCache(folder, _edition(), disk_bytes)
        self._memory: LRUCache[str, bytes] = LRUCache(memory_bytes)  # base64 by digest
        self._lock = threading.Lock()
        self._pending: dict[str, Future[bytes]] = {}

    def get(self, specs: Sequence[MediaSpec]) -> list[bytes]:
        """The images and videos as encoded files, in the order given."""
        return [a2b_base64(text) for text in self.get_base64(specs)]

    def get_base64(self, specs: Sequence[MediaSpec]) -> list[bytes]:
        """The images and videos as base64 text, in the order given."""
        found: dict[str, bytes] = {}
        awaited: dict[str, Future[bytes]] = {}
        to_render: dict[str, list[MediaSpec]] = {}  # by disk entry: those that no other thread renders
        with self._lock:
            for spec in {spec.digest: spec for spec in specs}.values():
                name = spec.digest
                if (cached := self._memory.get(name)) is not None:
                    found[name] = cached
                elif (future := self._pending.get(name)) is not None:
                    awaited[name] = future
                else:
                    awaited[name] = self._pending[name] = Future()
                    to_render.setdefault(_entry_key(spec), []).append(spec)
        for entry, entry_specs in to_render.items():
            self._produce(entry, entry_specs)
        found |= {name: future.result() for name, future in awaited.items()}
        return [found[spec.digest] for spec in specs]

    def peek_base64(self, specs: Sequence[MediaSpec]) -> list[bytes] | None:
        """As `get_base64` where all of them are in memory; otherwise None, without waiting."""
        cached = [self._memory.get(spec.digest) for spec in specs]
        found = [text for text in cached if text is not None]
        return found if len(found) == len(cached) else None

    def size(self, spec: MediaSpec) -> tuple[int, ...]:
        """Width and height of an image or video as it is sent, and of a video the number of its frames."""
        return self._renderer.size(spec)

    def _produce(self, entry: str, specs: Sequence[MediaSpec]) -> None:
        """Give all threads that wait for these images of one source their result, or the error."""
        try:
            images = self._read_or_render(entry, specs)
        except BaseException as error:  # noqa: BLE001  # goes to all who wait, and the caller is one of them
            for future in self._take_futures(specs, {}):
                future.set_exception(error)
        else:
            for future, spec in zip(self._take_futures(specs, images), specs, strict=True):
                future.set_result(images[spec.digest])

    def _read_or_render(self, entry: str, specs: Sequence[MediaSpec]) -> dict[str, bytes]:
        images = self._disk_cache.read(entry, [spec.digest for spec in specs])
        missing = [spec for spec in specs if spec.digest not in images]
        if missing:
            files = self._renderer.render(missing)
            new = {one.digest: b2a_base64(file, newline=False) for one, file in zip(missing, files, strict=True)}
            self._disk_cache.write(entry, new)
            images |= new
        return images

    def _take_futures(self, specs: Sequence[MediaSpec], images: Mapping[str, bytes]) -> list[Future[bytes]]:
        """Move these images from pending to memory, unless together they are larger than it."""
        with self._lock:
            if sum(map(len, images.values())) <= self._memory.max_size:
                for name, text in images.items():
                    self._memory.put(name, text, len(text))
            return [self._pending.pop(spec.digest) for spec in specs]


def _edition() -> str:
    """The name under which files are kept: bytes are equal only under equal libraries."""
    ffmpeg = [f"{name} {version}" for name, version in sorted(av.library_versions.items())]
    return digest("pictures", _RENDERING_VERSION, cv2.__version__, *ffmpeg)


def _entry_key(spec: MediaSpec) -> str:
    """Images of one source are one entry, a video is its own."""
    return spec.digest if isinstance(spec, VideoSpec) else spec.source
