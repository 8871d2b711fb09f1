"""Sessions: the plan, model, judge and log header of one model's evaluation in Inspect."""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from inspect_ai.model import GenerateConfig, Model, get_model, model_roles

from affordance.core.config import resolve_ledger
from affordance.core.errors import UserError
from affordance.core.json_text import Json, canonical_json
from affordance.core.model_name import ModelName
from affordance.core.paths import cache_dir
from affordance.evaluation.dialect_calibration import CALIBRATED, calibrated_dialects
from affordance.evaluation.execution_config import ExecutionConfig, load_execution_config
from affordance.evaluation.model_set import ModelSet
from affordance.evaluation.plan import Plan, PlannedAttempt, build_plan, choose_run
from affordance.evaluation.requests import load_data
from affordance.evaluation.run_config import RunConfig
from affordance.integrations.inspect._compat import active_generate_config, close_at_loop_end
from affordance.integrations.inspect.conversion import from_generate_config
from affordance.integrations.inspect.log_schema import (
    LOG_FORMAT,
    LoggedCallSettings,
    LogHeader,
    pack_plan,
    to_plain_json,
)
from affordance.integrations.inspect.provider import PROVIDER, wrap_inspect_model
from affordance.ledger import RunRecord
from affordance.media import RenderCache
from affordance.media.loader import ThreadedMediaLoader
from affordance.models.model import ModelContext
from affordance.tasks.registry import TASKS

JUDGE_ROLE = "judge"  # the role of Inspect in which a model judges

TaskArguments = Mapping[str, Any]  # options of a task, and as `data` a SPEC


