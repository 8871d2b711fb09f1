"""A job carried out: from names of models to verdicts in the ledger."""

import asyncio
import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace

from affordance.core.ask import CallSettings
from affordance.core.attempt import Attempt
from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.names import BUILTIN_PROVIDERS, ModelName
from affordance.evaluation.attempts import PlannedAttempt
from affordance.evaluation.budget import Budget, cost_of_run, require_price
from affordance.evaluation.commits import CommitWaiter
from affordance.evaluation.event_loop import run_async
from affordance.evaluation.interrupts import INTERRUPTED, handle_interrupts
from affordance.evaluation.media_loader import ThreadedMediaLoader
from affordance.evaluation.plan import Plan
from affordance.evaluation.progress import ModelProgress, RunProgress
from affordance.evaluation.request_queue import RequestQueue, RetryPolicy
from affordance.evaluation.response_cache import ResponseCache
from affordance.evaluation.runner import Executor, JudgeQueue
from affordance.evaluation.study_runs import changed_answers
from affordance.evaluation.unfinished import is_finished
from affordance.evaluation.unsaved_responses import UnsavedResponse, save_unsaved
from affordance.grounding.dialects import Dialect, dialect_prompt_digest
from affordance.grounding.selection import dialect_of, get_dialect
from affordance.ledger import Lease, Ledger, RunRecord
from affordance.models.answers import VersionedAnswers
from affordance.models.base import Model, ModelContext
from affordance.models.limits import without_limits
from affordance.models.parameters import without_null
from affordance.models.prices import FREE, Price, find_price, max_output_tokens
from affordance.models.providers import PROVIDERS, KeyVariables, Provider
from affordance.models.registry import build_model
from affordance.models.replay import ReplayModel
from affordance.tasks.task import Task

PLAN_BATCH_SIZE = 1000
LEDGER_SECONDS = 30.0
GC_THRESHOLD = 10_000  # new objects; Python's 700 are those of a dozen asks


@dataclass(frozen=True, slots=True)
class ExecutionConfig:
    """With what a job is carried out. Parameters of single models go into the address of each ask; nothing else here
    changes a result."""

    concurrency: int = 64
    budget: float | None = None
    timeout: float = 300.0
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    # Seconds to wait for a ledger that is locked, full or gone.
    ledger_timeout: float = field(default_factory=lambda: LEDGER_SECONDS)
    providers: Mapping[str, Provider] = field(default_factory=lambda: PROVIDERS)
    prices: Mapping[str, Price] = field(default_factory=dict)
    model_options: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)  # and limits, by model
    calibrated_dialect: Callable[[str], str] = str  # the dialect that calibration found, by a model's name
    study_answers: Callable[[str], VersionedAnswers] | None = None  # what was answered in a study, by its name
    clients: Mapping[str, Model] = field(default_factory=dict)  # models that are there already, by name
    sends_requests: bool = True  # False where it is only foreseen what would be asked
    key_env: KeyVariables = field(default_factory=dict)  # variables that hold keys, by model


