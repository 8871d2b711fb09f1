"""From a model's name to a model."""

from collections.abc import Callable, Mapping
from typing import Any

from affordance.core.errors import UnknownName, UserError
from affordance.core.names import BUILT_IN, ModelName
from affordance.core.plugins import MODELS, blamed, load, plugins, whose
from affordance.models.added import Added
from affordance.models.base import Model, Surroundings
from affordance.models.baselines import OverlapBaseline, PixelBaseline, RandomBaseline
from affordance.models.chat import ChatModel
from affordance.models.oracle import Oracle
from affordance.models.people import PeopleBaseline
from affordance.models.providers import PROVIDERS, Provider, endpoint
from affordance.models.replay import Replay
from affordance.models.study import People

BASELINES: Mapping[str, Callable[[str, Surroundings], Model]] = {
    "overlap": OverlapBaseline,
    "people": PeopleBaseline,
    "pixels": PixelBaseline,
    "random": RandomBaseline,
}


def build(name: ModelName, surroundings: Surroundings, providers: Mapping[str, Provider] = PROVIDERS) -> Model:
    """The model of that name; raises what the user can put right (an unknown name, a key that is not set)."""
    if name.provider in plugins(MODELS):
        factory, one = added(name.provider, providers), plugins(MODELS)[name.provider]
        with blamed(one, f"cannot make {name}"):
            return Added(name, factory(name, surroundings), one)
    match name.provider:
        case "baseline":
            if name.model not in BASELINES:
                raise UnknownName("baseline", name.model, BASELINES)
            return BASELINES[name.model](str(name), surroundings)
        case "oracle":
            return Oracle(name, surroundings)
        case "replay":
            return Replay(name, surroundings)
        case "study":
            return People(name, surroundings)
        case _:
            return ChatModel(name, endpoint(name, providers, surroundings.key_env), surroundings)


def added(provider: str, providers: Mapping[str, Provider] = PROVIDERS) -> Callable[[ModelName, Surroundings], Model]:
    """What makes the models of a provider that another package adds."""
    one = plugins(MODELS)[provider]
    if provider in BUILT_IN or provider in providers:
        raise UserError(f"{one.group}: {one.name!r} of {whose(one)} is a provider already; have it renamed")
    return load(one, _factory)


def _factory(found: Any) -> Callable[[ModelName, Surroundings], Model]:
    if not callable(found):
        raise ValueError(f"expected a function of a name and surroundings, found {type(found).__name__}")
    factory: Callable[[ModelName, Surroundings], Model] = found
    return factory
