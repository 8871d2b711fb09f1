"""Rows as CSV in long form: one line per number."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from affordance.core.attempts import AttemptStatus
from affordance.core.csv_cells import escape_csv_cell
from affordance.report.leaderboard import model_kind
from affordance.report.result_row import ResultRow, SliceResult

COLUMNS = (
    *("run", "task", "model", "strategy", "form", "kind", "dataset", "version", "by", "group", "metric", "value"),
    *("low", "high", "bound_low", "bound_high", "n", "items", *AttemptStatus, "pending", "complete"),
)

Value = str | int | float | bool | None


def rows_to_csv(rows: Sequence[ResultRow]) -> str:
    """`by` and `group` name a slice and are empty for the whole; `low` and `high` are the 95% interval, the bounds
    count missing attempts as wrong and as right. Numbers have full precision."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerows([_format_value(value) for value in line] for line in _lines(row))
    return text.getvalue()


def _lines(row: ResultRow) -> Iterator[tuple[Value, ...]]:
    version = row.dataset.get("digest")
    which = (row.run, row.task, row.model, row.strategy, row.form, model_kind(row))
    start = (*which, str(row.dataset.get("name", "")), "" if version is None else str(version))
    for metric, value in row.metrics.items():
        if value is not None or metric == "accuracy":
            low, high = row.intervals.get(metric, (None, None))
            least, most = row.bounds.get(metric, (None, None))
            ended = (*(row.ended[kind] for kind in AttemptStatus), row.pending, row.complete)
            yield (
                *start,
                "",
                "",
                metric,
                value,
                low,
                high,
                least,
                most,
                row.counts.get(metric, row.n),
                row.items,
                *ended,
            )
    for part in row.breakdowns:
        yield from _part(start, part)


def _part(start: tuple[Value, ...], part: SliceResult) -> Iterator[tuple[Value, ...]]:
    for metric, value in part.metrics.items():
        ended = (part.ended[kind] for kind in AttemptStatus)
        yield (*start, part.by, part.value, metric, value, None, None, None, None, part.n, None, *ended, None, None)


def _format_value(value: Value) -> str:
    """Text that a spreadsheet would take for a formula is prefixed with an apostrophe."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            return escape_csv_cell(value).replace("\0", "").replace("\r", " ")  # no reader takes the one, few the other
        case _:
            return repr(value)
