"""One model's lane: asks go out as fast as the endpoint copes, come back as replies, and are tried again or not."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from affordance.core.ask import ErrorKind, FinishReason, Request, Response
from affordance.core.errors import MediaError
from affordance.core.http import valid_retry_after
from affordance.evaluation.budget import Budget
from affordance.evaluation.concurrency_limit import ConcurrencyLimit, backoff
from affordance.evaluation.progress import Pause
from affordance.models.adaptation import AdaptiveModel
from affordance.models.base import Model
from affordance.models.completion import error_response
from affordance.models.prices import Price

OUTAGE_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long to try. An ask that fails while others are answered is given up after `tries`. While
    none is answered, the endpoint is taken to be away, and the ask is tried for `outage_seconds`. Being throttled is
    not counted as a try, only limited in time. Neither time in the queue nor waits that the provider asked for are
    part of either time; those waits may come to `asked_seconds` for one ask. The same error `strikes` times in a row,
    on more than one source, stops a model."""

    max_tries: int = 5
    first_wait: float = 0.5
    max_wait: float = 60.0
    rate_limit_timeout: float = 900.0
    max_repeated_errors: int = 5
    outage_timeout: float = field(default_factory=lambda: OUTAGE_SECONDS)
    max_requested_wait: float = 3600.0


class RequestQueue:
    """`beside` is a lane of the same model, for other asks: they have one queue, and what the endpoint says to one
    holds for the other. Errors are counted apart, as what is asked differs."""

    def __init__(
        self,
        model: Model,
        price: Price,
        concurrency: int,
        retry: RetryPolicy,
        budget: Budget,
        shared_with: "RequestQueue | None" = None,
    ) -> None:
        self.model = model
        self._stop_reason_all = ""  # the reason, once the same error has come too often
        self._stop_reason_media = ""  # the same, where it was about images or videos: words alone are still asked
        self.pauses: dict[str, Pause] = {}  # the progress's, where somebody is to be told of waiting
        self.wait_for_permission: Callable[[], Awaitable[None]] = _permit_always  # returns once requests may be sent
        # Asks that are out or whose replies are not in the ledger yet: what a kill would lose is never more than these.
        self.unsaved: asyncio.Semaphore = shared_with.unsaved if shared_with else asyncio.Semaphore(concurrency)
        self.concurrency_limit: ConcurrencyLimit = (
            shared_with.concurrency_limit
            if shared_with
            else ConcurrencyLimit(concurrency, first_wait=retry.first_wait, max_wait=retry.max_wait)
        )
        self._price = price
        self._retry = retry
        self._budget = budget
        self._last_error = ""
        self._repeated_errors = 0
        self._error_sources: set[str] = set()  # what the asks of the last error were about

    @property
    def stop_reason(self) -> str:
        """Why the model is asked nothing more, or nothing with images or videos; empty where it is."""
        return self._stop_reason_all or self._stop_reason_media

    def close(self) -> None:
        """Ask nothing more."""
        self.concurrency_limit.close()

    async def send(self, ask: Request) -> tuple[Response, int]:
        """The reply, and how many requests it took: none where there was nothing to send or nobody to send it to."""
        requests = 0
        trouble = _RetryState(self._retry, self.concurrency_limit)
        while True:
            try:
                reply = await self._send_once(ask)
            except MediaError as error:
                return error_response(str(error), permanent=True), requests
            if reply is None:
                return error_response(f"not asked: {self._stop_reason_for(ask)}", permanent=True), requests
            requests += reply.sent
            if reply.kind is ErrorKind.ADAPTED and isinstance(self.model, AdaptiveModel):
                continue
            if reply.finish is not FinishReason.ERROR:
                if reply.sent:
                    self._repeated_errors = 0
                    self.concurrency_limit.on_success()
                    self.pauses.pop(self.model.name, None)
                return reply, requests
            wait = trouble.next_wait(reply)
            if wait is None:
                self._count_error(ask, reply)
                return trouble.final_error(reply), requests
            until = max(time.monotonic() + wait, self.concurrency_limit.paused_until)
            self.pauses[self.model.name] = Pause(reply.error, until, until + trouble.seconds_left)
            await self.concurrency_limit.sleep(wait)

    async def _send_once(self, request: Request) -> Response | None:
        async with self.concurrency_limit:
            if self._stop_reason_for(request):
                return None
            reserved = await self._budget.reserve(self.model.name, request, self._price)
            reply: Response | None = None
            try:
                await self.wait_for_permission()
                self.concurrency_limit.check_open()
                reply = await self.model.send(request)
            finally:
                self._budget.release(self.model.name, request, self._price, reserved, reply)
            return reply

    def _stop_reason_for(self, request: Request) -> str:
        return self._stop_reason_all or (self._stop_reason_media if request.media else "")

    def _count_error(self, request: Request, response: Response) -> None:
        """What runs in this process fails item by item; so may an endpoint that cannot digest one item. A request that
        is too large says nothing of others."""
        if not self.model.base_url or response.kind is ErrorKind.TOO_LARGE:
            return
        kind = response.error.partition(":")[0]  # what comes after it may differ from request to request
        if kind != self._last_error or self._repeated_errors == 0:
            self._last_error, self._repeated_errors = kind, 0
            self._error_sources.clear()
        self._repeated_errors += 1
        self._error_sources.add(request.media[0].source if request.media else request.question)
        if (
            self._repeated_errors < self._retry.max_repeated_errors
            or len(self._error_sources) < 2
            or self._stop_reason_for(request)
        ):
            return
        why = f"stopped after the same error {self._repeated_errors} times, the last: {response.error}"
        if response.kind is ErrorKind.INPUT and request.media:
            self._stop_reason_media = why
        else:
            self._stop_reason_all = why


