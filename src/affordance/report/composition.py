"""What a control takes out of the headline: how many items, and how that shifts what the data is made of."""

from collections import Counter
from collections.abc import Sequence

from affordance.report.numbers import count_noun, format_percent
from affordance.report.rows import ResultRow
from affordance.tasks.registry import TASKS

MOST_SHIFTS = 3
SMALLEST_SHIFT = 0.01  # a point; less is not worth a word


def describe_control_items(group: Sequence[ResultRow], rows: Sequence[ResultRow]) -> str:
    """What the headline rows of a group leave to the control rows among all rows; empty where they leave nothing."""
    row = group[0]
    task = TASKS.get(row.task)
    if task is None or not task.views.split.control or row.form == task.views.split.control:
        return ""
    same = (row.run, row.task, row.model, row.strategy)
    control = next(
        (
            one
            for one in rows
            if (one.run, one.task, one.model, one.strategy) == same and one.form == task.views.split.control
        ),
        None,
    )
    if control is None:
        return ""
    whole = row.items + control.items
    said = (
        f"{control.items} of {count_noun(whole, task.views.item_noun)} are a control ({control.form}) and no part "
        "of these numbers"
    )
    shifts = [
        f"{value} {format_percent(before)} to {format_percent(after)}%"
        for value, before, after in _shifts(row, control)
    ]
    largest = ", ".join(shifts[:MOST_SHIFTS])
    return f"{said}; largest shifts in what is left: {largest}." if shifts else f"{said}."


def _shifts(row: ResultRow, control: ResultRow) -> list[tuple[str, float, float]]:
    """Values of breakdowns with their share of everything and of what is left, the largest change first."""
    kept = Counter({(one.by, one.value): one.n for one in row.breakdowns})
    whole = kept + Counter({(one.by, one.value): one.n for one in control.breakdowns})
    found = []
    for by in dict.fromkeys(by for by, _ in whole):
        of_kept, of_whole = (sum(n for (one, _), n in counts.items() if one == by) for counts in (kept, whole))
        for value, n in ((value, n) for (one, value), n in whole.items() if one == by and of_kept):
            before, after = n / of_whole, kept[by, value] / of_kept
            if abs(after - before) >= SMALLEST_SHIFT:
                found.append((f"{by} {value}", before, after))
    return sorted(found, key=lambda one: (-abs(one[1] - one[2]), one[0]))
