"""Defaults of options: from `affordance.toml`, where a top-level key is for every command that has the option and a
table is for one command, and from environment variables."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from affordance.core.errors import UserError, closest_match
from affordance.core.http import public_url

PATHS = frozenset({"ledger", "data", "prompts", "out", "output"})  # in the file, relative to the file
_TABLES = ("models", "prices", "providers")  # that are of no command


def set_variables(command: Any, prefix: str = "AFFORDANCE") -> None:
    """Give every option of every command its variable: `--limit` of `run` is AFFORDANCE_RUN_LIMIT."""
    for name, one in command.commands.items():
        inner = f"{prefix}_{name.upper().replace('-', '_')}"
        if hasattr(one, "commands"):
            set_variables(one, inner)
        for option, parameter in _options(one).items():
            if option != "help" and parameter.envvar is None:
                parameter.envvar = f"{inner}_{option.upper().replace('-', '_')}"


def default_map(command: Any, path: Path | None) -> dict[str, Any]:
    """The file's options as the command parser takes them: by command, and in a group by the commands of it. `command`
    is the whole command line. Whether a value is a good one is reported by the command that takes it, or for all
    commands by `check_values`."""
    if path is None:
        return {}
    from affordance.core.config import read_config

    return _defaults(command, path, read_config(path).command_defaults, "")


def _defaults(group: Any, path: Path, table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """What a table says of a group: a key is for every command that has the option, a table for the command of its
    name."""
    found: dict[str, Any] = {}
    commands = group.commands
    for key, value in table.items():
        if isinstance(value, dict):
            continue
        if not name and key == "ledger":  # `resolve_ledger` reads it, for commands and calls alike
            _text(path, key, value)
            continue
        if not _spread(group, path, key, value, found, ledger=not name and "ledger" in table):
            hint = _meant(key, {*commands, *_option_names(group), *(() if name else _TABLES)})
            of = f" of {name!r}" if name else ""
            raise UserError(f"{path}: no command{of} has an option {public_url(key)!r}{hint}")
    for key, value in table.items():
        if not isinstance(value, dict):
            continue
        if key not in commands:
            hint = _meant(key, {*commands, *(() if name else _TABLES)})
            whole = public_url(f"{name}.{key}" if name else key)
            raise UserError(f"{path}: there is no command {public_url(key)!r} for the table [{whole}]{hint}")
        one = commands[key]
        if hasattr(one, "commands"):
            _update(found.setdefault(key, {}), _defaults(one, path, value, f"{name} {key}".strip()))
            continue
        options = _options(one)
        for option, default in value.items():
            if option not in options:
                hint = _meant(option, options)
                raise UserError(f"{path}: the command {key!r} has no option {public_url(option)!r}{hint}")
            found.setdefault(key, {})[options[option].name] = _validate(path, option, options[option], default)
    return found


def _spread(group: Any, path: Path, key: str, value: Any, found: dict[str, Any], *, ledger: bool = False) -> bool:
    """Give every command of a group that has an option of this name its default; whether any has. With `ledger` the
    ledger is named already, also for a command that calls its option otherwise."""
    having = False
    for name, one in group.commands.items():
        if hasattr(one, "commands"):
            inner: dict[str, Any] = {}
            if _spread(one, path, key, value, inner, ledger=ledger):
                _update(found.setdefault(name, {}), inner)
                having = True
        elif (parameter := _options(one).get(key)) is not None:
            having = True
            if not (ledger and _is_ledger(parameter)):
                found.setdefault(name, {})[parameter.name] = _validate(path, key, parameter, value)
    return having


def _update(found: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict):
            _update(found.setdefault(key, {}), value)
        else:
            found[key] = value


def check_values(command: Any, path: Path | None) -> None:
    """Convert every value of the file as the commands do; the first that cannot be is a `UserError`."""
    if path is not None:
        _check(command, path, default_map(command, path), "")


def _check(group: Any, path: Path, found: Mapping[str, Any], of: str) -> None:
    import typer

    from affordance.cli.usage_errors import usage_message
    from affordance.core.validation import describe_setting

    for name, defaults in found.items():
        one, whole = group.commands[name], f"{of} {name}".strip()
        if hasattr(one, "commands"):
            _check(one, path, defaults, whole)
            continue
        for parameter in one.params:
            if parameter.name not in defaults:
                continue
            try:
                parameter.process_value(None, defaults[parameter.name])
            except typer.TyperException as error:
                raise UserError(f"{path}: of the command {whole!r}, {usage_message(error, describe_setting)}") from None


def _meant(found: str, known: Iterable[str]) -> str:
    near = closest_match(found, known)
    return f"; did you mean {near!r}?" if near else ""


def _options(command: Any) -> dict[str, Any]:
    """A command's options by their long names."""
    return {
        name.removeprefix("--"): parameter
        for parameter in command.params
        for name in parameter.opts
        if name.startswith("--")
    }


def _option_names(group: Any) -> set[str]:
    """The long names of all options of a group's commands."""
    found: set[str] = set()
    for one in group.commands.values():
        found |= _option_names(one) if hasattr(one, "commands") else set(_options(one))
    return found


def _is_ledger(parameter: Any) -> bool:
    return bool(parameter.envvar == "AFFORDANCE_LEDGER")


def _validate(path: Path, option: str, parameter: Any, value: Any) -> Any:
    """A value that can be one; whether it is a good one, the command's own parser knows."""
    from affordance.core.config import resolve_config_path

    values = value if isinstance(value, list) and parameter.multiple else [value]
    if option in PATHS or _is_ledger(parameter):
        return resolve_config_path(path, _text(path, option, value))
    for one in values:
        if isinstance(one, (list, dict)):
            raise _unlike(path, option, "one value", value)
    return values if parameter.multiple else value


def _text(path: Path, option: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _unlike(path, option, "text", value)
    return value


def _unlike(path: Path, option: str, expected: str, value: Any) -> UserError:
    from affordance.core.validation import describe_setting

    return UserError(f"{path}: {option}: expected {expected}, found {describe_setting(value)}")
