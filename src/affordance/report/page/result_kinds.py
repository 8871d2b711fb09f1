"""The result of an attempt as a label, and as bits to filter by."""

from enum import IntFlag

from affordance.core.attempts import SCORED_STATUSES, AttemptStatus, Verdict
from affordance.core.formatting import format_percent


class ResultKind(IntFlag):
    """Of several attempts the kinds are joined. The script of the page knows the numbers."""

    RIGHT = 1
    WRONG = 2
    PARTLY = 4  # a score between
    NO_ANSWER = 8  # refused, unparsed or truncated
    UNSCORED = 16  # answered, and there is nothing to score
    FAILED = 32
    SKIPPED = 64
    PENDING = 128


_UNCOUNTED = {AttemptStatus.FAILED: ResultKind.FAILED, AttemptStatus.SKIPPED: ResultKind.SKIPPED}
_SCORES = {None: ResultKind.UNSCORED, 1.0: ResultKind.RIGHT, 0.0: ResultKind.WRONG}


def result_kind(verdict: Verdict | None) -> ResultKind:
    if verdict is None:
        return ResultKind.PENDING
    if verdict.status not in SCORED_STATUSES:
        return _UNCOUNTED[verdict.status]
    if verdict.status is not AttemptStatus.ANSWERED:
        return ResultKind.NO_ANSWER
    return _SCORES.get(verdict.score, ResultKind.PARTLY)


def result_label(verdict: Verdict | None) -> str:
    """The kind in words: right, wrong, no answer..."""
    found = result_kind(verdict)
    if found is ResultKind.PARTLY and verdict is not None:
        return f"score {format_percent(verdict.score)}"
    return _MARKS[found]


_MARKS = {
    ResultKind.RIGHT: "right",
    ResultKind.WRONG: "wrong",
    ResultKind.NO_ANSWER: "no answer",
    ResultKind.UNSCORED: "not scored",
    ResultKind.FAILED: "failed",
    ResultKind.SKIPPED: "skipped",
    ResultKind.PENDING: "pending",
}
