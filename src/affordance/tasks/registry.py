"""Built-in tasks, tasks of plugins, and look-up by the name of a task or suite."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from affordance.core import plugin_registry
from affordance.core.errors import UnknownName
from affordance.core.plugin_registry import PluginRegistry

if TYPE_CHECKING:  # names of tasks are known without importing any
    from affordance.tasks.task import Task

HEADLINE_NAME = "accuracy"  # the name of the first metric of every task

# One row per task: where it is. A task is imported when it is used, so that listing names imports none.
_ROWS: Mapping[str, str] = {
    "motion/effect": "affordance.tasks.motion.effect:EFFECT",
    "motion/purpose": "affordance.tasks.motion.purpose:PURPOSE",
    "motion/meaning": "affordance.tasks.motion.meaning:MEANING",
    "motion/twin": "affordance.tasks.motion.twin:TWIN",
    "behavior/choice": "affordance.tasks.behavior.choice:CHOICE",
    "behavior/rationale": "affordance.tasks.behavior.rationale:RATIONALE",
    "function/ground-region": "affordance.tasks.function.ground:GROUND_REGION",
    "function/ground-element": "affordance.tasks.function.ground:GROUND_ELEMENT",
    "function/outcome-region": "affordance.tasks.function.outcome:OUTCOME_REGION",
    "function/outcome-element": "affordance.tasks.function.outcome:OUTCOME_ELEMENT",
}
# Tasks that a run has for a purpose of its own, and that no list shows.
_UNLISTED_ROWS: Mapping[str, str] = {
    "function/probe": "affordance.tasks.function.calibration:CALIBRATION_TASK",
    "motion/summary": "affordance.tasks.motion.meaning_summaries:SUMMARY",
    "behavior/choose": "affordance.tasks.behavior.design_preference:PREFERENCE",
}
SUITES = tuple(dict.fromkeys(name.partition("/")[0] for name in _ROWS))


@cache
def _import_task(row: str) -> "Task":
    module, _, name = row.partition(":")
    task: Task = getattr(import_module(module), name)
    return task


class _BuiltinTasks(Mapping[str, "Task"]):
    """The built-in tasks by name, imported on first use."""

    def __getitem__(self, name: str) -> "Task":
        return _import_task(_ROWS[name])

    def __contains__(self, name: object) -> bool:
        return name in _ROWS

    def __iter__(self) -> Iterator[str]:
        return iter(_ROWS)

    def __len__(self) -> int:
        return len(_ROWS)


def _validate_task(name: str, task: Any) -> "Task":
    """A task of a plugin. Raises ValueError where it lacks something that running or reporting needs."""
    from affordance.tasks.strategies import zero_shot
    from affordance.tasks.task import Task

    if not isinstance(task, Task):
        raise ValueError(f"expected a Task, found {type(task).__name__}")
    if task.name != name or not all(name.partition("/")[::2]):
        raise ValueError(f"expected a name such as acme/contrast, the same as the entry point's; found {task.name!r}")
    if task.suite in SUITES:
        raise ValueError(f"task names must start with your own suite; {task.suite!r} is reserved")
    if task.headline is None or task.headline.name != HEADLINE_NAME:
        raise ValueError("expected the metric 'accuracy' as the first one, which is the headline")
    if task.strategies.get("zero-shot") is zero_shot and "zero-shot" not in task.prompts:
        raise ValueError("expected the prompt 'zero-shot' among its prompts, found none")
    if "zero-shot" not in task.strategies or "affordance" not in task.protocols:
        raise ValueError("expected the strategy 'zero-shot' and the protocol 'affordance' in it")
    return task


TASKS: "PluginRegistry[Task]" = PluginRegistry(plugin_registry.TASKS, _BuiltinTasks(), _validate_task)


def find_task(name: str) -> "Task | None":
    """A task by name, also one that is not listed; None where its package is not installed."""
    return _import_task(_UNLISTED_ROWS[name]) if name in _UNLISTED_ROWS else TASKS.get(name)


def get_task(name: str) -> "Task":
    """A task by name, also one that is not listed."""
    return _import_task(_UNLISTED_ROWS[name]) if name in _UNLISTED_ROWS else TASKS[name]


def resolve_tasks(names: Iterable[str]) -> "list[Task]":
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
    return name not in TASKS and name.partition("/")[0] not in SUITES


def tasks_of_suite(suite: str) -> set[str]:
    return {name for name in TASKS if name.partition("/")[0] == suite}
