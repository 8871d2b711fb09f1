"""The numbers of outcomes that belong together (of one task, form, model and strategy), and what is missing in them."""

from collections.abc import Sequence

from affordance.core.attempt import COUNTED, Ended, Outcome
from affordance.stats import Interval
from affordance.suites.task import Task

HEADLINE = "accuracy"


def is_complete(outcomes: Sequence[Outcome]) -> bool:
    """Whether nothing is missing: nothing is pending, and no attempt failed at the provider."""
    return all(one.verdict is not None and one.verdict.ended is not Ended.FAILED for one in outcomes)


def measured(task: Task, outcomes: Sequence[Outcome], dialect: str = "") -> dict[str, float | None]:
    """The task's metrics. Where something is missing only accuracy, which has bounds: the others would hide it. Of a
    model that only points in its dialect no overlap."""
    pointing = bool(dialect) and task.inapplicable(dialect)
    found = {name: None if pointing and name.startswith("iou") else v for name, v in task.metrics(outcomes).items()}
    return found if is_complete(outcomes) else {**dict.fromkeys(found), HEADLINE: found[HEADLINE]}


def bounds(outcomes: Sequence[Outcome]) -> dict[str, Interval]:
    """What is missing counted as wrong, and as right; empty where nothing is missing."""
    if is_complete(outcomes):
        return {}
    asked = asked_of(outcomes)
    right = sum(score for _, score in scores_of(asked))
    missing = sum(one.verdict is None or one.verdict.ended not in COUNTED for one in asked)
    return {HEADLINE: (right / len(asked), (right + missing) / len(asked))}


def asked_of(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Without those that the model could not be asked."""
    return [one for one in outcomes if one.verdict is None or one.verdict.ended is not Ended.SKIPPED]


def scores_of(outcomes: Sequence[Outcome]) -> list[tuple[Outcome, float]]:
    return [
        (one, one.verdict.counted) for one in outcomes if one.verdict is not None and one.verdict.counted is not None
    ]
