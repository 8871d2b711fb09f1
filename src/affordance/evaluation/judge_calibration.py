"""Judge calibration: ask a judge about labelled judgements, measure it against the labels, and store the result."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from affordance.core.attempts import AttemptResult, AttemptStatus
from affordance.core.digest import digest
from affordance.core.errors import InvalidOption, UserError
from affordance.core.http import public_url
from affordance.core.json_text import Json
from affordance.core.model_name import ModelName
from affordance.datasets import DatasetCollection
from affordance.evaluation.estimate import CostEstimate
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run import RunRequest, estimate_run, execute_run
from affordance.evaluation.run_config import JUDGE_MAX_TOKENS_KEY, RunConfig, default_judge_parameters
from affordance.judging.agreement import LabelledJudgement, judge_agreement, measure_judge
from affordance.judging.calibration_set import (
    CALIBRATION_PREFIX,
    ORDER_AXIS,
    OTHER_ORDER,
    OWN_ORDER,
    CalibrationCase,
    calibration_cases,
    calibration_question,
    empty_collection,
)
from affordance.judging.judgements import JUDGE_SPECS, judged_text_first
from affordance.judging.labels import LabelSet
from affordance.ledger import AttemptStep, JudgeCalibration, Ledger, RunRecord, open_ledger
from affordance.models.family import FREE
from affordance.models.profile import find_price, without_limits
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.question_design import PlannedQuestion, QuestionDesign
from affordance.tasks.strategies import request_judgement
from affordance.tasks.task import Preset, Task
from affordance.tasks.views import TaskViews


@dataclass(frozen=True, slots=True)
class JudgeCalibrationConfig:
    """Which judge is examined, and with what."""

    judge: ModelName
    task: Task  # the judged one
    ledger: str
    render_cache: Path  # folder of the render cache, which stays empty
    repeats: int = 3
    prompts: Path | None = None
    execution: ExecutionConfig = field(default_factory=ExecutionConfig)


def calibration_request(
    config: JudgeCalibrationConfig, cases: Sequence[CalibrationCase], max_tokens: int | None
) -> RunRequest:
    """`max_tokens` is how long a judgement may be in the runs that the cases are from."""
    if config.judge.looks_up_answers:
        raise UserError(f"{config.judge} cannot be a judge: it answers only what is known already")
    if config.repeats < 1:
        raise InvalidOption("repeats", f"expected a number above 0, found {config.repeats}")
    settings = RunConfig(
        tasks=(_calibration_task(config, cases, max_tokens),), strategies=("judge",), trials=config.repeats
    )
    return RunRequest(
        settings,
        empty_collection(config.task),
        (config.judge,),
        config.ledger,
        config.render_cache,
        execution=config.execution,
    )


def _calibration_task(config: JudgeCalibrationConfig, cases: Sequence[CalibrationCase], max_tokens: int | None) -> Task:
    """The task of a calibration run: the judge is the model."""
    task, name = config.task, f"{CALIBRATION_PREFIX}{config.task.name.rpartition('/')[2]}"
    judging, how = task.judge, _judge_settings_digest(config)
    assert judging is not None, f"{task.name} is not judged"
    own = without_limits(config.execution.model_options.get(str(config.judge), {}))
    parameters = default_judge_parameters(task, own, max_tokens)

    def questions(_: DatasetCollection, design: QuestionDesign[Any]) -> Iterator[PlannedQuestion]:
        for case in cases:
            first = case.unit.subject.trial  # trial of the judgement in its run
            for repeat in range(design.trials):
                yield PlannedQuestion(calibration_question(name, case, OWN_ORDER, case.question, how), first + repeat)
            if case.swapped_question is not None:
                yield PlannedQuestion(calibration_question(name, case, OTHER_ORDER, case.swapped_question, how), first)

    return Task(
        name=name,
        summary=f"Judge answers to {task.name} that have human labels.",
        dataset_kinds=task.dataset_kinds,
        protocols={"affordance": Preset(option_order=task.protocols["affordance"].option_order, sampling=parameters)},
        questions=questions,
        strategies={"judge": request_judgement},
        scorer=replace(judging.scorer, external_truth=str),
        metrics=(),
        views=TaskViews(item_noun="judgement"),
        prompts=load_prompt_pack(task, config.prompts).texts,
    )


def _judge_settings_digest(config: JudgeCalibrationConfig) -> str:
    """Digest of the judge and its settings: with another one it is another run."""
    name = str(config.judge)
    provider = config.execution.providers.get(config.judge.provider)
    where = public_url(provider.base_url) if provider is not None else ""
    own: Mapping[str, Json] = config.execution.model_options.get(name, {})
    return digest("how", name, where, dict(own))


FORMAT = 1  # of a certificate's document


@dataclass(frozen=True, slots=True)
class JudgeCalibrationResult:
    """The result of a calibration. Without a calibration responses are missing; the same command resumes."""

    calibration: JudgeCalibration | None
    progress: RunProgress
    request: RunRequest  # what the judge was asked with


def calibrate_judge(
    config: JudgeCalibrationConfig, labels: LabelSet, on_progress: Callable[[RunProgress], None] = lambda _: None
) -> JudgeCalibrationResult:
    """Ask the judge, measure it, and store the calibration."""
    with open_ledger(config.ledger, read_only=True) as ledger:
        cases, sources = calibration_cases(ledger, labels)
    request = calibration_request(config, cases, _judge_max_tokens(sources))
    run, progress = execute_run(request, on_progress)
    if not progress.complete:
        return JudgeCalibrationResult(None, progress, request)
    with open_ledger(config.ledger) as ledger:
        calibration = _build_calibration(ledger, config, labels, run, cases, sources)
        ledger.add_judge_calibration(calibration).result()
    return JudgeCalibrationResult(calibration, progress, request)


def estimate_calibration(config: JudgeCalibrationConfig, labels: LabelSet) -> list[CostEstimate]:
    """Requests that are left, and their cost at most. Writes nothing."""
    with open_ledger(config.ledger, read_only=True) as ledger:
        cases, sources = calibration_cases(ledger, labels)
    return estimate_run(calibration_request(config, cases, _judge_max_tokens(sources)))


def _judge_max_tokens(sources: Sequence[RunRecord]) -> int | None:
    """Output limit of judgements in these runs, so that their responses are found."""
    first, *others = (run.settings.get(JUDGE_MAX_TOKENS_KEY) for run in sources)
    return first if isinstance(first, int) and all(one == first for one in others) else None


def _build_calibration(
    ledger: Ledger,
    config: JudgeCalibrationConfig,
    labels: LabelSet,
    run: RunRecord,
    cases: Sequence[CalibrationCase],
    sources: Sequence[RunRecord],
) -> JudgeCalibration:
    task, name, scale = config.task, str(config.judge), JUDGE_SPECS[config.task.name].scale
    outcomes = [one for one in ledger.attempt_results(run.id) if one.model == name]
    (settings,) = ledger.call_settings(run.id)[name]
    found = _labelled_judgements(config, cases, outcomes)
    steps = ledger.steps_of([one.attempt_id for one in outcomes])
    document: dict[str, Json] = {
        "format": FORMAT,
        "task": task.name,
        "judge": name,
        "labels": len(cases),
        "empty": labels.empty,
        "tied": labels.ties,
        "labellers": labels.labellers,
        "synthetic": labels.synthetic,
        "alpha_of_labellers": labels.alpha,
        "runs": [one.name for one in sources],
        "datasets": list(dict.fromkeys(str(one.dataset["name"]) for one in sources)),
        **asdict(measure_judge(found, scale)),
        "by_model": {
            model: asdict(judge_agreement([one for one in found if one.model == model], scale))
            for model in dict.fromkeys(one.model for one in found)
        },
        "effort": _judge_usage(config, [step for one in steps.values() for step in one]),
        "labelled": [[case.unit.id, case.human, case.weight] for case in cases],
    }
    return JudgeCalibration(task.name, settings, load_prompt_pack(task, config.prompts).texts["judge"], document)


def _labelled_judgements(
    config: JudgeCalibrationConfig, cases: Sequence[CalibrationCase], outcomes: Sequence[AttemptResult]
) -> list[LabelledJudgement]:
    said: dict[tuple[str, str], dict[int, float | None]] = {}
    for one in outcomes:
        assert one.verdict is not None, "a certificate is made of a complete run"
        if one.verdict.status is AttemptStatus.SKIPPED:
            raise UserError(f"{config.judge} cannot be a judge of {config.task.name}: {one.verdict.reason}")
        value = one.verdict.score if one.verdict.status is AttemptStatus.ANSWERED else None
        said.setdefault((one.item_id, one.tags[ORDER_AXIS]), {})[one.trial] = value

    def values(case: CalibrationCase, order: str) -> tuple[float | None, ...]:
        by_trial = said.get((case.unit.id, order), {})
        return tuple(by_trial[trial] for trial in sorted(by_trial))

    return [
        LabelledJudgement(
            model=case.unit.subject.model,
            cluster=case.unit.subject.cluster,
            human=case.human,
            weight=case.weight,
            repeats=values(case, OWN_ORDER),
            swapped_repeats=values(case, OTHER_ORDER),
            judged_text_first=judged_text_first(case.question),
        )
        for case in cases
    ]


def _judge_usage(config: JudgeCalibrationConfig, steps: Sequence[AttemptStep]) -> dict[str, Json]:
    """Tokens, cost and time of the judgements, stored ones included."""
    usages = [step.response.usage for step in steps]
    tokens_in = [usage.input for usage in usages if usage.input is not None]
    tokens_out = [usage.output for usage in usages if usage.output is not None]
    price = find_price(config.judge, config.execution.prices)
    known = price == FREE or len(tokens_in) == len(tokens_out) == len(steps)
    return {
        "replies": len(steps),
        "input_tokens": sum(tokens_in) if tokens_in else None,
        "output_tokens": sum(tokens_out) if tokens_out else None,
        "usd": price.cost(sum(tokens_in), sum(tokens_out)) if price is not None and known else None,
        "seconds": sum(step.response.seconds for step in steps),
        "served_by": sorted({step.response.served_by for step in steps if step.response.served_by}),
    }
