"""The prompt pack of a task."""

from importlib.resources import files
from pathlib import Path

from affordance.core.prompts import PromptPack, build_prompt_pack
from affordance.tasks.task import Task


def load_prompt_pack(task: Task, folder: Path | None = None) -> PromptPack:
    """The package's prompts, or a folder's. That need not have those which are no files of the suite: frames of many
    dialects, and what strategies of other packages bring."""
    own = {name: task.texts.get(name) or _read_packaged(task, name) for name in task.prompts}
    return build_prompt_pack(task.name, own, task.prompts, folder, optional=task.texts)


def _read_packaged(task: Task, name: str) -> str:
    suite, _, rest = task.name.partition("/")
    source = files(f"affordance.tasks.{suite}") / "prompts" / rest / f"{name}.txt"
    return source.read_text(encoding="utf-8").strip()
