"""A job of ours as an evaluation of Inspect: what is planned, who is asked, and the record of it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any, cast

from inspect_ai.model import GenerateConfig, Model, get_model, model_roles
from inspect_ai.model._generate_config import active_generate_config

from affordance.bridge.inspect.messages import parameters_of
from affordance.bridge.inspect.provider import PROVIDER, of_inspect
from affordance.bridge.inspect.record import FORMAT, Header, Recipient, packed, plain
from affordance.core.config import resolve_ledger
from affordance.core.digest import Json, canonical
from affordance.core.errors import UserError
from affordance.core.names import ModelName
from affordance.core.places import cache_folder
from affordance.media import Darkroom
from affordance.models.base import Surroundings
from affordance.run.driving import Planned
from affordance.run.execute import Cast, Means
from affordance.run.gallery import RenderedGallery
from affordance.run.job import Job, choose_run, make_job
from affordance.run.options import Options, means_of, settings_of
from affordance.run.profiles import CALIBRATED, calibrated
from affordance.run.requests import data_of
from affordance.suites.registry import TASKS

ROLE = "judge"  # the role of Inspect in which a model judges

Arguments = Mapping[str, Any]  # of a task: its options, and as `data` a SPEC


class Sitting:
    """One model's part of a job. Building it finds out what the user must put right before anything is asked."""

    def __init__(self, job: Job, arguments: Arguments, theirs: Model, config: GenerateConfig) -> None:
        (self.task,) = job.settings.tasks
        usual = Means()
        means = means_of(usual.concurrency, usual.timeout, None)
        own = means.parameters_of
        self.gallery = RenderedGallery(Darkroom(cache_folder() / "pictures", job.files()))
        self.surroundings = Surroundings(
            self.gallery, job.questions().__getitem__, job.settings.seed, means.timeout, own
        )
        judge = _judge(job)
        self.model = of_inspect(theirs, self.surroundings, means.providers)
        self.judge = None if judge is None else of_inspect(judge, self.surroundings, means.providers)
        judged_by = None if self.judge is None else self.judge.name
        self.job = asked_with(job, judged_by, parameters_of(config))
        settings = self.job.settings
        everybody = [(one, of) for one, of in ((self.model, theirs), (self.judge, judge)) if one and of]
        means = replace(
            means,
            # What is said of a model in affordance.toml, and over it what Inspect was told.
            parameters_of={one.name: {**own.get(one.name, {}), **parameters_of(of.config)} for one, of in everybody},
            built={one.name: one for one, _ in everybody},
        )
        if settings.dialect == CALIBRATED:
            means = replace(means, calibrated=calibrated(resolve_ledger()))
        models = Cast(self.job, [ModelName.parse(self.model.name)], self.gallery, means)
        run = choose_run({}, self.job, None, fresh=False)
        self.planned = _named(models.planned(run, self.model))
        self.judged_at = models.judge_addresses().get(self.task.name)
        self.header = Header(
            format=FORMAT,
            version=version("affordance"),
            run=run.id,
            name=run.name,
            settings=plain(run.settings),
            dataset=plain(run.dataset),
            task=self.task.name,
            model=Recipient.of(models.address(self.model, self.task)),
            judge=None if self.judged_at is None else Recipient.of(self.judged_at),
            plan=packed(self.planned.values()),
            arguments=plain(arguments),
        )


# What a task was made of, for its solver, its scorer and its metrics, which Inspect makes from their arguments.
_JOBS: dict[str, Job] = {}
_SITTINGS: dict[tuple[str, int, int], Sitting] = {}  # by that, and by the models


def sit_down(task: str, arguments: Arguments, remark: Callable[[str], None]) -> Sitting:
    """A new sitting for the model that is being evaluated. `remark` is told what is odd about the data."""
    key = _key(task, arguments)
    _JOBS[key] = new_job(task, arguments, remark)
    theirs = get_model()
    found = _SITTINGS[key, id(theirs), id(_in_role())] = Sitting(
        _JOBS[key], arguments, theirs, active_generate_config()
    )
    return found


def sitting_of(task: str, arguments: Arguments) -> Sitting:
    """The sitting of the model that is being evaluated."""
    found = _SITTINGS.get((_key(task, arguments), id(get_model()), id(_in_role())))
    return found or sit_down(task, arguments, lambda _: None)


def job_of(task: str, arguments: Arguments) -> Job:
    """What is planned, whoever is asked."""
    key = _key(task, arguments)
    if key not in _JOBS:
        _JOBS[key] = new_job(task, arguments, lambda _: None)
    return _JOBS[key]


def _key(task: str, arguments: Arguments) -> str:
    return canonical([task, dict(arguments)])


def new_job(name: str, arguments: Arguments, remark: Callable[[str], None]) -> Job:
    """What arguments of a task ask for, but for whom."""
    tasks = [TASKS[name]]
    options = cast(Options, {key: value for key, value in arguments.items() if key != "data"})
    return make_job(settings_of(tasks, options), data_of(arguments.get("data"), tasks, cache_folder(), remark))


def asked_with(job: Job, judge: str | None, parameters: Mapping[str, Json]) -> Job:
    """The same for those who are asked: the judge, and the parameters that all models are given."""
    settings = replace(job.settings, judge=judge, parameters=parameters)
    return replace(job, settings=settings, record={**job.record, **settings.record(job.packs)})


def _in_role() -> Model | None:
    return get_model(role=ROLE) if ROLE in model_roles() else None


def _judge(job: Job) -> Model | None:
    """Who judges: the model in the role, or the one that the task was given."""
    (task,) = job.settings.tasks
    if task.judging is None:
        return None
    if (found := _in_role()) is not None:
        return found
    if job.settings.judge is None:
        raise UserError(
            f"{task.name} needs a judge: give --model-role {ROLE}=PROVIDER/MODEL, or -T judge=baseline:overlap offline"
        )
    return get_model(f"{PROVIDER}/{job.settings.judge}")


def _named(planned: list[Planned]) -> dict[str, Planned]:
    """By a name to read and to type: the item, and of question, strategy and trial what it takes to tell them apart."""
    questions: dict[str, set[str]] = {}
    for one in planned:
        questions.setdefault(one.question.item, set()).add(one.question.id)
    strategies = {one.attempt.strategy for one in planned}
    trials = {one.attempt.trial for one in planned}

    def name(one: Planned, digits: int) -> str:
        parts = [one.question.item]
        parts += [one.question.id[:digits]] if len(questions[one.question.item]) > 1 else []
        parts += [one.attempt.strategy] if len(strategies) > 1 else []
        parts += [str(one.attempt.trial)] if len(trials) > 1 else []
        return ".".join(parts)

    short = {name(one, 6): one for one in planned}
    return short if len(short) == len(planned) else {name(one, len(one.question.id)): one for one in planned}
