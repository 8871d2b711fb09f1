"""Notes under a table of results: baselines, control items, judge, participants, and what is missing."""

from collections.abc import Callable, Sequence

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempts import AttemptStatus
from affordance.core.formatting import (
    count_noun,
    format_count,
    format_percent,
    format_points,
    format_points_interval,
    join_names,
    pluralize,
)
from affordance.models.study_answers import UNANSWERED
from affordance.report.human_rows import describe_agreement, describe_participants
from affordance.report.judge_status import CalibrationState, JudgeStatus
from affordance.report.judge_text import describe_judge
from affordance.report.result_row import NO_ANSWER_STATUSES, ResultRow
from affordance.tasks.registry import TASKS

_MAX_ROWS = 4  # rows with warnings of their own; more are summarised


def notes(group: Sequence[ResultRow], rows: Sequence[ResultRow] = ()) -> list[str]:
    """The notes of one task, run and condition; `rows` are all of the report."""
    first = group[0]
    found = [
        f"{describe_baselines(first)} n counts attempts; intervals are clustered by {cluster_noun(first)}.".strip()
    ]
    if first.is_control and not first.floors:
        found = ["Both images are equal, so no answer is right: the choice shows position bias only."]
    found += [control_note(group, rows), unasked_note(group), judge_note(group), parser_note(group)]
    found += participant_notes(group)
    if errors := first.dataset.get("errors"):
        found.append(f"The dataset has {errors} errors that may affect these numbers; see `affordance data check`.")
    if incomplete := [row for row in group if not row.complete]:
        found.append(f"Missing attempts {why_missing(incomplete)}; they are not scored.")
    for row in group:
        found += _row_notes(row)
    return [one for one in found if one]


def warnings_of(group: Sequence[ResultRow]) -> list[str]:
    """What a reader must know before using the numbers: by row, or summarised for many rows."""
    errors = group[0].dataset.get("errors")
    of_data = [f"The dataset has {errors} errors that may affect these numbers."] if errors else []
    found = [sentences for row in group if (sentences := _row_warnings(row))]
    if len(found) <= _MAX_ROWS:
        return [*of_data, *(sentence for sentences in found for sentence in sentences)]
    return [
        *of_data,
        *_summarise(group, lambda row: row.missing, "are incomplete; most attempts are missing for"),
        *_summarise(group, lambda row: row.unanswered, "have attempts without an answer (counted as wrong); most for"),
        *_summarise(group, lambda row: row.ended[AttemptStatus.SKIPPED], "skipped attempts; most for"),
    ]


def describe_baselines(row: ResultRow) -> str:
    """The scores of the trivial baselines: `Trivial baselines: guessing 14.3%.`"""
    if not row.floors:
        return ""
    text = ", ".join(f"{row.baseline_label(name)} {format_percent(share)}%" for name, share in row.floors.items())
    return f"Trivial baselines: {text}."


def cluster_noun(row: ResultRow) -> str:
    """What attempts are clustered by."""
    task = TASKS.get(row.task)
    return task.views.cluster_noun if task is not None else "item"


def control_note(group: Sequence[ResultRow], rows: Sequence[ResultRow]) -> str:
    """How many items of a group are controls and have rows of their own; empty where there are none."""
    row = group[0]
    task = TASKS.get(row.task)
    if task is None or not task.views.split.control or row.is_control:
        return ""
    same = (row.run, row.task, row.model, row.strategy)
    control = next(
        (one for one in rows if one.is_control and (one.run, one.task, one.model, one.strategy) == same), None
    )
    if control is None:
        return ""
    whole = count_noun(row.items + control.items, task.views.item_noun)
    return f"{control.items} of {whole} are controls ({control.form}) and not part of these numbers."


def unasked_note(group: Sequence[ResultRow]) -> str:
    """How many items of the dataset cannot be asked about; empty where none, or where that is unknown: with a limit,
    or where items are split into conditions."""
    row, task = group[0], TASKS.get(group[0].task)
    whole, asked = row.dataset.get("items"), max(one.items for one in group)
    if task is None or task.views.split.control or row.settings.get("limit") is not None:
        return ""
    noun = task.views.item_noun
    if row.dataset.get("kind") != noun or not isinstance(whole, int) or not 0 < asked < whole:
        return ""
    return f"{format_count(whole - asked)} of {count_noun(whole, noun)} lack what this task needs, or are twins."


def judge_note(group: Sequence[ResultRow]) -> str:
    """The judge and its calibration; empty for tasks without a judge."""
    task = TASKS.get(group[0].task)
    judge = group[0].setting("judge")
    if task is None or task.judge is None or not judge:
        return ""
    status = group[0].certificate or JudgeStatus(CalibrationState.UNCERTIFIED, str(judge))
    ambiguous = [f"{row.label} {format_percent(share)}%" for row in group if (share := row.metrics.get("ambiguous"))]
    unclear = f" Judged ambiguously and counted as not found: {join_names(ambiguous)}." if ambiguous else ""
    return f"{describe_judge(status)}{unclear}"


