"""Request parameters that a model refuses, learned from its errors: they are left out or renamed in later requests.

Call settings and keys of requests stay the same: they hold what was asked for. What was sent is recorded with the run.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol, runtime_checkable

from pydantic import TypeAdapter

from affordance.core.json_text import Json
from affordance.core.requests import ErrorKind, Request, Response
from affordance.ledger import DocumentDraft, DocumentRevision, Ledger
from affordance.models.model import Model

ADAPTATIONS = "request adaptations"  # the kind of the documents; the subject is RUN/MODEL, the scope is the run's id
AUTHOR = "affordance"

# The output limit has two names. It is never left out, as the budget relies on it.
RENAMED_PARAMETERS = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


@dataclass(frozen=True, slots=True)
class Adaptation:
    """A parameter that is not sent as the user set it."""

    model: str
    parameter: str
    sent_as: str | None  # its other name; None if it is left out
    error: str  # of the provider

    @property
    def description(self) -> str:
        """What was adapted, as a clause that follows the model's name."""
        how = (
            f"was not sent {self.parameter}" if self.sent_as is None else f"was sent {self.parameter} as {self.sent_as}"
        )
        return f"{how}: its provider refuses that parameter"


_DOCUMENT = TypeAdapter(tuple[Adaptation, ...])


@runtime_checkable
class AdaptiveModel(Protocol):
    """A model that leaves out or renames what its provider refuses. A response of kind `ADAPTED` means that it has just
    done so; send the same request again at once."""

    @property
    def adaptations(self) -> tuple[Adaptation, ...]: ...

    def adapt(self, known: Iterable[Adaptation]) -> None:
        """Apply adaptations that are known from before."""
        ...


class ModelAdaptations:
    """The adaptations of one model, by parameter."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._found: dict[str, Adaptation] = {}

    @property
    def all(self) -> tuple[Adaptation, ...]:
        return tuple(self._found.values())

    def add(self, known: Iterable[Adaptation]) -> None:
        self._found.update({one.parameter: one for one in known})

    def apply(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        """The parameters as they are sent."""
        sent: dict[str, Json] = {}
        for name, value in parameters.items():
            if (found := self._found.get(name)) is None:
                sent[name] = value
            elif found.sent_as is not None and found.sent_as not in parameters:
                sent[found.sent_as] = value
        return sent

    def add_refused(self, sent: Mapping[str, Json], error: Response) -> bool:
        """Adapt to the error of a request with these parameters. Returns whether the next request will differ."""
        added = [self._add(name, error.error) for name in error.parameters if name in sent]
        return any(added)

    def _add(self, name: str, error: str) -> bool:
        if name in self._found:  # this request was in flight when another one was refused
            return True
        other = RENAMED_PARAMETERS.get(name)
        if other is not None and (other in self._found or any(one.sent_as == name for one in self._found.values())):
            return False  # both of its names are refused
        self._found[name] = Adaptation(self._model, name, other, error)
        return True


async def send_adapted(model: Model, request: Request) -> Response:
    """The response of a model after all adaptations. Requests are not counted."""
    response = await model.send(request)
    while response.kind is ErrorKind.ADAPTED and isinstance(model, AdaptiveModel):
        response = await model.send(request)
    return response


def adapt_parameters(parameters: Mapping[str, Json], found: Iterable[Adaptation]) -> dict[str, Json]:
    """Parameters as a model with these adaptations is sent them."""
    own = ModelAdaptations("")
    own.add(found)
    return own.apply(parameters)


def write_adaptations(ledger: Ledger, run: str, found: Sequence[Adaptation]) -> None:
    """Store all adaptations of one model in a run, and wait for the commit."""
    document: dict[str, Json] = {"adaptations": [asdict(one) for one in found]}
    ledger.documents.write([DocumentDraft(ADAPTATIONS, f"{run}/{found[0].model}", document, AUTHOR, run)])


def read_adaptations(ledger: Ledger, run: str) -> list[Adaptation]:
    """The adaptations of a run."""
    return [one for revision in ledger.documents.latest(scope=run, kind=ADAPTATIONS) for one in _read(revision)]


def read_adaptations_of_responses(ledger: Ledger, run: str) -> list[Adaptation]:
    """The adaptations of the runs that the responses of a run are from, including cached ones."""
    if not (revisions := ledger.documents.latest(kind=ADAPTATIONS)):
        return []
    sources = ledger.source_runs(run)
    return list(dict.fromkeys(one for revision in revisions if revision.scope in sources for one in _read(revision)))


def _read(revision: DocumentRevision) -> tuple[Adaptation, ...]:
    return _DOCUMENT.validate_python(revision.document["adaptations"])
