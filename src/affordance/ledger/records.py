"""What goes into a ledger and what comes out of it, beside the types of `affordance.core`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempts import AttemptStatus
from affordance.core.digest import digest
from affordance.core.json_text import Json
from affordance.core.media_spec import MediaSpec
from affordance.core.question import AnswerFormat
from affordance.core.requests import CallSettings, RequestStep, Response


@dataclass(frozen=True, slots=True)
class RunRecord:
    """Tasks x models x settings on a dataset. The id is the caller's; the name is unique in a ledger."""

    id: str
    name: str
    settings: Mapping[str, Json]
    dataset: Mapping[str, Json]
    fresh: bool = False  # whether replies of earlier runs are left aside
    created: str = ""  # UTC, ISO 8601; given by the ledger


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """An ask as the ledger keeps it: whom it went to, and what it said."""

    key: str
    call: CallSettings
    question_id: str
    transcript: str
    media: tuple[MediaSpec, ...] = ()  # and videos
    source_paths: Mapping[str, Path] = field(default_factory=dict)  # where the pictures' sources are, by content digest


@dataclass(frozen=True, slots=True)
class AttemptStep:
    """A reply that an attempt used, made for it or taken from the cache."""

    step: RequestStep
    key: str
    transcript: str
    response_id: int
    response: Response
    dialect: str = ""  # of the run that made the request first


@dataclass(frozen=True, slots=True)
class VerdictOrigin:
    """What a verdict was read from, and how."""

    response_id: int | None  # the id of the response in the ledger
    answer_format: AnswerFormat | None  # in which the answer was asked for
    parser_version: int = PARSER_VERSION


@dataclass(frozen=True, slots=True)
class StatusCounts:
    """How many attempts were planned, and how those with a verdict ended."""

    planned: int
    by_status: Mapping[AttemptStatus, int]

    @property
    def pending(self) -> int:
        return self.planned - sum(self.by_status.values())


@dataclass(frozen=True, slots=True)
class RunSummary:
    run: RunRecord
    attempts: StatusCounts  # without the judgements
    judgements: StatusCounts


@dataclass(frozen=True, slots=True)
class RunEntry:
    """Who was asked what in which run, by name."""

    run: str
    task: str
    model: str
    strategy: str


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What the replies of one model took. Tokens are None where no reply of the model had a count."""

    model: str
    responses: int
    requests: int
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    seconds: float
    uncounted: int  # replies whose tokens the provider did not count, or not all of them


@dataclass(frozen=True, slots=True)
class UncountedResponse:
    """A reply whose tokens the provider did not count, or not all of them, and what was asked."""

    model: str
    input_tokens: int | None
    output_tokens: int | None
    transcript: str
    parameters: str  # as canonical JSON


@dataclass(frozen=True, slots=True)
class RequestTotals:
    """What the attempts of one strategy are made of, be it asked in the run or taken from the cache. Tokens are None
    where no reply had a count."""

    attempts: int
    calls: int  # requests; a key of exported JSON
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
class JudgeCalibration:
    """What a judge was found to be worth on a task. It holds for asks to the same address in the words of the same
    prompt; the document says what was measured."""

    task: str
    judge: CallSettings
    prompt: str  # what the judge is told, with placeholders for the texts
    measurements: Mapping[str, Json]
    created: str = ""  # UTC, ISO 8601; given by the ledger
    id: str = field(init=False)

    def __post_init__(self) -> None:
        parts = (self.task, self.judge.digest, self.prompt, dict(self.measurements))
        object.__setattr__(self, "id", digest("certificate", *parts))


@dataclass(frozen=True, slots=True)
class MediaRecord:
    source: str
    recipe: Mapping[str, Json]
    path: Path | None  # where the source was when the picture was first asked about


@dataclass(frozen=True, slots=True)
class DocumentDraft:
    """A document to be written. `after` is the version that it was made from, 0 for none: where there is a later one by
    now, it is a conflict. None takes whatever is there."""

    kind: str
    subject: str
    document: Mapping[str, Json]
    author: str
    scope: str = ""
    based_on: int | None = None
    created: str = ""  # UTC, ISO 8601, of what was written elsewhere before; now, where nothing is said


@dataclass(frozen=True, slots=True)
class DocumentRevision:
    """A version of a document. Earlier ones stay readable; to restore one is to write it again."""

    id: int  # in the order of writing
    kind: str
    subject: str
    scope: str
    version: int
    author: str
    created: str  # UTC, ISO 8601
    document: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class BatchKey:
    """What a person did in one go. It is saved once, however often it is sent: the key says which it is, `content` is a
    digest of what was done."""

    key: str
    author: str
    content_digest: str


@dataclass(frozen=True, slots=True)
class SavedBatch:
    """A stroke that was saved, and the revisions that its documents had then."""

    batch: BatchKey
    created: str  # UTC, ISO 8601
    revisions: tuple[DocumentRevision, ...]
    is_new: bool = False  # whether it was saved by this very call


@dataclass(frozen=True, slots=True)
class DocumentSelection:
    """Documents by kind and subject, and all of a kind of a screen."""

    keys: Sequence[tuple[str, str]]
    scope: str | None = None
    kind: str | None = None


LatestRevisions = Mapping[tuple[str, str], DocumentRevision]  # the latest versions, by kind and subject
BuildDrafts = Callable[[LatestRevisions], Sequence[DocumentDraft]]
