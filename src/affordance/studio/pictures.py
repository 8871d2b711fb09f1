"""Pictures of screens for pages: as files, as thumbnails, and as pixels to look for edges in."""

import threading
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from affordance.author.project import Project
from affordance.author.records import Shot
from affordance.core.errors import MediaError
from affordance.core.media_spec import ImageEncoding, ImageFormat, ImageSpec
from affordance.media import RenderCache, decode_image
from affordance.studio.originals import NoPicture
from affordance.studio.shots import Shots

Pixels = NDArray[np.uint8]

THUMBNAIL = 160  # pixels of the longer side
_QUALITY = 80
_DECODED_BYTES = 384 << 20  # fifteen screens of 3840x2160, a hundred of 1440x900
_THUMBNAIL_BYTES = 32 << 20
_MOST_WARMED = 8  # that wait to be decoded before anybody needs them


class Pictures:
    """Safe to share between threads."""

    def __init__(self, project: Project, cache: Path, decoded_bytes: int = _DECODED_BYTES) -> None:
        self.shots = Shots(project)
        # Of their own: whoever scrolls through thousands of screens does not take the threads of those who save.
        self.workers = ThreadPoolExecutor(2, thread_name_prefix="pictures")
        self._warmers = ThreadPoolExecutor(1, thread_name_prefix="warm")
        self._files: dict[str, Path] = {}
        self._darkroom = RenderCache(cache / "pictures", self._files, memory_bytes=_THUMBNAIL_BYTES)
        self._limit = decoded_bytes
        self._lock = threading.Lock()
        self._decoded: OrderedDict[str, Future[Pixels]] = OrderedDict()  # the one that was used longest ago first
        self._bytes = 0
        self._warming = 0

    def thumbnail(self, shot: Shot) -> bytes:
        """A WebP."""
        return self._rendered(
            ImageSpec(shot.digest, max_side=THUMBNAIL, encoding=ImageEncoding(ImageFormat.WEBP, _QUALITY)), shot
        )

    def shown(self, shot: Shot) -> bytes:
        """A PNG of what browsers cannot show."""
        return self._rendered(ImageSpec(shot.digest), shot)

    def pixels(self, shot: Shot) -> Pixels:
        """In colour: borders are often as bright as what they are on. Decoded by the first who asks; others wait."""
        with self._lock:
            found = self._decoded.get(shot.digest)
            mine = found is None
            if found is None:
                found = self._decoded[shot.digest] = Future()
            self._decoded.move_to_end(shot.digest)
        if mine:
            self._decode(shot, found)
        return found.result()

    def warm(self, shot: Shot) -> None:
        """Decode it now, in the background: somebody has opened the screen."""
        with self._lock:
            if shot.digest in self._decoded or self._warming >= _MOST_WARMED:
                return
            self._warming += 1
        self._warmers.submit(self._warm, shot)

    def close(self) -> None:
        for pool in (self.workers, self._warmers):
            pool.shutdown(wait=False, cancel_futures=True)

    def _rendered(self, picture: ImageSpec, shot: Shot) -> bytes:
        self._files[shot.digest] = self.shots.file(shot)
        try:
            (data,) = self._darkroom.get([picture])
        except MediaError:
            raise NoPicture(410, f"{shot.image} cannot be read as a picture; put it back") from None
        return data

    def _warm(self, shot: Shot) -> None:
        try:
            self.pixels(shot)
        except NoPicture:
            return  # whoever needs it is told
        finally:
            with self._lock:
                self._warming -= 1

    def _decode(self, shot: Shot, promise: "Future[Pixels]") -> None:
        try:
            pixels = self._read(shot)
        except BaseException as error:
            with self._lock:
                self._decoded.pop(shot.digest, None)
            promise.set_exception(error)
            raise
        promise.set_result(pixels)
        with self._lock:
            self._bytes += pixels.nbytes
            for digest, kept in list(self._decoded.items()):
                if self._bytes <= self._limit:
                    break
                if kept.done():  # one that is under way is counted when it is there
                    del self._decoded[digest]
                    self._bytes -= kept.result().nbytes

    def _read(self, shot: Shot) -> Pixels:
        path = self.shots.file(shot)
        try:
            return decode_image(path.read_bytes())
        except (OSError, MediaError):
            raise NoPicture(410, f"{shot.image} cannot be read as a picture; put it back") from None
