"""One question in several forms, as cues make them: what each adds to the base, item by item."""

from collections.abc import Sequence

from affordance.report.asides import AsideTable
from affordance.report.numbers import (
    MISSING,
    format_interval,
    format_p,
    format_percent,
    format_points,
    format_points_interval,
)
from affordance.report.rows import ResultRow
from affordance.report.words import row_label, with_short_labels
from affordance.stats import holm_adjust
from affordance.tasks.registry import TASKS


def main_condition_rows(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """The rows that are shown in full: of a task that was asked in several forms, the main one."""
    mains = {
        (row.run, row.task)
        for row in rows
        if TASKS[row.task].main_condition and row.form == TASKS[row.task].main_condition
    }
    return [row for row in rows if (row.run, row.task) not in mains or row.form == TASKS[row.task].main_condition]


def condition_table(group: Sequence[ResultRow], rows: Sequence[ResultRow]) -> AsideTable | None:
    """All forms of what a group is one form of, against the base; None where there is nothing to compare."""
    task = TASKS[group[0].task]
    same = with_short_labels([row for row in rows if (row.run, row.task) == (group[0].run, group[0].task)])
    if (
        not task.baseline_condition
        or not any(row.form == task.baseline_condition for row in same)
        or len({row.form for row in same}) < 2
    ):
        return None
    lines = []
    for model in dict.fromkeys((row.model, row.strategy) for row in same if row.n):
        of_model = sorted((row for row in same if (row.model, row.strategy) == model), key=_size)
        against = [
            next((one for one in row.differences if one.form == task.baseline_condition), None) for row in of_model
        ]
        adjusted = iter(holm_adjust([one.p for one in against if one is not None]))
        for row, one in zip(of_model, against, strict=True):
            told = (
                (MISSING,) * 4
                if one is None
                else (
                    format_points(one.accuracy),
                    MISSING if one.interval is None else format_points_interval(one.interval),
                    format_p(one.p),
                    format_p(next(adjusted)),
                )
            )
            lines.append(
                (
                    row_label(row),
                    (
                        row.form,
                        format_percent(row.metrics["accuracy"]),
                        format_interval(row.intervals.get("accuracy")),
                        *told,
                    ),
                )
            )
    return AsideTable(
        key="cues",
        title="What do cues add?",
        columns=("cues", f"{task.score_label}, %", "95% interval", "points", "95% interval", "p", "p, Holm"),
        lines=tuple(lines),
        note="Points are what cues add to none, between answers about the same items; p is of the exact McNemar test "
        "where items are right or wrong, else of Wilcoxon's with Pratt's zeros; Holm's is over the cues of a model.",
    )


def _size(row: ResultRow) -> tuple[int, str]:
    return 0 if row.form == TASKS[row.task].baseline_condition else 1 + row.form.count("+"), row.form
