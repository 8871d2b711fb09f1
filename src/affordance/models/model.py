"""The interface of a model, and what a model is built from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from affordance.core.json_text import Json
from affordance.core.media_spec import MediaSpec
from affordance.core.question import Question
from affordance.core.requests import CallSettings, FinishReason, Request, Response, lookup_id_of
from affordance.models.providers import KeyVariables
from affordance.models.study_answers import VersionedAnswers


class MediaLoader(Protocol):
    """Images and videos, rendered on demand."""

    async def load(self, media: Sequence[MediaSpec]) -> list[bytes]: ...

    async def load_base64(self, media: Sequence[MediaSpec]) -> list[bytes]:
        """The same as base64. Memory is limited: call `release` when they have been sent."""
        ...

    def release(self, images: Sequence[bytes]) -> None: ...


class Model(Protocol):
    """Anything that responds to requests. `send` never raises for what a provider does: a failure is a response too."""

    @property
    def name(self) -> str: ...

    @property
    def base_url(self) -> str: ...  # without secrets; empty for what runs in this process

    @property
    def dialect(self) -> str: ...  # in which it gives coordinates; empty: that of its family

    @property
    def answers_by_question(self) -> bool: ...  # whether it looks up the question's id, not what it is sent

    def request_parameters(
        self, parameters: Mapping[str, Json]
    ) -> dict[str, Json]: ...  # the parameters as this model is sent them

    async def send(self, request: Request) -> Response: ...

    async def close(self) -> None: ...


@runtime_checkable
class RevisableAnswers(Protocol):
    """A model that looks up answers by question, and whose answers may change: people in a study."""

    @property
    def participants(self) -> frozenset[str]:
        """The participants whose answers it has."""
        ...

    def answer_revision(self, question: str, trial: int) -> str:
        """An id of the answer and its version; empty if there is no answer yet."""
        ...


def request_lookup_id(model: Model, request: Request, call_settings: CallSettings) -> str:
    """The lookup id of a request to a model, which is part of its key."""
    if not model.answers_by_question:
        return lookup_id_of("", call_settings)
    if isinstance(model, RevisableAnswers):
        return lookup_id_of(
            f"{request.question} {model.answer_revision(request.question, request.trial)}", call_settings
        )
    return lookup_id_of(request.question, call_settings)


@dataclass(frozen=True, slots=True)
class ModelContext:
    """What a model is built from.

    `question` gives the truth. It is for models that know answers by their nature only: the oracle and replayed
    predictions.
    """

    media_loader: MediaLoader  # renders the images of a request
    question: Callable[[str], Question]  # a question by its id
    seed: int = 0  # of the run, for models that draw at random
    timeout: float = 300.0  # seconds to wait for a response
    model_options: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)  # the user's options, by model
    study_answers: Callable[[str], VersionedAnswers] | None = None  # the answers of a study, by its name
    sends_requests: bool = True  # False for estimates: no key is needed
    key_env: KeyVariables = field(default_factory=dict)  # environment variables that hold keys, by model


class LocalModel:
    """The base of models that run in this process.

    `identity` is what makes its responses differ from those of another model of that name, such as a seed or the digest
    of a file.
    """

    base_url = ""
    answers_by_question = False

    def __init__(self, name: str, dialect: str = "default", **identity: Json) -> None:
        self.name = name
        self.dialect = dialect
        self._identity = identity

    def request_parameters(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return dict(self._identity)

    async def close(self) -> None:
        return


@runtime_checkable
class LimitedModel(Protocol):
    """A model that knows its limits before a request is sent."""

    def check_limits(self, request: Request) -> Response | None:
        """The response to a request beyond its limits, which is not sent; None for any other."""
        ...


def unsupported_response(reason: str) -> Response:
    """The response of a model that cannot be asked this. Nothing was sent."""
    return Response(finish=FinishReason.UNSUPPORTED, error=reason, permanent=True, sent=False)
