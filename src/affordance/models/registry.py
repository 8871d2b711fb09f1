"""From a model's name to a model."""

from collections.abc import Callable, Mapping
from typing import Any

from affordance.core.errors import UnknownName, UserError
from affordance.core.names import BUILTIN_PROVIDERS, ModelName
from affordance.core.plugins import MODELS, distribution_of, entry_points_by_name, load_plugin, plugin_errors
from affordance.models.added import PluginModel
from affordance.models.base import Model, ModelContext
from affordance.models.baselines import OverlapBaseline, PixelBaseline, RandomBaseline
from affordance.models.chat import ChatClient
from affordance.models.oracle import Oracle
from affordance.models.people import PersonBaseline
from affordance.models.providers import PROVIDERS, Provider, find_endpoint
from affordance.models.replay import ReplayModel
from affordance.models.study import StudyModel

BASELINES: Mapping[str, Callable[[str, ModelContext], Model]] = {
    "overlap": OverlapBaseline,
    "people": PersonBaseline,
    "pixels": PixelBaseline,
    "random": RandomBaseline,
}


def build_model(name: ModelName, context: ModelContext, providers: Mapping[str, Provider] = PROVIDERS) -> Model:
    """The model of that name; raises what the user can put right (an unknown name, a key that is not set)."""
    if name.provider in entry_points_by_name(MODELS):
        factory, one = plugin_factory(name.provider, providers), entry_points_by_name(MODELS)[name.provider]
        with plugin_errors(one, f"cannot make {name}"):
            return PluginModel(name, factory(name, context), one)
    match name.provider:
        case "baseline":
            if name.model not in BASELINES:
                raise UnknownName("baseline", name.model, BASELINES)
            return BASELINES[name.model](str(name), context)
        case "oracle":
            return Oracle(name, context)
        case "replay":
            return ReplayModel(name, context)
        case "study":
            return StudyModel(name, context)
        case _:
            return ChatClient(name, find_endpoint(name, providers, context.key_env), context)


def plugin_factory(
    provider: str, providers: Mapping[str, Provider] = PROVIDERS
) -> Callable[[ModelName, ModelContext], Model]:
    """What makes the models of a provider that another package adds."""
    one = entry_points_by_name(MODELS)[provider]
    if provider in BUILTIN_PROVIDERS or provider in providers:
        raise UserError(f"{one.group}: {one.name!r} of {distribution_of(one)} is a provider already; have it renamed")
    return load_plugin(one, _check_factory)


def _check_factory(found: Any) -> Callable[[ModelName, ModelContext], Model]:
    if not callable(found):
        raise ValueError(f"expected a function of a name and surroundings, found {type(found).__name__}")
    factory: Callable[[ModelName, ModelContext], Model] = found
    return factory
