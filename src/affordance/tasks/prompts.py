"""The prompt pack of a task."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from affordance.core.prompts import PLACEHOLDER, PromptPack, build_prompt_pack
from affordance.tasks.task import Task

SUITES = ("motion", "behavior", "function")  # ours


def load_prompt_pack(task: Task, folder: Path | None = None) -> PromptPack:
    """The packaged prompts of a task, or those of a folder. A folder need not have those that are no files of the
    package: prompts of dialects, and of strategies of other packages."""
    texts = {**packaged_prompts(task.name), **task.prompts}
    placeholders = {name: frozenset(PLACEHOLDER.findall(text)) for name, text in texts.items()}
    return build_prompt_pack(task.name, texts, placeholders, folder, optional=task.prompts)


@cache
def packaged_prompts(task: str) -> Mapping[str, str]:
    """The prompts of a task by name, as they are packaged; none for tasks of other packages."""
    suite, _, rest = task.partition("/")
    if suite not in SUITES:
        return {}
    folder = files(f"affordance.tasks.{suite}") / "prompts" / rest
    if not folder.is_dir():
        return {}
    found = sorted((path for path in folder.iterdir() if path.name.endswith(".txt")), key=lambda path: path.name)
    return {path.name.removesuffix(".txt"): path.read_text(encoding="utf-8").strip() for path in found}
