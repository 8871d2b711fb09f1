"""How attempts ended, and the reasons given where they did not end with an answer."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from affordance.core.attempt import Ended, Outcome
from affordance.core.names import STUDIES
from affordance.models.answers import UNANSWERED
from affordance.report.numbers import count
from affordance.report.results import Key, key_of
from affordance.report.rows import Row
from affordance.report.words import name

MOST_REASONS = 3  # for each model and way of ending
LONGEST_REASON = 200

Reasons = Mapping[Key, Counter[tuple[Ended, str]]]


@dataclass(frozen=True, slots=True)
class Line:
    model: str
    counts: tuple[str, ...]  # by way of ending, then pending


@dataclass(frozen=True, slots=True)
class Reason:
    model: str
    ended: Ended
    reason: str
    number: int


@dataclass(frozen=True, slots=True)
class Endings:
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    reasons: tuple[Reason, ...]


def reasons(outcomes: Iterable[Outcome]) -> Reasons:
    """How often each reason was given, by row."""
    found: dict[Key, Counter[tuple[Ended, str]]] = {}
    for outcome in outcomes:
        if outcome.verdict is not None and outcome.verdict.reason:
            reason = _shortened(outcome.verdict.reason)
            if outcome.model.startswith(STUDIES) and reason.startswith(UNANSWERED):
                reason = UNANSWERED  # of which item, the sample browser tells
            found.setdefault(key_of(outcome), Counter())[outcome.verdict.ended, reason] += 1
    return found


def endings(group: Sequence[Row], given: Reasons) -> Endings:
    return Endings(
        columns=(*Ended, "pending"),
        lines=tuple(Line(name(row), tuple(map(count, (*(row.ended[e] for e in Ended), row.pending)))) for row in group),
        reasons=tuple(reason for row in group for reason in _most_often(row, given.get(row.key, Counter()))),
    )


def _most_often(row: Row, given: Counter[tuple[Ended, str]]) -> list[Reason]:
    ranked = sorted((-number, reason, ended) for (ended, reason), number in given.items())
    return [
        Reason(name(row), kind, reason, -number)
        for kind in Ended
        for number, reason, _ in [entry for entry in ranked if entry[2] is kind][:MOST_REASONS]
    ]


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1] + "…"
