"""How many asks an endpoint gets at once: more while it copes, half when it complains."""

import asyncio
import time
from collections import deque


class Limiter:
    """Additive increase, multiplicative decrease, with a quick start. The endpoint's wish to be left alone for a
    while (Retry-After) holds for all asks, not only for the one that was told."""

    def __init__(self, most: int, start: int = 8) -> None:
        self.limit = float(min(start, most))
        self.in_use = 0
        self._most = most
        self._starting = True
        self._quiet_until = 0.0
        self._lowered_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        while self.in_use >= int(self.limit):
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                self._wake()
                raise
        self.in_use += 1
        while (pause := self._quiet_until - time.monotonic()) > 0:
            try:
                await asyncio.sleep(pause)
            except asyncio.CancelledError:
                self._release()
                raise

    async def __aexit__(self, *_: object) -> None:
        self._release()

    def coped(self) -> None:
        step = 1.0 if self._starting else 1.0 / self.limit
        self.limit = min(float(self._most), self.limit + step)

    def complained(self, retry_after: float | None) -> None:
        now = time.monotonic()
        self._starting = False
        if retry_after is not None:
            self._quiet_until = max(self._quiet_until, now + retry_after)
        # Asks that were under way together complain together: that is one complaint.
        if now - self._lowered_at > 1.0:
            self._lowered_at = now
            self.limit = max(1.0, self.limit / 2)

    def _release(self) -> None:
        self.in_use -= 1
        self._wake()

    def _wake(self) -> None:
        free = int(self.limit) - self.in_use
        while self._waiting and free > 0:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1
