"""Images that were decoded last: of a screen that many pictures are made of, one after the other, only the first waits
for the decoder."""

import threading
from collections import OrderedDict

import av

from affordance.media._clip import MediaInfo
from affordance.media._decode import decode_frames
from affordance.media._pixels import DecodedFrame, FrameScaler

_BYTES_PER_PIXEL = 6  # as decoded, and as displayed


class DecodedImageCache:
    """Safe to share between threads."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._lock = threading.Lock()
        self._frames: OrderedDict[str, tuple[DecodedFrame, int]] = OrderedDict()  # with their bytes, the oldest first
        self._bytes = 0

    def get(self, source: str, clip: MediaInfo, frame: av.VideoFrame | None = None) -> DecodedFrame:
        """The only frame of a still image, by its content digest; `frame` is it, where it is decoded already."""
        with self._lock:
            if source in self._frames:
                self._frames.move_to_end(source)
                return self._frames[source][0]
        if frame is None:
            ((_, frame),) = decode_frames(clip, (0,))
        shot = DecodedFrame(frame, clip.orientation, FrameScaler())
        size = _BYTES_PER_PIXEL * clip.width * clip.height
        if size <= self._limit:
            shot.prepare()  # its scaler is for one thread, and several may take pictures of it from now on
            self._store(source, shot, size)
        return shot

    def _store(self, source: str, shot: DecodedFrame, size: int) -> None:
        with self._lock:
            if source not in self._frames:
                self._frames[source] = shot, size
                self._bytes += size
            while self._bytes > self._limit:
                _, (_, dropped) = self._frames.popitem(last=False)
                self._bytes -= dropped
