"""A job carried out: from names of models to verdicts in the ledger."""

import asyncio
import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace

from affordance.core.ask import Address
from affordance.core.attempt import Attempt
from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.names import BUILT_IN, ModelName
from affordance.grounding.dialects import Dialect, pack_with
from affordance.grounding.selection import dialect_named, dialect_of
from affordance.ledger import Lease, Ledger, Run
from affordance.models.answers import Answers
from affordance.models.base import Model, Surroundings
from affordance.models.limits import without_limits
from affordance.models.parameters import without_null
from affordance.models.prices import FREE, Price, most_output, price_of
from affordance.models.providers import PROVIDERS, KeyVariables, Provider
from affordance.models.registry import build
from affordance.models.replay import Replay
from affordance.run.budget import Budget, price_for, spent_on
from affordance.run.commits import Commits
from affordance.run.driving import Planned
from affordance.run.gallery import RenderedGallery
from affordance.run.job import Job
from affordance.run.lane import Lane, Patience
from affordance.run.loop import in_loop
from affordance.run.people import changed_since
from affordance.run.progress import ModelProgress, Progress
from affordance.run.rescue import Rescued, save
from affordance.run.response_cache import ResponseCache
from affordance.run.runner import Bench, Runner
from affordance.run.signals import INTERRUPTED, interruptible
from affordance.run.unfinished import is_finished
from affordance.suites.task import Task

PLAN_AT_ONCE = 1000
LEDGER_SECONDS = 30.0
COLLECT_AFTER = 10_000  # new objects; Python's 700 are those of a dozen asks


@dataclass(frozen=True, slots=True)
class Means:
    """With what a job is carried out. Parameters of single models go into the address of each ask; nothing else here
    changes a result."""

    concurrency: int = 64
    budget: float | None = None
    timeout: float = 300.0
    patience: Patience = field(default_factory=Patience)
    # Seconds to wait for a ledger that is locked, full or gone.
    ledger_patience: float = field(default_factory=lambda: LEDGER_SECONDS)
    providers: Mapping[str, Provider] = field(default_factory=lambda: PROVIDERS)
    prices: Mapping[str, Price] = field(default_factory=dict)
    parameters_of: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)  # and limits, by model
    calibrated: Callable[[str], str] = str  # the dialect that calibration found, by a model's name
    people: Callable[[str], Answers] | None = None  # what was answered in a study, by its name
    built: Mapping[str, Model] = field(default_factory=dict)  # models that are there already, by name
    asks: bool = True  # False where it is only foreseen what would be asked
    key_env: KeyVariables = field(default_factory=dict)  # variables that hold keys, by model


