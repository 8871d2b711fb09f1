"""A limit on money. What is in flight counts at its worst case, so the limit is not passed, as long as providers charge
nothing for asks that fail."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from affordance.core.ask import Ask, Reply, Usage
from affordance.core.digest import Json
from affordance.core.errors import AffordanceError, UserError
from affordance.core.names import ModelName
from affordance.core.picture import Footage, Picture, from_recipe
from affordance.ledger import Ledger
from affordance.models.parameters import OUTPUT_LIMITS
from affordance.models.prices import FREE, Price, input_tokens, text_tokens, visual_tokens
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
    for name in OUTPUT_LIMITS:
        value = parameters.get(name)
        if isinstance(value, int):
            return value
    return None


def spent_on(ledger: Ledger, run: str, tariffs: Mapping[str, Tariff]) -> float:
    """What the replies cost that were made in a run. Where tokens were not counted it is what `Tariff.cost` said then:
    a budget that is left and gone on with is one budget."""
    total = 0.0
    paid = {name: tariff for name, tariff in tariffs.items() if tariff.price != FREE}
    for usage in ledger.usage(run):
        if usage.model in paid:
            total += paid[usage.model].price.of(usage.input_tokens or 0, usage.output_tokens or 0)
    tokens_of = cache(lambda kind, digest: _shown_tokens(ledger, kind, digest))
    for reply in ledger.uncounted(run, list(paid)):
        tariff = paid[reply.model]
        sent = _sent_tokens(reply.transcript, tokens_of) if reply.input_tokens is None else 0
        total += tariff.price.of(sent, tariff.most_output if reply.output_tokens is None else 0)
    return total


def _sent_tokens(transcript: str, tokens_of: Callable[[str, str], int]) -> int:
    """`input_tokens` of an ask that the ledger has."""
    tokens = 0
    for _, parts in json.loads(transcript):
        for part in parts:
            tokens += text_tokens(part) if isinstance(part, str) else sum(tokens_of(*shown) for shown in part.items())
    return tokens


def _shown_tokens(ledger: Ledger, kind: str, digest: str) -> int:
    """Of a picture or video; a recipe that is not known is taken for the largest."""
    record = ledger.picture(digest)
    if record is not None:
        return visual_tokens(from_recipe(record.source, record.recipe))
    return visual_tokens(Picture("") if kind == "picture" else Footage(""))


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
