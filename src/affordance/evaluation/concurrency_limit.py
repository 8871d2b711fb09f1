"""How many asks an endpoint gets at once: more while it copes, half when it complains."""

import asyncio
import random
import time
from collections import deque


class Interrupted(Exception):
    """Nothing more is to be asked; what is under way may finish."""


def backoff(tries: int, first_wait: float, max_wait: float) -> float:
    """Seconds to wait after so many tries: twice as long each time, with jitter, and never 0."""
    upper = min(max_wait, first_wait * 2.0 ** min(tries - 1, 60))
    return random.uniform(upper / 2, upper)


class ConcurrencyLimit:
    """Additive increase, multiplicative decrease, with a quick start. When the endpoint complains, all asks pause: for
    as long as it asks for (Retry-After), and for a back-off that grows until an ask gets through."""

    def __init__(self, maximum: int, start: int = 8, first_wait: float = 0.5, max_wait: float = 60.0) -> None:
        self.limit = float(min(start, maximum))
        self.in_use = 0
        self.paused_until = 0.0  # on the monotonic clock
        self.successes = 0  # asks that got through
        self.backoff_seconds = 0.0  # seconds since one got through, without those that the endpoint asked for
        self._maximum = maximum
        self._first_wait = first_wait
        self._max_wait = max_wait
        self._starting = True
        self._rate_limits_in_a_row = 0  # in a row
        self._lowered_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._closed = asyncio.Event()

    async def __aenter__(self) -> None:
        while self.in_use >= int(self.limit) and not self.closed:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                self._wake()
                raise
        self.in_use += 1
        try:
            while (pause := self.paused_until - time.monotonic()) > 0:
                await self.sleep(pause)
            self.check_open()
        except BaseException:
            self._release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._release()

    @property
    def closed(self) -> bool:
        return self._closed.is_set()

    def close(self) -> None:
        """Let nobody in any more; those who wait for anything here are interrupted."""
        self._closed.set()
        for turn in self._waiting:
            if not turn.done():
                turn.set_result(None)

    def check_open(self) -> None:
        if self.closed:
            raise Interrupted

    async def sleep(self, seconds: float) -> None:
        """Sleep, but not beyond the end."""
        self.check_open()
        try:
            await asyncio.wait_for(self._closed.wait(), seconds)
        except TimeoutError:
            return
        raise Interrupted

    def on_success(self) -> None:
        self.successes += 1
        self.backoff_seconds = 0.0
        self._rate_limits_in_a_row = 0
        step = 1.0 if self._starting else 1.0 / self.limit
        self.limit = min(float(self._maximum), self.limit + step)

    def on_rate_limit(self, retry_after: float) -> None:
        now = time.monotonic()
        self._starting = False
        pause = 0.0
        if now >= self.paused_until:  # asks that were under way together complain together: that is one complaint
            self._rate_limits_in_a_row += 1
            pause = backoff(self._rate_limits_in_a_row, self._first_wait, self._max_wait)
            self.backoff_seconds += pause
        self.paused_until = max(self.paused_until, now + retry_after + pause)
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
