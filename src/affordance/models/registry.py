"""From the name of a model to the model, including the models of other packages."""

from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint
from typing import Any

from affordance.core.errors import AffordanceError, UnknownName, UserError
from affordance.core.json_text import Json
from affordance.core.model_name import BUILTIN_PROVIDERS, ModelName
from affordance.core.plugin_registry import MODELS, distribution_of, entry_points_by_name, load_plugin, plugin_errors
from affordance.core.requests import ErrorKind, FinishReason, Request, Response, TokenUsage
from affordance.models.baselines.first import FirstBaseline
from affordance.models.baselines.overlap import OverlapBaseline
from affordance.models.baselines.person import PersonBaseline
from affordance.models.baselines.pixels import PixelBaseline
from affordance.models.baselines.random import RandomBaseline
from affordance.models.chat import ChatClient
from affordance.models.human import StudyModel
from affordance.models.model import Model, ModelContext
from affordance.models.oracle import Oracle
from affordance.models.parameters import without_null
from affordance.models.provider_errors import error_response
from affordance.models.providers import PROVIDERS, Endpoint, Provider, find_endpoint
from affordance.models.redaction import MAX_ERROR_LENGTH, endpoint_secrets, environment_secrets, redact
from affordance.models.replay import ReplayModel

_ATTRIBUTES = {"name": str, "base_url": str, "dialect": str, "answers_by_question": bool}
_METHODS = ("request_parameters", "send", "close")
_RESPONSE_TYPES = {
    "text": str, "reasoning": str, "finish": FinishReason, "error": str,
    "permanent": bool, "retry_after": float | int | None,
    "throttled": bool, "usage": TokenUsage, "seconds": float | int, "served_by": str,
    "sent": bool, "kind": ErrorKind, "parameters": tuple,
}  # fmt: skip


class PluginModel:
    """A model of another package. What it raises, or returns in place of a `Response`, becomes a failed response;
    network errors are temporary."""

    def __init__(self, name: ModelName, model: Any, entry_point: EntryPoint) -> None:
        """Raises a `ValueError` if the model lacks an attribute or a method."""
        for attribute, kind in _ATTRIBUTES.items():
            if not isinstance(getattr(model, attribute, None), kind):
                raise _interface_error(model, attribute, kind.__name__)
        for method in _METHODS:
            if not callable(getattr(model, method, None)):
                raise _interface_error(model, method, "a method")
        self.name: str = model.name
        self.base_url: str = model.base_url
        self.dialect: str = model.dialect
        self.answers_by_question: bool = model.answers_by_question
        self._model = model
        self._secrets = endpoint_secrets(Endpoint(name.base_url or "", None))
        self._entry_point = entry_point

    def request_parameters(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        with plugin_errors(self._entry_point, f"cannot give the parameters of {self.name}"):
            return dict(self._model.request_parameters(without_null(parameters)))

    async def send(self, request: Request) -> Response:
        try:
            response = await self._model.send(request)
        except AffordanceError:
            raise
        except Exception as error:  # noqa: BLE001  # other people's code, which raises what it likes
            return self._failure(f"{type(error).__name__}: {error}", permanent=not isinstance(error, OSError))
        problem = _response_error(response)
        return self._failure(problem, permanent=True) if problem else response

    async def close(self) -> None:
        with plugin_errors(self._entry_point, f"cannot close {self.name}"):
            await self._model.close()

    def _failure(self, problem: str, *, permanent: bool) -> Response:
        public = redact([*self._secrets, *environment_secrets()], problem)[:MAX_ERROR_LENGTH]
        return error_response(
            f"{self._entry_point.name!r} of {distribution_of(self._entry_point)} failed ({public})", permanent=permanent
        )


def _response_error(response: Any) -> str:
    """What is wrong with a response; empty if nothing is."""
    if not isinstance(response, Response):
        return f"expected a Response, found {type(response).__name__}"
    for name, kind in _RESPONSE_TYPES.items():
        if not isinstance(found := getattr(response, name), kind):
            wanted = getattr(kind, "__name__", kind)
            return f"expected a Response with a {name} of type {wanted}, found {type(found).__name__}"
    return ""


def _interface_error(model: Any, name: str, wanted: str) -> ValueError:
    found = f"one of type {type(getattr(model, name)).__name__}" if hasattr(model, name) else "none"
    return ValueError(f"expected a Model with {name} ({wanted}), found {type(model).__name__}, which has {found}")


BASELINES: Mapping[str, Callable[[str, ModelContext], Model]] = {
    "first": FirstBaseline,
    "overlap": OverlapBaseline,
    "people": PersonBaseline,
    "pixels": PixelBaseline,
    "random": RandomBaseline,
}


def build_model(name: ModelName, context: ModelContext, providers: Mapping[str, Provider] = PROVIDERS) -> Model:
    """The model of a name.

    Raises:
        UserError: the name is unknown, or the key is not set.
    """
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
    """The function of another package that makes the models of a provider."""
    one = entry_points_by_name(MODELS)[provider]
    if provider in BUILTIN_PROVIDERS or provider in providers:
        raise UserError(f"{one.group}: {one.name!r} of {distribution_of(one)} is a provider already; have it renamed")
    return load_plugin(one, _check_factory)


def _check_factory(found: Any) -> Callable[[ModelName, ModelContext], Model]:
    if not callable(found):
        raise ValueError(f"expected a function of a name and a ModelContext, found {type(found).__name__}")
    factory: Callable[[ModelName, ModelContext], Model] = found
    return factory
