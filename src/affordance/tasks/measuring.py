"""The numbers of outcomes that belong together (of one task, form, model and strategy), and what is missing in them."""

from collections.abc import Sequence

from affordance.core.attempt import SCORED_STATUSES, AttemptResult, AttemptStatus
from affordance.stats import Interval
from affordance.tasks.task import Task

HEADLINE_METRIC = "accuracy"


def is_complete(outcomes: Sequence[AttemptResult]) -> bool:
    """Whether nothing is missing: nothing is pending, and no attempt failed at the provider."""
    return all(one.verdict is not None and one.verdict.status is not AttemptStatus.FAILED for one in outcomes)


def reportable_metrics(task: Task, outcomes: Sequence[AttemptResult], dialect: str = "") -> dict[str, float | None]:
    """The task's metrics. Where something is missing only accuracy, which has bounds: the others would hide it. Of a
    model that only points in its dialect no overlap."""
    pointing = bool(dialect) and task.has_no_overlap(dialect)
    found = {name: None if pointing and name.startswith("iou") else v for name, v in task.metrics(outcomes).items()}
    return found if is_complete(outcomes) else {**dict.fromkeys(found), HEADLINE_METRIC: found[HEADLINE_METRIC]}


def accuracy_bounds(outcomes: Sequence[AttemptResult]) -> dict[str, Interval]:
    """What is missing counted as wrong, and as right; empty where nothing is missing."""
    if is_complete(outcomes):
        return {}
    asked = asked_results(outcomes)
    right = sum(score for _, score in result_scores(asked))
    missing = sum(one.verdict is None or one.verdict.status not in SCORED_STATUSES for one in asked)
    return {HEADLINE_METRIC: (right / len(asked), (right + missing) / len(asked))}


def asked_results(outcomes: Sequence[AttemptResult]) -> list[AttemptResult]:
    """Without those that the model could not be asked."""
    return [one for one in outcomes if one.verdict is None or one.verdict.status is not AttemptStatus.SKIPPED]


def result_scores(outcomes: Sequence[AttemptResult]) -> list[tuple[AttemptResult, float]]:
    return [
        (one, one.verdict.counted_score)
        for one in outcomes
        if one.verdict is not None and one.verdict.counted_score is not None
    ]
