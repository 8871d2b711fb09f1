"""Sessions: the plan, model, judge and log header of one model's evaluation in Inspect."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any, cast

from inspect_ai.model import GenerateConfig, Model, get_model, model_roles
from inspect_ai.model._generate_config import active_generate_config

from affordance.core.config import resolve_ledger
from affordance.core.errors import UserError
from affordance.core.json_text import Json, canonical_json
from affordance.core.model_name import ModelName
from affordance.core.paths import cache_dir
from affordance.evaluation.dialect_calibration import CALIBRATED, calibrated_dialects
from affordance.evaluation.execution_config import ExecutionConfig, load_execution_config
from affordance.evaluation.model_set import ModelSet
from affordance.evaluation.options import RunOptions
from affordance.evaluation.plan import Plan, PlannedAttempt, build_plan, choose_run
from affordance.evaluation.requests import load_data
from affordance.integrations.inspect.conversion import from_generate_config
from affordance.integrations.inspect.log_schema import (
    LOG_FORMAT,
    LoggedCallSettings,
    LogHeader,
    pack_plan,
    to_plain_json,
)
from affordance.integrations.inspect.provider import PROVIDER, wrap_inspect_model
from affordance.media import RenderCache
from affordance.media.loader import ThreadedMediaLoader
from affordance.models.model import ModelContext
from affordance.tasks.registry import TASKS

JUDGE_ROLE = "judge"  # the role of Inspect in which a model judges

TaskArguments = Mapping[str, Any]  # of a task: its options, and as `data` a SPEC


class InspectSession:
    """One model's part of a job. Building it finds out what the user must put right before anything is asked."""

    def __init__(self, plan: Plan, arguments: TaskArguments, inspect_model: Model, config: GenerateConfig) -> None:
        (self.task,) = plan.config.tasks
        usual = ExecutionConfig()
        means = load_execution_config(usual.concurrency, usual.timeout, None)
        own = means.model_options
        self.media_loader = ThreadedMediaLoader(RenderCache(cache_dir() / "pictures", plan.source_files()))
        self.context = ModelContext(
            self.media_loader, plan.questions().__getitem__, plan.config.seed, means.timeout, own
        )
        judge = _judge(plan)
        self.model = wrap_inspect_model(inspect_model, self.context, means.providers)
        self.judge = None if judge is None else wrap_inspect_model(judge, self.context, means.providers)
        judged_by = None if self.judge is None else self.judge.name
        self.plan = with_judge_and_parameters(plan, judged_by, from_generate_config(config))
        settings = self.plan.config
        everybody = [(one, of) for one, of in ((self.model, inspect_model), (self.judge, judge)) if one and of]
        means = replace(
            means,
            # What is said of a model in affordance.toml, and over it what Inspect was told.
            model_options={
                one.name: {**own.get(one.name, {}), **from_generate_config(of.config)} for one, of in everybody
            },
            clients={one.name: one for one, _ in everybody},
        )
        if settings.dialect == CALIBRATED:
            means = replace(means, calibrated_dialect=calibrated_dialects(resolve_ledger()))
        models = ModelSet(self.plan, [ModelName.parse(self.model.name)], self.media_loader, means)
        run = choose_run({}, self.plan, None, fresh=False)
        self.planned = _name_attempts(models.plan_attempts(run, self.model))
        self.judge_settings = models.judge_call_settings().get(self.task.name)
        self.header = LogHeader(
            format=LOG_FORMAT,
            version=version("affordance"),
            run=run.id,
            name=run.name,
            settings=to_plain_json(run.settings),
            dataset=to_plain_json(run.dataset),
            task=self.task.name,
            model=LoggedCallSettings.of(models.call_settings(self.model, self.task)),
            judge=None if self.judge_settings is None else LoggedCallSettings.of(self.judge_settings),
            plan=pack_plan(self.planned.values()),
            arguments=to_plain_json(arguments),
        )


# What a task was made of, for its solver, its scorer and its metrics, which Inspect makes from their arguments.
_PLANS: dict[str, Plan] = {}
_SESSIONS: dict[tuple[str, int, int], InspectSession] = {}  # by that, and by the models


def open_session(task: str, arguments: TaskArguments, warn: Callable[[str], None]) -> InspectSession:
    """A new sitting for the model that is being evaluated. `remark` is told what is odd about the data."""
    key = _key(task, arguments)
    _PLANS[key] = make_session_plan(task, arguments, warn)
    model = get_model()
    found = _SESSIONS[key, id(model), id(_model_in_judge_role())] = InspectSession(
        _PLANS[key], arguments, model, active_generate_config()
    )
    return found


def current_session(task: str, arguments: TaskArguments) -> InspectSession:
    """The sitting of the model that is being evaluated."""
    found = _SESSIONS.get((_key(task, arguments), id(get_model()), id(_model_in_judge_role())))
    return found or open_session(task, arguments, lambda _: None)


def session_plan(task: str, arguments: TaskArguments) -> Plan:
    """What is planned, whoever is asked."""
    key = _key(task, arguments)
    if key not in _PLANS:
        _PLANS[key] = make_session_plan(task, arguments, lambda _: None)
    return _PLANS[key]


def _key(task: str, arguments: TaskArguments) -> str:
    return canonical_json([task, dict(arguments)])


def make_session_plan(name: str, arguments: TaskArguments, warn: Callable[[str], None]) -> Plan:
    """What arguments of a task ask for, but for whom."""
    tasks = [TASKS[name]]
    options = cast(RunOptions, {key: value for key, value in arguments.items() if key != "data"})
    return build_plan(RunConfig.from_options(tasks, options), load_data(arguments.get("data"), tasks, cache_dir(), warn))


def with_judge_and_parameters(plan: Plan, judge: str | None, parameters: Mapping[str, Json]) -> Plan:
    """The same for those who are asked: the judge, and the parameters that all models are given."""
    settings = plan.config.replace(judge=judge, parameters=parameters)
    return replace(plan, config=settings, identity={**plan.identity, **settings.identity(plan.prompts)})


def _model_in_judge_role() -> Model | None:
    return get_model(role=JUDGE_ROLE) if JUDGE_ROLE in model_roles() else None


def _judge(plan: Plan) -> Model | None:
    """Who judges: the model in the role, or the one that the task was given."""
    (task,) = plan.config.tasks
    if task.judge is None:
        return None
    if (found := _model_in_judge_role()) is not None:
        return found
    if plan.config.judge is None:
        raise UserError(
            f"{task.name} needs a judge: give --model-role {JUDGE_ROLE}=PROVIDER/MODEL, "
            "or -T judge=baseline:overlap offline"
        )
    return get_model(f"{PROVIDER}/{plan.config.judge}")


def _name_attempts(planned: list[PlannedAttempt]) -> dict[str, PlannedAttempt]:
    """By a name to read and to type: the item, and of question, strategy and trial what it takes to tell them apart."""
    questions: dict[str, set[str]] = {}
    for one in planned:
        questions.setdefault(one.question.item, set()).add(one.question.id)
    strategies = {one.attempt.strategy for one in planned}
    trials = {one.attempt.trial for one in planned}

    def name(one: PlannedAttempt, digits: int) -> str:
        parts = [one.question.item]
        parts += [one.question.id[:digits]] if len(questions[one.question.item]) > 1 else []
        parts += [one.attempt.strategy] if len(strategies) > 1 else []
        parts += [str(one.attempt.trial)] if len(trials) > 1 else []
        return ".".join(parts)

    short = {name(one, 6): one for one in planned}
    return short if len(short) == len(planned) else {name(one, len(one.question.id)): one for one in planned}
