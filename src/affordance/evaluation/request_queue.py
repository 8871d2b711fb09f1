"""Rate-limited request queue of one model, with retries."""

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import replace

from affordance.core.errors import MediaError
from affordance.core.http import valid_retry_after
from affordance.core.requests import ErrorKind, FinishReason, Request, Response
from affordance.evaluation.budget import Budget
from affordance.evaluation.execution_config import RetryPolicy
from affordance.evaluation.interrupts import Interrupted
from affordance.evaluation.progress import Pause
from affordance.models.adaptation import AdaptiveModel
from affordance.models.family import Price
from affordance.models.model import Model
from affordance.models.provider_errors import error_response


def backoff(tries: int, first_wait: float, max_wait: float) -> float:
    """Seconds to wait after a number of tries: twice as long each time, with jitter, and never 0."""
    upper = min(max_wait, first_wait * 2.0 ** min(tries - 1, 60))
    return random.uniform(upper / 2, upper)


class ConcurrencyLimit:
    """Adaptive limit of requests in flight: additive increase, multiplicative decrease, with a quick start. A rate
    limit pauses all requests: for the time that the endpoint asks for (Retry-After), and for a back-off that grows
    until a request succeeds."""

    def __init__(self, maximum: int, start: int = 8, first_wait: float = 0.5, max_wait: float = 60.0) -> None:
        self.limit = float(min(start, maximum))
        self.in_use = 0
        self.paused_until = 0.0  # on the monotonic clock
        self.successes = 0  # requests that succeeded
        self.backoff_seconds = 0.0  # seconds of back-off since the last success
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
        """Admit no request any more; waiting ones are interrupted."""
        self._closed.set()
        for turn in self._waiting:
            if not turn.done():
                turn.set_result(None)

    def check_open(self) -> None:
        if self.closed:
            raise Interrupted

    async def sleep(self, seconds: float) -> None:
        """Sleep, but not after the queue is closed."""
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
        if now >= self.paused_until:  # requests in flight together are rate-limited together: that is one rate limit
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


class RequestQueue:
    """Sends requests to one model, with retries.

    Args:
        shared_with: a queue of the same model for other requests. Both have one limit of requests in flight; errors are
            counted apart, as their requests differ.
    """

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
        self._stop_reason_all = ""  # the reason, after repeated identical errors
        self._stop_reason_media = (
            ""  # the same for errors about images or videos: requests with text alone are still sent
        )
        self.pauses: dict[str, Pause] = {}  # those of the progress, if it is reported
        self.wait_for_permission: Callable[[], Awaitable[None]] = _permit_always  # returns once requests may be sent
        # Requests in flight or whose responses are not stored yet: a kill never loses more than these.
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
        self._error_sources: set[str] = set()  # sources or questions of the requests with the last error

    @property
    def stop_reason(self) -> str:
        """Why no more requests, or none with images or videos, are sent to the model; empty if they are."""
        return self._stop_reason_all or self._stop_reason_media

    def close(self) -> None:
        """Send nothing more."""
        self.concurrency_limit.close()

    async def send(self, request: Request) -> tuple[Response, int]:
        """The response, and the number of HTTP requests: 0 if nothing was sent."""
        requests = 0
        state = _RetryState(self._retry, self.concurrency_limit)
        while True:
            try:
                response = await self._send_once(request)
            except MediaError as error:
                return error_response(str(error), permanent=True), requests
            if response is None:
                return error_response(f"not sent: {self._stop_reason_for(request)}", permanent=True), requests
            requests += response.sent
            if response.kind is ErrorKind.ADAPTED and isinstance(self.model, AdaptiveModel):
                continue
            if response.finish is not FinishReason.ERROR:
                if response.sent:
                    self._repeated_errors = 0
                    self.concurrency_limit.on_success()
                    self.pauses.pop(self.model.name, None)
                return response, requests
            wait = state.next_wait(response)
            if wait is None:
                self._count_error(request, response)
                return state.final_error(response), requests
            until = max(time.monotonic() + wait, self.concurrency_limit.paused_until)
            self.pauses[self.model.name] = Pause(response.error, until, until + state.seconds_left)
            await self.concurrency_limit.sleep(wait)

    async def _send_once(self, request: Request) -> Response | None:
        async with self.concurrency_limit:
            if self._stop_reason_for(request):
                return None
            reserved = await self._budget.reserve(self.model.name, request, self._price)
            response: Response | None = None
            try:
                await self.wait_for_permission()
                self.concurrency_limit.check_open()
                response = await self.model.send(request)
            finally:
                self._budget.release(self.model.name, request, self._price, reserved, response)
            return response

    def _stop_reason_for(self, request: Request) -> str:
        return self._stop_reason_all or (self._stop_reason_media if request.media else "")

    def _count_error(self, request: Request, response: Response) -> None:
        """Count an error, and stop the model after repeated ones. Local models fail item by item, and so may an
        endpoint that cannot process one item. A request that is too large says nothing about others."""
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
        why = f"stopped after {self._repeated_errors} identical errors in a row: {response.error}"
        if response.kind is ErrorKind.INPUT and request.media:
            self._stop_reason_media = why
        else:
            self._stop_reason_all = why


async def _permit_always() -> None:
    return


class _RetryState:
    """Tries and waits of one request."""

    def __init__(self, retry: RetryPolicy, concurrency_limit: ConcurrencyLimit) -> None:
        self.seconds_left = 0.0  # until the request is given up
        self._retry = retry
        self._concurrency_limit = concurrency_limit
        self._failures = 0
        self._tries = 0  # of these: those that were not throttled
        self._overtaken = 0  # of the tries: those since whose predecessor others were answered
        self._answered = 0  # how many others were, at the last failure
        self._seconds_tried = 0.0  # since the first failure, without time in the queue and requested waits
        self._requested_wait = 0.0  # seconds

    def next_wait(self, response: Response) -> float | None:
        """Count a failure: the seconds to wait until the next try, None if there is none."""
        policy, hint = self._retry, valid_retry_after(response.retry_after) or 0.0
        self._seconds_tried += response.seconds if self._failures else 0.0
        self._requested_wait += hint
        if response.throttled:
            self._concurrency_limit.on_rate_limit(hint)
            self.seconds_left = policy.rate_limit_timeout - max(
                self._seconds_tried, self._concurrency_limit.backoff_seconds
            )
            over = self.seconds_left <= 0
        else:
            self._tries += 1
            self._overtaken += self._failures > 0 and self._concurrency_limit.successes > self._answered
            self.seconds_left = policy.outage_timeout - self._seconds_tried
            over = self._tries >= policy.max_tries and (
                self.seconds_left <= 0 or self._overtaken >= policy.max_tries - 1
            )
        if response.permanent or over or self._requested_wait > policy.max_requested_wait:
            return None
        self._answered = self._concurrency_limit.successes
        self._failures += 1
        wait = backoff(self._failures, policy.first_wait, policy.max_wait)
        self._seconds_tried += wait
        return hint + wait

    def final_error(self, response: Response) -> Response:
        """The last failure; with the requested wait if that was too long."""
        if response.permanent or self._requested_wait <= self._retry.max_requested_wait:
            return response
        return replace(response, error=f"{response.error}; the provider asks to wait {self._requested_wait:,.0f} s")
