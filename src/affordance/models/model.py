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
    """Pictures and videos, rendered on demand."""

    async def load(self, media: Sequence[MediaSpec]) -> list[bytes]: ...

    async def load_base64(self, media: Sequence[MediaSpec]) -> list[bytes]:
        """On loan, so that not too many are in memory at once: `give_back` when they have been sent."""
        ...

    def release(self, images: Sequence[bytes]) -> None: ...


class Model(Protocol):
    """Anything that can be asked. `reply` never raises for what a provider does: a failure is a reply too."""

    @property
    def name(self) -> str: ...

    @property
    def base_url(self) -> str: ...  # without secrets; empty for what runs in this process

    @property
    def dialect(self) -> str: ...  # in which it speaks coordinates; empty where its name has to tell

    @property
    def answers_by_question(self) -> bool: ...  # whether it answers by the question's id and not by what it is shown

    def request_parameters(
        self, parameters: Mapping[str, Json]
    ) -> dict[str, Json]: ...  # of the parameters, in this model's form

    async def send(self, request: Request) -> Response: ...

    async def close(self) -> None: ...


@runtime_checkable
class RevisableAnswers(Protocol):
    """A model that answers by the question, and whose answers may change: people in a study."""

    @property
    def participants(self) -> frozenset[str]:
        """Those whose answers it has."""
        ...

    def answer_revision(self, question: str, trial: int) -> str:
        """Another one for each answer, and for each version of it; empty where there is no answer yet."""
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
    """What a model may be built from. `question` is a lookup by id that only those models get to use which know
    answers by their nature: the oracle and replayed predictions. `people` looks up what was answered in a study, by its
    name; it raises where there is none that fits."""

    media_loader: MediaLoader  # renders the pictures of an ask
    question: Callable[[str], Question]  # by its id, with the truth: for models that know answers
    seed: int = 0  # of the run: for models with chance in them
    timeout: float = 300.0  # seconds to wait for a reply
    model_options: Mapping[str, Mapping[str, Json]] = field(
        default_factory=dict
    )  # what the user says of models, by name
    study_answers: Callable[[str], VersionedAnswers] | None = None  # the answers of a study, by its name
    sends_requests: bool = True  # False where it is only foreseen what would be asked: no key is needed for that
    key_env: KeyVariables = field(default_factory=dict)  # variables that hold keys, by model


class LocalModel:
    """The base of models that run in this process: nothing to connect to, no sampling. `character` is what makes
    its replies differ from those of another of that name: a seed, the digest of a file."""

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
    """A model that knows beforehand what it cannot be asked."""

    def check_limits(self, request: Request) -> Response | None:
        """The reply to an ask that it is not sent; None for any other."""
        ...


def unsupported_response(why: str) -> Response:
    return Response(finish=FinishReason.UNSUPPORTED, error=why, permanent=True, sent=False)
