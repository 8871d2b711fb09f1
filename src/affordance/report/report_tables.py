"""Which tables a report has: the same for terminal, Markdown and LaTeX."""

from collections.abc import Sequence

from affordance.core.formatting import Unit, count_noun
from affordance.core.table import Cell, Column, Mark, Row, Table
from affordance.report.formats.terminal import print_tables
from affordance.report.leaderboard import leaderboards
from affordance.report.metric_columns import main_columns, metric_cell, section_tables, text_columns
from affordance.report.notes import notes
from affordance.report.provenance import strategy_cost_table
from affordance.report.result_row import ResultRow, with_short_labels
from affordance.report.views.agreement import agreement_table
from affordance.report.views.breakdowns import breakdowns_of
from affordance.report.views.conditions import condition_tables, main_condition_rows, paired_table
from affordance.report.views.judges import corrected_scores_table
from affordance.tasks.behavior.text_similarity import signature
from affordance.tasks.registry import TASKS


def print_rows(rows: Sequence[ResultRow]) -> None:
    """Print one table per task, run and condition, then the leaderboards over several runs and published numbers."""
    if rows:
        print_tables(report_tables(rows))
    else:
        print("Nothing to report yet.")


def report_tables(rows: Sequence[ResultRow], *, detail: bool = False) -> list[Table]:
    """The tables of each task, run and condition, in detail with breakdowns; then the leaderboards."""
    full = main_condition_rows(rows)
    found: list[Table] = []
    for key in dict.fromkeys((row.task, row.run, row.form) for row in full):
        group = with_short_labels([row for row in full if (row.task, row.run, row.form) == key])
        corrected = corrected_scores_table(group)
        found += [
            main_table(group, rows),
            *([corrected] if corrected is not None else []),
            *condition_tables(group, with_short_labels(rows)),
            *text_metric_tables(group),
        ]
        if detail:
            found += [*detail_tables(group), *(one.table for one in breakdowns_of(group))]
    return [*found, *(one.table for one in leaderboards(rows))]


def detail_tables(group: Sequence[ResultRow]) -> list[Table]:
    """The smaller tables of one task, run and condition."""
    found = (agreement_table(group), paired_table(group), strategy_cost_table(group))
    return [*section_tables(group), *(table for table in found if table is not None)]


def main_table(group: Sequence[ResultRow], rows: Sequence[ResultRow] = ()) -> Table:
    """The rows of one task, run and condition."""
    metrics = main_columns(group)
    is_complete = all(row.complete for row in group)
    columns = (
        Column("model"), Column("accuracy", TASKS[group[0].task].headline_label, Unit.PERCENT), *metrics,
        Column("n", unit=Unit.COUNT), Column("no answer", unit=Unit.COUNT),
        *([] if is_complete else [Column("missing", unit=Unit.COUNT)]),
    )  # fmt: skip
    lines: list[Row] = [
        (
            Cell(row.label, marks=() if row.complete else (Mark.INCOMPLETE,)),
            Cell(row.metrics["accuracy"], row.intervals.get("accuracy")),
            *(metric_cell(row, metric.key) for metric in metrics),
            row.n,
            row.unanswered,
            *([] if is_complete else [row.missing]),
        )
        for row in ([row for row in group if row.n] or group)
    ]
    task, run = group[0].task, group[0].run
    return Table.of(f"{task}/{run}", _headline(group), columns, lines, notes(group, rows))


def text_metric_tables(group: Sequence[ResultRow]) -> list[Table]:
    columns = text_columns(group)
    if not columns:
        return []
    rows = [(row.label, *(row.metrics.get(column.key) for column in columns)) for row in group]
    title = "Text similarity to the reference rationales (mean)"
    return [Table.of("wording", title, [Column("model"), *columns], rows, [signature()], detail=True)]


def _headline(rows: Sequence[ResultRow]) -> str:
    dataset, row = rows[0].dataset, rows[0]
    synthetic = ", synthetic" if dataset.get("synthetic") else ""
    form = f" ({row.form})" if row.form else ""
    items = count_noun(max(one.items for one in rows), TASKS[row.task].views.item_noun)
    return f"{row.task}{form} on {dataset['name']} ({items}{synthetic}), run {row.run}"
