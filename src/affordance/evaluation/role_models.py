"""Who sits at a desk: models by the parts they play, each with its lane and its price."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.names import BUILTIN_PROVIDERS, ModelName
from affordance.core.question import Question
from affordance.evaluation.ad_hoc import EMBEDDER, RoleModel
from affordance.evaluation.budget import Budget, require_price
from affordance.evaluation.execute import ExecutionConfig
from affordance.evaluation.media_loader import ThreadedMediaLoader
from affordance.evaluation.request_queue import RequestQueue
from affordance.models.base import Model, ModelContext
from affordance.models.limits import without_limits
from affordance.models.prices import Price, find_price, max_output_tokens
from affordance.models.registry import build_model


@dataclass(frozen=True, slots=True)
class AdHocModels:
    by_role: Mapping[str, RoleModel]
    budget: Budget
    prices: Mapping[str, Price]  # by the names of models
    all_priced: bool = True  # whether what is spent can be told
    models: list[Model] = field(default_factory=list)

    async def close(self) -> None:
        for model in self.models:
            await model.close()


def build_ad_hoc_models(
    names: Mapping[str, ModelName],
    media_loader: ThreadedMediaLoader,
    execution: ExecutionConfig,
    parameters: Mapping[str, Json],
    seed: int = 0,
) -> AdHocModels:
    """Build the models. Finds out what the user must put right before anything is asked."""
    around = ModelContext(
        media_loader, _refuse_lookup, seed, execution.timeout, execution.model_options, key_env=execution.key_env
    )
    budget = Budget(execution.budget, media_size=media_loader.size)
    prices: dict[str, Price] = {}
    lanes: dict[tuple[str, bool], RequestQueue] = {}
    seats: dict[str, RoleModel] = {}
    priced = True
    for role, name in names.items():
        if name.provider in BUILTIN_PROVIDERS:
            raise UserError(f"{name} answers only what is known already, and makes no benchmark; name a model")
        embeds = role == EMBEDDER
        own = {} if embeds else {**parameters, **without_limits(execution.model_options.get(str(name), {}))}
        if (key := (str(name), embeds)) not in lanes:
            model = _build(role, name, around, execution)
            price = find_price(name, execution.prices)
            priced = priced and price is not None
            limited = embeds or max_output_tokens(own) is not None
            prices[model.name] = require_price(str(name), price, limited, execution.budget, "give --set max_tokens=N")
            lanes[key] = RequestQueue(model, prices[model.name], execution.concurrency, execution.retry, budget)
        seats[role] = RoleModel(lanes[key], own)
    return AdHocModels(seats, budget, prices, priced, [lane.model for lane in lanes.values()])


def _build(role: str, name: ModelName, context: ModelContext, execution: ExecutionConfig) -> Model:
    if role == EMBEDDER:
        from affordance.models.embeddings import build_embedding_model

        return build_embedding_model(name, context, execution.providers)
    return build_model(name, context, execution.providers)


def _refuse_lookup(question: str) -> Question:
    raise AssertionError(f"no model at a desk answers by its question, found {question}")
