"""A run before it starts: its questions, its identity, and the run in the ledger that it begins or resumes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from affordance.core.digest import Json, digest
from affordance.core.errors import UserError
from affordance.core.question import Question
from affordance.datasets import Collection
from affordance.ledger import Run
from affordance.run.settings import Settings, default_name, run_id
from affordance.suites.prompts import Pack
from affordance.suites.task import Task, Trial


@dataclass(frozen=True, slots=True)
class Job:
    settings: Settings
    data: Collection
    packs: Mapping[str, Pack]
    trials: Mapping[str, tuple[Trial, ...]]  # by task
    record: Mapping[str, Json]
    described: Mapping[str, Json]  # the dataset, as the ledger keeps it

    @property
    def id(self) -> str:
        return run_id(self.record, str(self.described["digest"]))

    def all(self) -> Iterator[tuple[Task, Trial]]:
        for task in self.settings.tasks:
            for trial in self.trials[task.name]:
                yield task, trial

    def files(self) -> dict[str, Path]:
        """Where the pictures' sources lie. Asks do not say: a path may give the truth away."""
        return {source: path for _, trial in self.all() for source, path in trial.question.files.items()}

    def questions(self) -> dict[str, Question]:
        return {trial.question.id: trial.question for _, trial in self.all()}


def make_job(settings: Settings, data: Collection) -> Job:
    for task in settings.tasks:
        if not data.only(task.kinds).parts:
            found = " and ".join(f"{part.header.kind}s" for part in data.parts)
            raise UserError(f"{task.name} asks about {task.kinds[0]}s; dataset {data.name!r} has {found}")
    packs = settings.packs()
    used = data.only({kind for task in settings.tasks for kind in task.kinds})
    trials = {task.name: tuple(_own(task, task.questions(used, settings.design(task)))) for task in settings.tasks}
    record = settings.record(packs)
    if settings.rules > 1 and (combined := [task.name for task in settings.tasks if task.combines(used)]):
        record["sources"] = dict.fromkeys(combined, "written and captured")
    if beside := {task.name: _truths(task.beside, trials[task.name]) for task in settings.tasks if task.beside}:
        record["judged against"] = beside
    return Job(settings, used, packs, trials, record, used.described())


def _own(task: Task, trials: Iterable[Trial]) -> Iterator[Trial]:
    """Questions of another task would be counted there: a mistake that is easily made in a task of another package."""
    for trial in trials:
        if trial.question.task != task.name:
            raise UserError(f"{task.name}: expected questions of this task, found one of {trial.question.task!r}")
        yield trial


def _truths(beside: Callable[[str], str], trials: Sequence[Trial]) -> str:
    """Of all questions: what is kept beside the records is in no other digest."""
    found = {trial.question.id: trial.question.truth for trial in trials}
    return digest("truths", {name: beside(truth) for name, truth in found.items()})


def choose_run(known: Mapping[str, Run], job: Job, name: str | None, fresh: bool) -> Run:
    """The run that a job is: the one of the same settings that is known already, which it resumes, or a new one. A
    fresh run is new and takes no reply of an earlier one."""
    if name is None:
        name = default_name(job.settings.tasks, job.id)
        if fresh and name in known:
            name = next(f"{name}-{n}" for n in count(2) if f"{name}-{n}" not in known)
    elif fresh and name in known:
        raise UserError(f"there is a run {name!r} already; give a fresh one another --name, or leave --fresh out")
    if name in known:
        _same(known[name], job)
        return known[name]
    return run_named(name, job.record, job.described, fresh)


def run_named(name: str, record: Mapping[str, Json], described: Mapping[str, Json], fresh: bool = False) -> Run:
    """The run of these settings on this dataset under a name."""
    return Run(digest("run", run_id(record, str(described["digest"])), name), name, record, described, fresh)


def is_same(run: Run, job: Job) -> bool:
    return run.dataset.get("digest") == job.described["digest"] and not differing_settings(run, job)


def by_rules_of_version_1(job: Job) -> Job:
    """The same job with the questions that version 1 made."""
    return make_job(replace(job.settings, rules=1), job.data)


def by_rules_of_stored_run(job: Job, known: Mapping[str, Run], name: str | None) -> Job:
    """The job as the run has it that it resumes: a run of version 1 keeps the questions of version 1."""
    candidates = [run for run in known.values() if name in (None, run.name) and _on_same_tasks(run, job)]
    if any(is_same(run, job) for run in candidates) or not candidates or not _depends_on_rules(job):
        return job
    earlier = by_rules_of_version_1(job)
    if name is None:
        usual = default_name(earlier.settings.tasks, earlier.id)
        return earlier if usual in known and is_same(known[usual], earlier) else job
    (run,) = candidates
    return min((job, earlier), key=lambda one: len(differing_settings(run, one)))


def _on_same_tasks(run: Run, job: Job) -> bool:
    return run.settings.get("tasks") == job.record["tasks"] and run.dataset.get("digest") == job.described["digest"]


def _depends_on_rules(job: Job) -> bool:
    earlier = replace(job.settings, rules=1)
    return "sources" in job.record or earlier.record(job.packs) != job.settings.record(job.packs)


def differing_settings(run: Run, job: Job) -> list[str]:
    keys = dict.fromkeys([*job.record, *run.settings])
    return [key for key in keys if run.settings.get(key) != job.record.get(key)]


def _same(run: Run, job: Job) -> None:
    """A name stands for one set of settings on one dataset; numbers of two must not mix."""
    if run.dataset.get("digest") != job.described["digest"]:
        raise UserError(
            f"run {run.name!r} was made on dataset {run.dataset.get('name')!r} with other content; give another --name"
        )
    if different := differing_settings(run, job):
        key = different[0]
        was, now = run.settings.get(key), job.record.get(key)
        raise UserError(f"run {run.name!r} was made with {key} {was}, now it is {now}; give another --name")
