"""A limit on money. What is in flight counts at its worst case, so the limit is never passed."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from affordance.core.ask import Ask, Reply, Usage
from affordance.core.digest import Json
from affordance.core.errors import AffordanceError, UserError
from affordance.core.names import ModelName
from affordance.ledger import ModelUsage
from affordance.models.prices import FREE, LARGEST_PICTURE_TOKENS, Price, input_tokens
from affordance.run.limiter import Interrupted


class BudgetReached(AffordanceError):
    """The next ask could pass the limit."""


@dataclass(frozen=True, slots=True)
class Tariff:
    """What one model costs; `most_output` is its max_tokens, 0 where it is free or nobody said."""

    price: Price
    most_output: int

    def cost(self, ask: Ask, usage: Usage) -> float:
        """Of a reply; where the provider did not count tokens, the estimate and the limit stand in."""
        if self.price == FREE:
            return 0.0
        paid_in = usage.input if usage.input is not None else input_tokens(ask)
        return self.price.of(paid_in, usage.output if usage.output is not None else self.most_output)


def tariff_of(name: str, price: Price | None, most_output: int | None, budget: float | None, how: str) -> Tariff:
    """What a model costs. A budget needs to know it before the first ask; `how` says where to give max_tokens."""
    if budget is not None and price != FREE:
        if price is None:
            key = ModelName.parse(name).model
            raise UserError(f'--budget needs a price for {name}: add "{key}" under [prices] in affordance.toml')
        if most_output is None:
            raise UserError(f"--budget needs max_tokens for {name}: {how}")
    return Tariff(price or FREE, most_output or 0)


def most_output(parameters: Mapping[str, Json]) -> int | None:
    """The limit to what may come out, under either of its names."""
    for name in ("max_tokens", "max_completion_tokens"):
        value = parameters.get(name)
        if isinstance(value, int):
            return value
    return None


def spent_on(usage: Iterable[ModelUsage], tariffs: Mapping[str, Tariff]) -> float:
    """What replies cost that are in a ledger; where tokens were not counted, the worst case stands in."""
    total = 0.0
    for one in usage:
        if (tariff := tariffs.get(one.model)) is not None:
            total += tariff.price.of(one.input_tokens or 0, one.output_tokens or 0)
            total += one.uncounted * tariff.price.of(LARGEST_PICTURE_TOKENS, tariff.most_output)
    return total


class Budget:
    def __init__(self, limit: float | None, already_spent: float = 0.0) -> None:
        self.spent = already_spent
        self._limit = limit
        self._reserved = 0.0
        self._in_flight = 0
        self._changed = asyncio.Event()
        self._closed = False

    def close(self) -> None:
        """Those who wait for money to come back are interrupted."""
        self._closed = True
        self._changed.set()

    async def reserve(self, ask: Ask, tariff: Tariff) -> float:
        """Set the worst case of an ask aside; waits while money that is in flight may come back."""
        if self._limit is None or tariff.price == FREE:
            return 0.0
        worst = tariff.price.of(input_tokens(ask), tariff.most_output)
        while self.spent + self._reserved + worst > self._limit:
            if self._closed:
                raise Interrupted
            if self._in_flight == 0:
                raise BudgetReached(
                    f"the budget of ${self._limit:g} is reached: ${self.spent:.4f} spent, "
                    f"and the next ask may cost ${worst:.4f}"
                )
            self._changed.clear()
            await self._changed.wait()
        self._reserved += worst
        self._in_flight += 1
        return worst

    def settle(self, ask: Ask, tariff: Tariff, reserved: float, reply: Reply | None) -> None:
        """What it cost in the end; an ask that failed is taken as free, as providers do."""
        if reply is not None and not reply.failed:
            self.spent += tariff.cost(ask, reply.usage)
        if reserved:
            self._in_flight -= 1
            # Sums of fractions leave a residue; with nothing in flight there is nothing reserved.
            self._reserved = self._reserved - reserved if self._in_flight else 0.0
            self._changed.set()
