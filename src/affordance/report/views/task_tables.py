"""Tables that tasks make of the results of all rows, such as a majority vote."""

from collections.abc import Sequence

from affordance.core.attempts import AttemptResult
from affordance.core.table import Table
from affordance.report.result_row import ResultRow, with_short_labels
from affordance.report.results import row_key
from affordance.tasks.metrics import ResultSet
from affordance.tasks.registry import TASKS
from affordance.tasks.views import LabelledResults


def task_tables(group: Sequence[ResultRow], outcomes: Sequence[AttemptResult]) -> list[Table]:
    """The tables of one task, run and condition."""
    found = labelled_results(group, outcomes)
    return [table for make in TASKS[group[0].task].views.result_tables if (table := make(found)) is not None]


def labelled_results(group: Sequence[ResultRow], outcomes: Sequence[AttemptResult]) -> list[LabelledResults]:
    """The results of each row, with its short label."""
    by_row: dict[tuple[str, ...], list[AttemptResult]] = {}
    for one in outcomes:
        by_row.setdefault(row_key(one), []).append(one)
    return [
        LabelledResults(short.label, row.model, row.strategy, ResultSet(by_row.get(row.key, ()), row.dialect))
        for row, short in zip(group, with_short_labels(group), strict=True)
    ]
