"""Which metrics a table of results shows, with their labels and units."""

from collections.abc import Iterable, Mapping, Sequence

from affordance.core.formatting import Unit
from affordance.core.table import Cell, Column
from affordance.report.rows import ResultRow

# Next to the score, where any row of a table has them.
MAIN_METRICS: Mapping[str, Column] = {
    column.key: column
    for column in (
        Column("macro_f1", "macro F1", Unit.PERCENT),
        Column("score", "score", Unit.SCORE),
        Column("score_sd", "sd", Unit.SCORE),
        Column("unrelated", "unrelated", Unit.PERCENT),
        Column("rationale_accuracy", "reasons", Unit.PERCENT),
        Column("instance_accuracy", "any reason", Unit.PERCENT),
        Column("iou", "IoU", Unit.PERCENT),
        Column("iou_50", "IoU over .5", Unit.PERCENT),
    )
}
POSITION_METRICS: Mapping[str, Column] = {
    column.key: column
    for column in (
        Column("consistent_accuracy", "both orders", Unit.PERCENT),
        Column("position_preference", "position bias", Unit.PERCENT),
    )
}
TEXT_METRICS: Mapping[str, Column] = {
    column.key: column
    for column in (
        Column("bleu_2", "BLEU-2", Unit.PERCENT),
        Column("bleu_4", "BLEU-4", Unit.PERCENT),
        Column("rouge_l", "ROUGE-L", Unit.PERCENT),
        Column("meteor", "METEOR", Unit.PERCENT),
        Column("bertscore", "BERTScore", Unit.PERCENT),
    )
}


def metric_columns(rows: Sequence[ResultRow], known: Iterable[Column] | None = None) -> list[Column]:
    """The columns that any of the rows has a value in."""
    columns = [*MAIN_METRICS.values(), *TEXT_METRICS.values()] if known is None else known
    return [column for column in columns if any(row.metrics.get(column.key) is not None for row in rows)]


def metric_cell(row: ResultRow, name: str) -> Cell:
    """The value of a metric, with its own n where that is not the row's."""
    value, n = row.metrics.get(name), row.counts.get(name, row.n)
    return Cell(value, n=None if value is None or n == row.n else n)
