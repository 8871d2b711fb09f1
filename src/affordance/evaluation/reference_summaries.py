"""Missing summaries of human responses to clips: requested in a run of their own, and stored with the dataset."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from affordance.core.attempts import AttemptStatus
from affordance.core.errors import IncompleteError, InvalidOption, UserError
from affordance.core.model_name import ModelName
from affordance.datasets import Clip, DatasetCollection
from affordance.datasets.summaries import (
    ReferenceSummary,
    add_summaries,
    read_summaries,
    responses_digest,
    summaries_by_source,
)
from affordance.evaluation.estimate import JUDGE_TOKENS_PER_TOKEN, CostEstimate
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run import RunRequest, estimate_run, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.models.token_cost import max_output_tokens
from affordance.tasks.motion.meaning import MEANING, clips_with_meaning, summary_prompt_digest
from affordance.tasks.motion.meaning_judging import PERSON_BASELINE, MeaningReferences
from affordance.tasks.motion.meaning_summaries import SUMMARY
from affordance.tasks.prompts import load_prompt_pack, prompts_of_task
from affordance.tasks.question_design import PlannedQuestion, QuestionDesign
from affordance.tasks.task import Task


def write_missing_summaries(
    request: RunRequest, summarizer: str, on_progress: Callable[[RunProgress], None] = lambda _: None
) -> int:
    """Have the clips of a request summarised that have no summary; the number of new summaries."""
    request.config.check_judge()
    dataset, clips = clips_with_meaning(request.data)
    summaries = _summaries_request(request, summarizer)
    if summaries is None:
        return 0
    run, progress = execute_run(summaries, on_progress)
    (name,) = map(str, summaries.models)
    if not progress.complete:
        why = progress.stop_reason or _failure_reason(progress)
        raise IncompleteError(f"summaries by {name} are missing: {why}; run the same command again to resume")
    by_id = {clip.id: clip for clip in clips}
    known, prompt = _stored_summaries(request, name), _prompt_digest(request)
    found = []
    with open_ledger(request.ledger, read_only=True) as ledger:
        for outcome in ledger.attempt_results(run.id):
            if outcome.model != name:
                continue  # another summarizer of the same run
            left_out = None if outcome.tags["left out"] == "None" else int(outcome.tags["left out"])
            if (outcome.item_id, left_out) in known:
                continue
            if outcome.verdict is None or outcome.verdict.status is not AttemptStatus.ANSWERED:
                raise UserError(f"{name} gave no summary of clip {outcome.item_id!r}; try another --summarizer")
            found.append(_make_summary(by_id[outcome.item_id], outcome.verdict.answer or "", name, prompt, left_out))
    add_summaries(dataset, found)
    return len(found)


def estimate_with_summaries(request: RunRequest, summarizer: str) -> list[CostEstimate]:
    """The estimate of a run with the summaries that it needs first. Sends and writes nothing: a text of maximum length
    stands for each missing summary."""
    summaries = _summaries_request(request, summarizer)
    if summaries is None:
        return estimate_run(request)
    longest = _longest_summary(request, summarizer)
    tasks = tuple(
        _with_longest_summaries(task, longest or 0) if task.name == MEANING.name else task
        for task in request.config.tasks
    )
    whole = replace(request, config=request.config.replace(tasks=tasks))
    *others, judge = estimate_run(whole)
    return [*estimate_run(summaries), *others, judge if longest is not None else _without_bound(judge)]


def _longest_summary(request: RunRequest, summarizer: str) -> int | None:
    """In tokens of the judge, which are bytes of the text that stands in its place."""
    own = request.execution.model_options.get(str(ModelName.parse(summarizer)), {})
    limit = max_output_tokens({**own, **request.config.parameters})
    return None if limit is None else JUDGE_TOKENS_PER_TOKEN * limit


def _without_bound(estimate: CostEstimate) -> CostEstimate:
    return replace(estimate, input_tokens=None, cost=None if estimate.cost else estimate.cost)


def _summaries_request(request: RunRequest, summarizer: str) -> RunRequest | None:
    """The request for what is missing; None where nothing is."""
    name = ModelName.parse(summarizer)
    known = _stored_summaries(request, str(name))
    people = any(str(model) == PERSON_BASELINE for model in request.models)  # of whose responses one is left out

    def missing(data: DatasetCollection, design: QuestionDesign[Any]) -> Iterator[PlannedQuestion]:
        for trial in SUMMARY.questions(data, design):
            key = trial.question.item, trial.question.axes["left out"]
            if key not in known and (people or key[1] is None):
                yield trial

    texts = {name: load_prompt_pack(MEANING, request.config.prompts).texts[name] for name in prompts_of_task(SUMMARY)}
    given = request.config
    settings = RunConfig(
        tasks=(replace(SUMMARY, prompts=texts, questions=missing),),
        seed=given.seed,
        limit=given.limit,
        parameters=given.parameters,
    )
    if next(missing(request.data, settings.question_design(SUMMARY)), None) is None:
        return None
    if name.looks_up_answers:
        raise InvalidOption("summarizer", f"{name} has recorded answers only and cannot write summaries; name a model")
    return replace(request, config=settings, models=(name,), name=None)


def _stored_summaries(request: RunRequest, model: str) -> set[tuple[str, int | None]]:
    """The summaries by this model and this prompt that there are, by clip and by what is left out."""
    dataset, _ = clips_with_meaning(request.data)
    return set(summaries_by_source(read_summaries(dataset), model, _prompt_digest(request)))


def _prompt_digest(request: RunRequest) -> str:
    return summary_prompt_digest(load_prompt_pack(MEANING, request.config.prompts).texts)


def _failure_reason(progress: RunProgress) -> str:
    reasons = [reason for model in progress.models.values() for reason, _ in model.reasons.most_common(1)]
    return next(iter(reasons), "some responses are missing")


def _with_longest_summaries(task: Task, longest: int) -> Task:
    def questions(data: DatasetCollection, design: QuestionDesign[Any]) -> Iterator[PlannedQuestion]:
        individual = design.params.model_copy(update={"reference": "individual"})
        for trial in task.questions(data, replace(design, params=individual)):
            expected = MeaningReferences.from_text(trial.question.truth)
            summary = expected.summary or " ".join(expected.responses).ljust(longest, "x")
            stand_in = replace(expected, kinds=design.params.reference_kinds, summary=summary)
            yield replace(trial, question=replace(trial.question, truth=stand_in.to_text()))

    return replace(task, questions=questions)


def _make_summary(clip: Clip, text: str, model: str, prompt: str, left_out: int | None) -> ReferenceSummary:
    return ReferenceSummary(clip.id, text, model, prompt, responses_digest(clip.meaning_responses), left_out)
