"""Records of a ledger, in addition to the types of `affordance.core`."""

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
    """A run: tasks, models and settings on a dataset. The caller chooses the id; the name is unique in a ledger."""

    id: str
    name: str
    settings: Mapping[str, Json]
    dataset: Mapping[str, Json]
    fresh: bool = False  # whether responses of earlier runs are not reused
    created: str = ""  # UTC, ISO 8601; set by the ledger


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """A request as it is stored: its call settings and messages."""

    key: str
    call: CallSettings
    question_id: str
    transcript: str
    media: tuple[MediaSpec, ...] = ()  # images and videos
    source_paths: Mapping[str, Path] = field(default_factory=dict)  # paths of media sources by content digest


@dataclass(frozen=True, slots=True)
class AttemptStep:
    """A response that an attempt used, made for it or cached."""

    step: RequestStep
    key: str
    transcript: str
    response_id: int
    response: Response
    dialect: str = ""  # of the run that made the request first


@dataclass(frozen=True, slots=True)
class VerdictOrigin:
    """What a verdict was parsed from, and how."""

    response_id: int | None  # in the ledger
    answer_format: AnswerFormat | None  # in which the answer was requested
    parser_version: int = PARSER_VERSION


@dataclass(frozen=True, slots=True)
class StatusCounts:
    """The number of planned attempts, and of those with a verdict by status."""

    planned: int
    by_status: Mapping[AttemptStatus, int]

    @property
    def pending(self) -> int:
        return self.planned - sum(self.by_status.values())


@dataclass(frozen=True, slots=True)
class RunSummary:
    run: RunRecord
    attempts: StatusCounts  # without judgements
    judgements: StatusCounts


@dataclass(frozen=True, slots=True)
class RunEntry:
    """A task, model and strategy of a run, by name."""

    run: str
    task: str
    model: str
    strategy: str


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Requests, tokens and seconds of the responses of one model. Tokens are None if no response had a count."""

    model: str
    responses: int
    requests: int
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    seconds: float
    uncounted: int  # responses whose tokens the provider did not count, or only in part


@dataclass(frozen=True, slots=True)
class UncountedResponse:
    """A response whose tokens the provider did not count, or only in part, with its request."""

    model: str
    input_tokens: int | None
    output_tokens: int | None
    transcript: str
    parameters: str  # as canonical JSON


@dataclass(frozen=True, slots=True)
class RequestTotals:
    """Requests and tokens of the attempts of one strategy, made in the run or cached. Tokens are None if no response
    had a count."""

    attempts: int
    calls: int  # requests; a key of exported JSON
    input_tokens: int | None
    output_tokens: int | None


@dataclass(frozen=True, slots=True)
class ResponseCount:
    """The number of responses to the attempts of one strategy, or to its judge, that a model served under one name,
    without refusals by a provider and failures."""

    task: str
    model: str
    strategy: str
    is_judgement: bool
    served_by: str  # the model's name as the provider states it; may be empty
    responses: int
    empty: int  # of these, without any text


@dataclass(frozen=True, slots=True)
class JudgeCalibration:
    """The measured quality of a judge on a task. It holds for requests with the same call settings and prompt."""

    task: str
    judge: CallSettings
    prompt: str  # the judge's prompt with placeholders for the texts
    measurements: Mapping[str, Json]
    created: str = ""  # UTC, ISO 8601; set by the ledger
    id: str = field(init=False)

    def __post_init__(self) -> None:
        parts = (self.task, self.judge.digest, self.prompt, dict(self.measurements))
        object.__setattr__(self, "id", digest("certificate", *parts))


@dataclass(frozen=True, slots=True)
class MediaRecord:
    source: str
    recipe: Mapping[str, Json]
    path: Path | None  # of the source when the spec was first sent


@dataclass(frozen=True, slots=True)
class DocumentDraft:
    """A document to write. `based_on` is the version that was edited, 0 for none: a later one in the store is a
    conflict. None overwrites any version."""

    kind: str
    subject: str
    document: Mapping[str, Json]
    author: str
    scope: str = ""
    based_on: int | None = None
    created: str = ""  # UTC, ISO 8601, of a document that was written elsewhere; else the current time


@dataclass(frozen=True, slots=True)
class DocumentRevision:
    """A version of a document. Earlier versions stay readable; write one again to restore it."""

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
    """Identifies several edits that a person saves at once. A batch with a known key is not saved again."""

    key: str
    author: str
    content_digest: str


@dataclass(frozen=True, slots=True)
class SavedBatch:
    """A saved edit batch, and the revisions of its documents after it."""

    batch: BatchKey
    created: str  # UTC, ISO 8601
    revisions: tuple[DocumentRevision, ...]
    is_new: bool = False  # whether this call saved it


@dataclass(frozen=True, slots=True)
class DocumentSelection:
    """Documents by kind and subject, and those of a scope, of all kinds or one."""

    keys: Sequence[tuple[str, str]]
    scope: str | None = None
    kind: str | None = None


LatestRevisions = Mapping[tuple[str, str], DocumentRevision]  # latest versions by kind and subject
BuildDrafts = Callable[[LatestRevisions], Sequence[DocumentDraft]]
