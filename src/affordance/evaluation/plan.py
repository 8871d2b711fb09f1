"""The plan of a run before it starts: its questions and attempts, its identity, and the stored run that it resumes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from affordance.core.attempts import Attempt, PromptTexts, Strategy, Verdict
from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.core.prompts import PromptPack
from affordance.core.question import Question
from affordance.core.requests import CallSettings, Response
from affordance.datasets import DatasetCollection
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import RunRecord
from affordance.tasks.question_design import PlannedQuestion, has_both_sources
from affordance.tasks.registry import tasks_of_suite
from affordance.tasks.scoring import JudgePlan
from affordance.tasks.task import Task


@dataclass(frozen=True, slots=True)
class PlannedAttempt:
    """An attempt to be made, with all that it needs."""

    attempt: Attempt
    question: Question
    strategy: Strategy
    prompts: PromptTexts
    score: Callable[[Question, Response], Verdict]
    call_settings: CallSettings
    parse_retries: int = 0
    judge_spec: JudgePlan | None = None


def run_id(identity: Mapping[str, Json], dataset_digest: str) -> str:
    return digest("run", dict(identity), dataset_digest)


def default_run_name(tasks: Sequence[Task], identity: str) -> str:
    """A readable name. The same command gives the same name, and so resumes the same run."""
    names = [task.name for task in tasks]
    for suite in {task.suite for task in tasks}:
        whole = tasks_of_suite(suite)
        if len(whole) > 1 and whole <= set(names):
            names = list(dict.fromkeys(suite if name in whole else name for name in names))
    return f"{'+'.join(names).replace('/', '-')}-{identity[:6]}"


@dataclass(frozen=True, slots=True)
class Plan:
    config: RunConfig
    data: DatasetCollection
    prompts: Mapping[str, PromptPack]
    trials_by_task: Mapping[str, tuple[PlannedQuestion, ...]]  # by task
    identity: Mapping[str, Json]
    dataset: Mapping[str, Json]  # the dataset, as the ledger keeps it

    @property
    def id(self) -> str:
        return run_id(self.identity, str(self.dataset["digest"]))

    def task_trials(self) -> Iterator[tuple[Task, PlannedQuestion]]:
        for task in self.config.tasks:
            for trial in self.trials_by_task[task.name]:
                yield task, trial

    def source_files(self) -> dict[str, Path]:
        """Paths of the image sources. Requests do not contain them: a path may reveal the answer."""
        return {source: path for _, trial in self.task_trials() for source, path in trial.question.source_paths.items()}

    def questions(self) -> dict[str, Question]:
        return {trial.question.id: trial.question for _, trial in self.task_trials()}


def build_plan(config: RunConfig, data: DatasetCollection) -> Plan:
    for task in config.tasks:
        if not data.select(task.dataset_kinds).datasets:
            found = " and ".join(f"{part.header.kind}s" for part in data.datasets)
            raise UserError(
                f"{task.name} needs a dataset of {task.dataset_kinds[0]}s; dataset {data.name!r} has {found}"
            )
    packs = config.load_prompts()
    used = data.select({kind for task in config.tasks for kind in task.dataset_kinds})
    trials = {
        task.name: tuple(_check_task_of_trials(task, task.questions(used, config.question_design(task))))
        for task in config.tasks
    }
    record = config.identity(packs)
    if config.rules > 1 and (combined := [name for name, found in trials.items() if has_both_sources(found)]):
        record["sources"] = dict.fromkeys(combined, "written and captured")
    if external := {
        task.name: _truths_digest(task.scorer.external_truth, trials[task.name])
        for task in config.tasks
        if task.scorer.external_truth
    }:
        record["judged against"] = external
    return Plan(config, used, packs, trials, record, used.to_record())


def _check_task_of_trials(task: Task, trials: Iterable[PlannedQuestion]) -> Iterator[PlannedQuestion]:
    """Questions of another task would be counted there, a likely mistake in a plugin's task."""
    for trial in trials:
        if trial.question.task != task.name:
            raise UserError(f"{task.name}: expected questions of this task, found one of {trial.question.task!r}")
        yield trial


def _truths_digest(external_truth: Callable[[str], str], trials: Sequence[PlannedQuestion]) -> str:
    """Digest of truth that is not in the dataset's digest."""
    found = {trial.question.id: trial.question.truth for trial in trials}
    return digest("truths", {name: external_truth(truth) for name, truth in found.items()})


def choose_run(known: Mapping[str, RunRecord], plan: Plan, name: str | None, fresh: bool) -> RunRecord:
    """The stored run that the plan resumes, or a new one. A fresh run is new and reuses no stored response."""
    if name is None:
        name = default_run_name(plan.config.tasks, plan.id)
        if fresh and name in known:
            name = next(f"{name}-{n}" for n in count(2) if f"{name}-{n}" not in known)
    elif fresh and name in known:
        raise UserError(f"there is a run {name!r} already; give a fresh one another --name, or leave --fresh out")
    if name in known:
        _check_same_identity(known[name], plan)
        return known[name]
    return named_run(name, plan.identity, plan.dataset, fresh)


def named_run(name: str, identity: Mapping[str, Json], dataset: Mapping[str, Json], fresh: bool = False) -> RunRecord:
    """The run of these settings on this dataset under a name."""
    return RunRecord(digest("run", run_id(identity, str(dataset["digest"])), name), name, identity, dataset, fresh)


def is_run_of(run: RunRecord, plan: Plan) -> bool:
    return run.dataset.get("digest") == plan.dataset["digest"] and not differing_settings(run, plan)


def with_version_1_rules(plan: Plan) -> Plan:
    """The plan with the questions of version 1."""
    return build_plan(plan.config.replace(rules=1), plan.data)


def with_rules_of_stored_run(plan: Plan, known: Mapping[str, RunRecord], name: str | None) -> Plan:
    """The plan of the run that it resumes: a run of version 1 keeps the questions of version 1."""
    candidates = [run for run in known.values() if name in (None, run.name) and _has_same_tasks(run, plan)]
    if any(is_run_of(run, plan) for run in candidates) or not candidates or not _depends_on_rules(plan):
        return plan
    earlier = with_version_1_rules(plan)
    if name is None:
        usual = default_run_name(earlier.config.tasks, earlier.id)
        return earlier if usual in known and is_run_of(known[usual], earlier) else plan
    (run,) = candidates
    return min((plan, earlier), key=lambda one: len(differing_settings(run, one)))


def _has_same_tasks(run: RunRecord, plan: Plan) -> bool:
    return run.settings.get("tasks") == plan.identity["tasks"] and run.dataset.get("digest") == plan.dataset["digest"]


def _depends_on_rules(plan: Plan) -> bool:
    earlier = plan.config.replace(rules=1)
    return "sources" in plan.identity or earlier.identity(plan.prompts) != plan.config.identity(plan.prompts)


def differing_settings(run: RunRecord, plan: Plan) -> list[str]:
    keys = dict.fromkeys([*plan.identity, *run.settings])
    return [key for key in keys if run.settings.get(key) != plan.identity.get(key)]


def _check_same_identity(run: RunRecord, plan: Plan) -> None:
    """A name stands for one configuration on one dataset; scores of two must not mix."""
    if run.dataset.get("digest") != plan.dataset["digest"]:
        raise UserError(
            f"run {run.name!r} was made on dataset {run.dataset.get('name')!r} with other content; give another --name"
        )
    if different := differing_settings(run, plan):
        key = different[0]
        was, now = run.settings.get(key), plan.identity.get(key)
        raise UserError(f"run {run.name!r} was made with {key} {was}, now it is {now}; give another --name")
