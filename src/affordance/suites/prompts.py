"""Prompt packs: `TASK/NAME.txt` files with {placeholders}, from the package or from a folder of the user's."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.suites.task import Task

PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Pack:
    """The prompts of one task. The digest is in the ask key: a changed wording is a different ask."""

    texts: Mapping[str, str]
    digest: str


def load_pack(task: Task, folder: Path | None = None) -> Pack:
    texts = {name: _read(task, name, folder) for name in task.prompts}
    for name, expected in task.prompts.items():
        found = frozenset(PLACEHOLDER.findall(texts[name]))
        if found != expected:
            raise UserError(
                f"prompt {task.name}/{name}.txt: expected the placeholders {_list(expected)}, found {_list(found)}"
            )
    return Pack(texts, digest("pack", texts))


def fill(text: str, fields: Mapping[str, str]) -> str:
    """Put the fields in place of their placeholders, once: what a field contains is never filled in again."""
    return PLACEHOLDER.sub(lambda match: fields[match[1]], text)


def _read(task: Task, name: str, folder: Path | None) -> str:
    if folder is None:
        suite, _, rest = task.name.partition("/")
        source = files(f"affordance.suites.{suite}") / "prompts" / rest / f"{name}.txt"
        return source.read_text(encoding="utf-8").strip()
    path = folder / task.name / f"{name}.txt"
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise UserError(f"expected the prompt {task.name}/{name}.txt as a UTF-8 file in {folder}") from None


def _list(names: frozenset[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names)) or "none"
