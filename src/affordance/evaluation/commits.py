"""Waiting for the ledger from an event loop."""

import asyncio
import time
from collections import deque
from contextlib import suppress
from typing import Any, TypeVar

from affordance.ledger import Ledger, WriteFuture

T = TypeVar("T")

OVERDUE_SECONDS = 2.0


class CommitWaiter:
    """Wakes the event loop once for each group that the ledger commits, not once for each record: at hundreds of
    asks a second the waking costs more than the writing."""

    def __init__(self, ledger: Ledger) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[WriteFuture[Any], asyncio.Future[Any], float]] = deque()
        ledger.on_commit(self._wake)

    async def wait(self, written: WriteFuture[T]) -> T:
        """What the ledger says once the record is committed. Records must be waited for in the order in which they
        were handed over; those that nobody waits for do not matter."""
        waiter: asyncio.Future[T] = self._loop.create_future()
        self._waiting.append((written, waiter, time.monotonic()))
        if written.done:
            self._resolve_written()
        return await waiter

    async def wait_until_current(self) -> None:
        """Wait while the ledger is stuck, before more is asked that it may not be able to keep."""
        while self._waiting and time.monotonic() - self._waiting[0][2] > OVERDUE_SECONDS:
            await asyncio.sleep(0.1)

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._resolve_written)

    def _resolve_written(self) -> None:
        while self._waiting and self._waiting[0][0].done:
            written, waiter, _ = self._waiting.popleft()
            if waiter.done():
                continue
            try:
                waiter.set_result(written.result())
            except Exception as error:  # noqa: BLE001  # it is for whoever waits
                waiter.set_exception(error)
