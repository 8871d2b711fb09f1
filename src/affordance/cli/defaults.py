"""Defaults of options: from `affordance.toml`, where a top-level key is for every command that has the option and a
table is for one command, and from environment variables."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from affordance.core.errors import UserError, nearest

PATHS = frozenset({"ledger", "data", "prompts", "out", "output"})  # in the file, relative to the file
_TABLES = ("models", "prices", "providers", "sources")  # that are of no command


def set_variables(command: Any, prefix: str = "AFFORDANCE") -> None:
    """Give every option of every command its variable: `--limit` of `run` is AFFORDANCE_RUN_LIMIT."""
    for name, one in command.commands.items():
        inner = f"{prefix}_{name.upper().replace('-', '_')}"
        if hasattr(one, "commands"):
            set_variables(one, inner)
        for option, parameter in _options(one).items():
            if option != "help" and parameter.envvar is None:
                parameter.envvar = f"{inner}_{option.upper().replace('-', '_')}"


def default_map(command: Any, path: Path | None) -> dict[str, dict[str, Any]]:
    """The file's options as the command parser takes them. `command` is the whole command line, a group. Whether a
    value is a good one is told by the command that takes it, or of all commands by `check_values`."""
    if path is None:
        return {}
    from affordance.core.config import read_config

    found: dict[str, dict[str, Any]] = {}
    options = {name: _options(one) for name, one in command.commands.items()}
    for key, value in read_config(path).options.items():
        if isinstance(value, dict):
            if key not in options:
                hint = _meant(key, {*options, *_TABLES})
                raise UserError(f"{path}: there is no command {key!r} for the table [{key}]{hint}")
            for option, default in value.items():
                if option not in options[key]:
                    hint = _meant(option, options[key])
                    raise UserError(f"{path}: the command {key!r} has no option {option!r}{hint}")
                parameter = options[key][option]
                found.setdefault(key, {})[parameter.name] = _checked(path, option, parameter, default)
            continue
        having = [name for name, known in options.items() if key in known]
        if not having:
            hint = _meant(key, {*options, *_TABLES, *(name for known in options.values() for name in known)})
            raise UserError(f"{path}: no command has an option {key!r}{hint}")
        for name in having:
            parameter = options[name][key]
            found.setdefault(name, {}).setdefault(parameter.name, _checked(path, key, parameter, value))
    return found


def check_values(command: Any, path: Path | None) -> None:
    """Convert every value of the file as the commands do; the first that cannot be is a `UserError`."""
    import typer

    from affordance.cli.mistakes import told

    for name, defaults in default_map(command, path).items():
        for parameter in command.commands[name].params:
            if parameter.name not in defaults:
                continue
            try:
                parameter.process_value(None, defaults[parameter.name])
            except typer.TyperException as error:
                raise UserError(f"{path}: of the command {name!r}, {told(error)}") from None


def _meant(found: str, known: Iterable[str]) -> str:
    near = nearest(found, known)
    return f"; did you mean {near!r}?" if near else ""


def _options(command: Any) -> dict[str, Any]:
    """A command's options by their long names."""
    return {
        name.removeprefix("--"): parameter
        for parameter in command.params
        for name in parameter.opts
        if name.startswith("--")
    }


def _checked(path: Path | None, option: str, parameter: Any, value: Any) -> Any:
    """A value that can be one; whether it is a good one, the command's own parser knows."""
    values = value if isinstance(value, list) and parameter.multiple else [value]
    for one in values:
        if isinstance(one, (list, dict)) or (option in PATHS and not isinstance(one, str)):
            raise UserError(f"{path}: {option}: expected {'text' if option in PATHS else 'one value'}, found {value!r}")
    if option in PATHS and path is not None and "://" not in value:
        return str(path.parent / value)
    return values if parameter.multiple else value
