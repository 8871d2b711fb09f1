"""One model's lane: asks go out as fast as the endpoint copes, come back as replies, and are tried again or not."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from affordance.core.ask import Ask, ErrorKind, Finish, Reply
from affordance.core.errors import MediaError
from affordance.core.http import usable_hint
from affordance.models.adaptation import Adapting
from affordance.models.base import Model
from affordance.models.completion import failure
from affordance.models.prices import Price
from affordance.run.budget import Budget
from affordance.run.limiter import Limiter, backoff
from affordance.run.progress import Pause

OUTAGE_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long to try. An ask that fails while others are answered is given up after `tries`. While
    none is answered, the endpoint is taken to be away, and the ask is tried for `outage_seconds`. Being throttled is
    not counted as a try, only limited in time. Neither time in the queue nor waits that the provider asked for are
    part of either time; those waits may come to `asked_seconds` for one ask. The same error `strikes` times in a row,
    on more than one source, stops a model."""

    tries: int = 5
    first_wait: float = 0.5
    longest_wait: float = 60.0
    throttled_seconds: float = 900.0
    strikes: int = 5
    outage_seconds: float = field(default_factory=lambda: OUTAGE_SECONDS)
    asked_seconds: float = 3600.0


class Lane:
    """`beside` is a lane of the same model, for other asks: they have one queue, and what the endpoint says to one
    holds for the other. Errors are counted apart, as what is asked differs."""

    def __init__(
        self,
        model: Model,
        price: Price,
        concurrency: int,
        patience: Patience,
        budget: Budget,
        beside: "Lane | None" = None,
    ) -> None:
        self.model = model
        self._stopped_all = ""  # the reason, once the same error has come too often
        self._stopped_visuals = ""  # the same, where it was about images or videos: words alone are still asked
        self.pauses: dict[str, Pause] = {}  # the progress's, where somebody is to be told of waiting
        self.permitted: Callable[[], Awaitable[None]] = _always  # returns once requests may be sent
        # Asks that are out or whose replies are not in the ledger yet: what a kill would lose is never more than these.
        self.unsaved: asyncio.Semaphore = beside.unsaved if beside else asyncio.Semaphore(concurrency)
        self.limiter: Limiter = (
            beside.limiter
            if beside
            else Limiter(concurrency, first_wait=patience.first_wait, longest_wait=patience.longest_wait)
        )
        self._price = price
        self._patience = patience
        self._budget = budget
        self._last_error = ""
        self._strikes = 0
        self._struck: set[str] = set()  # what the asks of the last error were about

    @property
    def stopped(self) -> str:
        """Why the model is asked nothing more, or nothing with images or videos; empty where it is."""
        return self._stopped_all or self._stopped_visuals

    def close(self) -> None:
        """Ask nothing more."""
        self.limiter.close()

    async def ask(self, ask: Ask) -> tuple[Reply, int]:
        """The reply, and how many requests it took: none where there was nothing to send or nobody to send it to."""
        requests = 0
        trouble = _Trouble(self._patience, self.limiter)
        while True:
            try:
                reply = await self._once(ask)
            except MediaError as error:
                return failure(str(error), permanent=True), requests
            if reply is None:
                return failure(f"not asked: {self._stopped(ask)}", permanent=True), requests
            requests += reply.sent
            if reply.kind is ErrorKind.ADAPTED and isinstance(self.model, Adapting):
                continue
            if reply.finish is not Finish.ERROR:
                if reply.sent:
                    self._strikes = 0
                    self.limiter.coped()
                    self.pauses.pop(self.model.name, None)
                return reply, requests
            wait = trouble.add(reply)
            if wait is None:
                self._strike(ask, reply)
                return trouble.explain(reply), requests
            until = max(time.monotonic() + wait, self.limiter.quiet_until)
            self.pauses[self.model.name] = Pause(reply.error, until, until + trouble.left)
            await self.limiter.rest(wait)

    async def _once(self, ask: Ask) -> Reply | None:
        async with self.limiter:
            if self._stopped(ask):
                return None
            reserved = await self._budget.reserve(self.model.name, ask, self._price)
            reply: Reply | None = None
            try:
                await self.permitted()
                self.limiter.check()
                reply = await self.model.reply(ask)
            finally:
                self._budget.settle(self.model.name, ask, self._price, reserved, reply)
            return reply

    def _stopped(self, ask: Ask) -> str:
        return self._stopped_all or (self._stopped_visuals if ask.visuals else "")

    def _strike(self, ask: Ask, reply: Reply) -> None:
        """What runs in this process fails item by item; so may an endpoint that cannot digest one item. A request that
        is too large says nothing of others."""
        if not self.model.base_url or reply.kind is ErrorKind.TOO_LARGE:
            return
        kind = reply.error.partition(":")[0]  # what comes after it may differ from request to request
        if kind != self._last_error or self._strikes == 0:
            self._last_error, self._strikes = kind, 0
            self._struck.clear()
        self._strikes += 1
        self._struck.add(ask.visuals[0].source if ask.visuals else ask.question)
        if self._strikes < self._patience.strikes or len(self._struck) < 2 or self._stopped(ask):
            return
        why = f"stopped after the same error {self._strikes} times, the last: {reply.error}"
        if reply.kind is ErrorKind.INPUT and ask.visuals:
            self._stopped_visuals = why
        else:
            self._stopped_all = why


async def _always() -> None:
    return


class _Trouble:
    """What one ask has been through."""

    def __init__(self, patience: Patience, limiter: Limiter) -> None:
        self.left = 0.0  # seconds of the patience
        self._patience = patience
        self._limiter = limiter
        self._failures = 0
        self._tries = 0  # of these: those that were not throttled
        self._overtaken = 0  # of the tries: those since whose predecessor others were answered
        self._answered = 0  # how many others were, at the last failure
        self._tried = 0.0  # seconds since the first failure, without the queue and without waits that were asked for
        self._asked = 0.0  # seconds

    def add(self, reply: Reply) -> float | None:
        """One more failure: the seconds to wait until the next try, None where there is none."""
        patience, hint = self._patience, usable_hint(reply.retry_after) or 0.0
        self._tried += reply.seconds if self._failures else 0.0
        self._asked += hint
        if reply.throttled:
            self._limiter.complained(hint)
            self.left = patience.throttled_seconds - max(self._tried, self._limiter.backed_off)
            over = self.left <= 0
        else:
            self._tries += 1
            self._overtaken += self._failures > 0 and self._limiter.answered > self._answered
            self.left = patience.outage_seconds - self._tried
            over = self._tries >= patience.tries and (self.left <= 0 or self._overtaken >= patience.tries - 1)
        if reply.permanent or over or self._asked > patience.asked_seconds:
            return None
        self._answered = self._limiter.answered
        self._failures += 1
        wait = backoff(self._failures, patience.first_wait, patience.longest_wait)
        self._tried += wait
        return hint + wait

    def explain(self, reply: Reply) -> Reply:
        """The last failure; where the provider asked for too long a wait, with how long that is."""
        if reply.permanent or self._asked <= self._patience.asked_seconds:
            return reply
        return replace(reply, error=f"{reply.error}; the provider asks to wait {self._asked:,.0f} s")
