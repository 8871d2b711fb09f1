"""A run before it starts: its questions, its identity, and the run in the ledger that it begins or resumes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from affordance.core.digest import Json, digest
from affordance.core.errors import UserError
from affordance.core.question import Question
from affordance.datasets import Dataset
from affordance.ledger import Run
from affordance.run.settings import Settings, default_name, run_id
from affordance.suites.prompts import Pack
from affordance.suites.task import Task, Trial


@dataclass(frozen=True, slots=True)
class Job:
    settings: Settings
    dataset: Dataset
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


def make_job(settings: Settings, dataset: Dataset) -> Job:
    for task in settings.tasks:
        if task.kind != dataset.header.kind:
            raise UserError(f"{task.name} asks about {task.kind}s; dataset {dataset.name!r} has {dataset.header.kind}s")
    packs = settings.packs()
    described: dict[str, Json] = {
        "name": dataset.name,
        "digest": dataset.digest(),
        "kind": dataset.header.kind,
        "items": len(dataset.items),
        "synthetic": dataset.header.synthetic,
        "licence": dataset.header.licence,
    }
    trials = {task.name: tuple(task.questions(dataset, settings.design(task))) for task in settings.tasks}
    return Job(settings, dataset, packs, trials, settings.record(packs), described)


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
    return Run(digest("run", job.id, name), name, job.record, job.described, fresh)


def _same(run: Run, job: Job) -> None:
    """A name stands for one set of settings on one dataset; numbers of two must not mix."""
    if run.dataset.get("digest") != job.described["digest"]:
        raise UserError(
            f"run {run.name!r} was made on dataset {run.dataset.get('name')!r} with other content; give another --name"
        )
    different = [key for key in job.record if run.settings.get(key) != job.record[key]]
    if different:
        key = different[0]
        was, now = run.settings.get(key), job.record[key]
        raise UserError(f"run {run.name!r} was made with {key} {was}, now it is {now}; give another --name")
