"""The render cache: memory in front of disk in front of rendering."""

import threading
from binascii import a2b_base64, b2a_base64
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path

import av
import cv2

from affordance.core.digest import digest
from affordance.core.geometry import fit_within
from affordance.core.media_spec import ImageSpec, MediaSpec, VideoSpec
from affordance.media.disk_cache import DiskCache
from affordance.media.image_import import displayed_size
from affordance.media.media_probe import probe
from affordance.media.renderer import DecodedImageCache, render, render_video, rendered_size, video_frames

# Raise it when the same recipe gives other bytes than before.
_RENDERING = 1


def _edition() -> str:
    """Under what pictures are kept: bytes are equal only under equal libraries."""
    ffmpeg = [f"{name} {version}" for name, version in sorted(av.library_versions.items())]
    return digest("pictures", _RENDERING, cv2.__version__, *ffmpeg)


def _entry_key(spec: MediaSpec) -> str:
    return spec.digest if isinstance(spec, VideoSpec) else spec.source


def _render_entry(
    specs: Sequence[MediaSpec], files: Mapping[str, Path], stills: DecodedImageCache | None
) -> list[bytes]:
    """The files of one entry: pictures of one source, or one video."""
    if isinstance(specs[0], VideoSpec):
        return [render_video(specs[0], files)]
    return render([visual for visual in specs if isinstance(visual, ImageSpec)], files, stills)


class RenderCache:
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
        self._disk_cache = DiskCache(folder, _edition(), limit_bytes)
        self._decoded_images = DecodedImageCache(stills_bytes) if stills_bytes else None
        self._memory_bytes = memory_bytes
        self._lock = threading.Lock()
        self._cached: OrderedDict[str, bytes] = OrderedDict()  # by digest, as base64, the oldest first
        self._cached_bytes = 0
        self._pending: dict[str, Future[bytes]] = {}
        self._sizes: dict[str, tuple[int, ...]] = {}  # of sources, and of videos as they are sent

    def get(self, specs: Sequence[MediaSpec]) -> list[bytes]:
        """The pictures and videos as encoded files, in the order given."""
        return [a2b_base64(text) for text in self.get_base64(specs)]

    def get_base64(self, specs: Sequence[MediaSpec]) -> list[bytes]:
        """The pictures and videos as base64 text, in the order given."""
        found: dict[str, bytes] = {}
        awaited: dict[str, Future[bytes]] = {}
        mine: dict[str, list[MediaSpec]] = {}  # by source: those that nobody renders yet
        with self._lock:
            for picture in {picture.digest: picture for picture in specs}.values():
                name = picture.digest
                if (kept := self._cached_base64(name)) is not None:
                    found[name] = kept
                elif (future := self._pending.get(name)) is not None:
                    awaited[name] = future
                else:
                    awaited[name] = self._pending[name] = Future()
                    mine.setdefault(_entry_key(picture), []).append(picture)
        for entry, visuals in mine.items():
            self._produce(entry, visuals)
        found |= {name: future.result() for name, future in awaited.items()}
        return [found[picture.digest] for picture in specs]

    def peek_base64(self, specs: Sequence[MediaSpec]) -> list[bytes] | None:
        """As `base64`, if that takes no waiting: they are all in memory. None otherwise."""
        found = []
        with self._lock:
            for picture in specs:
                if (kept := self._cached_base64(picture.digest)) is None:
                    return None
                found.append(kept)
        return found

    def size(self, spec: MediaSpec) -> tuple[int, ...]:
        """Width and height of a picture or video as it is sent, and of a video the number of its frames."""
        path = self._files[spec.source]
        if isinstance(spec, VideoSpec):
            if spec.digest not in self._sizes:
                clip = probe(path)
                frames = video_frames(spec, clip)
                self._sizes[spec.digest] = (*rendered_size(frames[0], clip), len(frames))
            return self._sizes[spec.digest]
        if spec.crop is not None:
            return rendered_size(spec, probe(path))
        if spec.source not in self._sizes:
            self._sizes[spec.source] = displayed_size(path)
        width, height = self._sizes[spec.source]
        return fit_within(width, height, spec.max_side)

    def _cached_base64(self, name: str) -> bytes | None:
        if (kept := self._cached.get(name)) is not None:
            self._cached.move_to_end(name)
        return kept

    def _produce(self, entry: str, specs: Sequence[MediaSpec]) -> None:
        """Fulfil the promises to everybody who waits for these pictures of one source, also if it fails."""
        try:
            images = self._read_or_render(entry, specs)
        except BaseException as error:  # noqa: BLE001  # goes to all who wait, and the caller is one of them
            for future in self._take_futures(specs, {}):
                future.set_exception(error)
        else:
            for future, visual in zip(self._take_futures(specs, images), specs, strict=True):
                future.set_result(images[visual.digest])

    def _read_or_render(self, entry: str, specs: Sequence[MediaSpec]) -> dict[str, bytes]:
        images = self._disk_cache.read(entry, [visual.digest for visual in specs])
        missing = [visual for visual in specs if visual.digest not in images]
        if missing:
            files = _render_entry(missing, self._files, self._decoded_images)
            new = {one.digest: b2a_base64(file, newline=False) for one, file in zip(missing, files, strict=True)}
            self._disk_cache.write(entry, new)
            images |= new
        return images

    def _take_futures(self, specs: Sequence[MediaSpec], images: Mapping[str, bytes]) -> list[Future[bytes]]:
        """The promises of these pictures, which are kept now instead, unless they are too many for that."""
        size = sum(map(len, images.values()))
        with self._lock:
            if size <= self._memory_bytes:
                self._cached |= images
                self._cached_bytes += size
            while self._cached_bytes > self._memory_bytes:
                _, dropped = self._cached.popitem(last=False)
                self._cached_bytes -= len(dropped)
            return [self._pending.pop(visual.digest) for visual in specs]
