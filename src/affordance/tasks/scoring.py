"""From a response to a verdict: one path for all tasks, and how a judge model scores free text."""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from affordance.core.answer_text import Unparsed, strip_thinking
from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.json_text import Json
from affordance.core.question import AnswerFormat, Question, RatingScale, YesNo
from affordance.core.requests import FinishReason, Response
from affordance.tasks.answers import parse_answer
from affordance.tasks.refusals import declines_task

JUDGEMENT_TAG = "judged"  # the tag of a judgement's question that holds what kind of judgement it is

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a parsed answer.

    Attributes:
        answer: the answer as a verdict keeps it; None for free text that a judge scores.
        value: from 0 (wrong) to 1 (right); None where a judge decides or there is no truth.
        detail: what else metrics need, such as the IoU.
    """

    answer: str | None = None
    value: float | None = None
    detail: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer in free text, and the model that gave it."""

    text: str
    model: str

    @classmethod
    def from_response(cls, response: Response, model: str) -> "JudgedAnswer":
        """Without thinking."""
        return cls(strip_thinking(response.text).strip(), model)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePlan:
    """How a judge model scores free text: pure functions that plan its judgements and combine them.

    Attributes:
        judgements: the questions to the judge about an answer.
        answer_format: the form in which the judge answers.
        combine: the score, from the verdicts of all judgements. It is called when every judgement that the headline
            needs was parsed.
        headline_kinds: the kinds of judgement that the headline is about; of several the first that there is.
        as_published: how the published evaluator reads a judgement, kept in the detail of its verdict.
        sampling: request parameters of the judge, whatever those of the judged model are.
        scorer: how a judgement is scored, as the judge's answer to a question.
    """

    judgements: Callable[[Question, JudgedAnswer], Sequence[Question]]
    answer_format: YesNo | RatingScale
    combine: Callable[[Question, JudgedAnswer, Sequence[Verdict]], Score]
    headline_kinds: tuple[str, ...]
    as_published: Callable[[str], Mapping[str, Json]] | None = None
    sampling: Mapping[str, Json] = field(default_factory=lambda: {"temperature": 0})
    scorer: "Scorer[Any]" = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        published = self.as_published
        scorer = Scorer(
            score=_score_judgement,
            correct=lambda _: None,
            as_published=None if published is None else lambda text, *_: published(text),
        )
        object.__setattr__(self, "scorer", scorer)

    @property
    def scale(self) -> RatingScale | None:
        """The scale on which the judge and people score; None for Yes or No."""
        return self.answer_format if isinstance(self.answer_format, RatingScale) else None

    def score(self, question: Question, response: Response) -> Verdict:
        """The verdict on one judgement."""
        return verdict_of(self.scorer, question, response)

    def scored_kind(self, kinds: Container[str]) -> str | None:
        """The kind of judgement that the headline is about, of the kinds that there are; None where it is about all."""
        return next((kind for kind in self.headline_kinds if kind in kinds), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer(Generic[A]):
    """How responses of a task become verdicts. `A` is the type of its parsed answers.

    Attributes:
        score: the score of a parsed answer.
        correct: what a perfect model answers; None where that is unknown.
        parse: the answer in a text, or why there is none.
        judge: the judge's part, where free text is scored.
        as_published: how the published evaluator reads a response, kept in the detail of the verdict. It gets the
            answer that was parsed, or None.
        external_truth: the part of a truth that is kept outside of the dataset's records, and so belongs to the run's
            identity.
        free_text: whether any text is an answer, also one that the token limit cut; a short refusal is none.
        locations: whether answers are locations, asked for in the dialect of each model.
    """

    score: Callable[[Question, A], Score]
    correct: Callable[[Question], A | None]
    parse: Callable[[str, AnswerFormat], A | Unparsed] = parse_answer
    judge: JudgePlan | None = None
    as_published: Callable[[str, AnswerFormat, A | None], Mapping[str, Json]] | None = None
    external_truth: Callable[[str], str] | None = None
    free_text: bool = False
    locations: bool = False


def verdict_of(scorer: Scorer[Any], question: Question, response: Response) -> Verdict:
    """The verdict on a response. The question has the answer format of the request that the response is to."""

    parsed: list[Any] = []

    def read(text: str) -> Verdict | str:
        answer = scorer.parse(text, question.answer_format)
        if isinstance(answer, Unparsed):
            return answer.reason
        parsed.append(answer)
        score = scorer.score(question, answer)
        return Verdict(AttemptStatus.ANSWERED, score.answer, score.value, detail=score.detail)

    verdict = _free_text_verdict(response, read) if scorer.free_text else verdict_of_text(response, read)
    if scorer.as_published is None:
        return verdict
    published = scorer.as_published(response.text, question.answer_format, parsed[-1] if parsed else None)
    return replace(verdict, detail={**verdict.detail, **published}) if published else verdict


def unscored_text(_: Question, __: str) -> Score:
    """Free text that a judge scores."""
    return Score()


def verdict_of_text(response: Response, read: Callable[[str], Verdict | str]) -> Verdict:
    """The verdict on a response. Of a response that the token limit cut, only whole lines are parsed.

    Args:
        read: the verdict on a text, or why it has no answer.
    """
    match response.finish:
        case FinishReason.STOP:
            found = read(response.text)
            if isinstance(found, Verdict):
                return found
            text = strip_thinking(response.text)
            if declines_task(text):
                return Verdict(AttemptStatus.REFUSED, reason=_first_line(text))
            return Verdict(AttemptStatus.UNPARSED, reason=found if response.text.strip() else "the reply is empty")
        case FinishReason.ERROR:
            return Verdict(AttemptStatus.FAILED, reason=response.error)
        case FinishReason.UNSUPPORTED:
            return Verdict(AttemptStatus.SKIPPED, reason=response.error)
        case FinishReason.REFUSAL:
            return Verdict(AttemptStatus.REFUSED, reason=_first_line(response.text) or "declined by the provider")
        case FinishReason.LENGTH:
            whole_lines = response.text.rpartition("\n")[0]
            found = read(whole_lines)
            cut = Verdict(AttemptStatus.TRUNCATED, reason="the token limit cut the reply")
            return cut if isinstance(found, str) else found


MAX_REFUSAL_WORDS = 60  # words; an answer may begin with an apology, but does not end so soon

_CANNOT = re.compile(
    r"\bI(?:['’]m|\s+am)?\s+(?:can['’]?t|cannot|can\s+not|unable|not\s+able|won['’]?t|will\s+not|must\s+decline"
    r"|(?:do\s+not|don['’]?t)\s+feel)\b",
    re.IGNORECASE,
)


def _free_text_verdict(response: Response, read: Callable[[str], Verdict | str]) -> Verdict:
    """Any text answers, also as much of it as there is where the token limit cut it; a short refusal does not."""
    text = strip_thinking(response.text).strip()
    if response.finish is FinishReason.LENGTH and text:
        response = replace(response, finish=FinishReason.STOP)
    if _CANNOT.search(text) and len(text.split()) <= MAX_REFUSAL_WORDS:
        declined = verdict_of_text(response, lambda _: "")
        if declined.status is AttemptStatus.REFUSED:
            return declined
    return verdict_of_text(response, read)


def _score_judgement(question: Question, answer: int | bool) -> Score:
    """A rating as a share of its scale, Yes as 1 and No as 0."""
    if isinstance(question.answer_format, RatingScale):
        return Score(str(answer), question.answer_format.share_of(answer))
    return Score("Yes" if answer else "No", float(answer))


def _first_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[0][:200] if lines else ""
