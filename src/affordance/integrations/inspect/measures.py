"""The metrics: ours, of all that was planned, under our names."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from affordance.core.attempt import Attempt, AttemptResult, Verdict
from affordance.core.digest import canonical_json
from affordance.evaluation.plan import Plan
from affordance.integrations.inspect.record import LOG_KEY, LoggedVerdict
from affordance.integrations.inspect.sitting import session_plan
from affordance.tasks.measuring import accuracy_bounds, is_complete, reportable_metrics
from affordance.tasks.task import Task

AttemptKey = tuple[str, str, int]  # question, strategy and trial: which attempt of a job
Verdicts = Mapping[AttemptKey, tuple[Verdict, Verdict]]  # each with that on the first try


@metric(name="measures", scores="unreduced")
def affordance_metrics(task: str, arguments: dict[str, Any]) -> Metric:
    """What a report says of the same verdicts. Inspect asks for it at any time: while something is missing there is the
    accuracy of what is there, which is not called accuracy, with the bounds of that of the whole, and how much is
    missing. Forms and strategies have numbers of their own, as they have rows of their own in a report."""

    def measure(scores: list[SampleScore]) -> Value:
        found = [one.score.metadata[LOG_KEY] for one in scores if one.score.metadata and LOG_KEY in one.score.metadata]
        verdicts = {
            (one["question"], one["strategy"], one["trial"]): (_verdict(one["verdict"]), _verdict(one["first"]))
            for one in found
        }
        job = session_plan(task, arguments)
        one_of_them = found[0] if found else {"run": "", "model": ""}
        rows = _rows(job, one_of_them["run"], one_of_them["model"], verdicts)
        (asked,) = job.config.tasks
        return _numbers(asked, rows, one_of_them.get("dialect", ""))

    return measure


def _verdict(found: Any) -> Verdict:
    return LoggedVerdict.model_validate(found).verdict()


def _rows(plan: Plan, run: str, model: str, verdicts: Verdicts) -> dict[tuple[str, str], list[AttemptResult]]:
    """What belongs together, by strategy and form, in the order in which a ledger has it: sums depend on that."""
    (task,) = plan.config.tasks
    rows: dict[tuple[str, str], list[AttemptResult]] = {}
    for one in sorted(_outcomes(plan, run, model, verdicts), key=lambda entry: entry[0]):
        outcome = one[1]
        rows.setdefault((outcome.strategy, outcome.tags.get(task.condition_tag, "")), []).append(outcome)
    return rows


def _outcomes(
    plan: Plan, run: str, model: str, verdicts: Verdicts
) -> Iterator[tuple[tuple[str, str, str, int], AttemptResult]]:
    for task, trial in plan.task_trials():
        question = trial.question
        for strategy in plan.config.strategies:
            if strategy not in task.strategies:
                continue
            verdict, first = verdicts.get((question.id, strategy, trial.trial), (None, None))
            yield (
                (strategy, question.item, canonical_json(dict(question.axes)), trial.trial),
                AttemptResult(
                    attempt_id=Attempt(run, question.id, model, strategy, trial.trial).id,
                    task=task.name,
                    model=model,
                    strategy=strategy,
                    trial=trial.trial,
                    question_id=question.id,
                    item_id=question.item,
                    truth=question.truth,
                    tags=question.tags,
                    cluster=question.cluster,
                    verdict=verdict,
                    first_verdict=first,
                ),
            )


def _numbers(
    task: Task, rows: Mapping[tuple[str, str], Sequence[AttemptResult]], dialect: str
) -> dict[str, str | int | float | bool | None]:
    several = [len({key[part] for key in rows}) > 1 for part in range(2)]
    found: dict[str, str | int | float | bool | None] = {}
    for key, outcomes in rows.items():
        before = "".join(f"{name}/" for name, told in zip(key, several, strict=True) if told)
        numbers = reportable_metrics(task, outcomes, dialect)
        if is_complete(outcomes):
            found |= {f"{before}{name}": value for name, value in numbers.items()}
            continue
        for name, (least, most) in accuracy_bounds(outcomes).items():
            beside = {"partial": numbers[name], "at_least": least, "at_most": most}
            found |= {f"{before}{name}_{how}": value for how, value in beside.items()}
        found[f"{before}missing"] = sum(one.verdict is None for one in outcomes)
    return found
