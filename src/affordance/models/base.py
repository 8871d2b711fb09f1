"""What a model is to the runner, and what it is given to work with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from affordance.core.ask import Address, Ask, Reply, lookup_id_of
from affordance.core.digest import Json
from affordance.core.picture import Visual
from affordance.core.question import Question
from affordance.models.answers import Answers
from affordance.models.providers import KeyVariables


class Gallery(Protocol):
    """Pictures and videos, rendered on demand."""

    async def encoded(self, pictures: Sequence[Visual]) -> list[bytes]: ...

    async def base64(self, pictures: Sequence[Visual]) -> list[bytes]:
        """On loan, so that not too many are in memory at once: `give_back` when they have been sent."""
        ...

    def give_back(self, images: Sequence[bytes]) -> None: ...


class Model(Protocol):
    """Anything that can be asked. `reply` never raises for what a provider does: a failure is a reply too."""

    @property
    def name(self) -> str: ...

    @property
    def base_url(self) -> str: ...  # without secrets; empty for what runs in this process

    @property
    def dialect(self) -> str: ...  # in which it speaks coordinates; empty where its name has to tell

    @property
    def by_question(self) -> bool: ...  # whether it answers by the question's id and not by what it is shown

    def sent(self, parameters: Mapping[str, Json]) -> dict[str, Json]: ...  # of the parameters, in this model's form

    async def reply(self, ask: Ask) -> Reply: ...

    async def close(self) -> None: ...


@runtime_checkable
class Edited(Protocol):
    """A model that answers by the question, and whose answers may change: people in a study."""

    @property
    def seats(self) -> frozenset[str]:
        """Those whose answers it has."""
        ...

    def edition(self, question: str, trial: int) -> str:
        """Another one for each answer, and for each version of it; empty where there is no answer yet."""
        ...


def request_lookup_id(model: Model, ask: Ask, address: Address) -> str:
    """The lookup id of a request to a model, which is part of its key."""
    if not model.by_question:
        return lookup_id_of("", address)
    if isinstance(model, Edited):
        return lookup_id_of(f"{ask.question} {model.edition(ask.question, ask.trial)}", address)
    return lookup_id_of(ask.question, address)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a model may be built from. `question` is a lookup by id that only those models get to use which know
    answers by their nature: the oracle and replayed predictions. `people` looks up what was answered in a study, by its
    name; it raises where there is none that fits."""

    gallery: Gallery  # renders the pictures of an ask
    question: Callable[[str], Question]  # by its id, with the truth: for models that know answers
    seed: int = 0  # of the run: for models with chance in them
    timeout: float = 300.0  # seconds to wait for a reply
    own: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)  # what the user says of models, by name
    people: Callable[[str], Answers] | None = None  # the answers of a study, by its name
    asks: bool = True  # False where it is only foreseen what would be asked: no key is needed for that
    key_env: KeyVariables = field(default_factory=dict)  # variables that hold keys, by model


class LocalModel:
    """The base of models that run in this process: nothing to connect to, no sampling. `character` is what makes
    its replies differ from those of another of that name: a seed, the digest of a file."""

    base_url = ""
    by_question = False

    def __init__(self, name: str, dialect: str = "default", **character: Json) -> None:
        self.name = name
        self.dialect = dialect
        self._character = character

    def sent(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return dict(self._character)

    async def close(self) -> None:
        return
