"""Built-in tasks, tasks of plugins, and look-up by the name of a task or suite."""

from collections.abc import Iterable
from typing import Any

from affordance.core import plugin_registry
from affordance.core.errors import UnknownName
from affordance.core.plugin_registry import PluginRegistry
from affordance.tasks.behavior.choice import CHOICE
from affordance.tasks.behavior.rationale import RATIONALE
from affordance.tasks.function.calibration import CALIBRATION_TASK
from affordance.tasks.function.ground import GROUND_ELEMENT, GROUND_REGION
from affordance.tasks.function.outcome import OUTCOME_ELEMENT, OUTCOME_REGION
from affordance.tasks.metrics import ACCURACY
from affordance.tasks.motion.effect import EFFECT
from affordance.tasks.motion.meaning import MEANING
from affordance.tasks.motion.purpose import PURPOSE
from affordance.tasks.motion.twin import TWIN
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import Task

_BUILTIN_TASKS = {
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


def _validate_task(name: str, task: Any) -> Task:
    """A task of a plugin. Raises ValueError where it lacks something that running or reporting needs."""
    if not isinstance(task, Task):
        raise ValueError(f"expected a Task, found {type(task).__name__}")
    if task.name != name or not all(name.partition("/")[::2]):
        raise ValueError(f"expected a name such as acme/contrast, the same as the entry point's; found {task.name!r}")
    if task.suite in {one.suite for one in _BUILTIN_TASKS.values()}:
        raise ValueError(f"task names must start with your own suite; {task.suite!r} is reserved")
    if task.headline is None or task.headline.name != ACCURACY.name:
        raise ValueError("expected the metric 'accuracy' as the first one, which is the headline")
    if task.strategies.get("zero-shot") is zero_shot and "zero-shot" not in task.prompts:
        raise ValueError("expected the prompt 'zero-shot' among its prompts, found none")
    if "zero-shot" not in task.strategies or "affordance" not in task.protocols:
        raise ValueError("expected the strategy 'zero-shot' and the protocol 'affordance' in it")
    return task


TASKS: PluginRegistry[Task] = PluginRegistry(plugin_registry.TASKS, _BUILTIN_TASKS, _validate_task)


def get_task(name: str) -> Task:
    """A task by name; also calibration, which is not listed."""
    return CALIBRATION_TASK if name == CALIBRATION_TASK.name else TASKS[name]


def resolve_tasks(names: Iterable[str]) -> list[Task]:
    """The tasks that names stand for, each once and in the order of the registry; a suite's name means all of its
    tasks."""
    chosen: set[str] = set()
    for name in names:
        of_suite = tasks_of_suite(name)
        if name not in TASKS and not of_suite:
            raise UnknownName("task", name, {*TASKS, *(one.partition("/")[0] for one in TASKS)})
        chosen |= of_suite or {name}
    return [TASKS[name] for name in TASKS if name in chosen]


def is_missing_plugin(name: str) -> bool:
    """Whether a task belongs to a plugin that is not installed."""
    return name not in TASKS and name.partition("/")[0] not in {task.suite for task in _BUILTIN_TASKS.values()}


def tasks_of_suite(suite: str) -> set[str]:
    return {name for name in TASKS if name.partition("/")[0] == suite}
