"""A limit on money. What is in flight counts at its worst case, so the limit is not passed, as long as providers charge
nothing for asks that fail."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from affordance.core.ask import Ask, Message, Reply, Usage
from affordance.core.digest import Json
from affordance.core.errors import AffordanceError, UserError
from affordance.core.grammar import Words
from affordance.core.names import ModelName
from affordance.core.picture import Footage, Picture, Visual, from_recipe
from affordance.ledger import Ledger
from affordance.models.prices import FREE, Price, input_tokens, most_output
from affordance.run.limiter import Interrupted
from affordance.run.token_bounds import SizeOf, TokenBounds


class BudgetReached(AffordanceError):
    """The next ask could pass the limit."""


@dataclass(frozen=True, slots=True)
class Reserved:
    """What is set aside for one request."""

    input_tokens: int  # at most
    cost: float  # in US dollars


def price_for(name: str, price: Price | None, limited: bool, budget: float | None, how: str) -> Price:
    """What a model costs, nothing where that is not known. A budget needs to know it before the first ask, and that
    what comes out is `limited`; `how` says where to give max_tokens."""
    if budget is not None and price != FREE:
        if price is None:
            key = ModelName.parse(name).model
            raise UserError(f'--budget needs a price for {name}: add "{key}" under [prices] in affordance.toml')
        if not limited:
            raise UserError(f"--budget needs max_tokens for {name}: {how}")
    return price or FREE


def spent_on(ledger: Ledger, run: str, prices: Mapping[str, Price]) -> float:
    """What the replies cost that were made in a run. Tokens that were not counted are taken at their upper bound: a
    budget that is left and gone on with is one budget."""
    total = 0.0
    paid = {name: price for name, price in prices.items() if price != FREE}
    for usage in ledger.usage(run):
        if usage.model in paid:
            total += paid[usage.model].of(usage.input_tokens or 0, usage.output_tokens or 0)
    shown = cache(lambda kind, digest: _shown(ledger, kind, digest))
    for reply in ledger.uncounted(run, list(paid)):
        ask = _asked(reply.transcript, json.loads(reply.parameters), shown)
        total += paid[reply.model].of(
            input_tokens(ask) if reply.input_tokens is None else 0,
            (most_output(ask.parameters) or 0) if reply.output_tokens is None else 0,
        )
    return total


def _asked(transcript: str, parameters: dict[str, Json], shown: Callable[[str, str], Visual]) -> Ask:
    """An ask that the ledger has, as far as it has a cost."""
    messages = [
        Message(role, tuple(part if isinstance(part, str) else shown(*next(iter(part.items()))) for part in parts))
        for role, parts in json.loads(transcript)
    ]
    return Ask("", tuple(messages), Words(), parameters=parameters)


def _shown(ledger: Ledger, kind: str, digest: str) -> Visual:
    """A picture or video; a recipe that is not known is taken for the largest."""
    record = ledger.picture(digest)
    if record is not None:
        return from_recipe(record.source, record.recipe)
    return Picture("") if kind == "picture" else Footage("")


class Budget:
    """`size_of` says how large images are, so that what one request was billed for bounds those that are like it."""

    def __init__(self, limit: float | None, already_spent: float = 0.0, size_of: SizeOf | None = None) -> None:
        self.spent = already_spent
        self._limit = limit
        self._bounds = TokenBounds(size_of)
        self._reserved = 0.0
        self._in_flight = 0
        self._changed = asyncio.Event()
        self._closed = False

    def close(self) -> None:
        """Those who wait for money to come back are interrupted."""
        self._closed = True
        self._changed.set()

    async def reserve(self, model: str, ask: Ask, price: Price) -> Reserved | None:
        """Set the worst case of an ask aside; waits while money that is in flight may come back. None where there is no
        need."""
        if self._limit is None or price == FREE:
            return None
        while self.spent + self._reserved + (worst := self._worst(model, ask, price)).cost > self._limit:
            if self._closed:
                raise Interrupted
            if self._in_flight == 0:
                raise BudgetReached(
                    f"the budget of ${self._limit:g} is reached: ${self.spent:.4f} spent, "
                    f"and the next ask may cost ${worst.cost:.4f}"
                )
            self._changed.clear()
            await self._changed.wait()
        self._reserved += worst.cost
        self._in_flight += 1
        return worst

    def _worst(self, model: str, ask: Ask, price: Price) -> Reserved:
        tokens = self._bounds.of(model, ask)
        return Reserved(tokens, price.of(tokens, most_output(ask.parameters) or 0))

    def settle(self, model: str, ask: Ask, price: Price, reserved: Reserved | None, reply: Reply | None) -> None:
        """What it cost in the end. Where the provider counted no tokens, the upper bound stands in; an ask that failed
        costs what was counted, which is nothing as a rule."""
        if reply is not None and price != FREE:
            usage = reply.usage if reply.failed else _completed(reply.usage, ask, reserved)
            self.spent += price.of(usage.input or 0, usage.output or 0)
        if reserved is None:
            return
        if reply is not None and not reply.failed and reply.usage.input is not None:
            self._bounds.learn(model, ask, reply.usage.input)
        self._in_flight -= 1
        # Sums of fractions leave a residue; with nothing in flight there is nothing reserved.
        self._reserved = self._reserved - reserved.cost if self._in_flight else 0.0
        self._changed.set()


def _completed(usage: Usage, ask: Ask, reserved: Reserved | None) -> Usage:
    """With upper bounds for what was not counted."""
    into, out = usage.input, usage.output
    if into is None:
        into = input_tokens(ask) if reserved is None else reserved.input_tokens
    return Usage(into, (most_output(ask.parameters) or 0) if out is None else out)
