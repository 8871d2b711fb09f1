"""Waiting for the ledger from an event loop."""

import asyncio
from collections import deque
from concurrent.futures import Future
from typing import Any, TypeVar

from affordance.ledger import Ledger

T = TypeVar("T")


class Commits:
    """Wakes the event loop once for each group that the ledger commits, where `asyncio.wrap_future` does so once for
    each record: at hundreds of asks a second the waking costs more than the writing."""

    def __init__(self, ledger: Ledger) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[Future[Any], asyncio.Future[Any]]] = deque()
        ledger.on_group(self._wake)

    async def of(self, written: "Future[T]") -> T:
        """What the ledger says once the record is committed. Records must be waited for in the order in which they
        were handed over; those that nobody waits for do not matter."""
        waiter: asyncio.Future[T] = self._loop.create_future()
        self._waiting.append((written, waiter))
        if written.done():
            self._sweep()
        return await waiter

    def _wake(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._sweep)

    def _sweep(self) -> None:
        while self._waiting and self._waiting[0][0].done():
            written, waiter = self._waiting.popleft()
            if waiter.done():
                continue
            if (error := written.exception()) is not None:
                waiter.set_exception(error)
            else:
                waiter.set_result(written.result())