def parser_note(rows: Sequence[ResultRow]) -> str:
    """Which versions of the parsers read the responses; empty where that is the current one."""
    versions = {row.parser_versions for row in rows if row.parser_versions}
    if versions <= {(PARSER_VERSION,)}:
        return ""
    if len(versions) == 1 and len(found := next(iter(versions))) == 1:
        text = f"Responses were parsed by parser version {found[0]}"
    else:
        each = [f"{row.label} by {list_versions(row.parser_versions)}" for row in rows if row.parser_versions]
        text = f"Responses were parsed by different parser versions ({'; '.join(each)})"
    return f"{text}; the current one is {PARSER_VERSION}. `affordance rescore` parses them again, without requests."


def list_versions(versions: Sequence[int]) -> str:
    return " and ".join(map(str, versions))


def participant_notes(group: Sequence[ResultRow]) -> list[str]:
    """Who answered, for rows that are human studies."""
    return [
        f"{row.model}: {describe_participants(row.asked, TASKS[row.task].views.item_noun)}"
        for row in group
        if row.asked is not None
    ]


def dialect_note(group: Sequence[ResultRow]) -> str:
    """The coordinate dialects of the models, and how they were determined."""
    found = [
        f"{row.label} {row.dialect} ({_DIALECT_SOURCES[row.decided]})"
        for row in group
        if row.decided in _DIALECT_SOURCES
    ]
    return f"Coordinate dialects: {'; '.join(found)}." if found else ""


_DIALECT_SOURCES = {
    "name": "by model name",
    "option": "by --dialect",
    "calibration": "calibrated",
    "unknown": "default, model name unknown",
}


def describe_missing(row: ResultRow) -> str:
    """`12 of 70 attempts are missing (8 failed, 4 pending)`."""
    parts = [(row.ended["failed"], _why_failed(row)), (row.pending, "pending")]
    why = ", ".join(f"{format_count(number)} {what}" for number, what in parts if number)
    return f"{format_count(row.missing)} of {count_noun(row.n, 'attempt')} are missing ({why})"


def why_missing(group: Sequence[ResultRow]) -> str:
    """`failed or are pending`: what happened to attempts that are missing."""
    of_models, of_people = (any(row.is_human is wanted for row in group) for wanted in (False, True))
    reasons = ["failed or are pending"] if of_models else []
    reasons += [f"are {UNANSWERED}{' by people' if of_models else ''}"] if of_people else []
    return ", or ".join(reasons)


def _row_notes(row: ResultRow) -> list[str]:
    found = []
    if skipped := row.ended["skipped"]:
        found.append(f"{row.model} cannot answer {count_noun(skipped, 'attempt')}; skipped attempts are not scored.")
    if not row.complete:
        found.append(_describe_incomplete(row))
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


def _row_warnings(row: ResultRow) -> list[str]:
    if not row.n:
        return [
            f"{row.label} cannot answer any of these questions ({count_noun(row.ended['skipped'], 'attempt')} skipped)."
        ]
    found = [f"{row.label}: {warning}" for warning in row.warnings]
    if not row.complete:
        found.append(_describe_incomplete(row))
    if row.unanswered:
        counts = ", ".join(
            f"{format_count(row.ended[status])} {status}" for status in NO_ANSWER_STATUSES if row.ended[status]
        )
        found.append(
            f"{row.label}: {format_count(row.unanswered)} of {count_noun(row.scored, 'attempt')} without an answer "
            f"({counts}), counted as wrong."
        )
    if skipped := row.ended["skipped"]:
        found.append(f"{row.label}: {count_noun(skipped, 'attempt')} skipped and not scored.")
    if row.was_retried and row.metrics["accuracy"] is not None:
        first, last = format_percent(row.metrics.get("first_try_accuracy")), format_percent(row.metrics["accuracy"])
        change = "without effect" if first == last else f"from {first}% on the first try to {last}%"
        found.append(f"{row.label}: unparsed responses were requested again, {change}.")
    return found


def _describe_incomplete(row: ResultRow) -> str:
    state = "is incomplete" if row.scored else "has no scored attempt"
    low, high = row.bounds.get("accuracy", (0.0, 1.0))
    return (
        f"{row.label} {state}: {describe_missing(row)}. Accuracy is between {format_percent(low)}% and "
        f"{format_percent(high)}%: all of them wrong, or all right."
    )


def _summarise(group: Sequence[ResultRow], number: Callable[[ResultRow], int], what: str) -> list[str]:
    found = [row for row in group if number(row)]
    if not found:
        return []
    worst = max(found, key=number)
    of = format_count(worst.n + worst.ended[AttemptStatus.SKIPPED])
    models = f"{format_count(len(found))} of {format_count(len(group))} {pluralize('model')}"
    return [f"{models} {what} {worst.label} ({format_count(number(worst))} of {of})."]


def _why_failed(row: ResultRow) -> str:
    if not row.is_human:
        return "failed"
    task = TASKS.get(row.task)
    return UNANSWERED if task is None or task.judge is None else "not answered or not judged yet"
