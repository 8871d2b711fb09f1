"""Command lines held against the real commands without running them: names, options, and how many arguments."""

import re
import shlex
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

from affordance.cli.main import app
from affordance.tasks.registry import TASKS
from doc_blocks import ROOT


def words(line: str) -> list[str]:
    """A line as a shell takes it apart, with `&&`, `|` and `>` as words, and without its comment."""
    reader = shlex.shlex(line, posix=True, punctuation_chars="&|;<>")
    reader.whitespace_split = True
    return list(reader)


def simple(line: str) -> list[list[str]]:
    """The commands that a line is made of; what is redirected is left out."""
    found: list[list[str]] = [[]]
    reading = iter(words(line))
    for word in reading:
        if word in ("&&", "||", "|", ";", "&"):
            found.append([])
        elif word in (">", ">>", "<"):
            next(reading)
        else:
            found[-1].append(word)
    return [one for one in found if one]


def wrong_with(line: str) -> str:
    """What is wrong with any of a line's commands; nothing where they could be run."""
    return "; ".join(found for program, *arguments in simple(line) if (found := _wrong(program, arguments)))


def _wrong(program: str, arguments: list[str]) -> str:
    """Commands of ours in full; of others, what they say about this repository."""
    match program, arguments:
        case "affordance", _:
            return complaint(arguments, whole=True)
        case "make", targets:
            known = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
            return "".join(f"make: no target {one!r}" for one in targets if "=" not in one and one not in known)
        case "python", [str(script), *_] if script.endswith(".py") and "/" in script and not script.startswith("/"):
            return "" if (ROOT / script).exists() else f"python: no file {script!r}"
        case "inspect", ["eval", str(task), *_] if task.startswith("affordance/"):
            known = {name.replace("/", "_").replace("-", "_") for name in TASKS}
            return "" if task.removeprefix("affordance/") in known else f"inspect: no task {task!r}"
        case "pip", _:
            extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
            named = {
                name
                for list_ in re.findall(r"affordance\[([\w,-]+)\]", " ".join(arguments))
                for name in list_.split(",")
            }
            return "".join(f"pip: no extra {name!r}" for name in named - extras.keys())
    return ""


@cache
def _program() -> Any:
    """Made once: that takes longer than to parse a line."""
    return get_command(app)


def complaint(arguments: list[str], *, whole: bool) -> str:
    """What is wrong with the arguments of `affordance`; nothing where they could be run. A command that is not
    `whole` is mentioned in a sentence: its arguments may be missing, and stand for others."""
    command, path, rest = _program(), "affordance", list(arguments)
    while hasattr(command, "commands"):
        default = getattr(command, "default", "")
        if default and rest[:1] != ["--help"] and {*rest[:1]} - {*command.commands}:
            rest = [default, *rest]
        while rest and rest[0].startswith("-"):
            rest = rest[1:]
        if not rest:
            return "" if not whole or arguments else f"{path}: expected a command"
        if not whole and rest[0] not in command.commands and not rest[0].islower():
            return ""  # COMMAND stands for any
        if rest[0] not in command.commands:
            return f"{path}: no command {rest[0]!r}"
        command, path, rest = command.commands[rest[0]], f"{path} {rest[0]}", rest[1:]
    try:
        context = command.context_class(command, info_name=path)
        values, left, _ = command.make_parser(context).parse_args(args=rest)
        if not whole or "--help" in arguments:
            return ""
        if left:
            return f"{path}: unexpected {left}"
        for parameter in command.params:
            value = values.get(parameter.name)
            if parameter.required and not value:
                return f"{path}: {parameter.name} is missing"
            if isinstance(value, (str, list)) and not _about_files(parameter):
                parameter.process_value(context, value)
    except typer.TyperException as error:
        return f"{path}: {error.format_message()}" if whole or type(error).__name__ == "NoSuchOption" else ""
    return ""


def _about_files(parameter: Any) -> bool:
    """Whether a value would be looked for on disk."""
    return Path.__name__ in str(parameter.type_descriptor.annotation)
