"""From a model's name to a model."""

from collections.abc import Callable, Mapping

from affordance.core.errors import UnknownName
from affordance.core.names import ModelName
from affordance.core.plugins import MODELS, load, plugins
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
        case provider if provider in plugins(MODELS):
            made: Model = load(plugins(MODELS)[provider])(name, surroundings)
            return made
        case _:
            return ChatModel(name, endpoint(name, providers), surroundings)
