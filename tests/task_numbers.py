"""Numbers of results, and questions, as tests ask for them."""

from collections.abc import Mapping, Sequence
from typing import Any

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.question import AnswerFormat, Question
from affordance.core.requests import Response
from affordance.stats import Interval
from affordance.tasks.answers import write_answer
from affordance.tasks.metrics import AS_PUBLISHED, Metric, ResultSet, compute_intervals, compute_metrics
from affordance.tasks.question_design import OptionOrder, QuestionDesign
from affordance.tasks.scoring import JudgedAnswer
from affordance.tasks.task import Task

_COMMON = ("trials", "option_order", "seed", "limit", "prompts", "version")


def design_of(task: Task, **parts: Any) -> QuestionDesign[Any]:
    """A design of a task; what is no part of every design is a parameter of the task."""
    common = {name: value for name, value in parts.items() if name in _COMMON}
    params = {name: value for name, value in parts.items() if name not in _COMMON}
    return QuestionDesign(**{"params": task.params(**params), "trials": 1, "option_order": OptionOrder.FIXED, **common})


def metrics_of(
    task: Task | Sequence[Metric], results: Sequence[AttemptResult], dialect: str = ""
) -> dict[str, float | None]:
    """The numbers of a row."""
    metrics = task.metrics_of_row if isinstance(task, Task) else task
    return {one.name: one.compute(ResultSet(results, dialect)) for one in metrics}


def section_of(task: Task, section: str, results: Sequence[AttemptResult]) -> dict[str, float | None]:
    return compute_metrics([one for one in task.metrics if one.section == section], ResultSet(results))


def published_of(task: Task, results: Sequence[AttemptResult]) -> dict[str, float | None]:
    return section_of(task, AS_PUBLISHED, results)


def intervals_of(task: Task | Sequence[Metric], results: Sequence[AttemptResult]) -> dict[str, Interval]:
    metrics = task.metrics_of_row if isinstance(task, Task) else task
    return compute_intervals(metrics, metrics_of(metrics, results), ResultSet(results))


def counts_of(task: Task, results: Sequence[AttemptResult]) -> dict[str, int]:
    found = {one.name: one.count(ResultSet(results)) for one in task.metrics if one.count is not None}
    return {name: n for name, n in found.items() if n}


def baselines_of(task: Task, results: Sequence[AttemptResult]) -> dict[str, float]:
    found = {one.name: one.compute(ResultSet(results)) for one in task.trivial_baselines}
    return {name: value for name, value in found.items() if value is not None}


def errors_of(task: Task, results: Sequence[AttemptResult]) -> Mapping[str, float]:
    return task.views.errors(ResultSet(results))


def ideal_text(task: Task, question: Question, answer_format: AnswerFormat | None = None) -> str:
    """What a perfect model writes."""
    answer = task.scorer.correct(question)
    assert answer is not None
    return write_answer(answer, answer_format or question.answer_format, "This is the truth.")


def present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def trials_of(task: Task, results: Sequence[AttemptResult]) -> dict[str, Any]:
    return present({one.name: one.trials(ResultSet(results)) for one in task.metrics if one.trials is not None})


def judgements_of(task: Task, question: Question, response: Response, model: str = "m") -> list[Question]:
    """What the judge is asked about a response."""
    assert task.judge is not None
    return list(task.judge.judgements(question, JudgedAnswer.from_response(response, model)))


def combined(
    task: Task, question: Question, response: Response, verdicts: Sequence[Verdict], model: str = "m"
) -> Verdict:
    """The verdict on a judged response."""
    assert task.judge is not None
    score = task.judge.combine(question, JudgedAnswer.from_response(response, model), verdicts)
    return Verdict(AttemptStatus.ANSWERED, score.answer, score.value, detail=score.detail)
