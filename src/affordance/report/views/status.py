"""The status of attempts, and the most frequent reasons."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from affordance.core.attempts import AttemptResult, AttemptStatus
from affordance.core.formatting import format_count
from affordance.core.model_name import STUDY_PREFIX
from affordance.core.text import truncate
from affordance.models.study_answers import UNANSWERED
from affordance.report.result_row import ResultRow
from affordance.report.results import RowKey, row_key

MOST_REASONS = 3  # for each model and way of ending
LONGEST_REASON = 200

Reasons = Mapping[RowKey, Counter[tuple[AttemptStatus, str]]]


@dataclass(frozen=True, slots=True)
class StatusRow:
    model: str
    counts: tuple[str, ...]  # by way of ending, then pending


@dataclass(frozen=True, slots=True)
class FailureReason:
    model: str
    ended: AttemptStatus
    reason: str
    number: int


@dataclass(frozen=True, slots=True)
class StatusTable:
    columns: tuple[str, ...]
    lines: tuple[StatusRow, ...]
    reasons: tuple[FailureReason, ...]


def failure_reasons(outcomes: Iterable[AttemptResult]) -> Reasons:
    """How often each reason was given, by row."""
    found: dict[RowKey, Counter[tuple[AttemptStatus, str]]] = {}
    for outcome in outcomes:
        if outcome.verdict is not None and outcome.verdict.reason:
            reason = truncate(outcome.verdict.reason, LONGEST_REASON)
            if outcome.model.startswith(STUDY_PREFIX) and reason.startswith(UNANSWERED):
                reason = UNANSWERED  # the item is in the sample browser
            found.setdefault(row_key(outcome), Counter())[outcome.verdict.status, reason] += 1
    return found


def status_table(group: Sequence[ResultRow], given: Reasons) -> StatusTable:
    return StatusTable(
        columns=(*AttemptStatus, "pending"),
        lines=tuple(
            StatusRow(row.label, tuple(map(format_count, (*(row.ended[e] for e in AttemptStatus), row.pending))))
            for row in group
        ),
        reasons=tuple(reason for row in group for reason in _most_often(row, given.get(row.key, Counter()))),
    )


def _most_often(row: ResultRow, given: Counter[tuple[AttemptStatus, str]]) -> list[FailureReason]:
    ranked = sorted((-number, reason, ended) for (ended, reason), number in given.items())
    return [
        FailureReason(row.label, kind, reason, -number)
        for kind in AttemptStatus
        for number, reason, _ in [entry for entry in ranked if entry[2] is kind][:MOST_REASONS]
    ]
