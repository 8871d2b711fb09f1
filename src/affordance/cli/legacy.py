"""Options of version 1 that have another name now: one table for command lines, affordance.toml and variables."""

import os
from collections.abc import Collection, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class OldOption:
    """A former name of an option.

    Attributes:
        old: the former long name, without dashes.
        new: the present one.
        commands: names of the commands and groups that had it; empty for all that have the new one.
        permanent: whether it stays accepted. Others print a notice and end with version 3.
    """

    old: str
    new: str
    commands: tuple[str, ...] = ()
    permanent: bool = False


OLD_OPTIONS = (
    OldOption("out", "output", ("demo",), permanent=True),
    OldOption("out", "output"),
    OldOption("again", "rerun", ("author",), permanent=True),
    OldOption("most-frames", "max-frames", ("run", "data prepare")),
    OldOption("reasks", "parse-retries", ("run",)),
    OldOption("number", "limit", ("judge sample", "study")),
    OldOption("despite", "allow-different", ("compare",)),
    OldOption("accept", "accept-licence", ("data fetch",)),
    OldOption("least-agreement", "min-agreement", ("data preferences",)),
    OldOption("still", "idle", ("capture animation",)),
    OldOption("ray", "ray-address", ("author",)),
    OldOption("as", "user", ("studio",)),
    OldOption("name", "allowed-host", ("studio", "study")),
    OldOption("db", "ledger", ("study",), permanent=True),
    OldOption("label", "judgements", ("study",)),
    OldOption("errors", "failures", ("study",)),
    OldOption("checks", "attention-checks", ("study",)),
    OldOption("about", "demographics", ("study",)),
    OldOption("completion", "completion-url", ("study",)),
    OldOption("days", "link-days", ("study",)),
    OldOption("external", "external-ids", ("study",)),
)

_notices: ContextVar[tuple[str, ...]] = ContextVar("notices", default=())


def old_options(path: str, known: Collection[str]) -> dict[str, OldOption]:
    """Former names of a command's options.

    Args:
        path: the command as it is typed, such as `data fetch`.
        known: long names of its options, without dashes.
    """
    found: dict[str, OldOption] = {}
    for one in OLD_OPTIONS:
        is_there = not one.commands or any(path == name or path.startswith(f"{name} ") for name in one.commands)
        if is_there and one.new in known and one.old not in known:
            found.setdefault(one.old, one)
    return found


def translate_arguments(path: str, arguments: Sequence[str], known: Collection[str]) -> list[str]:
    """A command's arguments with present names for former ones."""
    names, found = old_options(path, known), list[str]()
    for place, argument in enumerate(arguments):
        if argument == "--":
            return [*found, *arguments[place:]]
        name, equals, value = argument.partition("=")
        old = names.get(name[2:]) if name.startswith("--") else None
        if old is not None:
            note_old_name(old, f"--{old.old}", f"--{old.new}")
        found.append(argument if old is None else f"--{old.new}{equals}{value}")
    return found


def name_old_variables(path: str, prefix: str, options: dict[str, Any]) -> None:
    """Let options be set by the variables of their former names, too."""
    for old, one in old_options(path, options).items():
        parameter = options[one.new]
        if isinstance(parameter.envvar, str):
            parameter.envvar = [parameter.envvar, f"{prefix}_{old.upper().replace('-', '_')}"]


def note_old_variables(options: Sequence[Any]) -> None:
    for parameter in options:
        if isinstance(parameter.envvar, list) and not os.environ.get(parameter.envvar[0]):
            for name in parameter.envvar[1:]:
                if os.environ.get(name):
                    _add_notice(f"{name} is now {parameter.envvar[0]}")


def note_old_name(option: OldOption, old: str, new: str) -> None:
    """Have a notice printed once it is known whether output is quiet."""
    if not option.permanent:
        _add_notice(f"{old} is now {new}")


def take_notices() -> Iterator[str]:
    """Notices since the last call."""
    found = _notices.get()
    _notices.set(())
    yield from dict.fromkeys(f"{one}; the old name will not be accepted in version 3" for one in found)


def _add_notice(text: str) -> None:
    _notices.set((*_notices.get(), text))
