"""Attempts: one question put to one model with a strategy and a trial number, and how it ended."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from affordance.core.digest import digest
from affordance.core.json_text import Json
from affordance.core.question import Question
from affordance.core.requests import Request, Response


@dataclass(frozen=True, slots=True)
class Attempt:
    """One question put to one model, with a strategy and a trial number, in a run. A judgement is an attempt that
    judges the response of another one."""

    run_id: str
    question_id: str
    model: str
    strategy: str
    trial: int
    judged_attempt_id: str = ""  # of a judgement
    id: str = field(init=False)

    def __post_init__(self) -> None:
        parts = (self.run_id, self.question_id, self.model, self.strategy, self.trial, self.judged_attempt_id)
        object.__setattr__(self, "id", digest("attempt", *parts))


class AttemptStatus(StrEnum):
    """How an attempt ended."""

    ANSWERED = "answered"  # an answer was parsed, correct or wrong
    REFUSED = "refused"  # the model declined; counts as wrong
    UNPARSED = "unparsed"  # the response has no answer that could be parsed; counts as wrong
    TRUNCATED = "truncated"  # the token limit ended the response before an answer; counts as wrong
    FAILED = "failed"  # the provider failed; not scored, sent again on resume
    SKIPPED = "skipped"  # a known limit of the model rules the request out; not scored


SCORED_STATUSES = frozenset(
    {AttemptStatus.ANSWERED, AttemptStatus.REFUSED, AttemptStatus.UNPARSED, AttemptStatus.TRUNCATED}
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The status of an attempt with the parsed answer and its score."""

    status: AttemptStatus
    answer: str | None = None  # in the task's form; None if nothing was parsed
    score: float | None = None  # from 0 (wrong) to 1 (correct); None if there is nothing to score
    reason: str = ""  # why the status is not `answered`; the provider's error in one line
    detail: Mapping[str, Json] = field(default_factory=dict)  # what metrics need in addition, such as the overlap
    # The score in metrics: refused, unparsed and truncated responses count as wrong, failed and skipped ones not at
    # all. Every metric reads it, so it is computed once.
    counted_score: float | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        score = 0.0 if self.score is None else self.score
        object.__setattr__(self, "counted_score", score if self.status in SCORED_STATUSES else None)


PromptTexts = Mapping[str, str]
RequestGenerator = Generator[list[Request], list[Response], Response]

# A strategy is a pure generator: it yields lists of requests, receives their responses in the same order and returns
# the response that answers the question. The executor drives it, so that steps overlap, resume and are recorded.
Strategy = Callable[[Question, PromptTexts], RequestGenerator]


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """An attempt with its question and verdict: what metrics are computed from."""

    attempt_id: str
    task: str
    model: str  # public name
    strategy: str
    trial: int  # from 0
    question_id: str
    item_id: str
    truth: str  # of the question
    tags: Mapping[str, str]  # of the question
    cluster: str  # what was sampled; results of one cluster are dependent
    verdict: Verdict | None  # None while it is pending
    first_verdict: Verdict | None = None  # of the first response, before any retry
    parser_version: int = 1  # of the verdict; 1 if none is stored
