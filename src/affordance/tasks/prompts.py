"""The prompt pack of a task."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from affordance.core.prompts import PromptPack, check_prompt_folder, packaged_prompts
from affordance.grounding.dialects import dialect_prompts
from affordance.tasks.task import Task

# Tasks that use prompts of another one: the task, and which of its prompts.
_BORROWED = {"behavior/choose": ("behavior/choice", "zero-shot"), "motion/summary": ("motion/meaning", "summary")}
_LEVELS = {"function/ground-element": "element", "function/ground-region": "region", "function/probe": "element"}


def load_prompt_pack(task: Task, folder: Path | None = None) -> PromptPack:
    """The prompts of a task, single ones replaced by those of a folder."""
    return PromptPack.load(task.name, prompts_of_task(task), folder)


def load_prompt_packs(tasks: Iterable[Task], folder: Path | None = None) -> dict[str, PromptPack]:
    """The prompts of the tasks of a run, by task. A folder without a prompt for any of them is an error."""
    chosen = list(tasks)
    if folder is not None:
        check_prompt_folder(folder, [task.name for task in chosen])
    return {task.name: load_prompt_pack(task, folder) for task in chosen}


def prompts_of_task(task: Task) -> Mapping[str, str]:
    """The packaged prompts of a task, and those that it brings itself as one of another package."""
    return {**_packaged(task.name), **task.prompts}


def _packaged(task: str) -> Mapping[str, str]:
    if task in _LEVELS:
        return dialect_prompts(_LEVELS[task])
    if task in _BORROWED:
        other, name = _BORROWED[task]
        return {name: packaged_prompts(other)[name]}
    return packaged_prompts(task)
