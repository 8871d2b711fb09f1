"""A cache that drops what was used least recently once a size limit is exceeded."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LRUCache(Generic[K, V]):
    """Values by key, at most `max_size` of them together. Sizes are in bytes, or 1 each to limit their number.

    Safe to share between threads. A value larger than the limit is not kept.
    """

    def __init__(self, max_size: int) -> None:
        self.max_size = max_size
        self._lock = threading.Lock()
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()  # with their sizes, the least recently used first
        self._size = 0

    def get(self, key: K) -> V | None:
        """The value of a key, which counts as used now; None if it is not cached."""
        with self._lock:
            if (entry := self._entries.get(key)) is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: K, value: V, size: int = 1) -> None:
        """Cache a value. A key that is cached already keeps its value."""
        if size > self.max_size:
            return
        with self._lock:
            if key not in self._entries:
                self._entries[key] = value, size
                self._size += size
            self._entries.move_to_end(key)
            while self._size > self.max_size:
                _, (_, dropped) = self._entries.popitem(last=False)
                self._size -= dropped
