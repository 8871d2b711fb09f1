"""Answers that a task needs before it has questions, such as summaries of references.

They are requested in a run of their own and stored with the dataset."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from affordance.core.errors import IncompleteError, InvalidOption
from affordance.core.model_name import ModelName
from affordance.datasets import DatasetCollection
from affordance.evaluation.estimate import JUDGE_TOKENS_PER_TOKEN, CostEstimate
from affordance.evaluation.interrupts import INTERRUPTED
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run import RunRequest, estimate_run, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.models.token_cost import max_output_tokens
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.question_design import PlannedQuestion, QuestionDesign
from affordance.tasks.task import Task


def write_missing_summaries(
    request: RunRequest, summarizer: str, on_progress: Callable[[RunProgress], None] = lambda _: None
) -> int:
    """Request and store the missing summaries of a run; the number of new ones."""
    request.config.check_judge()
    prepared = _prepared_task(request)
    preparing = _summaries_request(request, summarizer)
    if preparing is None or prepared.preparation is None:
        return 0
    run, progress = execute_run(preparing, on_progress)
    (name,) = map(str, preparing.models)
    if not progress.complete:
        if progress.stop_reason.startswith(INTERRUPTED):
            raise KeyboardInterrupt
        why = progress.stop_reason or _failure_reason(progress)
        raise IncompleteError(f"summaries by {name} are missing: {why}; run the same command again to resume")
    with open_ledger(request.ledger, read_only=True) as ledger:
        # Another summarizer may have answered in the same run.
        results = [one for one in ledger.attempt_results(run.id) if one.model == name]
    return prepared.preparation.save(request.data, results, name, _prompts(request, prepared))


def estimate_with_summaries(request: RunRequest, summarizer: str) -> list[CostEstimate]:
    """The requests and cost of a run, missing summaries first. Nothing is sent or written: a text of the maximum length
    stands in for a missing summary."""
    preparing = _summaries_request(request, summarizer)
    if preparing is None:
        return estimate_run(request)
    longest = _longest_summary(request, summarizer)
    tasks = tuple(
        task if task.preparation is None else task.preparation.stand_in(task, longest or 0)
        for task in request.config.tasks
    )
    whole = replace(request, config=request.config.replace(tasks=tasks))
    *others, judge = estimate_run(whole)
    return [*estimate_run(preparing), *others, judge if longest is not None else _without_bound(judge)]


def _longest_summary(request: RunRequest, summarizer: str) -> int | None:
    """In tokens of the judge, which are bytes of the text that stands in its place."""
    own = request.execution.model_options.get(str(ModelName.parse(summarizer)), {})
    limit = max_output_tokens({**own, **request.config.parameters})
    return None if limit is None else JUDGE_TOKENS_PER_TOKEN * limit


def _without_bound(estimate: CostEstimate) -> CostEstimate:
    return replace(estimate, input_tokens=None, cost=None if estimate.cost else estimate.cost)


def _summaries_request(request: RunRequest, summarizer: str) -> RunRequest | None:
    """The request for missing summaries; None where none is missing."""
    name, prepared = ModelName.parse(summarizer), _prepared_task(request)
    preparation = prepared.preparation
    assert preparation is not None
    prompts, models = _prompts(request, prepared), [str(model) for model in request.models]

    def missing(data: DatasetCollection, design: QuestionDesign[Any]) -> Iterator[PlannedQuestion]:
        return preparation.missing(data, design, str(name), prompts, models)

    task = preparation.task
    config = RunConfig(
        tasks=(replace(task, prompts={one: prompts[one] for one in preparation.prompts}, questions=missing),),
        seed=request.config.seed,
        limit=request.config.limit,
        parameters=request.config.parameters,
    )
    if next(missing(request.data, config.question_design(task)), None) is None:
        return None
    if name.looks_up_answers:
        raise InvalidOption("summarizer", f"{name} has recorded answers only and cannot write summaries; name a model")
    return replace(request, config=config, models=(name,), name=None)


def _prepared_task(request: RunRequest) -> Task:
    """The task of a run that needs answers beforehand."""
    return next(task for task in request.config.tasks if task.preparation is not None)


def _prompts(request: RunRequest, task: Task) -> Mapping[str, str]:
    return load_prompt_pack(task, request.config.prompts).texts


def _failure_reason(progress: RunProgress) -> str:
    reasons = [reason for model in progress.models.values() for reason, _ in model.reasons.most_common(1)]
    return next(iter(reasons), "some replies are missing")
