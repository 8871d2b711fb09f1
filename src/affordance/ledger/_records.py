"""What goes into a ledger and what comes out of it, beside the types of `affordance.core`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.ask import Address, Reply, Step
from affordance.core.attempt import Ended
from affordance.core.digest import Json, digest
from affordance.core.grammar import Grammar
from affordance.core.picture import Visual


@dataclass(frozen=True, slots=True)
class Run:
    """Tasks x models x settings on a dataset. The id is the caller's; the name is unique in a ledger."""

    id: str
    name: str
    settings: Mapping[str, Json]
    dataset: Mapping[str, Json]
    fresh: bool = False  # whether replies of earlier runs are left aside
    created: str = ""  # UTC, ISO 8601; given by the ledger


@dataclass(frozen=True, slots=True)
class Asked:
    """An ask as the ledger keeps it: whom it went to, and what it said."""

    key: str
    address: Address
    question: str
    transcript: str
    pictures: tuple[Visual, ...] = ()  # and videos
    files: Mapping[str, Path] = field(default_factory=dict)  # where the pictures' sources are, by content digest


@dataclass(frozen=True, slots=True)
class StepRecord:
    """A reply that an attempt used, made for it or taken from the cache."""

    step: Step
    key: str
    transcript: str
    reply_id: int
    reply: Reply
    dialect: str = ""  # of the run that made the request first


@dataclass(frozen=True, slots=True)
class VerdictOrigin:
    """What a verdict was read from, and how."""

    response: int | None  # the id of the response in the ledger
    answer_format: Grammar | None  # in which the answer was asked for
    parser_version: int = PARSER_VERSION


@dataclass(frozen=True, slots=True)
class Tally:
    """How many attempts were planned, and how those with a verdict ended."""

    planned: int
    ended: Mapping[Ended, int]

    @property
    def pending(self) -> int:
        return self.planned - sum(self.ended.values())


@dataclass(frozen=True, slots=True)
class RunSummary:
    run: Run
    attempts: Tally  # without the judgements
    judgements: Tally


@dataclass(frozen=True, slots=True)
class Line:
    """Who was asked what in which run, by name."""

    run: str
    task: str
    model: str
    strategy: str


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What the replies of one model took. Tokens are None where no reply of the model had a count."""

    model: str
    replies: int
    requests: int
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    seconds: float
    uncounted: int  # replies whose tokens the provider did not count, or not all of them


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A reply whose tokens the provider did not count, or not all of them, and what was asked."""

    model: str
    input_tokens: int | None
    output_tokens: int | None
    transcript: str
    parameters: str  # as canonical JSON


@dataclass(frozen=True, slots=True)
class Effort:
    """What the attempts of one strategy are made of, be it asked in the run or taken from the cache. Tokens are None
    where no reply had a count."""

    attempts: int
    calls: int
    input_tokens: int | None
    output_tokens: int | None


@dataclass(frozen=True, slots=True)
class ResponseCount:
    """How many responses the attempts of one strategy got under one name, or those of a judge. Refusals by a provider
    and failures are not among them."""

    task: str
    model: str
    strategy: str
    is_judgement: bool
    served_by: str  # the model's name as the provider states it; empty where it does not
    responses: int
    empty: int  # of these: without any text


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a judge was found to be worth on a task. It holds for asks to the same address in the words of the same
    prompt; the document says what was measured."""

    task: str
    address: Address
    prompt: str  # what the judge is told, with placeholders for the texts
    document: Mapping[str, Json]
    created: str = ""  # UTC, ISO 8601; given by the ledger
    id: str = field(init=False)

    def __post_init__(self) -> None:
        parts = (self.task, self.address.digest, self.prompt, dict(self.document))
        object.__setattr__(self, "id", digest("certificate", *parts))


@dataclass(frozen=True, slots=True)
class PictureRecord:
    source: str
    recipe: Mapping[str, Json]
    path: Path | None  # where the source was when the picture was first asked about


@dataclass(frozen=True, slots=True)
class Draft:
    """A document to be written. `after` is the version that it was made from, 0 for none: where there is a later one by
    now, it is a conflict. None takes whatever is there."""

    kind: str
    subject: str
    document: Mapping[str, Json]
    author: str
    screen: str = ""
    after: int | None = None
    created: str = ""  # UTC, ISO 8601, of what was written elsewhere before; now, where nothing is said


@dataclass(frozen=True, slots=True)
class Revision:
    """A version of a document. Earlier ones stay readable; to restore one is to write it again."""

    id: int  # in the order of writing
    kind: str
    subject: str
    screen: str
    version: int
    author: str
    created: str  # UTC, ISO 8601
    document: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Stroke:
    """What a person did in one go. It is saved once, however often it is sent: the key says which it is, `content` is a
    digest of what was done."""

    key: str
    author: str
    content: str


@dataclass(frozen=True, slots=True)
class SavedStroke:
    """A stroke that was saved, and the revisions that its documents had then."""

    stroke: Stroke
    created: str  # UTC, ISO 8601
    revisions: tuple[Revision, ...]
    new: bool = False  # whether it was saved by this very call


@dataclass(frozen=True, slots=True)
class Wanted:
    """Documents by kind and subject, and all of a kind of a screen."""

    keys: Sequence[tuple[str, str]]
    screen: str | None = None
    kind: str | None = None


Current = Mapping[tuple[str, str], Revision]  # the latest versions, by kind and subject
Make = Callable[[Current], Sequence[Draft]]
