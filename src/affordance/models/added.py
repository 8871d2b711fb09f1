"""Models that other packages add: what goes wrong in one is told as theirs, and stops nothing else."""

from collections.abc import Mapping
from importlib.metadata import EntryPoint
from typing import Any

from affordance.core.ask import Ask, ErrorKind, Finish, Reply, Usage
from affordance.core.digest import Json
from affordance.core.errors import AffordanceError
from affordance.core.names import ModelName
from affordance.core.plugins import blamed, whose
from affordance.models.completion import failure
from affordance.models.parameters import without_null
from affordance.models.posting import LONGEST_ERROR, secrets_of, without
from affordance.models.providers import Endpoint
from affordance.models.secrets import secrets_around

_SAYS = {"name": str, "base_url": str, "dialect": str, "by_question": bool}
_DOES = ("sent", "reply", "close")
_REPLY = {
    "text": str, "reasoning": str, "finish": Finish, "error": str, "permanent": bool, "retry_after": float | int | None,
    "throttled": bool, "usage": Usage, "seconds": float | int, "served_by": str,
    "sent": bool, "kind": ErrorKind, "parameters": tuple,
}  # fmt: skip


class Added:
    """A model of another package, of which nothing is taken on trust. What it raises where it should reply is a reply
    that failed; what a network does may be over when it is asked again."""

    def __init__(self, name: ModelName, model: Any, one: EntryPoint) -> None:
        """Raises a `ValueError` that says what the model lacks."""
        for said, kind in _SAYS.items():
            if not isinstance(getattr(model, said, None), kind):
                raise _unlike(model, said, kind.__name__)
        for done in _DOES:
            if not callable(getattr(model, done, None)):
                raise _unlike(model, done, "a method")
        self.name: str = model.name
        self.base_url: str = model.base_url
        self.dialect: str = model.dialect
        self.by_question: bool = model.by_question
        self._model = model
        self._secrets = secrets_of(Endpoint(name.base_url or "", None))
        self._one = one

    def sent(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        with blamed(self._one, f"cannot say what {self.name} is sent"):
            return dict(self._model.sent(without_null(parameters)))

    async def reply(self, ask: Ask) -> Reply:
        try:
            reply = await self._model.reply(ask)
        except AffordanceError:
            raise
        except Exception as error:  # noqa: BLE001  # other people's code, which raises what it likes
            return self._failed(f"{type(error).__name__}: {error}", permanent=not isinstance(error, OSError))
        wrong = _wrong(reply)
        return self._failed(wrong, permanent=True) if wrong else reply

    async def close(self) -> None:
        with blamed(self._one, f"cannot close {self.name}"):
            await self._model.close()

    def _failed(self, why: str, *, permanent: bool) -> Reply:
        told = without([*self._secrets, *secrets_around()], why)[:LONGEST_ERROR]
        return failure(f"{self._one.name!r} of {whose(self._one)} failed ({told})", permanent=permanent)


def _wrong(reply: Any) -> str:
    """What is wrong with what should be a reply; nothing where it is one."""
    if not isinstance(reply, Reply):
        return f"expected a Reply, found {type(reply).__name__}"
    for name, kind in _REPLY.items():
        if not isinstance(found := getattr(reply, name), kind):
            wanted = getattr(kind, "__name__", kind)
            return f"expected a Reply with a {name} of type {wanted}, found {type(found).__name__}"
    return ""


def _unlike(model: Any, name: str, wanted: str) -> ValueError:
    has = f"one of type {type(getattr(model, name)).__name__}" if hasattr(model, name) else "none"
    return ValueError(f"expected a Model with {name} ({wanted}), found {type(model).__name__}, which has {has}")
