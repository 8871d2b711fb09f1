"""Notes under a table of results: baselines, control items, judge, participants, and what is missing."""

from collections.abc import Sequence

from affordance.core.formatting import count_noun, format_percent, format_points, format_points_interval
from affordance.report.human_rows import describe_agreement
from affordance.report.rows import ResultRow
from affordance.report.words import (
    cluster_noun,
    describe_baselines,
    describe_missing,
    judge_note,
    not_asked,
    parsers,
    participants_note,
    why_missing,
)
from affordance.tasks.registry import TASKS


def notes(group: Sequence[ResultRow], rows: Sequence[ResultRow] = ()) -> list[str]:
    """The notes of one task, run and condition; `rows` are all of the report."""
    first = group[0]
    task = TASKS[first.task]
    found = [
        f"{describe_baselines(first)} n counts attempts; intervals are clustered by {cluster_noun(first)}.".strip()
    ]
    if first.form and first.form == task.views.split.control and not first.floors:
        found = ["Both images are equal, so no answer is right: the choice shows position bias only."]
    found += [control_note(group, rows), not_asked(group), judge_note(group), parsers(group), *participants_note(group)]
    if errors := first.dataset.get("errors"):
        found.append(
            f"The dataset has {errors} errors that may affect these numbers; `affordance data check` lists them."
        )
    if incomplete := [row for row in group if not row.complete]:
        found.append(f"Missing attempts {why_missing(incomplete)}; they are not scored.")
    for row in group:
        found += _row_notes(row)
    return [one for one in found if one]


def control_note(group: Sequence[ResultRow], rows: Sequence[ResultRow]) -> str:
    """How many items of a group are controls and have rows of their own; empty where there are none."""
    row = group[0]
    task = TASKS.get(row.task)
    if task is None or not task.views.split.control or row.form == task.views.split.control:
        return ""
    same = (row.run, row.task, row.model, row.strategy, task.views.split.control)
    control = next((one for one in rows if (one.run, one.task, one.model, one.strategy, one.form) == same), None)
    if control is None:
        return ""
    whole = count_noun(row.items + control.items, task.views.item_noun)
    return f"{control.items} of {whole} are controls ({control.form}) and not part of these numbers."


def _row_notes(row: ResultRow) -> list[str]:
    found = []
    if skipped := row.ended["skipped"]:
        found.append(f"{row.model} cannot answer {count_noun(skipped, 'attempt')}; skipped attempts are not scored.")
    if not row.complete:
        low, high = row.bounds.get("accuracy", (0.0, 1.0))
        found.append(
            f"{row.model} is incomplete: {describe_missing(row)}; accuracy is between "
            f"{format_percent(low)}% and {format_percent(high)}%."
        )
    found += [f"{row.model}: {warning}" for warning in row.warnings]
    found += [f"{row.model}: agreement of participants: {describe_agreement(one)}." for one in row.people]
    for one in row.differences:
        if row.form < one.form and not TASKS[row.task].views.split.baseline:
            interval = "no interval" if one.interval is None else f"95% interval {format_points_interval(one.interval)}"
            found.append(
                f"{row.model}: {row.form} {format_points(one.accuracy)} points against {one.form} on the same "
                f"{count_noun(one.n, TASKS[row.task].views.item_noun)} ({interval})."
            )
    return found