class ModelSet:
    """The models of a job. Building them finds out what the user must put right before anything is asked."""

    def __init__(
        self, plan: Plan, names: Sequence[ModelName], media_loader: ThreadedMediaLoader, execution: ExecutionConfig
    ) -> None:
        judge = ModelName.parse(plan.config.judge) if plan.config.judge is not None else None
        questions = plan.questions()
        seed, own = plan.config.seed, execution.model_options
        surroundings = ModelContext(
            media_loader,
            questions.__getitem__,
            seed,
            execution.timeout,
            own,
            execution.study_answers,
            execution.sends_requests,
            execution.key_env,
        )
        self.plan = plan
        self.execution = execution
        self.media_size = media_loader.size

        def built(name: ModelName) -> Model:
            return execution.clients.get(str(name)) or build_model(name, surroundings, execution.providers)

        self.models = [built(name) for name in names]
        made = dict(zip(names, self.models, strict=True))
        self.judge = None if judge is None else made.get(judge) or built(judge)
        self._names = {model.name: name for model, name in zip(self.models, names, strict=True)}
        if judge is not None and self.judge is not None:
            self._names[self.judge.name] = judge
        self.warnings = {
            model.name: remark
            for model in self.models
            if isinstance(model, ReplayModel) and (remark := model.unmatched_warning(questions.values()))
        }
        if len({model.name for model in self.models}) < len(self.models):
            raise UserError("a model was named twice; name each --model once")
        needing = [task.name for task in plan.config.tasks if task.judge is not None]
        if judge is not None and (not needing or judge.looks_up_answers):
            raise UserError(f"{judge} cannot be the judge of {', '.join(task.name for task in plan.config.tasks)}")
        self.prices = {model.name: self._price(model) for model in self.all_models()}
        plan.config.check_judge()

    def call_settings(self, model: Model, task: Task) -> CallSettings:
        parameters = model.request_parameters(self.plan.config.model_parameters(task, self._own_parameters(model)))
        dialect = self.dialect(model, task)
        pack = self.plan.prompts[task.name].digest
        if dialect is None:
            return CallSettings(model.name, model.base_url, "", pack, parameters)
        return CallSettings(model.name, model.base_url, dialect.name, dialect_prompt_digest(dialect, pack), parameters)

    def judge_call_settings(self) -> dict[str, CallSettings]:
        """By judged task."""
        judge, settings = self.judge, self.plan.config
        if judge is None:
            return {}
        sent = {
            task.name: judge.request_parameters(settings.judge_parameters(task, self._own_parameters(judge)))
            for task in settings.tasks
            if task.judge is not None
        }
        return {
            name: CallSettings(judge.name, judge.base_url, "", self.plan.prompts[name].digest, parameters)
            for name, parameters in sent.items()
        }

    def all_call_settings(self, name: str) -> list[CallSettings]:
        """All that a model of this name is asked at, be it as one that answers or as the judge."""
        tasks = self.plan.config.tasks
        asked = [self.call_settings(model, task) for model in self.models if model.name == name for task in tasks]
        judging = self.judge_call_settings().values() if self.judge is not None and self.judge.name == name else ()
        return [*asked, *judging]

    def _own_parameters(self, model: Model) -> Mapping[str, Json]:
        return without_limits(self.execution.model_options.get(str(self._names[model.name]), {}))

    def dialect(self, model: Model, task: Task) -> Dialect | None:
        """How a model speaks coordinates: as the user says, as it was calibrated, or as its name tells. None for a
        task that has none."""
        if task.in_dialect is None:
            return None
        match self.plan.config.dialect:
            case None:
                return get_dialect(model.dialect) if model.dialect else dialect_of(self._names[model.name].model)[0]
            case "calibrated":
                return get_dialect(self.execution.calibrated_dialect(model.name))
            case name:
                return get_dialect(name)

    def all_models(self) -> list[Model]:
        return [*self.models, *([self.judge] if self.judge is not None and self.judge not in self.models else [])]

    def paid_models(self) -> list[str]:
        """Models whose answers cost requests: their own, or those of the judge."""
        judged = self.judge is not None and self._names[self.judge.name].provider not in BUILTIN_PROVIDERS
        return [
            model.name for model in self.models if judged or self._names[model.name].provider not in BUILTIN_PROVIDERS
        ]

    def _price(self, model: Model) -> Price:
        """What a model costs. A budget needs to know it before the first ask."""
        price = find_price(self._names[model.name], self.execution.prices)
        limited = all(
            max_output_tokens(address.parameters) is not None for address in self.all_call_settings(model.name)
        )
        how = "give --set max_tokens=N" if model in self.models else f"give it under {self._config_table(model)}"
        return require_price(model.name, price, limited, self.execution.budget, how)

    def _config_table(self, model: Model) -> str:
        return f'[models."{self._names[model.name]}"] in affordance.toml'

    def models_without_price(self) -> list[str]:
        return [
            model.name
            for model in self.all_models()
            if find_price(self._names[model.name], self.execution.prices) is None
        ]

    def cost(self, model: Model, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """In US dollars; None where there is no price, or no limit to what goes in or comes out."""
        price = find_price(self._names[model.name], self.execution.prices)
        if price == FREE:
            return 0.0
        if price is None or input_tokens is None or output_tokens is None:
            return None
        return price.cost(input_tokens, output_tokens)

    def plan_attempts(self, run: RunRecord, model: Model) -> list[PlannedAttempt]:
        """Every attempt of one model, in the order of the questions."""
        addresses = {task.name: self.call_settings(model, task) for task in self.plan.config.tasks}
        dialects = {task.name: self.dialect(model, task) for task in self.plan.config.tasks}
        found = []
        for task, trial in self.plan.task_trials():
            dialect = dialects[task.name]
            question = (
                trial.question
                if task.in_dialect is None or dialect is None
                else task.in_dialect(trial.question, dialect)
            )
            for strategy in self.plan.config.strategies:
                if strategy not in task.strategies:
                    continue
                found.append(
                    PlannedAttempt(
                        Attempt(run.id, question.id, model.name, strategy, trial.trial),
                        question,
                        task.strategies[strategy],
                        self.plan.prompts[task.name].texts,
                        task.score,
                        addresses[task.name],
                        self.plan.config.parse_retries_of(task),
                        task.judge,
                    )
                )
        return found

    async def close(self) -> None:
        for model in self.all_models():
            await model.close()


def execute_plan(
    models: ModelSet, ledger: Ledger, run: RunRecord, on_progress: Callable[[RunProgress], None] = lambda _: None
) -> RunProgress:
    """Carry the job out, or what of it is left. Ctrl-C (and SIGTERM) ask nothing more and wait for what is under
    way; a second one drops that too. `watch` is called now and then with how things stand. Raises `LeaseHeld` where
    another process does the same."""
    with ledger.lease(run, models.paid_models()) as lease:
        return run_async(_execute_plan(models, ledger, run, on_progress, lease))


async def _execute_plan(
    models: ModelSet, ledger: Ledger, run: RunRecord, on_progress: Callable[[RunProgress], None], lease: Lease
) -> RunProgress:
    ended = ledger.statuses(run.id)
    _check_call_settings(models, ledger, run)
    budget = Budget(models.execution.budget, cost_of_run(ledger, run.id, models.prices), models.media_size)
    progress = RunProgress(cost=None if models.models_without_price() else budget.spent, warnings=models.warnings)
    commits = CommitWaiter(ledger)
    work: list[tuple[RequestQueue, list[PlannedAttempt]]] = []
    for model in models.models:
        planned = models.plan_attempts(run, model)
        await _record_plan(ledger, commits, [one for one in planned if one.attempt.id not in ended])
        done = {one.attempt.id for one in planned if is_finished(one, model, ended)}
        done -= changed_answers(ledger, model, [one.attempt for one in planned if one.attempt.id in done])
        left = [one for one in planned if one.attempt.id not in done]
        progress.models[model.name] = ModelProgress(len(planned), len(planned) - len(left))
        work.append((_make_queue(models, model, budget), left))
    bench = None
    if (judge := models.judge) is not None:
        beside = next((lane for lane, _ in work if lane.model is judge), None)
        bench = JudgeQueue(_make_queue(models, judge, budget, beside), models.judge_call_settings())
    runner = Executor(ledger, commits, run.id, ResponseCache(ledger, run), budget, progress, bench, lease)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(models.close)
        _limit_garbage_collection(stack)
        running = asyncio.create_task(runner.execute(work, models.execution.concurrency))
        stack.enter_context(handle_interrupts(runner.interrupt, running.cancel))
        watcher = asyncio.create_task(_report_progress(progress, on_progress))
        stack.callback(watcher.cancel)
        try:
            await running
        except asyncio.CancelledError:
            progress.stop_reason = f"{INTERRUPTED} twice: what was under way is dropped"
    if runner.unsaved:
        progress.stop_reason += _save_unsaved(runner.unsaved, ledger)
    on_progress(progress)
    return progress


def _limit_garbage_collection(stack: AsyncExitStack) -> None:
    """Keep the garbage collector from walking through the plan again and again: it lives as long as the run, and with
    thousands of questions that costs more than the ledger does. Asks under way are hardly ever garbage either."""
    gc.freeze()
    stack.callback(gc.unfreeze)
    stack.callback(gc.set_threshold, *gc.get_threshold())
    gc.set_threshold(GC_THRESHOLD)


def _make_queue(
    models: ModelSet, model: Model, budget: Budget, shared_with: RequestQueue | None = None
) -> RequestQueue:
    return RequestQueue(
        model, models.prices[model.name], models.execution.concurrency, models.execution.retry, budget, shared_with
    )


async def _record_plan(ledger: Ledger, commits: CommitWaiter, planned: Sequence[PlannedAttempt]) -> None:
    for start in range(0, len(planned), PLAN_BATCH_SIZE):
        entries = [(one.attempt, one.question.task, one.question) for one in planned[start : start + PLAN_BATCH_SIZE]]
        await commits.wait(ledger.add_attempts(entries))


def _check_call_settings(models: ModelSet, ledger: Ledger, run: RunRecord) -> None:
    """A run that goes on must ask its models in the same way as before."""
    before = ledger.call_settings(run.id)
    for name, model in {model.name: model for model in models.all_models()}.items():
        now = models.all_call_settings(name)
        # Another command of the same run may ask the judge as one of its models.
        possible = [*now, *(models.call_settings(model, task) for task in models.plan.config.tasks)]
        as_now = {(one.settings_digest, one.dialect) for one in possible}  # the prompts are in the run's record
        for stored in before.get(name, []):
            address = replace(stored, parameters=without_null(stored.parameters))  # that version 1 sent
            if (address.settings_digest, address.dialect) not in as_now:
                was, is_now = _describe_call_settings(address), _describe_call_settings(now[0])
                raise UserError(f"run {run.name!r} asked {name} {was}, now it is {is_now}; give another --name")


def _describe_call_settings(call_settings: CallSettings) -> str:
    spoken = f" in the dialect {call_settings.dialect}" if call_settings.dialect else ""
    return f"at {call_settings.base_url or 'this computer'} with parameters {call_settings.parameters_text}{spoken}"


def _save_unsaved(unsaved: list[UnsavedResponse], ledger: Ledger) -> str:
    kept = [one for one in unsaved if not one.response.failed]
    if not kept:
        return ""
    path = save_unsaved(kept, ledger)
    if path is None:
        return f"; {len(kept)} replies could not be saved anywhere"
    return f"; {len(kept)} replies are saved in {path} and go into the ledger with the next run"


async def _report_progress(progress: RunProgress, on_progress: Callable[[RunProgress], None]) -> None:
    while True:
        on_progress(progress)
        await asyncio.sleep(0.25)