class Cast:
    """The models of a job. Building them finds out what the user must put right before anything is asked."""

    def __init__(self, job: Job, names: Sequence[ModelName], gallery: RenderedGallery, means: Means) -> None:
        judge = ModelName.parse(job.settings.judge) if job.settings.judge is not None else None
        questions = job.questions()
        seed, own = job.settings.seed, means.parameters_of
        surroundings = Surroundings(
            gallery, questions.__getitem__, seed, means.timeout, own, means.people, means.asks, means.key_env
        )
        self.job = job
        self.means = means
        self.size_of = gallery.size

        def built(name: ModelName) -> Model:
            return means.built.get(str(name)) or build(name, surroundings, means.providers)

        self.models = [built(name) for name in names]
        made = dict(zip(names, self.models, strict=True))
        self.judge = None if judge is None else made.get(judge) or built(judge)
        self._names = {model.name: name for model, name in zip(self.models, names, strict=True)}
        if judge is not None and self.judge is not None:
            self._names[self.judge.name] = judge
        self.remarks = {
            model.name: remark
            for model in self.models
            if isinstance(model, Replay) and (remark := model.remark(questions.values()))
        }
        if len({model.name for model in self.models}) < len(self.models):
            raise UserError("a model was named twice; name each --model once")
        needing = [task.name for task in job.settings.tasks if task.judging is not None]
        if judge is not None and (not needing or judge.looks_up_answers):
            raise UserError(f"{judge} cannot be the judge of {', '.join(task.name for task in job.settings.tasks)}")
        self.prices = {model.name: self._price(model) for model in self.everybody()}
        job.settings.check_judge()

    def address(self, model: Model, task: Task) -> Address:
        parameters = model.sent(self.job.settings.sampling(task, self._own(model)))
        dialect = self.dialect(model, task)
        pack = self.job.packs[task.name].digest
        if dialect is None:
            return Address(model.name, model.base_url, "", pack, parameters)
        return Address(model.name, model.base_url, dialect.name, pack_with(dialect, pack), parameters)

    def judge_addresses(self) -> dict[str, Address]:
        """By judged task."""
        judge, settings = self.judge, self.job.settings
        if judge is None:
            return {}
        sent = {
            task.name: judge.sent(settings.sampling_of_judge(task, self._own(judge)))
            for task in settings.tasks
            if task.judging is not None
        }
        return {
            name: Address(judge.name, judge.base_url, "", self.job.packs[name].digest, parameters)
            for name, parameters in sent.items()
        }

    def addresses(self, name: str) -> list[Address]:
        """All that a model of this name is asked at, be it as one that answers or as the judge."""
        tasks = self.job.settings.tasks
        asked = [self.address(model, task) for model in self.models if model.name == name for task in tasks]
        judging = self.judge_addresses().values() if self.judge is not None and self.judge.name == name else ()
        return [*asked, *judging]

    def _own(self, model: Model) -> Mapping[str, Json]:
        return without_limits(self.means.parameters_of.get(str(self._names[model.name]), {}))

    def dialect(self, model: Model, task: Task) -> Dialect | None:
        """How a model speaks coordinates: as the user says, as it was calibrated, or as its name tells. None for a
        task that has none."""
        if task.spoken is None:
            return None
        match self.job.settings.dialect:
            case None:
                return dialect_named(model.dialect) if model.dialect else dialect_of(self._names[model.name].model)[0]
            case "calibrated":
                return dialect_named(self.means.calibrated(model.name))
            case name:
                return dialect_named(name)

    def everybody(self) -> list[Model]:
        return [*self.models, *([self.judge] if self.judge is not None and self.judge not in self.models else [])]

    def paid_models(self) -> list[str]:
        """Models whose answers cost requests: their own, or those of the judge."""
        judged = self.judge is not None and self._names[self.judge.name].provider not in BUILT_IN
        return [model.name for model in self.models if judged or self._names[model.name].provider not in BUILT_IN]

    def _price(self, model: Model) -> Price:
        """What a model costs. A budget needs to know it before the first ask."""
        price = price_of(self._names[model.name], self.means.prices)
        limited = all(most_output(address.parameters) is not None for address in self.addresses(model.name))
        how = "give --set max_tokens=N" if model in self.models else f"give it under {self._table(model)}"
        return price_for(model.name, price, limited, self.means.budget, how)

    def _table(self, model: Model) -> str:
        return f'[models."{self._names[model.name]}"] in affordance.toml'

    def unpriced(self) -> list[str]:
        return [
            model.name for model in self.everybody() if price_of(self._names[model.name], self.means.prices) is None
        ]

    def cost(self, model: Model, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """In US dollars; None where there is no price, or no limit to what goes in or comes out."""
        price = price_of(self._names[model.name], self.means.prices)
        if price == FREE:
            return 0.0
        if price is None or input_tokens is None or output_tokens is None:
            return None
        return price.of(input_tokens, output_tokens)

    def planned(self, run: Run, model: Model) -> list[Planned]:
        """Every attempt of one model, in the order of the questions."""
        addresses = {task.name: self.address(model, task) for task in self.job.settings.tasks}
        dialects = {task.name: self.dialect(model, task) for task in self.job.settings.tasks}
        found = []
        for task, trial in self.job.all():
            dialect = dialects[task.name]
            question = (
                trial.question if task.spoken is None or dialect is None else task.spoken(trial.question, dialect)
            )
            for strategy in self.job.settings.strategies:
                if strategy not in task.strategies:
                    continue
                found.append(
                    Planned(
                        Attempt(run.id, question.id, model.name, strategy, trial.number),
                        question,
                        task.strategies[strategy],
                        self.job.packs[task.name].texts,
                        task.read,
                        addresses[task.name],
                        self.job.settings.reasks_of(task),
                        task.judging,
                    )
                )
        return found

    async def close(self) -> None:
        for model in self.everybody():
            await model.close()


def execute(cast: Cast, ledger: Ledger, run: Run, watch: Callable[[Progress], None] = lambda _: None) -> Progress:
    """Carry the job out, or what of it is left. Ctrl-C (and SIGTERM) ask nothing more and wait for what is under
    way; a second one drops that too. `watch` is called now and then with how things stand. Raises `LeaseHeld` where
    another process does the same."""
    with ledger.lease(run, cast.paid_models()) as lease:
        return in_loop(_execute(cast, ledger, run, watch, lease))


async def _execute(cast: Cast, ledger: Ledger, run: Run, watch: Callable[[Progress], None], lease: Lease) -> Progress:
    ended = ledger.ended(run.id)
    _check_addresses(cast, ledger, run)
    budget = Budget(cast.means.budget, spent_on(ledger, run.id, cast.prices), cast.size_of)
    progress = Progress(spent=None if cast.unpriced() else budget.spent, remarks=cast.remarks)
    commits = Commits(ledger)
    work: list[tuple[Lane, list[Planned]]] = []
    for model in cast.models:
        planned = cast.planned(run, model)
        await _record_plan(ledger, commits, [one for one in planned if one.attempt.id not in ended])
        done = {one.attempt.id for one in planned if is_finished(one, model, ended)}
        done -= changed_since(ledger, model, [one.attempt for one in planned if one.attempt.id in done])
        left = [one for one in planned if one.attempt.id not in done]
        progress.models[model.name] = ModelProgress(len(planned), len(planned) - len(left))
        work.append((_lane(cast, model, budget), left))
    bench = None
    if (judge := cast.judge) is not None:
        beside = next((lane for lane, _ in work if lane.model is judge), None)
        bench = Bench(_lane(cast, judge, budget, beside), cast.judge_addresses())
    runner = Runner(ledger, commits, run.id, ResponseCache(ledger, run), budget, progress, bench, lease)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(cast.close)
        _spare_the_plan(stack)
        running = asyncio.create_task(runner.run(work, cast.means.concurrency))
        stack.enter_context(interruptible(runner.interrupt, running.cancel))
        watcher = asyncio.create_task(_watch(progress, watch))
        stack.callback(watcher.cancel)
        try:
            await running
        except asyncio.CancelledError:
            progress.interrupted = f"{INTERRUPTED} twice: what was under way is dropped"
    if runner.unwritten:
        progress.interrupted += _saved(runner.unwritten, ledger)
    watch(progress)
    return progress


def _spare_the_plan(stack: AsyncExitStack) -> None:
    """Keep the garbage collector from walking through the plan again and again: it lives as long as the run, and with
    thousands of questions that costs more than the ledger does. Asks under way are hardly ever garbage either."""
    gc.freeze()
    stack.callback(gc.unfreeze)
    stack.callback(gc.set_threshold, *gc.get_threshold())
    gc.set_threshold(COLLECT_AFTER)


def _lane(cast: Cast, model: Model, budget: Budget, beside: Lane | None = None) -> Lane:
    return Lane(model, cast.prices[model.name], cast.means.concurrency, cast.means.patience, budget, beside)


async def _record_plan(ledger: Ledger, commits: Commits, planned: Sequence[Planned]) -> None:
    for start in range(0, len(planned), PLAN_AT_ONCE):
        entries = [(one.attempt, one.question.task, one.question) for one in planned[start : start + PLAN_AT_ONCE]]
        await commits.of(ledger.plan(entries))


def _check_addresses(cast: Cast, ledger: Ledger, run: Run) -> None:
    """A run that goes on must ask its models in the same way as before."""
    before = ledger.addresses(run.id)
    for name, model in {model.name: model for model in cast.everybody()}.items():
        now = cast.addresses(name)
        # Another command of the same run may ask the judge as one of its models.
        possible = [*now, *(cast.address(model, task) for task in cast.job.settings.tasks)]
        as_now = {(one.settings_digest, one.dialect) for one in possible}  # the prompts are in the run's record
        for stored in before.get(name, []):
            address = replace(stored, parameters=without_null(stored.parameters))  # that version 1 sent
            if (address.settings_digest, address.dialect) not in as_now:
                was, is_now = _put(address), _put(now[0])
                raise UserError(f"run {run.name!r} asked {name} {was}, now it is {is_now}; give another --name")


def _put(address: Address) -> str:
    spoken = f" in the dialect {address.dialect}" if address.dialect else ""
    return f"at {address.base_url or 'this computer'} with parameters {address.parameters_text}{spoken}"


def _saved(unwritten: list[Rescued], ledger: Ledger) -> str:
    kept = [one for one in unwritten if not one.reply.failed]
    if not kept:
        return ""
    path = save(kept, ledger)
    if path is None:
        return f"; {len(kept)} replies could not be saved anywhere"
    return f"; {len(kept)} replies are saved in {path} and go into the ledger with the next run"


async def _watch(progress: Progress, watch: Callable[[Progress], None]) -> None:
    while True:
        watch(progress)
        await asyncio.sleep(0.25)
