"""A limit on cost in US dollars. Requests in flight count at their worst case."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from affordance.core.errors import AffordanceError, InvalidOption, MediaError, UserError
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec, MediaSpec, VideoSpec, media_spec_from_recipe
from affordance.core.model_name import ModelName
from affordance.core.question import FreeText
from affordance.core.requests import Message, Request, Response, TokenUsage
from affordance.evaluation.interrupts import Interrupted
from affordance.ledger import Ledger
from affordance.models.family import FREE, Price
from affordance.models.token_cost import max_input_tokens, max_output_tokens, max_text_tokens

MediaSizes = tuple[tuple[int, ...], ...]  # of the images and videos of a request
MediaSize = Callable[[MediaSpec], tuple[int, ...]]  # width and height, and of a video the number of frames


class TokenBounds:
    """A model is billed the same for images of the same number and size. So they cost at most the smallest usage that
    was reported with such images, and at least the part of a usage that its text cannot explain."""

    def __init__(self, media_size: MediaSize | None) -> None:
        self._media_size = media_size
        self._media_tokens: dict[tuple[str, MediaSizes], tuple[int, int]] = {}  # at least and at most

    def upper_bound(self, model: str, request: Request) -> int:
        known = self._media_tokens.get((model, sizes)) if (sizes := self._sizes(request)) else None
        return max_input_tokens(request) if known is None else max_text_tokens(request) + max(known)

    def add_usage(self, model: str, request: Request, reported: int) -> None:
        """Take in the usage of one request."""
        if sizes := self._sizes(request):
            least, most = self._media_tokens.get((model, sizes), (0, reported))
            self._media_tokens[model, sizes] = max(least, reported - max_text_tokens(request)), min(most, reported)

    def _sizes(self, request: Request) -> MediaSizes | None:
        """None where a file cannot be read, which the request will report."""
        try:
            return tuple(sorted(self._media_size(visual) for visual in request.media)) if self._media_size else None
        except MediaError:
            return None


class BudgetReached(AffordanceError):
    """The next request could exceed the budget."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """The reservation for one request."""

    input_tokens: int  # at most
    cost: float  # in US dollars


def require_price(name: str, price: Price | None, has_output_limit: bool, budget: float | None, hint: str) -> Price:
    """The price of a model; free if it is unknown. With a budget, the price and the output limit must be known before
    the first request.

    Args:
        has_output_limit: whether all requests have a limit of output tokens.
        hint: where to set max_tokens.
    """
    if budget is not None and price != FREE:
        if price is None:
            key = ModelName.parse(name).model
            raise UserError(f'--budget needs a price for {name}: add "{key}" under [prices] in affordance.toml')
        if not has_output_limit:
            raise InvalidOption("budget", f"needs max_tokens for {name}", hint=hint)
    return price or FREE


def cost_of_run(ledger: Ledger, run: str, prices: Mapping[str, Price]) -> float:
    """Cost of the responses made in a run. Tokens that were not counted count at their upper bound: a budget holds for
    a run and its resumption together."""
    total = 0.0
    paid = {name: price for name, price in prices.items() if price != FREE}
    for usage in ledger.token_usage(run):
        if usage.model in paid:
            total += paid[usage.model].cost(usage.input_tokens or 0, usage.output_tokens or 0)
    spec_of = cache(lambda kind, digest: _stored_media_spec(ledger, kind, digest))
    for stored in ledger.uncounted_responses(run, list(paid)):
        request = _stored_request(stored.transcript, json.loads(stored.parameters), spec_of)
        total += paid[stored.model].cost(
            max_input_tokens(request) if stored.input_tokens is None else 0,
            (max_output_tokens(request.parameters) or 0) if stored.output_tokens is None else 0,
        )
    return total


def _stored_request(
    transcript: str, parameters: dict[str, Json], media_spec: Callable[[str, str], MediaSpec]
) -> Request:
    """A stored request, as far as it has a cost."""
    messages = [
        Message(role, tuple(part if isinstance(part, str) else media_spec(*next(iter(part.items()))) for part in parts))
        for role, parts in json.loads(transcript)
    ]
    return Request("", tuple(messages), FreeText(), parameters=parameters)


def _stored_media_spec(ledger: Ledger, kind: str, digest: str) -> MediaSpec:
    """A stored image or video; an unknown one counts as the largest."""
    record = ledger.media_record(digest)
    if record is not None:
        return media_spec_from_recipe(record.source, record.recipe)
    return ImageSpec("") if kind == "picture" else VideoSpec("")


class Budget:
    """A limit on the cost of a run. `media_size` gives the size of images, so that the reported usage of one request is
    a bound for those like it."""

    def __init__(self, limit: float | None, already_spent: float = 0.0, media_size: MediaSize | None = None) -> None:
        self.spent = already_spent
        self._limit = limit
        self._bounds = TokenBounds(media_size)
        self._reserved = 0.0
        self._in_flight = 0
        self._changed = asyncio.Event()
        self._closed = False

    def close(self) -> None:
        """Interrupt requests that wait for the budget."""
        self._closed = True
        self._changed.set()

    async def reserve(self, model: str, request: Request, price: Price) -> Reservation | None:
        """Reserve the worst case of a request; waits while reservations may be released. None without a budget."""
        if self._limit is None or price == FREE:
            return None
        while self.spent + self._reserved + (worst := self._worst_case(model, request, price)).cost > self._limit:
            if self._closed:
                raise Interrupted
            if self._in_flight == 0:
                raise BudgetReached(
                    f"the budget of ${self._limit:g} is reached: ${self.spent:.4f} spent, "
                    f"and the next request may cost up to ${worst.cost:.4f}"
                )
            self._changed.clear()
            await self._changed.wait()
        self._reserved += worst.cost
        self._in_flight += 1
        return worst

    def _worst_case(self, model: str, request: Request, price: Price) -> Reservation:
        tokens = self._bounds.upper_bound(model, request)
        return Reservation(tokens, price.cost(tokens, max_output_tokens(request.parameters) or 0))

    def release(
        self, model: str, request: Request, price: Price, reservation: Reservation | None, response: Response | None
    ) -> None:
        """Count the cost of a request. If the provider counted no tokens, the upper bound is used; a failed request
        costs what was counted, which is usually nothing."""
        if response is not None and price != FREE:
            usage = response.usage if response.failed else _complete_usage(response.usage, request, reservation)
            self.spent += price.cost(usage.input or 0, usage.output or 0)
        if reservation is None:
            return
        if response is not None and not response.failed and response.usage.input is not None:
            self._bounds.add_usage(model, request, response.usage.input)
        self._in_flight -= 1
        # Sums of fractions leave a residue; with nothing in flight there is nothing reserved.
        self._reserved = self._reserved - reservation.cost if self._in_flight else 0.0
        self._changed.set()


def _complete_usage(usage: TokenUsage, request: Request, reservation: Reservation | None) -> TokenUsage:
    """With upper bounds for what was not counted."""
    sent, received = usage.input, usage.output
    if sent is None:
        sent = max_input_tokens(request) if reservation is None else reservation.input_tokens
    return TokenUsage(sent, (max_output_tokens(request.parameters) or 0) if received is None else received)
