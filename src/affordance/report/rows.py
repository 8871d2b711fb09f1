"""The rows of a report: one per run, task, model and strategy, with everything that a number needs beside it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import mean, stdev
from typing import Any

from affordance.core.attempt import COUNTED, Ended, Outcome
from affordance.core.digest import Json
from affordance.ledger import Ledger, Run
from affordance.stats import Interval, clustered_proportion
from affordance.suites.metrics import accuracy_over_parsed, confusion
from affordance.suites.registry import TASKS
from affordance.suites.task import Task

Metrics = Mapping[str, float | None]

# Every row has all of them; those that do not apply are None.
METRICS = (
    *("accuracy", "iou", *(f"iou_{level}0" for level in range(1, 10)), "macro_f1", "first_accuracy", "second_accuracy"),
    *("average_accuracy", "consistent_accuracy", "position_preference", "score", "rationale_accuracy"),
    "instance_accuracy",
)


@dataclass(frozen=True, slots=True)
class Breakdown:
    by: str
    value: str
    n: int
    metrics: Metrics
    ended: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Row:
    run: str
    task: str
    model: str
    strategy: str
    dataset: Mapping[str, Json]
    n: int  # attempts planned, without those the model could not be asked
    items: int
    metrics: Metrics
    intervals: Mapping[str, Interval]  # 95%
    bounds: Mapping[str, Interval]  # of an incomplete row: what is missing counted as wrong, and as right
    compat: Metrics  # as other harnesses count; never a headline
    trials: Mapping[str, Any]
    settings: Mapping[str, Json]
    sent: tuple[Mapping[str, Json], ...]  # where asks went and with which parameters, as this model takes them
    ended: Mapping[str, int]
    pending: int  # planned, but not asked yet
    complete: bool
    chance: float
    breakdowns: tuple[Breakdown, ...]
    confusion: tuple[tuple[str, str, int], ...]  # truth, answer, count

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def rows(ledger: Ledger, runs: Iterable[Run], only: Sequence[str] = ()) -> list[Row]:
    """The rows of runs, best first within a task; `only` names tasks."""
    found = []
    for run in runs:
        groups: dict[tuple[str, str, str], list[Outcome]] = {}
        for outcome in ledger.outcomes(run.id):
            if (not only or outcome.task in only) and outcome.task in TASKS:
                groups.setdefault((outcome.task, outcome.model, outcome.strategy), []).append(outcome)
        sent = sent_to(ledger, run)
        found += [
            _row(run, TASKS[task], model, strategy, group, sent.get(model, []))
            for (task, model, strategy), group in groups.items()
        ]
    return sorted(found, key=lambda row: (row.task, row.run, -(row.metrics["accuracy"] or 0), row.model, row.strategy))


def sent_to(ledger: Ledger, run: Run) -> dict[str, list[Mapping[str, Json]]]:
    """By model, where its asks went and with which parameters."""
    return {
        model: [{"base_url": one.base_url, "parameters": one.parameters} for one in addresses]
        for model, addresses in ledger.addresses(run.id).items()
    }


def _row(
    run: Run,
    task: Task,
    model: str,
    strategy: str,
    outcomes: Sequence[Outcome],
    sent: Sequence[Mapping[str, Json]],
) -> Row:
    ended = _ended(outcomes)
    asked = _asked(outcomes)
    pending = sum(o.verdict is None for o in outcomes)
    complete = not pending and not ended[Ended.FAILED]
    return Row(
        run=run.name,
        task=task.name,
        model=model,
        strategy=strategy,
        dataset=run.dataset,
        n=len(asked),
        items=len({o.item for o in asked}),
        metrics=_metrics(task, outcomes, complete),
        intervals=_intervals(outcomes),
        bounds={} if complete else _bounds(asked),
        compat={"accuracy_parsed": accuracy_over_parsed(outcomes)},
        trials=_trials(outcomes),
        settings=run.settings,
        sent=tuple(sent),
        ended=ended,
        pending=pending,
        complete=complete,
        chance=task.chance,
        breakdowns=tuple(_breakdowns(task, outcomes)),
        confusion=tuple(sorted((truth, answer, n) for (truth, answer), n in confusion(outcomes).items())),
    )


def _metrics(task: Task, outcomes: Sequence[Outcome], complete: bool) -> Metrics:
    """Of an incomplete row only accuracy, which has bounds beside it: the others would hide what is missing."""
    found = task.metrics(outcomes)
    kept = found if complete else {"accuracy": found["accuracy"]}
    return {**dict.fromkeys(METRICS), **dict.fromkeys(found), **kept}


def _ended(outcomes: Sequence[Outcome]) -> dict[str, int]:
    counts = Counter(o.verdict.ended for o in outcomes if o.verdict is not None)
    return {ended: counts[ended] for ended in Ended}


def _asked(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [o for o in outcomes if o.verdict is None or o.verdict.ended is not Ended.SKIPPED]


def _scores(outcomes: Sequence[Outcome]) -> list[tuple[Outcome, float]]:
    return [(o, o.verdict.counted) for o in outcomes if o.verdict is not None and o.verdict.counted is not None]


def _intervals(outcomes: Sequence[Outcome]) -> dict[str, Interval]:
    scored = _scores(outcomes)
    if not scored:
        return {}
    return {"accuracy": clustered_proportion([score for _, score in scored], [o.cluster for o, _ in scored])}


def _bounds(asked: Sequence[Outcome]) -> dict[str, Interval]:
    right = sum(score for _, score in _scores(asked))
    missing = sum(o.verdict is None or o.verdict.ended not in COUNTED for o in asked)
    return {"accuracy": (right / len(asked), (right + missing) / len(asked))} if asked else {}


def _trials(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Accuracy of each trial, with mean and sample deviation over trials."""
    by_trial: dict[int, list[float]] = {outcome.trial: [] for outcome in outcomes}
    for outcome, score in _scores(outcomes):
        by_trial[outcome.trial].append(score)
    values = [mean(scores) if scores else None for _, scores in sorted(by_trial.items())]
    present = [value for value in values if value is not None]
    return {
        "n": len(values),
        "accuracy": values,
        "mean": mean(present) if present else None,
        "sd": stdev(present) if len(present) > 1 else None,
    }


def _breakdowns(task: Task, outcomes: Sequence[Outcome]) -> list[Breakdown]:
    found = []
    for by in task.breakdowns:
        groups: dict[str, list[Outcome]] = {}
        for outcome in outcomes:
            groups.setdefault(outcome.tags.get(by, ""), []).append(outcome)
        found += [
            Breakdown(by, value, len(_asked(group)), {"accuracy": task.metrics(group)["accuracy"]}, _ended(group))
            for value, group in sorted(groups.items(), key=lambda entry: _place(task, entry[0]))
        ]
    return found


def _place(task: Task, value: str) -> tuple[int, str]:
    return (task.labels.index(value), "") if value in task.labels else (len(task.labels), value)
