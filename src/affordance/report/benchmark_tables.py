"""Tables that belong to single benchmarks; they become views of their tasks."""

from collections.abc import Sequence

from affordance.core.formatting import Unit
from affordance.core.table import Cell, Column, Row, Table
from affordance.report.rows import ResultRow
from affordance.report.words import row_label


def benchmark_tables(group: Sequence[ResultRow]) -> list[Table]:
    found = (_density_table(group), _judge_control_table(group), _judge_score_table(group))
    return [table for table in found if table.rows]


def _density_table(group: Sequence[ResultRow]) -> Table:
    rows = [
        (row_label(row), one["crude"], one["adjusted"], 100 * one["error"], int(one["n"]))
        for row in group
        if (one := row.contrast)
    ]
    columns = (
        Column("model"), Column("crude", "dense minus sparse", Unit.POINTS),
        Column("adjusted", "at equal area", Unit.POINTS), Column("error", "standard error, points", Unit.RATIO, 1),
        Column("n", "targets compared", Unit.COUNT),
    )  # fmt: skip
    note = (
        "The box in which neighbours are counted grows with the target, so density depends on size. At equal area, "
        "dense and sparse targets are compared within fifths of the area."
    )
    return Table.of("density", "Effect of density at equal target size", columns, rows, [note], detail=True)


# By the name of a baseline, metric or compatible metric.
_JUDGE_CONTROLS = {
    "a rationale of another pair": "rationale of another pair",
    "an answer that names every law": "all laws named",
    "length_concordance": "longer is better",
    "ambiguous": "judged ambiguously",
    "rationale_accuracy": "reasons found",
    "rationale_accuracy_written": "in original words",
    "rationale_accuracy_published": "as published",
}


def _judge_control_table(group: Sequence[ResultRow]) -> Table:
    rows: list[tuple[str | float | None, ...]] = []
    for row in group:
        known = {**row.floors, **row.metrics, **row.compat}
        if row.metrics.get("rationale_accuracy") is not None:
            rows.append((row_label(row), *(known.get(key) for key in _JUDGE_CONTROLS)))
    columns = (Column("model"), *(Column(key, label, Unit.PERCENT) for key, label in _JUDGE_CONTROLS.items()))
    note = (
        "A rationale of another pair, or an answer that names all laws without seeing the page, should not be found. "
        "Of two explanations the longer one is better in 50% if length has no effect. Reasons that name a side are "
        "judged in neutral words and again in their original words. “As published” leaves out ambiguous judgements."
    )
    return Table.of("judge-controls", "Controls of the judge", columns, rows, [note], detail=True)


def _judge_score_table(group: Sequence[ResultRow]) -> Table:
    names = ("score_individual", "judge_disagreement", "judge_unread")
    rows: list[Row] = [
        (row_label(row), *(Cell(row.metrics.get(name)) for name in names))
        for row in group
        if row.metrics.get("score") is not None
    ]
    columns = (
        Column("model"), Column(names[0], "score against each response", Unit.SCORE),
        Column(names[1], "depends on the order", Unit.PERCENT), Column(names[2], "not readable", Unit.PERCENT),
    )  # fmt: skip
    note = (
        "Responses are single references with --reference individual or both. The order of the two texts is tested "
        "with --judge-orders 2. Judgements that cannot be parsed are left out."
    )
    return Table.of(
        "judge-scores", "Judge: single responses and order of the texts", columns, rows, [note], detail=True
    )
