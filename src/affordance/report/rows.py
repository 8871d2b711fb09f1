"""Building the rows of a report: one per run, task, condition, model and strategy."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import mean, stdev
from typing import Any

from affordance.core.attempts import AttemptResult, AttemptStatus
from affordance.core.errors import UserError
from affordance.ledger import Ledger, RequestTotals, RunRecord
from affordance.models.adaptation import Adaptation
from affordance.report.error_review import ErrorReview, load_error_reviews
from affordance.report.human_rows import agreement_by_row, participant_summaries
from affordance.report.judge_status import JudgedRow, judge_status_by_row
from affordance.report.result_row import ConditionDifference, Metrics, ResultRow, SliceResult, ValueWithInterval
from affordance.report.results import RequestParameters, RowKey, RunResults, read_results
from affordance.report.row_warnings import (
    dialect_source,
    dialect_warnings,
    requested_dialect,
    response_warnings,
    unlike_settings,
)
from affordance.stats import SCORE_RANGE, compare_paired
from affordance.tasks.metrics import (
    ACCURACY,
    AS_PUBLISHED,
    SECTIONS_APART,
    ResultSet,
    compute_intervals,
    compute_metrics,
)
from affordance.tasks.registry import TASKS, is_missing_plugin
from affordance.tasks.task import Task

# Every row has all of them; those that do not apply are None.
METRICS = (
    *("accuracy", "iou", *(f"iou_{level}0" for level in range(1, 10)), "macro_f1", "first_accuracy", "second_accuracy"),
    *("average_accuracy", "consistent_accuracy", "position_preference", "score", "rationale_accuracy"),
    "instance_accuracy",
)


def build_rows(ledger: Ledger, runs: Sequence[RunRecord], only: Sequence[str] = ()) -> list[ResultRow]:
    """The rows of runs, best first within a task; `only` names tasks."""
    return rows_of_runs(read_results(ledger, runs, only))


def load_rows(ledger: Ledger, runs: Sequence[str], only: Sequence[str] = ()) -> tuple[RunResults, list[ResultRow]]:
    """The rows of runs by name, or of all runs of a ledger. Raises `UserError` if there are none."""
    chosen = [ledger.find_run(name) for name in runs] or ledger.runs()
    results = read_results(ledger, chosen, only)
    if not (found := rows_of_runs(results)):
        where, entries = ledger.location, ledger.run_entries()
        if missing := sorted({one.task for one in entries if is_missing_plugin(one.task)}):
            raise UserError(f"{where} has results of {missing[0]}, which is not installed; install its package")
        named = {run.name for run in chosen}
        if only and (others := sorted({one.task for one in entries if one.run in named})):
            raise UserError(f"{where} has no results of {', '.join(only)}; it has results of {', '.join(others)}")
        raise UserError(f"the ledger {where} has no results yet; start with `affordance run`")
    return results, found


def rows_of_runs(results: RunResults) -> list[ResultRow]:
    reviews = load_error_reviews(results)
    return sorted((row for run in results.runs for row in _rows_of(results, run, reviews.get(run.name, ()))), key=_rank)


def _rows_of(results: RunResults, run: RunRecord, reviews: tuple[ErrorReview, ...]) -> list[ResultRow]:
    sent, effort, responses = results.sent[run.name], results.effort[run.name], results.responses[run.name]
    groups = results.outcomes[run.name]
    judged = judge_status_by_row(results.ledger, run, groups)
    people, asked = agreement_by_row(results, run, groups), participant_summaries(results, groups)
    found = [
        _row(
            run,
            key,
            groups,
            sent.get(key[2], []),
            effort.get((key[0], *key[2:])),
            judged.get(key),
            reviews,
            results.adaptations[run.name],
            response_warnings(responses, key[0], key[2], key[3]),
        )
        for key in groups
    ]
    return [
        replace(row, people=people[row.key], asked=asked.get(row.model)) if row.key in people else row for row in found
    ]


def _rank(row: ResultRow) -> tuple[str, str, str, bool, float, str, str]:
    """Best first; rows that could be asked nothing come last."""
    return row.task, row.run, row.form, not row.n, -(row.metrics["accuracy"] or 0), row.model, row.strategy


def _row(
    run: RunRecord,
    key: RowKey,
    groups: Mapping[RowKey, Sequence[AttemptResult]],
    sent: Sequence[RequestParameters],
    effort: RequestTotals | None,
    judged: JudgedRow | None,
    reviews: tuple[ErrorReview, ...],
    of_run: Sequence[Adaptation],
    doubts: Sequence[str],
) -> ResultRow:
    name, form, model, strategy = key
    task, outcomes = TASKS[name], groups[key]
    models = {model, run.settings.get("judge") if task.judge is not None else None}
    adaptations = tuple(one for one in of_run if one.model in models)
    ended = _status_counts(outcomes)
    dialect = requested_dialect(sent) if task.scorer.locations else ""
    results = ResultSet(outcomes, dialect)
    asked = results.asked
    floors = {one.name: value for one in task.trivial_baselines if (value := one.compute(results)) is not None}
    decided = dialect_source(run, dialect, model)
    metrics = {**dict.fromkeys(METRICS), **compute_metrics(task.metrics_of_row, results)}
    compat = _compat(task, key, groups)
    section_values = _section_values(task, results)
    return ResultRow(
        run=run.name,
        task=name,
        model=model,
        strategy=strategy,
        form=form,
        dataset=run.dataset,
        n=len(asked),
        items=len({o.item_id for o in asked}),
        metrics=metrics,
        intervals=compute_intervals(task.metrics_of_row, metrics, results),
        bounds={} if results.bounds is None else {ACCURACY.name: results.bounds},
        compat=compat,
        trials={**_trials(outcomes), **_trial_statistics(task, results)},
        settings=run.settings,
        dialect=dialect,
        decided=decided,
        warnings=(*dialect_warnings(outcomes, dialect, decided), *unlike_settings(adaptations, model), *doubts),
        differences=tuple(_differences(key, groups)),
        positions=_positions(task, form, results),
        contrast=_contrast(section_values),
        section_values=section_values,
        sent=tuple(sent),
        effort=effort,
        ended=ended,
        pending=sum(o.verdict is None for o in outcomes),
        complete=results.is_complete,
        chance=max(floors.values(), default=0.0),
        floors=floors,
        shares=task.views.errors(results),
        breakdowns=tuple(_breakdowns(task, results)),
        confusion=_confusion(results) if task.views.classes else (),
        certificate=judged.status if judged is not None else None,
        corrected=judged.corrected if judged is not None else None,
        reviews=reviews,
        counts=_counts(task, {**compat, **metrics}, results),
        parser_versions=tuple(sorted({o.parser_version for o in outcomes if o.verdict is not None})),
        adaptations=adaptations,
    )


# Metrics by section that a row keeps apart from the others, and under which keys.
_POSITION_KEYS = {
    "skill": "skill",
    "position_preference": "preference",
    "noise": "noise",
    "right_in_both": "right",
    "wrong_in_both": "wrong",
    "first_in_both": "first",
    "second_in_both": "second",
    "unparsed_in_one": "unread",
    "both_by_chance": "chance of both",
    "inconsistent": "flipping",
}
_CONTRAST_KEYS = {
    "dense_less_sparse": "crude",
    "dense_less_sparse_at_equal_area": "adjusted",
    "density_standard_error": "error",
    "density_targets": "n",
}


def _positions(task: Task, form: str, results: ResultSet) -> Mapping[str, ValueWithInterval]:
    found: dict[str, ValueWithInterval] = {}
    for metric in task.metrics:
        if metric.name in _POSITION_KEYS and (value := metric.compute(results)) is not None:
            low, high = (metric.interval(results) if metric.interval is not None else None) or (None, None)
            found[_POSITION_KEYS[metric.name]] = value, low, high
    is_control = bool(form) and form == task.views.split.control
    return found if is_control or "skill" in found else {}


def _contrast(section_values: Mapping[str, ValueWithInterval]) -> Mapping[str, float]:
    return {key: section_values[name][0] for name, key in _CONTRAST_KEYS.items() if name in section_values}


def _section_values(task: Task, results: ResultSet) -> Mapping[str, ValueWithInterval]:
    """Metrics that are not among the numbers of a row, nor counted as other harnesses do."""
    found: dict[str, ValueWithInterval] = {}
    for metric in task.metrics:
        is_apart = metric.section in SECTIONS_APART and metric.section != AS_PUBLISHED
        if is_apart and (value := metric.compute(results)) is not None:
            low, high = (metric.interval(results) if metric.interval is not None else None) or (None, None)
            found[metric.name] = value, low, high
    return found


def _trial_statistics(task: Task, results: ResultSet) -> Mapping[str, Any]:
    found = {metric.name: metric.trials(results) for metric in task.metrics if metric.trials is not None}
    return {name: one for name, one in found.items() if one is not None}


def _counts(task: Task, values: Metrics, results: ResultSet) -> Mapping[str, int]:
    found = {metric.name: metric.count(results) for metric in task.metrics if metric.count is not None}
    return {name: n for name, n in found.items() if n and values.get(name) is not None}


_LEFT_OUT_IF_NONE = frozenset({"accuracy_boxes"})  # keys that JSON rows of version 1 have only with a value


def _compat(task: Task, key: RowKey, groups: Mapping[RowKey, Sequence[AttemptResult]]) -> Metrics:
    """Metrics as other harnesses count. Names that end in `_all` include control items, which others count as well."""
    published = [one for one in task.metrics if one.section == AS_PUBLISHED]
    values = compute_metrics(published, ResultSet(groups[key]))
    found = {name: value for name, value in values.items() if value is not None or name not in _LEFT_OUT_IF_NONE}
    control = groups.get((key[0], task.views.split.control, *key[2:]), [])
    if not task.views.split.control or key[1] == task.views.split.control or not control:
        return found
    return {
        **found,
        **{
            f"{name}_all": value
            for name, value in compute_metrics(published, ResultSet([*groups[key], *control])).items()
        },
    }


def _differences(key: RowKey, groups: Mapping[RowKey, Sequence[AttemptResult]]) -> list[ConditionDifference]:
    """Against other conditions of the same task, model and strategy, on the same items."""
    task, form, *rest = key
    base = TASKS[task].views.split.baseline
    others = [
        other
        for other in groups
        if other[0] == task and other[1] != form and list(other[2:]) == rest and (not base or other[1] == base)
    ]
    if not others:
        return []
    own = {(o.item_id, o.trial): (o, score) for o, score in _result_scores(groups[key])}
    found = []
    for other in others:
        pairs = [(*own[o.item_id, o.trial], s) for o, s in _result_scores(groups[other]) if (o.item_id, o.trial) in own]
        if pairs:
            ours, theirs, clusters = zip(*((score, s, o.cluster) for o, score, s in pairs), strict=True)
            one = compare_paired(ours, theirs, clusters, value_range=SCORE_RANGE)
            found.append(ConditionDifference(other[1], one.difference, one.interval, one.n, one.p))
    return found


def _result_scores(outcomes: Sequence[AttemptResult]) -> list[tuple[AttemptResult, float]]:
    results = ResultSet(outcomes)
    return list(zip(results.scored, results.scores, strict=True))


def _confusion(results: ResultSet) -> tuple[tuple[str, str, int], ...]:
    return tuple(sorted((truth, answer, n) for (truth, answer), n in results.confusion.items()))


def _status_counts(outcomes: Sequence[AttemptResult]) -> dict[str, int]:
    counts = Counter([o.verdict.status for o in outcomes if o.verdict is not None])
    return {ended: counts[ended] for ended in AttemptStatus}


def _trials(outcomes: Sequence[AttemptResult]) -> dict[str, Any]:
    """Accuracy of each trial, with mean and sample deviation over trials."""
    by_trial: dict[int, list[float]] = {outcome.trial: [] for outcome in outcomes}
    for outcome, score in _result_scores(outcomes):
        by_trial[outcome.trial].append(score)
    values = [sum(scores) / len(scores) if scores else None for _, scores in sorted(by_trial.items())]
    present = [value for value in values if value is not None]
    return {
        "n": len(values),
        "accuracy": values,
        "mean": mean(present) if present else None,
        "sd": stdev(present) if len(present) > 1 else None,
    }


def _breakdowns(task: Task, results: ResultSet) -> list[SliceResult]:
    """By every tag of the task that results have."""
    found = []
    metrics = [one for one in task.metrics if one.in_breakdowns]
    for breakdown in task.views.breakdowns:
        by, groups = breakdown.tag, dict[str, list[AttemptResult]]()
        for outcome in results if breakdown.expand is None else results.cached(breakdown.expand):
            if (value := outcome.tags.get(by)) is not None:
                groups.setdefault(value, []).append(outcome)
        for value, group in sorted(groups.items(), key=lambda entry: _place(task, entry[0])):
            ended = _status_counts(group)
            of_group = ResultSet(group, results.dialect)
            numbers = {one.name: one.compute(of_group) for one in metrics}
            found.append(SliceResult(by, value, len(of_group.asked), numbers, ended))
    return found


# Values with a natural order begin with these words.
_ORDER = ("sparse", "tiny", "small", "medium", "large", "dense", "unknown")


def _place(task: Task, value: str) -> tuple[int, str]:
    if value in task.views.classes:
        return task.views.classes.index(value), ""
    word = value.partition(" ")[0]
    return (len(task.views.classes) + _ORDER.index(word), "") if word in _ORDER else (len(task.views.classes), value)
