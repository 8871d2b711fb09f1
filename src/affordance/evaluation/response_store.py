"""Stored responses from an event loop: looked up as a cache, and awaited until they are committed."""

import asyncio
import time
from collections import deque
from contextlib import suppress
from typing import Any, TypeVar

from affordance.core.requests import Response
from affordance.ledger import Ledger, RunRecord, WriteFuture

T = TypeVar("T")

OVERDUE_SECONDS = 2.0


class CommitWaiter:
    """Wakes the event loop once for each group that the ledger commits. At hundreds of requests a second, waking it for
    each record costs more than writing."""

    def __init__(self, ledger: Ledger) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[WriteFuture[Any], asyncio.Future[Any], float]] = deque()
        ledger.on_commit(self._wake)

    async def wait(self, written: WriteFuture[T]) -> T:
        """The result of a write once it is committed. Writes must be waited for in the order in which they were put;
        others may be left out."""
        waiter: asyncio.Future[T] = self._loop.create_future()
        self._waiting.append((written, waiter, time.monotonic()))
        if written.done:
            self._resolve_written()
        return await waiter

    async def wait_until_current(self) -> None:
        """Wait while the ledger is stuck, before more requests are sent whose responses it may not be able to store."""
        while self._waiting and time.monotonic() - self._waiting[0][2] > OVERDUE_SECONDS:
            await asyncio.sleep(0.1)

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop is closed: nothing waits any more
            self._loop.call_soon_threadsafe(self._resolve_written)

    def _resolve_written(self) -> None:
        while self._waiting and self._waiting[0][0].done:
            written, waiter, _ = self._waiting.popleft()
            if waiter.done():
                continue
            try:
                waiter.set_result(written.result())
            except Exception as error:  # noqa: BLE001  # it is raised where the result is awaited
                waiter.set_exception(error)


class ResponseCache:
    """Ids of stored responses by request key.

    Keys are looked up when requests come up, those of one moment together: a ledger holds millions, of which a run
    needs few. On a remote database that happens in another thread; in a local file it takes less time than a thread."""

    def __init__(self, ledger: Ledger, run: RunRecord) -> None:
        self._ledger = ledger
        self._is_remote = "://" in ledger.location
        self._fresh_run = run.id if run.fresh else None
        self._known: dict[str, int] = {}
        self._pending_keys: set[str] = set()
        self._pending_search: asyncio.Task[None] | None = None  # for the pending keys

    def add(self, key: str, response_id: int) -> None:
        """A response that was received and stored just now."""
        self._known[key] = response_id

    async def get(self, response_id: int) -> Response:
        if self._is_remote:
            return await asyncio.to_thread(self._ledger.get_response, response_id)
        return self._ledger.get_response(response_id)

    async def find(self, key: str) -> int | None:
        """The id of the newest response that can be used again."""
        if key not in self._known:
            if self._pending_search is None:
                self._pending_search = asyncio.create_task(self._find_pending())
            self._pending_keys.add(key)
            await asyncio.shield(self._pending_search)  # other requests wait for it too
        return self._known.get(key)

    async def _find_pending(self) -> None:
        keys, self._pending_keys, self._pending_search = list(self._pending_keys), set(), None
        if self._is_remote:
            found = await asyncio.to_thread(self._ledger.response_ids_by_key, keys, fresh_run=self._fresh_run)
        else:
            found = self._ledger.response_ids_by_key(keys, fresh_run=self._fresh_run)
        for name, response_id in found.items():
            self._known.setdefault(name, response_id)
