"""Prompt packs: `TASK/NAME.txt` files with {placeholders}, packaged or from a folder of the user's."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from affordance.core.digest import digest
from affordance.core.errors import UnknownName, UserError

PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class PromptPack:
    """The prompts of one task. The digest is in the run's record: another wording makes another run."""

    texts: Mapping[str, str]
    digest: str


def build_prompt_pack(
    task: str,
    packaged: Mapping[str, str],
    placeholders: Mapping[str, frozenset[str]],
    folder: Path | None,
    *,
    optional: Collection[str],
) -> PromptPack:
    """The prompts of a task by its name: our own, or those in `FOLDER/TASK`, where `some` need not be."""
    texts = packaged if folder is None else _from_folder(task, packaged, folder, optional=optional)
    for name, expected in placeholders.items():
        found = frozenset(PLACEHOLDER.findall(texts[name]))
        if found != expected:
            raise UserError(
                f"prompt {task}/{name}.txt: expected the placeholders {_in_braces(expected)}, found {_in_braces(found)}"
            )
    return PromptPack(texts, digest("pack", texts))


def fill(text: str, fields: Mapping[str, str]) -> str:
    """Put the fields in place of their placeholders, once: what a field contains is never filled in again."""
    return PLACEHOLDER.sub(lambda match: fields[match[1]], text)


def _from_folder(task: str, packaged: Mapping[str, str], folder: Path, *, optional: Collection[str]) -> dict[str, str]:
    found = {path.stem: path for path in sorted((folder / task).glob("*.txt"))}
    for name in found:
        if name not in packaged:
            raise UnknownName(f"prompt in {folder / task}:", name, packaged)
    missing = [name for name in packaged if name not in found and not (found and name in optional)]
    if missing:
        raise UserError(f"expected the prompt {task}/{missing[0]}.txt as a UTF-8 file in {folder}")
    return {name: _read_prompt(found[name], task, folder) if name in found else text for name, text in packaged.items()}


def _read_prompt(path: Path, task: str, folder: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise UserError(f"expected the prompt {task}/{path.name} as a UTF-8 file in {folder}") from None


def _in_braces(names: frozenset[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names)) or "none"
