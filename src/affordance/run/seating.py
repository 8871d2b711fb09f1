"""Who sits at a desk: models by the parts they play, each with its lane and its price."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.names import BUILT_IN, ModelName
from affordance.core.question import Question
from affordance.models.base import Model, Surroundings
from affordance.models.limits import without_limits
from affordance.models.prices import Price, most_output, price_of
from affordance.models.registry import build
from affordance.run.budget import Budget, price_for
from affordance.run.desk import EMBEDDER, Seat
from affordance.run.execute import Means
from affordance.run.gallery import RenderedGallery
from affordance.run.lane import Lane


@dataclass(frozen=True, slots=True)
class Seating:
    seats: Mapping[str, Seat]
    budget: Budget
    prices: Mapping[str, Price]  # by the names of models
    priced: bool = True  # whether what is spent can be told
    models: list[Model] = field(default_factory=list)

    async def close(self) -> None:
        for model in self.models:
            await model.close()


def seated(
    names: Mapping[str, ModelName],
    gallery: RenderedGallery,
    means: Means,
    parameters: Mapping[str, Json],
    seed: int = 0,
) -> Seating:
    """Build the models. Finds out what the user must put right before anything is asked."""
    around = Surroundings(gallery, _known_to_nobody, seed, means.timeout, means.parameters_of, key_env=means.key_env)
    budget = Budget(means.budget, size_of=gallery.size)
    prices: dict[str, Price] = {}
    lanes: dict[tuple[str, bool], Lane] = {}
    seats: dict[str, Seat] = {}
    priced = True
    for role, name in names.items():
        if name.provider in BUILT_IN:
            raise UserError(f"{name} answers only what is known already, and makes no benchmark; name a model")
        embeds = role == EMBEDDER
        own = {} if embeds else {**parameters, **without_limits(means.parameters_of.get(str(name), {}))}
        if (key := (str(name), embeds)) not in lanes:
            model = _build(role, name, around, means)
            price = price_of(name, means.prices)
            priced = priced and price is not None
            limited = embeds or most_output(own) is not None
            prices[model.name] = price_for(str(name), price, limited, means.budget, "give --set max_tokens=N")
            lanes[key] = Lane(model, prices[model.name], means.concurrency, means.patience, budget)
        seats[role] = Seat(lanes[key], own)
    return Seating(seats, budget, prices, priced, [lane.model for lane in lanes.values()])


def _build(role: str, name: ModelName, around: Surroundings, means: Means) -> Model:
    if role == EMBEDDER:
        from affordance.models.embeddings import embedder

        return embedder(name, around, means.providers)
    return build(name, around, means.providers)


def _known_to_nobody(question: str) -> Question:
    raise AssertionError(f"no model at a desk answers by its question, found {question}")
