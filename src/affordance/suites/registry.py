"""The tasks there are, and how names stand for them."""

from collections.abc import Iterable

from affordance.core.errors import UnknownName
from affordance.suites.motion.effect import EFFECT
from affordance.suites.task import Task

TASKS: dict[str, Task] = {task.name: task for task in (EFFECT,)}


def tasks_named(names: Iterable[str]) -> list[Task]:
    """The tasks that names stand for, each once and in the order of the registry; a suite's name means all of its
    tasks."""
    chosen: set[str] = set()
    for name in names:
        of_suite = {task.name for task in TASKS.values() if task.suite == name}
        if name not in TASKS and not of_suite:
            raise UnknownName("task", name, {*TASKS, *(task.suite for task in TASKS.values())})
        chosen |= of_suite or {name}
    return [task for task in TASKS.values() if task.name in chosen]
