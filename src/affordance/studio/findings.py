"""What is found in the pictures of pairs by looking at them: markers, and whether both are one picture. That takes a
while, so it is done in the background, once for each pair of pictures while the studio runs."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from affordance import media
from affordance.author.marker_removal import mask_share
from affordance.author.pair_records import Designs
from affordance.studio.masks import read_pixels
from affordance.studio.originals import NoPicture, Originals

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Marked:
    """How much of each picture is a marker, or why that could not be looked for."""

    shares: tuple[float, float] = (0.0, 0.0)
    wrong: str = ""


class Findings:
    """Safe to share between threads."""

    def __init__(self, originals: Originals) -> None:
        self._originals = originals
        self._marked = _Looking(self._find_markers)
        self._same = _Looking(self._compare)

    def marked(self, pair: Designs) -> Marked | None:
        """None: it will be looked at."""
        return self._marked.of(pair)

    def one(self, pair: Designs) -> bool | None:
        """Whether both are the same picture, however they are encoded. None: they will be looked at."""
        if pair.digests[0] == pair.digests[1]:
            return True
        return False if pair.sizes[0] != pair.sizes[1] else self._same.of(pair)

    def close(self) -> None:
        self._marked.close()
        self._same.close()

    def _find_markers(self, pair: Designs) -> Marked:
        try:
            first = self._share(pair, 0)
            return Marked((first, first if pair.digests[0] == pair.digests[1] else self._share(pair, 1)))
        except NoPicture as error:
            return Marked(wrong=str(error))

    def _share(self, pair: Designs, place: int) -> float:
        return mask_share(media.find_markers(read_pixels(self._originals, pair, place)))

    def _compare(self, pair: Designs) -> bool:
        try:
            first, second = (read_pixels(self._originals, pair, place) for place in (0, 1))
        except NoPicture:
            return False
        return np.array_equal(first, second)


class _Looking(Generic[T]):
    """Looks at one pair after the other, and remembers what came of it."""

    def __init__(self, look: Callable[[Designs], T]) -> None:
        self._look = look
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="findings")
        self._found: dict[tuple[str, ...], T] = {}
        self._waiting: OrderedDict[tuple[str, ...], Designs] = OrderedDict()
        self._working = False

    def of(self, pair: Designs) -> T | None:
        key = tuple(pair.digests)
        with self._lock:
            if key in self._found:
                return self._found[key]
            self._waiting.setdefault(key, pair)
            if not self._working:
                self._working = True
                self._worker.submit(self._work)
        return None

    def close(self) -> None:
        with self._lock:
            self._waiting.clear()
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._working = False
                    return
                key, pair = next(iter(self._waiting.items()))
            found = self._look(pair)
            with self._lock:
                self._found[key] = found
                self._waiting.pop(key, None)
