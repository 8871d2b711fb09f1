"""From a response to a verdict: the same rules for every task, and how a judge model scores free text."""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from affordance.core.answer_text import strip_thinking
from affordance.core.attempts import AttemptStatus, Strategy, Verdict
from affordance.core.json_text import Json
from affordance.core.question import Question, RatingScale
from affordance.core.requests import FinishReason, Response
from affordance.tasks.refusals import declines_task

JUDGEMENT_TAG = "judged"  # the tag of a judgement's question that holds what kind of judgement it is


@dataclass(frozen=True, slots=True)
class JudgePlan:
    """How a task's replies are judged by a model: pure functions that plan judgements and draw the conclusion."""

    judgements: Callable[[Question, Response], Sequence[Question]]  # what the judge is asked about a reply
    strategy: Strategy  # how it is asked
    score: Callable[[Question, Response], Verdict]  # the verdict of one judgement
    combine: Callable[[Question, Response, Sequence[Verdict]], Verdict]  # of all judgements: the attempt's verdict
    headline_kinds: tuple[
        str, ...
    ]  # the kinds of judgement that the score is about; of several the first that there is
    scale: RatingScale | None = None  # on which a judge and people score; None is yes or no
    sampling: Mapping[str, Json] = field(default_factory=lambda: {"temperature": 0})  # sampling, whatever the model's

    def scored_kind(self, kinds: Container[str]) -> str | None:
        """The kind of judgement that the score is about, where there are these; None where it is about all."""
        return next((kind for kind in self.headline_kinds if kind in kinds), None)


def verdict_of_text(reply: Response, read: Callable[[str], Verdict | str]) -> Verdict:
    """How an attempt ended whose last reply is given. `read` makes a verdict out of a text, or says why no answer can
    be read. Of a reply that the token limit cut, only whole lines are read."""
    match reply.finish:
        case FinishReason.STOP:
            found = read(reply.text)
            if isinstance(found, Verdict):
                return found
            said = strip_thinking(reply.text)
            if declines_task(said):
                return Verdict(AttemptStatus.REFUSED, reason=_first_line(said))
            return Verdict(AttemptStatus.UNPARSED, reason=found if reply.text.strip() else "the reply is empty")
        case FinishReason.ERROR:
            return Verdict(AttemptStatus.FAILED, reason=reply.error)
        case FinishReason.UNSUPPORTED:
            return Verdict(AttemptStatus.SKIPPED, reason=reply.error)
        case FinishReason.REFUSAL:
            return Verdict(AttemptStatus.REFUSED, reason=_first_line(reply.text) or "declined by the provider")
        case FinishReason.LENGTH:
            whole_lines = reply.text.rpartition("\n")[0]
            found = read(whole_lines)
            cut = Verdict(AttemptStatus.TRUNCATED, reason="the token limit cut the reply")
            return cut if isinstance(found, str) else found


NOT_PARSED = "no answer in the asked form"


def _first_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[0][:200] if lines else ""


MAX_REFUSAL_WORDS = 60  # words; an answer may begin with an apology, but does not end so soon

_CANNOT = re.compile(
    r"\bI(?:['’]m|\s+am)?\s+(?:can['’]?t|cannot|can\s+not|unable|not\s+able|won['’]?t|will\s+not|must\s+decline"
    r"|(?:do\s+not|don['’]?t)\s+feel)\b",
    re.IGNORECASE,
)


def free_text_verdict(reply: Response, answer_text: str, empty_reason: str) -> Verdict:
    """The verdict on a reply that says this. Any words answer, also those of a reply that the token limit cut, as far
    as they go; `nothing` is the reason where there are none."""
    whole = replace(reply, finish=FinishReason.STOP) if reply.finish is FinishReason.LENGTH and answer_text else reply
    if _CANNOT.search(answer_text) and len(answer_text.split()) <= MAX_REFUSAL_WORDS:
        declined = verdict_of_text(whole, lambda _: empty_reason)
        if declined.status is AttemptStatus.REFUSED:
            return declined
    return verdict_of_text(whole, lambda _: Verdict(AttemptStatus.ANSWERED) if answer_text else empty_reason)
