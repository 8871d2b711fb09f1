"""One model's lane: asks go out as fast as the endpoint copes, come back as replies, and are tried again or not."""

import asyncio
import random
import time
from dataclasses import dataclass

from affordance.core.ask import Ask, Finish, Reply
from affordance.core.errors import MediaError
from affordance.models.base import Model
from affordance.models.completion import failure
from affordance.run.budget import Budget, Tariff
from affordance.run.limiter import Limiter


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long to try. Being throttled is not counted as a try, only limited in time. The same error
    `strikes` times in a row, on more than one source, stops a model."""

    tries: int = 5
    first_wait: float = 0.5
    longest_wait: float = 60.0
    throttled_seconds: float = 900.0
    strikes: int = 5


class Lane:
    def __init__(self, model: Model, tariff: Tariff, concurrency: int, patience: Patience, budget: Budget) -> None:
        self.model = model
        self.stopped = ""  # the reason, once the same error has come too often
        self.quiet_until: dict[str, float] = {}  # the progress's, where somebody is to be told of waiting
        # Asks that are out or whose replies are not in the ledger yet: what a kill would lose is never more than these.
        self.unsaved = asyncio.Semaphore(concurrency)
        self.limiter = Limiter(concurrency, first_wait=patience.first_wait, longest_wait=patience.longest_wait)
        self._tariff = tariff
        self._patience = patience
        self._budget = budget
        self._last_error = ""
        self._strikes = 0
        self._struck: set[str] = set()  # what the asks of the last error were about

    def close(self) -> None:
        """Ask nothing more."""
        self.limiter.close()

    async def ask(self, ask: Ask) -> tuple[Reply, int]:
        """The reply, and how many requests it took: none where there was nothing to send or nobody to send it to."""
        requests = tries = 0
        started = time.monotonic()
        while True:
            try:
                reply = await self._once(ask)
            except MediaError as error:
                return failure(str(error), permanent=True), requests
            if reply is None:
                return failure(f"not asked: {self.stopped}", permanent=True), requests
            requests += 1
            if reply.finish is not Finish.ERROR:
                self._strikes = 0
                self.limiter.coped()
                return reply, requests
            if reply.throttled:
                self.limiter.complained(reply.retry_after)
                self.quiet_until[self.model.name] = self.limiter.quiet_until
                given_up = time.monotonic() - started > self._patience.throttled_seconds
            else:
                tries += 1
                given_up = tries >= self._patience.tries
            if reply.permanent or given_up:
                self._strike(ask, reply.error)
                return reply, requests
            if not reply.throttled:
                await self.limiter.rest(max(self._wait(tries), reply.retry_after or 0.0))

    async def _once(self, ask: Ask) -> Reply | None:
        async with self.limiter:
            if self.stopped:
                return None
            reserved = await self._budget.reserve(ask, self._tariff)
            reply: Reply | None = None
            try:
                self.limiter.check()
                reply = await self.model.reply(ask)
            finally:
                self._budget.settle(ask, self._tariff, reserved, reply)
            return reply

    def _strike(self, ask: Ask, error: str) -> None:
        """What runs in this process fails item by item; so may an endpoint that cannot digest one item."""
        if not self.model.base_url:
            return
        kind = error.partition(":")[0]  # what comes after it may differ from request to request
        if kind != self._last_error or self._strikes == 0:
            self._last_error, self._strikes = kind, 0
            self._struck.clear()
        self._strikes += 1
        self._struck.add(ask.visuals[0].source if ask.visuals else ask.question)
        if self._strikes >= self._patience.strikes and len(self._struck) > 1 and not self.stopped:
            self.stopped = f"stopped after the same error {self._strikes} times, the last: {error}"

    def _wait(self, tries: int) -> float:
        longest = min(self._patience.longest_wait, self._patience.first_wait * 2 ** (tries - 1))
        return random.uniform(longest / 2, longest)
