"""Prompt packs: texts with {placeholders}, in one versioned tree, of which a user's folder may replace single files.

`prompts/VERSION/NAME/*.txt` holds the prompts of a task (`motion/effect`), of dialects (`dialects`) and of authoring
stages (`author/divide`). A version is frozen when it is released: another wording is another version.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from affordance.core.digest import digest
from affordance.core.errors import UnknownName, UserError

PROMPT_VERSION = "1"  # of the tree that new runs use

PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class PromptPack:
    """The prompts of one task or stage, by name. Their digest is part of a run's identity."""

    texts: Mapping[str, str]
    digest: str

    @classmethod
    def load(cls, name: str, packaged: Mapping[str, str], folder: Path | None = None) -> "PromptPack":
        """The packaged prompts, with those of `FOLDER/NAME/*.txt` in place of the ones of the same name.

        Raises:
            UnknownName: a file has the name of no prompt.
            UserError: a file cannot be read, or has other placeholders than the prompt that it replaces.
        """
        texts = {**packaged, **({} if folder is None else _replacements(name, packaged, folder))}
        return cls(texts, digest("pack", texts))


@cache
def packaged_prompts(name: str, version: str = PROMPT_VERSION) -> Mapping[str, str]:
    """The packaged prompts of a task, of dialects or of a stage; empty where there are none."""
    folder = files("affordance").joinpath("prompts", version, *name.split("/"))
    if not folder.is_dir():
        return MappingProxyType({})
    found = sorted((path for path in folder.iterdir() if path.name.endswith(".txt")), key=lambda path: path.name)
    return MappingProxyType({path.name.removesuffix(".txt"): path.read_text("utf-8").strip() for path in found})


def check_prompt_folder(folder: Path, names: Iterable[str]) -> None:
    """Raise a UserError if a folder has no prompt for any of these tasks."""
    expected = [folder / name for name in names]
    if not any(next(path.glob("*.txt"), None) is not None for path in expected):
        raise UserError(f"--prompts {folder}: expected prompts such as {expected[0] / 'NAME.txt'}, found none")


def fill(text: str, fields: Mapping[str, str]) -> str:
    """The text with fields in place of their placeholders. What a field contains is not filled in again."""
    return PLACEHOLDER.sub(lambda match: fields[match[1]], text)


def _replacements(name: str, packaged: Mapping[str, str], folder: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted((folder / name).glob("*.txt")):
        if path.stem not in packaged:
            raise UnknownName(f"prompt in {folder / name}:", path.stem, packaged)
        found[path.stem] = text = _read_prompt(path, name, folder)
        expected, given = (frozenset(PLACEHOLDER.findall(one)) for one in (packaged[path.stem], text))
        if given != expected:
            problem = f"expected the placeholders {_in_braces(expected)}, found {_in_braces(given)}"
            raise UserError(f"prompt {name}/{path.name}: {problem}")
    return found


def _read_prompt(path: Path, name: str, folder: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise UserError(f"expected the prompt {name}/{path.name} as a UTF-8 file in {folder}") from None


def _in_braces(names: frozenset[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names)) or "none"
