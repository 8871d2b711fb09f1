"""Images that were decoded last: of a screen that many pictures are made of, one after the other, only the first waits
for the decoder."""

import threading
from collections import OrderedDict

import av

from affordance.media._clip import Clip
from affordance.media._decode import decoded
from affordance.media._pixels import Scaler, Shot

_BYTES_PER_PIXEL = 6  # as decoded, and as displayed


class Stills:
    """Safe to share between threads."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[Shot, int]] = OrderedDict()  # with their bytes, the oldest first
        self._bytes = 0

    def shot(self, source: str, clip: Clip, frame: av.VideoFrame | None = None) -> Shot:
        """The only frame of a still image, by its content digest; `frame` is it, where it is decoded already."""
        with self._lock:
            if source in self._kept:
                self._kept.move_to_end(source)
                return self._kept[source][0]
        if frame is None:
            ((_, frame),) = decoded(clip, (0,))
        shot = Shot(frame, clip.orientation, Scaler())
        size = _BYTES_PER_PIXEL * clip.width * clip.height
        if size <= self._limit:
            shot.develop()  # its scaler is for one thread, and several may take pictures of it from now on
            self._keep(source, shot, size)
        return shot

    def _keep(self, source: str, shot: Shot, size: int) -> None:
        with self._lock:
            if source not in self._kept:
                self._kept[source] = shot, size
                self._bytes += size
            while self._bytes > self._limit:
                _, (_, dropped) = self._kept.popitem(last=False)
                self._bytes -= dropped
