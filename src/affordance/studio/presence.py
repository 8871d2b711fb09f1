"""Who is at which screen just now: remembered for a moment, and never written down."""

import time
from collections.abc import Callable
from threading import Lock

SECONDS = 40.0  # after which somebody who says nothing is gone; a page that nobody looks at asks every fifteen
_MOST_PEOPLE = 1000  # that are remembered; who has said nothing for the longest goes first


class Presence:
    """Safe to be used from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._seen: dict[tuple[str, str], float] = {}  # by person and screen, the longest silent first

    def at(self, person: str, screen: str) -> list[str]:
        """Somebody is at a screen: who else is there, sorted."""
        now = self._clock()
        with self._lock:
            self._seen.pop((person, screen), None)
            self._seen[person, screen] = now
            self._forget(now)
            return sorted(other for other, place in self._seen if place == screen and other != person)

    def _forget(self, now: float) -> None:
        while self._seen:
            longest = next(iter(self._seen))
            if now - self._seen[longest] <= SECONDS and len(self._seen) <= _MOST_PEOPLE:
                return
            del self._seen[longest]
