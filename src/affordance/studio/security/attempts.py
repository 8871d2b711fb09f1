"""How often somebody may try to sign in.

Failures are counted for each address, and for each name. Who has signed in from an address before is counted by
themselves there, so that failures from elsewhere, however many, do not keep them out."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from threading import Lock
from typing import Literal

FAILURES = 5
WINDOW = 300.0  # seconds
FIRST_WAIT = 30.0  # doubled by each failure that follows
LONGEST_WAIT: dict[Literal["address", "name", "pair"], float] = {"address": 3600.0, "name": 300.0, "pair": 900.0}
FORGIVEN = 3600.0  # seconds without a failure
MOST = 10_000  # counters that are kept, and pairs of name and address


@dataclass(slots=True)
class _Counter:
    longest: float
    failures: deque[float] = field(default_factory=lambda: deque(maxlen=FAILURES))
    strikes: int = 0
    until: float = 0.0
    running: int = 0

    def wait(self, now: float) -> float:
        """Seconds until the next one may be tried; those that are being tried count as failures."""
        if now < self.until:
            return self.until - now
        self._forget(now)
        left = 1 if self.strikes else FAILURES - len(self.failures)
        return 0.0 if self.running < left else 1.0

    def fail(self, now: float) -> None:
        self._forget(now)
        self.failures.append(now)
        if self.strikes or len(self.failures) == FAILURES:
            self.until = now + min(FIRST_WAIT * 2.0**self.strikes, self.longest)
            self.strikes += 1

    def _forget(self, now: float) -> None:
        if self.failures and now - self.failures[-1] > FORGIVEN + self.longest:
            self.strikes = 0
        while self.failures and now - self.failures[0] > WINDOW and not self.strikes:
            self.failures.popleft()


class Attempts:
    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST) -> None:
        self._clock = clock
        self._most = most
        self._lock = Lock()
        self._counters: OrderedDict[Hashable, _Counter] = OrderedDict()
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def begin(self, name: str, address: str) -> float:
        """How many seconds to wait. With none, it has begun, and `end` must follow."""
        with self._lock:
            counters = self._of(name, address)
            now = self._clock()
            wait = max(one.wait(now) for one in counters)
            if not wait:
                for one in counters:
                    one.running += 1
            return wait

    def end(self, name: str, address: str, *, right: bool | None) -> None:
        """How it went; None where it was not found out."""
        with self._lock:
            for one in self._of(name, address):
                one.running = max(0, one.running - 1)
                if right is False:
                    one.fail(self._clock())
            if right:
                self._counters.pop(("name", name), None)
                self._counters.pop(("pair", name, _network(address)), None)
                self._known[name, _network(address)] = None
                self._known.move_to_end((name, _network(address)))
                _shorten(self._known, self._most)

    def _of(self, name: str, address: str) -> list[_Counter]:
        network = _network(address)
        if (name, network) in self._known:
            return [self._counter("address", network), self._counter("pair", name, network)]
        return [self._counter("address", network), self._counter("name", name)]

    def _counter(self, kind: Literal["address", "name", "pair"], *key: str) -> _Counter:
        found = self._counters.setdefault((kind, *key), _Counter(LONGEST_WAIT[kind]))
        self._counters.move_to_end((kind, *key))
        _shorten(self._counters, self._most)
        return found


def _shorten(kept: OrderedDict[Hashable, _Counter] | OrderedDict[tuple[str, str], None], most: int) -> None:
    while len(kept) > most:
        kept.popitem(last=False)


def _network(address: str) -> str:
    """IPv6 gives everybody billions of addresses, which are one here."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return address if found.version == 4 else str(ip_network(f"{found}/64", strict=False))
