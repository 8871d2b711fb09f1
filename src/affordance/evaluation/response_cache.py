"""The responses in a ledger, as a cache: a request that it has is not sent again."""

import asyncio

from affordance.ledger import Ledger, RunRecord


class ResponseCache:
    """Ids of responses by request key. They are looked up as requests come up, those of one moment together and in
    another thread: a ledger holds millions, of which a run needs few."""

    def __init__(self, ledger: Ledger, run: RunRecord) -> None:
        self._ledger = ledger
        self._fresh_run = run.id if run.fresh else None
        self._known: dict[str, int] = {}
        self._pending_keys: set[str] = set()
        self._pending_search: asyncio.Task[None] | None = None  # of the wanted

    def add(self, key: str, response_id: int) -> None:
        """A response that was received and stored just now."""
        self._known[key] = response_id

    async def find(self, key: str) -> int | None:
        """The id of the newest response that can be used again."""
        if key not in self._known:
            if self._pending_search is None:
                self._pending_search = asyncio.create_task(self._find_pending())
            self._pending_keys.add(key)
            await asyncio.shield(self._pending_search)  # others wait for it, too
        return self._known.get(key)

    async def _find_pending(self) -> None:
        keys, self._pending_keys, self._pending_search = list(self._pending_keys), set(), None
        found = await asyncio.to_thread(self._ledger.response_ids_by_key, keys, fresh_run=self._fresh_run)
        self._known = found | self._known