class InspectSession:
    """What one evaluation of Inspect needs of a task: plan, models and log header. Raises `UserError` for whatever the
    user must correct, before anything is sent."""

    def __init__(self, plan: Plan, arguments: TaskArguments, inspect_model: Model, config: GenerateConfig) -> None:
        (self.task,) = plan.config.tasks
        defaults = ExecutionConfig()
        execution = load_execution_config(defaults.concurrency, defaults.timeout, None)
        options = execution.model_options
        self.media_loader = ThreadedMediaLoader(RenderCache(cache_dir() / "pictures", plan.source_files()))
        self.context = ModelContext(
            self.media_loader, plan.questions().__getitem__, plan.config.seed, execution.timeout, options
        )
        judge = _judge(plan)
        self.model = wrap_inspect_model(inspect_model, self.context, execution.providers)
        self.judge = None if judge is None else wrap_inspect_model(judge, self.context, execution.providers)
        judge_name = None if self.judge is None else self.judge.name
        self.plan = with_judge_and_parameters(plan, judge_name, from_generate_config(config))
        pairs = [(one, of) for one, of in ((self.model, inspect_model), (self.judge, judge)) if one and of]
        execution = execution.replace(
            # Parameters that Inspect was given win over those of affordance.toml.
            model_options={
                one.name: {**options.get(one.name, {}), **from_generate_config(of.config)} for one, of in pairs
            },
        )
        is_calibrated = self.plan.config.dialect == CALIBRATED
        models = ModelSet(
            self.plan,
            [ModelName.parse(self.model.name)],
            self.media_loader,
            execution,
            calibrated=calibrated_dialects(resolve_ledger()) if is_calibrated else str,
            clients={one.name: one for one, _ in pairs},
        )
        run = choose_run({}, self.plan, None, fresh=False)
        self.planned = _attempts_by_sample_id(models.plan_attempts(run, self.model))
        self.judge_settings = models.judge_call_settings().get(self.task.name)
        self.header = self._log_header(run, models, arguments)
        self._closing: AsyncGenerator[None] | None = None

    def _log_header(self, run: RunRecord, models: ModelSet, arguments: TaskArguments) -> LogHeader:
        return LogHeader(
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

    async def use(self, on_close: Callable[[], object]) -> None:
        """Close the session when the running event loop ends."""
        if self._closing is not None:
            return

        async def close() -> None:
            on_close()
            self.media_loader.close()
            await self.model.close()
            if self.judge is not None:
                await self.judge.close()

        self._closing = await close_at_loop_end(close)


# Inspect builds solver, scorer and metrics from the task's arguments alone: they find plan and session here.
_PLANS: dict[str, Plan] = {}
_SESSIONS: dict[tuple[str, int, int], InspectSession] = {}  # by arguments, model and model in the role of the judge


def open_session(task: str, arguments: TaskArguments, warn: Callable[[str], None]) -> InspectSession:
    """A new session for the model that Inspect evaluates. `warn` is called with warnings about the dataset."""
    _PLANS[_plan_key(task, arguments)] = _build_plan(task, arguments, warn)
    return _open_session(task, arguments)


async def current_session(task: str, arguments: TaskArguments) -> InspectSession:
    """The session of the model that Inspect evaluates. It is closed when the evaluation's event loop ends."""
    key = _session_key(task, arguments)
    session = _SESSIONS.get(key) or _open_session(task, arguments)
    await session.use(lambda: _SESSIONS.pop(key, None))
    return session


def session_plan(task: str, arguments: TaskArguments) -> Plan:
    """The plan of a task with these arguments, for any model."""
    key = _plan_key(task, arguments)
    if key not in _PLANS:
        _PLANS[key] = _build_plan(task, arguments, lambda _: None)
    return _PLANS[key]


def _open_session(task: str, arguments: TaskArguments) -> InspectSession:
    session = InspectSession(session_plan(task, arguments), arguments, get_model(), active_generate_config())
    _SESSIONS[_session_key(task, arguments)] = session
    return session


def _session_key(task: str, arguments: TaskArguments) -> tuple[str, int, int]:
    return _plan_key(task, arguments), id(get_model()), id(_model_in_judge_role())


def _plan_key(task: str, arguments: TaskArguments) -> str:
    return canonical_json([task, dict(arguments)])


def _build_plan(name: str, arguments: TaskArguments, warn: Callable[[str], None]) -> Plan:
    tasks = [TASKS[name]]
    options = {key: value for key, value in arguments.items() if key != "data"}
    data = load_data(arguments.get("data"), tasks, cache_dir(), warn)
    return build_plan(RunConfig.from_options(tasks, options), data)


def with_judge_and_parameters(plan: Plan, judge: str | None, parameters: Mapping[str, Json]) -> Plan:
    """The plan with a judge, and with parameters for all models."""
    settings = plan.config.replace(judge=judge, parameters=parameters)
    return replace(plan, config=settings, identity={**plan.identity, **settings.identity(plan.prompts)})


def _model_in_judge_role() -> Model | None:
    return get_model(role=JUDGE_ROLE) if JUDGE_ROLE in model_roles() else None


def _judge(plan: Plan) -> Model | None:
    """The judge: the model in the role of Inspect, or the task's argument."""
    (task,) = plan.config.tasks
    if task.judge is None:
        return None
    if (found := _model_in_judge_role()) is not None:
        return found
    if plan.config.judge is None:
        raise UserError(
            f"{task.name} needs a judge: give --model-role {JUDGE_ROLE}=PROVIDER/MODEL, or -T judge=baseline:overlap "
            "to work offline"
        )
    return get_model(f"{PROVIDER}/{plan.config.judge}")


def _attempts_by_sample_id(planned: list[PlannedAttempt]) -> dict[str, PlannedAttempt]:
    """Attempts by sample id: the item, with as much of question, strategy and trial as makes the id unique."""
    questions: dict[str, set[str]] = {}
    for one in planned:
        questions.setdefault(one.question.item, set()).add(one.question.id)
    strategies = {one.attempt.strategy for one in planned}
    trials = {one.attempt.trial for one in planned}

    def sample_id(one: PlannedAttempt, digits: int) -> str:
        parts = [one.question.item]
        parts += [one.question.id[:digits]] if len(questions[one.question.item]) > 1 else []
        parts += [one.attempt.strategy] if len(strategies) > 1 else []
        parts += [str(one.attempt.trial)] if len(trials) > 1 else []
        return ".".join(parts)

    short = {sample_id(one, 6): one for one in planned}
    return short if len(short) == len(planned) else {sample_id(one, len(one.question.id)): one for one in planned}
