"""A least-recently-used cache that is limited by bytes."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Keeps the values that were used last, up to `max_bytes`. Safe to share between threads.

    Args:
        max_bytes: Limit of the sum of sizes. A larger value is not kept.
        size_of: Size of a value in bytes.
    """

    def __init__(self, max_bytes: int, size_of: Callable[[V], int]) -> None:
        self._max_bytes = max_bytes
        self._size_of = size_of
        self._lock = threading.Lock()
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()  # the least recently used first
        self._bytes = 0

    def get(self, key: K) -> V | None:
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: K, value: V) -> None:
        """Adds a value; one that is there already stays."""
        size = self._size_of(value)
        with self._lock:
            if key in self._entries or size > self._max_bytes:
                return
            self._entries[key] = value, size
            self._bytes += size
            while self._bytes > self._max_bytes:
                _, (_, dropped) = self._entries.popitem(last=False)
                self._bytes -= dropped

    def get_or_create(self, key: K, create: Callable[[], V]) -> V:
        """The value, which `create` makes if it is missing. Two threads may create the same one at once."""
        found = self.get(key)
        if found is None:
            found = create()
            self.put(key, found)
        return found

    def __len__(self) -> int:
        return len(self._entries)
