"""Models that other packages add: what goes wrong in one is told as theirs, and stops nothing else."""

from collections.abc import Mapping
from importlib.metadata import EntryPoint
from typing import Any

from affordance.core.ask import ErrorKind, FinishReason, Request, Response, TokenUsage
from affordance.core.digest import Json
from affordance.core.errors import AffordanceError
from affordance.core.names import ModelName
from affordance.core.plugins import distribution_of, plugin_errors
from affordance.models.completion import error_response
from affordance.models.parameters import without_null
from affordance.models.posting import MAX_ERROR_LENGTH, endpoint_secrets, redact
from affordance.models.providers import Endpoint
from affordance.models.secrets import environment_secrets

_ATTRIBUTES = {"name": str, "base_url": str, "dialect": str, "answers_by_question": bool}
_METHODS = ("request_parameters", "send", "close")
_RESPONSE_TYPES = {
    "text": str, "reasoning": str, "finish": FinishReason, "error": str,
    "permanent": bool, "retry_after": float | int | None,
    "throttled": bool, "usage": TokenUsage, "seconds": float | int, "served_by": str,
    "sent": bool, "kind": ErrorKind, "parameters": tuple,
}  # fmt: skip


class PluginModel:
    """A model of another package, of which nothing is taken on trust. What it raises where it should reply is a reply
    that failed; what a network does may be over when it is asked again."""

    def __init__(self, name: ModelName, model: Any, entry_point: EntryPoint) -> None:
        """Raises a `ValueError` that says what the model lacks."""
        for said, kind in _ATTRIBUTES.items():
            if not isinstance(getattr(model, said, None), kind):
                raise _interface_error(model, said, kind.__name__)
        for done in _METHODS:
            if not callable(getattr(model, done, None)):
                raise _interface_error(model, done, "a method")
        self.name: str = model.name
        self.base_url: str = model.base_url
        self.dialect: str = model.dialect
        self.answers_by_question: bool = model.answers_by_question
        self._model = model
        self._secrets = endpoint_secrets(Endpoint(name.base_url or "", None))
        self._entry_point = entry_point

    def request_parameters(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        with plugin_errors(self._entry_point, f"cannot say what {self.name} is sent"):
            return dict(self._model.request_parameters(without_null(parameters)))

    async def send(self, request: Request) -> Response:
        try:
            reply = await self._model.send(request)
        except AffordanceError:
            raise
        except Exception as error:  # noqa: BLE001  # other people's code, which raises what it likes
            return self._failure(f"{type(error).__name__}: {error}", permanent=not isinstance(error, OSError))
        wrong = _response_error(reply)
        return self._failure(wrong, permanent=True) if wrong else reply

    async def close(self) -> None:
        with plugin_errors(self._entry_point, f"cannot close {self.name}"):
            await self._model.close()

    def _failure(self, why: str, *, permanent: bool) -> Response:
        told = redact([*self._secrets, *environment_secrets()], why)[:MAX_ERROR_LENGTH]
        return error_response(
            f"{self._entry_point.name!r} of {distribution_of(self._entry_point)} failed ({told})", permanent=permanent
        )


def _response_error(reply: Any) -> str:
    """What is wrong with what should be a reply; nothing where it is one."""
    if not isinstance(reply, Response):
        return f"expected a Reply, found {type(reply).__name__}"
    for name, kind in _RESPONSE_TYPES.items():
        if not isinstance(found := getattr(reply, name), kind):
            wanted = getattr(kind, "__name__", kind)
            return f"expected a Reply with a {name} of type {wanted}, found {type(found).__name__}"
    return ""


def _interface_error(model: Any, name: str, wanted: str) -> ValueError:
    has = f"one of type {type(getattr(model, name)).__name__}" if hasattr(model, name) else "none"
    return ValueError(f"expected a Model with {name} ({wanted}), found {type(model).__name__}, which has {has}")
