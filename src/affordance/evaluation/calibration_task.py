"""Judgements asked again to measure a judge: the texts of labelled judgements, several times and in both orders, as a
task of its own through the same runner. Prompts, parameters and texts are those of a run's judgements, and so are the
keys of the asks: nothing is asked twice."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from affordance.core.digest import Json, digest
from affordance.core.errors import UserError
from affordance.core.names import ModelName, public_url
from affordance.core.question import Question
from affordance.datasets import Collection, Dataset, Header, single_dataset
from affordance.evaluation.execute import ExecutionConfig
from affordance.evaluation.run import RunRequest
from affordance.evaluation.settings import RunConfig, default_judge_parameters
from affordance.judging.judgements import JudgedUnit
from affordance.models.limits import without_limits
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.task import Design, Protocol, Task, Trial

OWN_ORDER, OTHER_ORDER = "own", "other"  # orders of the texts: that of the run, and the other one
ORDER_AXIS = "order"
CALIBRATION_PREFIX = "judge/"  # how the names of tasks begin in which a judge is measured


@dataclass(frozen=True, slots=True)
class CalibrationCase:
    """A labelled judgement, with what is to be asked about it."""

    unit: JudgedUnit
    human: float  # from 0 to 1
    weight: float
    question: Question
    swapped_question: Question | None  # in the other order of the texts; None where the order is part of what is asked


@dataclass(frozen=True, slots=True)
class JudgeCalibrationConfig:
    """Which judge is examined, and with what."""

    judge: ModelName
    task: Task  # the judged one
    ledger: str
    render_cache: Path  # the folder of the picture cache, which stays empty
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
        raise UserError(f"--repeats: expected a number above 0, found {config.repeats}")
    settings = RunConfig(
        tasks=(_calibration_task(config, cases, max_tokens),), strategies=("judge",), trials=config.repeats
    )
    return RunRequest(
        settings,
        _empty_collection(config.task),
        (config.judge,),
        config.ledger,
        config.render_cache,
        execution=config.execution,
    )


def _calibration_task(config: JudgeCalibrationConfig, cases: Sequence[CalibrationCase], max_tokens: int | None) -> Task:
    """Not a task of the leaderboard: the judge is the model that is asked."""
    task, name = config.task, f"{CALIBRATION_PREFIX}{config.task.name.rpartition('/')[2]}"
    judging, how = task.judge, _judge_settings_digest(config)
    assert judging is not None, f"{task.name} is not judged"
    own = without_limits(config.execution.model_options.get(str(config.judge), {}))
    parameters = default_judge_parameters(task, own, max_tokens)

    def questions(_: Collection, design: Design) -> Iterator[Trial]:
        for case in cases:
            first = case.unit.subject.trial  # that the run's judgement was asked in
            for repeat in range(design.trials):
                yield Trial(_question(name, case, OWN_ORDER, case.question, how), first + repeat)
            if case.swapped_question is not None:
                yield Trial(_question(name, case, OTHER_ORDER, case.swapped_question, how), first)

    return Task(
        name=name,
        summary=f"Judge answers to {task.name} that people have judged.",
        dataset_kinds=task.dataset_kinds,
        item_noun="judgement",
        options=frozenset(),
        protocols={"affordance": Protocol(1, task.protocols["affordance"].option_order, sampling=parameters)},
        prompts=task.prompts,
        texts=load_prompt_pack(task, config.prompts).texts,
        strategies={"judge": judging.strategy},
        questions=questions,
        score=judging.score,
        metrics=lambda _: {},
        trivial_baselines=lambda _: {},
        correct_answer=lambda question, grammar: None,
        external_truth=str,
    )


def _judge_settings_digest(config: JudgeCalibrationConfig) -> str:
    """Who is asked how: another judge, or the same one asked otherwise, makes another run."""
    name = str(config.judge)
    provider = config.execution.providers.get(config.judge.provider)
    where = public_url(provider.base_url) if provider is not None else ""
    own: Mapping[str, Json] = config.execution.model_options.get(name, {})
    return digest("how", name, where, dict(own))


def _question(task: str, case: CalibrationCase, order: str, question: Question, settings_digest: str) -> Question:
    """What stands for its truth is in the identity of the run."""
    return replace(
        question,
        task=task,
        item=case.unit.id,
        axes={ORDER_AXIS: order},
        truth=digest("asked", settings_digest, dict(question.prompt_fields)),
        tags={ORDER_AXIS: order},
        cluster="",
    )


def _empty_collection(task: Task) -> Collection:
    """No items: what is asked about is in the ledger."""
    described = {
        "format": 1,
        "kind": task.dataset_kinds[0],
        "name": f"labelled judgements of {task.name}",
        "licence": "unknown",
        "provenance": "labels by people",
        "synthetic": False,
    }
    return single_dataset(Dataset(Path(), Header.model_validate(described), ()))
