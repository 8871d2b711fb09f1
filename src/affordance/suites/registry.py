"""The tasks there are, and how names stand for them."""

from collections.abc import Iterable

from affordance.core.errors import UnknownName
from affordance.suites.behavior.choice import CHOICE
from affordance.suites.behavior.rationale import RATIONALE
from affordance.suites.function.ground import GROUND_ELEMENT, GROUND_REGION
from affordance.suites.function.outcome import OUTCOME_ELEMENT, OUTCOME_REGION
from affordance.suites.function.probe import PROBE
from affordance.suites.motion.effect import EFFECT
from affordance.suites.motion.meaning import MEANING
from affordance.suites.motion.purpose import PURPOSE
from affordance.suites.motion.twin import TWIN
from affordance.suites.task import Task

TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        EFFECT,
        PURPOSE,
        MEANING,
        TWIN,
        CHOICE,
        RATIONALE,
        GROUND_REGION,
        GROUND_ELEMENT,
        OUTCOME_REGION,
        OUTCOME_ELEMENT,
    )
}

# With those that are not asked by name: calibration.
EVERY_TASK: dict[str, Task] = {**TASKS, PROBE.name: PROBE}


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