async def _permit_always() -> None:
    return


class _RetryState:
    """What one ask has been through."""

    def __init__(self, retry: RetryPolicy, concurrency_limit: ConcurrencyLimit) -> None:
        self.seconds_left = 0.0  # seconds of the patience
        self._retry = retry
        self._concurrency_limit = concurrency_limit
        self._failures = 0
        self._tries = 0  # of these: those that were not throttled
        self._overtaken = 0  # of the tries: those since whose predecessor others were answered
        self._answered = 0  # how many others were, at the last failure
        self._seconds_tried = (
            0.0  # seconds since the first failure, without the queue and without waits that were asked for
        )
        self._requested_wait = 0.0  # seconds

    def next_wait(self, response: Response) -> float | None:
        """One more failure: the seconds to wait until the next try, None where there is none."""
        patience, hint = self._retry, valid_retry_after(response.retry_after) or 0.0
        self._seconds_tried += response.seconds if self._failures else 0.0
        self._requested_wait += hint
        if response.throttled:
            self._concurrency_limit.on_rate_limit(hint)
            self.seconds_left = patience.rate_limit_timeout - max(
                self._seconds_tried, self._concurrency_limit.backoff_seconds
            )
            over = self.seconds_left <= 0
        else:
            self._tries += 1
            self._overtaken += self._failures > 0 and self._concurrency_limit.successes > self._answered
            self.seconds_left = patience.outage_timeout - self._seconds_tried
            over = self._tries >= patience.max_tries and (
                self.seconds_left <= 0 or self._overtaken >= patience.max_tries - 1
            )
        if response.permanent or over or self._requested_wait > patience.max_requested_wait:
            return None
        self._answered = self._concurrency_limit.successes
        self._failures += 1
        wait = backoff(self._failures, patience.first_wait, patience.max_wait)
        self._seconds_tried += wait
        return hint + wait

    def final_error(self, response: Response) -> Response:
        """The last failure; where the provider asked for too long a wait, with how long that is."""
        if response.permanent or self._requested_wait <= self._retry.max_requested_wait:
            return response
        return replace(response, error=f"{response.error}; the provider asks to wait {self._requested_wait:,.0f} s")
