"""One question in several forms, as cues make them: what each adds to the base, item by item."""

from collections.abc import Sequence

from affordance.report.asides import Table
from affordance.report.numbers import DASH, interval, p_value, percent, points, points_interval
from affordance.report.rows import Row
from affordance.report.words import name, with_short_names
from affordance.stats import holm
from affordance.suites.registry import TASKS


def in_full(rows: Sequence[Row]) -> list[Row]:
    """The rows that are shown in full: of a task that was asked in several forms, the main one."""
    mains = {(row.run, row.task) for row in rows if TASKS[row.task].main and row.form == TASKS[row.task].main}
    return [row for row in rows if (row.run, row.task) not in mains or row.form == TASKS[row.task].main]


def cue_table(group: Sequence[Row], rows: Sequence[Row]) -> Table | None:
    """All forms of what a group is one form of, against the base; None where there is nothing to compare."""
    task = TASKS[group[0].task]
    same = with_short_names([row for row in rows if (row.run, row.task) == (group[0].run, group[0].task)])
    if not task.base or not any(row.form == task.base for row in same) or len({row.form for row in same}) < 2:
        return None
    lines = []
    for model in dict.fromkeys((row.model, row.strategy) for row in same if row.n):
        of_model = sorted((row for row in same if (row.model, row.strategy) == model), key=_size)
        against = [next((one for one in row.differences if one.form == task.base), None) for row in of_model]
        adjusted = iter(holm([one.p for one in against if one is not None]))
        for row, one in zip(of_model, against, strict=True):
            told = (
                (DASH,) * 4
                if one is None
                else (
                    points(one.accuracy),
                    DASH if one.interval is None else points_interval(one.interval),
                    p_value(one.p),
                    p_value(next(adjusted)),
                )
            )
            lines.append(
                (
                    name(row),
                    (row.form, percent(row.metrics["accuracy"]), interval(row.intervals.get("accuracy")), *told),
                )
            )
    return Table(
        key="cues",
        title="What do cues add?",
        columns=("cues", f"{task.measure}, %", "95% interval", "points", "95% interval", "p", "p, Holm"),
        lines=tuple(lines),
        note="Points are what cues add to none, between answers about the same items; p is of the exact McNemar test "
        "where items are right or wrong, else of Wilcoxon's with Pratt's zeros; Holm's is over the cues of a model.",
    )


def _size(row: Row) -> tuple[int, str]:
    return 0 if row.form == TASKS[row.task].base else 1 + row.form.count("+"), row.form
