"""Results as sentences."""

from collections.abc import Sequence

from affordance.core.formatting import Unit, count_noun, format_count, format_interval, format_percent, join_names
from affordance.report.result_row import ResultRow
from affordance.tasks.registry import TASKS

_MAX_CLAUSES = 3  # models with a clause of their own
_UNNAMED = "an unnamed dataset"


def report_title(rows: Sequence[ResultRow]) -> str:
    if not rows:
        return "Affordance report: no results yet"
    tasks = list(dict.fromkeys(row.task for row in rows))
    datasets = list(dict.fromkeys(str(row.dataset.get("name", _UNNAMED)) for row in rows))
    subject = tasks[0] if len(tasks) == 1 else count_noun(len(tasks), "task")
    return f"Affordance report: {subject} on {join_names(datasets)}"


def describe_items(group: Sequence[ResultRow]) -> str:
    """The items of one task and run: `7 clips of primitives (synthetic)`."""
    dataset = group[0].dataset
    task = TASKS.get(group[0].task)
    items = count_noun(max(row.items for row in group), task.views.item_noun if task is not None else "item")
    return f"{items} of {dataset.get('name', _UNNAMED)}{' (synthetic)' if dataset.get('synthetic') else ''}"


def describe_result(group: Sequence[ResultRow]) -> str:
    """The scores of one task and run against trivial baselines. Rows come best first."""
    scored = [row for row in group if row.metrics["accuracy"] is not None]
    where = describe_items(group)
    if not scored:
        return f"No attempt on {where} is scored yet."
    named = scored if len(scored) == _MAX_CLAUSES + 1 else scored[:_MAX_CLAUSES]
    clauses = "; ".join(_clause(row, is_first=row is scored[0]) for row in named)
    sentences = [f"On {where}, {clauses}."]
    baseline = f"{group[0].strongest_baseline} ({format_percent(group[0].chance)}%)"
    if others := scored[len(named) :]:
        low, high = (format_percent(others[place].metrics["accuracy"]) for place in (-1, 0))
        share = f"all score {low}%" if low == high else f"score between {low}% and {high}%"
        sentences.append(f"The other {format_count(len(others))} models {share}.")
        if level := [row.label for row in scored if row.baseline_relation == "level"]:
            count = f"{format_count(len(level))} of {format_count(len(scored))} models"
            sentences.append(f"{count} do not differ significantly from {baseline}: {join_names(level)}.")
    elif group[0].chance > 0 and all(row.baseline_relation == "above" for row in scored):
        sentences.append(f"Trivial baseline: {baseline}.")
    return " ".join(sentences)


def _clause(row: ResultRow, *, is_first: bool) -> str:
    attempts = count_noun(row.scored, "attempt")
    of = f"of {attempts}" if row.complete else f"of the {attempts} scored so far"
    baseline = f"{row.strongest_baseline} ({format_percent(row.chance)}%)"
    relation = {
        "level": f", not significantly different from {baseline}",
        "below": f", worse than {baseline}",
    }.get(row.baseline_relation, "")
    share = f"{format_percent(row.metrics['accuracy'])}%"
    if (score := row.metrics.get("score")) is not None:
        share = f"{Unit.SCORE.format_value(score)} of 5 on average {of}, which is {share}"
        verb = "scores " if is_first else ""
    else:
        share = f"{share} {of}"
        verb = "is right in " if is_first else "in "
    interval = format_interval(row.intervals.get("accuracy"))
    return f"{row.label} {verb}{share} ({'95% interval ' if is_first else ''}{interval}){relation}"
