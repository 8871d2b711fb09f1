"""One model's lane: asks go out as fast as the endpoint copes, come back as replies, and are tried again or not."""

import asyncio
import random
from dataclasses import dataclass

from affordance.core.ask import Ask, Finish, Reply
from affordance.core.errors import MediaError
from affordance.models.base import Model
from affordance.models.completion import failure
from affordance.run.budget import Budget, Tariff
from affordance.run.limiter import Limiter


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long to try. `strikes`: the same error this many times in a row stops a model."""

    tries: int = 5
    first_wait: float = 0.5
    longest_wait: float = 60.0
    strikes: int = 5


class Interrupted(Exception):
    """Nothing more is to be asked; what is under way may finish."""


class Lane:
    def __init__(self, model: Model, tariff: Tariff, concurrency: int, patience: Patience, budget: Budget) -> None:
        self.model = model
        self.stopped = ""  # the reason, once the same error has come too often
        self.limiter = Limiter(concurrency)
        self._tariff = tariff
        self._patience = patience
        self._budget = budget
        self._closing = False
        self._last_error = ""
        self._strikes = 0

    def close(self) -> None:
        """Ask nothing more."""
        self._closing = True

    async def ask(self, ask: Ask) -> tuple[Reply, int]:
        """The reply, and how many requests it took."""
        tries = 0
        while True:
            reply = await self._once(ask)
            tries += 1
            if reply.finish is not Finish.ERROR:
                self._strikes = 0
                self.limiter.coped()
                return reply, tries
            if reply.throttled:
                self.limiter.complained(reply.retry_after)
            if reply.permanent or tries >= self._patience.tries:
                self._strike(reply.error)
                return reply, tries
            await asyncio.sleep(self._wait(tries))

    async def _once(self, ask: Ask) -> Reply:
        async with self.limiter:
            if self.stopped:
                return failure(f"not asked: {self.stopped}", permanent=True)
            if self._closing:
                raise Interrupted
            reserved = await self._budget.reserve(ask, self._tariff)
            reply: Reply | None = None
            try:
                reply = await self.model.reply(ask)
            except MediaError as error:
                reply = failure(str(error), permanent=True)
            finally:
                await self._budget.settle(ask, self._tariff, reserved, reply)
            return reply

    def _strike(self, error: str) -> None:
        if not self.model.base_url:
            return  # what runs in this process fails item by item, not as a whole
        self._strikes = self._strikes + 1 if error == self._last_error else 1
        self._last_error = error
        if self._strikes >= self._patience.strikes and not self.stopped:
            self.stopped = f"stopped after the same error {self._strikes} times: {error}"

    def _wait(self, tries: int) -> float:
        longest = min(self._patience.longest_wait, self._patience.first_wait * 2 ** (tries - 1))
        return random.uniform(longest / 2, longest)
