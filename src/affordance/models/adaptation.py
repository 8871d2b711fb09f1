"""Parameters that a model refuses, found out by asking it: what is left out or renamed in the requests that follow.

Neither the address of a request nor its key changes: they say what was asked for. What was really sent is recorded with
the run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol, runtime_checkable

from pydantic import TypeAdapter

from affordance.core.json_text import Json
from affordance.core.requests import ErrorKind, Request, Response
from affordance.ledger import DocumentDraft, DocumentRevision, Ledger
from affordance.models.model import Model

ADAPTATIONS = "request adaptations"  # the kind of the documents; the subject is RUN/MODEL, the screen is the run's id
AUTHOR = "affordance"

# The limit to what a model writes has two names. It is never left out: the budget counts on it.
RENAMED_PARAMETERS = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


@dataclass(frozen=True, slots=True)
class Adaptation:
    """A parameter that is not sent as it is set."""

    model: str
    parameter: str
    sent_as: str | None  # its other name; None where it is left out
    error: str  # what the provider said

    @property
    def description(self) -> str:
        """After the model's name."""
        how = (
            f"was not sent {self.parameter}" if self.sent_as is None else f"was sent {self.parameter} as {self.sent_as}"
        )
        return f"{how}, as its provider refuses that parameter"


_DOCUMENT = TypeAdapter(tuple[Adaptation, ...])


@runtime_checkable
class AdaptiveModel(Protocol):
    """A model that leaves out or renames what its provider refuses. A reply of kind `ADAPTED` says that it has just
    done so, and that the same request is to be sent again at once."""

    @property
    def adaptations(self) -> tuple[Adaptation, ...]: ...

    def adapt(self, known: Iterable[Adaptation]) -> None:
        """Take over what was found before."""
        ...


class ModelAdaptations:
    """Those of one model, by parameter."""

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
        """Take in that a request with these parameters was refused. Whether the next one will have fewer of those that
        the error names, or others."""
        taken_in = [self._add(name, error.error) for name in error.parameters if name in sent]
        return any(taken_in)

    def _add(self, name: str, error: str) -> bool:
        if name in self._found:  # a request that was under way when another one was refused
            return True
        other = RENAMED_PARAMETERS.get(name)
        if other is not None and (other in self._found or any(one.sent_as == name for one in self._found.values())):
            return False  # neither of its names is taken
        self._found[name] = Adaptation(self._model, name, other, error)
        return True


async def send_adapted(model: Model, request: Request) -> Response:
    """The reply of a model, where nobody counts requests."""
    reply = await model.send(request)
    while reply.kind is ErrorKind.ADAPTED and isinstance(model, AdaptiveModel):
        reply = await model.send(request)
    return reply


def adapt_parameters(parameters: Mapping[str, Json], found: Iterable[Adaptation]) -> dict[str, Json]:
    """Parameters as a model is sent them."""
    own = ModelAdaptations("")
    own.add(found)
    return own.apply(parameters)


def write_adaptations(ledger: Ledger, run: str, found: Sequence[Adaptation]) -> None:
    """Record all adaptations of one model in a run, and wait for the commit."""
    document: dict[str, Json] = {"adaptations": [asdict(one) for one in found]}
    ledger.documents.write([DocumentDraft(ADAPTATIONS, f"{run}/{found[0].model}", document, AUTHOR, run)])


def read_adaptations(ledger: Ledger, run: str) -> list[Adaptation]:
    """Those that were made in a run."""
    return [one for revision in ledger.documents.latest(scope=run, kind=ADAPTATIONS) for one in _read(revision)]


def read_adaptations_of_responses(ledger: Ledger, run: str) -> list[Adaptation]:
    """Those under which the responses of a run came about, be they made in it or taken from the cache."""
    if not (revisions := ledger.documents.latest(kind=ADAPTATIONS)):
        return []
    sources = ledger.source_runs(run)
    return list(dict.fromkeys(one for revision in revisions if revision.scope in sources for one in _read(revision)))


def _read(revision: DocumentRevision) -> tuple[Adaptation, ...]:
    return _DOCUMENT.validate_python(revision.document["adaptations"])
