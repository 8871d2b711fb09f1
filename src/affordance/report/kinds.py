"""What came of an attempt, as a mark beside a reply and as bits to filter by."""

from enum import IntFlag

from affordance.core.attempt import COUNTED, Ended, Verdict
from affordance.report.numbers import percent


class Kind(IntFlag):
    """Of several attempts the kinds are joined. The script of the page knows the numbers."""

    RIGHT = 1
    WRONG = 2
    PARTLY = 4  # a score between
    NO_ANSWER = 8  # refused, unparsed or truncated
    UNSCORED = 16  # answered, and there is nothing to score
    FAILED = 32
    SKIPPED = 64
    PENDING = 128


_UNCOUNTED = {Ended.FAILED: Kind.FAILED, Ended.SKIPPED: Kind.SKIPPED}
_SCORES = {None: Kind.UNSCORED, 1.0: Kind.RIGHT, 0.0: Kind.WRONG}


def kind(verdict: Verdict | None) -> Kind:
    if verdict is None:
        return Kind.PENDING
    if verdict.ended not in COUNTED:
        return _UNCOUNTED[verdict.ended]
    if verdict.ended is not Ended.ANSWERED:
        return Kind.NO_ANSWER
    return _SCORES.get(verdict.score, Kind.PARTLY)


def mark(verdict: Verdict | None) -> str:
    """The kind in words: right, wrong, no answer..."""
    found = kind(verdict)
    if found is Kind.PARTLY and verdict is not None:
        return f"score {percent(verdict.score)}"
    return _MARKS[found]


_MARKS = {
    Kind.RIGHT: "right",
    Kind.WRONG: "wrong",
    Kind.NO_ANSWER: "no answer",
    Kind.UNSCORED: "not scored",
    Kind.FAILED: "failed",
    Kind.SKIPPED: "skipped",
    Kind.PENDING: "pending",
}
