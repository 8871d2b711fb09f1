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
from affordance.datasets import Collection, Dataset, Header, alone
from affordance.models.limits import without_limits
from affordance.run.execute import Means
from affordance.run.judged import Unit
from affordance.run.session import Request
from affordance.run.settings import Settings, judge_parameters
from affordance.suites.prompts import load_pack
from affordance.suites.task import Design, Protocol, Task, Trial

OWN, OTHER = "own", "other"  # orders of the texts: that of the run, and the other one
ORDER = "order"
CALIBRATION = "judge/"  # how the names of tasks begin in which a judge is measured


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled judgement, with what is to be asked about it."""

    unit: Unit
    human: float  # from 0 to 1
    weight: float
    own: Question
    other: Question | None  # in the other order of the texts; None where the order is part of what is asked


@dataclass(frozen=True, slots=True)
class Exam:
    """Which judge is examined, and with what."""

    judge: ModelName
    task: Task  # the judged one
    ledger: str
    pictures: Path  # the folder of the picture cache, which stays empty
    repeats: int = 3
    prompts: Path | None = None
    means: Means = field(default_factory=Means)


def request(exam: Exam, cases: Sequence[Case], max_tokens: int | None) -> Request:
    """`max_tokens` is how long a judgement may be in the runs that the cases are from."""
    if exam.judge.looks_up_answers:
        raise UserError(f"{exam.judge} cannot be a judge: it answers only what is known already")
    if exam.repeats < 1:
        raise UserError(f"--repeats: expected a number above 0, found {exam.repeats}")
    settings = Settings(tasks=(_asking(exam, cases, max_tokens),), strategies=("judge",), trials=exam.repeats)
    return Request(settings, _data(exam.task), (exam.judge,), exam.ledger, exam.pictures, means=exam.means)


def _asking(exam: Exam, cases: Sequence[Case], max_tokens: int | None) -> Task:
    """Not a task of the leaderboard: the judge is the model that is asked."""
    task, name = exam.task, f"{CALIBRATION}{exam.task.name.rpartition('/')[2]}"
    judging, how = task.judging, _how(exam)
    assert judging is not None, f"{task.name} is not judged"
    own = without_limits(exam.means.parameters_of.get(str(exam.judge), {}))
    parameters = judge_parameters(task, own, max_tokens)

    def questions(_: Collection, design: Design) -> Iterator[Trial]:
        for case in cases:
            first = case.unit.subject.trial  # that the run's judgement was asked in
            for repeat in range(design.trials):
                yield Trial(_question(name, case, OWN, case.own, how), first + repeat)
            if case.other is not None:
                yield Trial(_question(name, case, OTHER, case.other, how), first)

    return Task(
        name=name,
        summary=f"Judge answers to {task.name} that people have judged.",
        kinds=task.kinds,
        noun="judgement",
        options=frozenset(),
        protocols={"affordance": Protocol(1, task.protocols["affordance"].order, parameters=parameters)},
        prompts=task.prompts,
        texts=load_pack(task, exam.prompts).texts,
        strategies={"judge": judging.strategy},
        questions=questions,
        read=judging.read,
        metrics=lambda _: {},
        floors=lambda _: {},
        ideal=lambda question, grammar: None,
        beside=str,
    )


def _how(exam: Exam) -> str:
    """Who is asked how: another judge, or the same one asked otherwise, makes another run."""
    name = str(exam.judge)
    provider = exam.means.providers.get(exam.judge.provider)
    where = public_url(provider.base_url) if provider is not None else ""
    own: Mapping[str, Json] = exam.means.parameters_of.get(name, {})
    return digest("how", name, where, dict(own))


def _question(task: str, case: Case, order: str, asked: Question, how: str) -> Question:
    """What stands for its truth is in the identity of the run."""
    return replace(
        asked,
        task=task,
        item=case.unit.id,
        axes={ORDER: order},
        truth=digest("asked", how, dict(asked.fields)),
        tags={ORDER: order},
        cluster="",
    )


def _data(task: Task) -> Collection:
    """No items: what is asked about is in the ledger."""
    described = {
        "format": 1,
        "kind": task.kinds[0],
        "name": f"labelled judgements of {task.name}",
        "licence": "unknown",
        "provenance": "labels by people",
        "synthetic": False,
    }
    return alone(Dataset(Path(), Header.model_validate(described), ()))
