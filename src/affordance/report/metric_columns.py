"""Columns and tables of the metrics that tasks declare: the only place of the report that reads them."""

from collections.abc import Sequence

from affordance.core.formatting import Unit
from affordance.core.table import Cell, Column, Row, Table
from affordance.report.result_row import ResultRow
from affordance.tasks.metrics import AS_PUBLISHED, FIRST_TRY_ACCURACY, Metric
from affordance.tasks.registry import TASKS

_MAIN = "main"  # the section of metrics that are shown next to the headline
# Metrics that no task declares, as they are only computed on request.
TEXT_METRICS = (
    Column("bleu_2", "BLEU-2", Unit.PERCENT),
    Column("bleu_4", "BLEU-4", Unit.PERCENT),
    Column("rouge_l", "ROUGE-L", Unit.PERCENT),
    Column("meteor", "METEOR", Unit.PERCENT),
    Column("bertscore", "BERTScore", Unit.PERCENT),
)


def main_columns(group: Sequence[ResultRow]) -> list[Column]:
    """The metrics next to the headline that any row of a task has a value of."""
    return [_column(one) for one in _metrics(group, _MAIN) if one is not TASKS[group[0].task].headline]


def text_columns(group: Sequence[ResultRow]) -> list[Column]:
    return [column for column in TEXT_METRICS if any(row.metrics.get(column.key) is not None for row in group)]


def metric_cell(row: ResultRow, name: str) -> Cell:
    """The value of a metric, with its own n where that is not the row's."""
    if name in row.section_values:
        value, *_ = row.section_values[name]
        return Cell(value)
    found, n = row.metrics.get(name), row.counts.get(name, row.n)
    return Cell(found, n=None if found is None or n == row.n else n)


def section_tables(group: Sequence[ResultRow]) -> list[Table]:
    """A table for each further section of metrics, titled as the task says."""
    views = {one.section: one for one in TASKS[group[0].task].views.tables}
    sections = dict.fromkeys(one.section for one in TASKS[group[0].task].metrics)
    found = []
    for section in sections:
        columns = [] if section in (_MAIN, AS_PUBLISHED) else [_column(one) for one in _metrics(group, section)]
        if columns:
            view = views.get(section)
            title = view.title if view is not None else f"{section[0].upper()}{section[1:]}"
            rows: list[Row] = [(row.label, *(_cell(row, one.key) for one in columns)) for row in group if row.n]
            notes = [view.note] if view is not None else []
            found.append(
                Table.of(section, title, [Column("model"), *columns], rows, notes, detail=True, intervals="cell")
            )
    return found


def _metrics(group: Sequence[ResultRow], section: str) -> list[Metric]:
    found = [one for one in TASKS[group[0].task].metrics if one.section == section]
    return [
        one
        for one in found
        if any(metric_cell(row, one.name).value is not None for row in group)
        if one.name != FIRST_TRY_ACCURACY.name or any(row.was_retried for row in group)
    ]


def _column(metric: Metric) -> Column:
    return Column(metric.name, metric.label, metric.unit)


def _cell(row: ResultRow, name: str) -> Cell:
    """With the interval."""
    cell = metric_cell(row, name)
    if name in row.section_values:
        _, low, high = row.section_values[name]
        return Cell(cell.value, None if low is None or high is None else (low, high))
    return Cell(cell.value, row.intervals.get(name), cell.n)
