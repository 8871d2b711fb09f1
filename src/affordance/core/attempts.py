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
    """(question, model, strategy, trial) in a run. A judgement is an attempt whose `subject` is another
    attempt's id: what it judges is that attempt's reply."""

    run_id: str
    question_id: str
    model: str
    strategy: str
    trial: int
    judged_attempt_id: str = ""
    id: str = field(init=False)

    def __post_init__(self) -> None:
        parts = (self.run_id, self.question_id, self.model, self.strategy, self.trial, self.judged_attempt_id)
        object.__setattr__(self, "id", digest("attempt", *parts))


class AttemptStatus(StrEnum):
    """How an attempt ended."""

    ANSWERED = "answered"  # an answer was read, right or wrong
    REFUSED = "refused"  # the model declined; counts as wrong
    UNPARSED = "unparsed"  # it replied, but no answer could be read; counts as wrong
    TRUNCATED = "truncated"  # the token limit cut the reply before an answer; counts as wrong
    FAILED = "failed"  # the provider failed; not scored, asked again on resume
    SKIPPED = "skipped"  # by a limit that is known beforehand, the model cannot be asked this; not scored


SCORED_STATUSES = frozenset(
    {AttemptStatus.ANSWERED, AttemptStatus.REFUSED, AttemptStatus.UNPARSED, AttemptStatus.TRUNCATED}
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an attempt ended, the answer read out of it, and a score: None unless there is something to score."""

    status: AttemptStatus  # how: answered, refused...
    answer: str | None = None  # what was read, in the task's form; None where nothing was
    score: float | None = None  # from 0, wrong, to 1, right
    reason: str = ""  # why it did not end answered; the provider's error in one line
    detail: Mapping[str, Json] = field(default_factory=dict)  # what else metrics need, such as the overlap
    # The score in the headline: refused, unparsed and truncated count as wrong, failed and skipped not at all. Every
    # number asks for it, so it is worked out once.
    counted_score: float | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        score = 0.0 if self.score is None else self.score
        object.__setattr__(self, "counted_score", score if self.status in SCORED_STATUSES else None)


PromptTexts = Mapping[str, str]
RequestGenerator = Generator[list[Request], list[Response], Response]

# A strategy is a pure generator: it yields lists of asks, receives their replies in the same order, and returns
# the reply that answers the question. The runner drives it, so that steps overlap, resume and are recorded.
Strategy = Callable[[Question, PromptTexts], RequestGenerator]


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """An attempt with what its question was and how it ended: what metrics are computed from."""

    attempt_id: str  # its id
    task: str  # its name
    model: str  # its public name
    strategy: str  # its name
    trial: int  # from 0
    question_id: str  # its id
    item_id: str  # its id
    truth: str  # of the question
    tags: Mapping[str, str]  # of the question
    cluster: str  # what was sampled; outcomes of one are not independent
    verdict: Verdict | None  # None while it is pending
    first_verdict: Verdict | None = None  # on the first try, before any re-asking
    parser_version: int = 1  # by which the verdict was read; 1 where none is stored
