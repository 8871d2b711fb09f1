"""Defaults of options, from `affordance.toml` and environment variables.

In the file, a top-level key is for every command that has the option, and a table is for one command or group."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affordance.cli import legacy
from affordance.core.errors import UserError, closest_match
from affordance.core.http import public_url

_OTHER_TABLES = ("models", "prices", "providers")  # that are about no command


@dataclass(frozen=True, slots=True)
class EffectiveDefault:
    """The default of one option, and where it comes from."""

    command: str
    option: str
    value: Any
    source: str  # a variable, the path of the file, or `built in`


def name_variables(command: Any, prefix: str = "AFFORDANCE", path: str = "") -> None:
    """Give every option of every command its variable: `--limit` of `run` is AFFORDANCE_RUN_LIMIT."""
    for name, one in command.commands.items():
        # A hidden command stands for its group: `affordance study NAME`.
        inner = prefix if one.hidden else f"{prefix}_{_variable(name)}"
        whole = path if one.hidden else f"{path} {name}".strip()
        if hasattr(one, "commands"):
            name_variables(one, inner, whole)
            continue
        options = _options(one)
        for option, parameter in options.items():
            if option != "help" and parameter.envvar is None:
                parameter.envvar = f"{inner}_{_variable(option)}"
        legacy.name_old_variables(whole, inner, options)


def load_defaults(command: Any, path: Path | None) -> dict[str, Any]:
    """The options of a file as the command parser takes them: by command, and in a group by its commands.

    Args:
        command: the whole command line.
        path: the file. Its values are validated by the command that takes them, or for all commands by
            `validate_defaults`.
    """
    if path is None:
        return {}
    from affordance.core.config import read_config

    return _defaults(command, path, read_config(path).command_defaults, "")


def validate_defaults(command: Any, path: Path | None) -> None:
    """Convert every value of the file as the commands do. Raises a `UserError` for the first that is invalid."""
    if path is not None:
        _validate_all(command, path, load_defaults(command, path), "")


def effective_defaults(command: Any, path: Path | None) -> Iterator[EffectiveDefault]:
    """The default of every option of every command, by the command's and the option's name."""
    yield from _effective_defaults(command, path, load_defaults(command, path), "")


def _effective_defaults(group: Any, path: Path | None, found: Mapping[str, Any], of: str) -> Iterator[EffectiveDefault]:
    import os

    for name, one in group.commands.items():
        whole, defaults = f"{of} {name}".strip(), found.get(name, {})
        if hasattr(one, "commands"):
            yield from _effective_defaults(one, path, defaults, whole)
            continue
        for option, parameter in _options(one).items():
            if one.hidden or option == "help":
                continue
            variables = [parameter.envvar] if isinstance(parameter.envvar, str) else parameter.envvar or []
            variable = next((name for name in variables if os.environ.get(name)), None)
            if variable is not None:
                yield EffectiveDefault(whole, option, os.environ[variable], variable)
            elif parameter.name in defaults:
                yield EffectiveDefault(whole, option, defaults[parameter.name], str(path))
            else:
                yield EffectiveDefault(whole, option, parameter.default, "built in")


def _variable(name: str) -> str:
    return name.upper().replace("-", "_")


def _defaults(group: Any, path: Path, table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The options of a group: a key is for every command that has the option, a table for the command of its name."""
    found: dict[str, Any] = {}
    commands = group.commands
    for key, value in table.items():
        if isinstance(value, dict):
            continue
        if not name and key == "ledger":  # `resolve_ledger` reads it, for commands and calls alike
            _check_text(path, key, value)
            continue
        if not _spread(group, path, key, value, found, name, ledger=not name and "ledger" in table):
            hint = _suggestion(key, {*commands, *_option_names(group), *(() if name else _OTHER_TABLES)})
            of = f" of {name!r}" if name else ""
            raise UserError(f"{path}: no command{of} has an option {public_url(key)!r}{hint}")
    for key, value in table.items():
        if not isinstance(value, dict):
            continue
        if key not in commands or commands[key].hidden:
            hint = _suggestion(key, {*commands, *(() if name else _OTHER_TABLES)})
            whole = public_url(f"{name}.{key}" if name else key)
            raise UserError(f"{path}: there is no command {public_url(key)!r} for the table [{whole}]{hint}")
        one, whole = commands[key], f"{name} {key}".strip()
        if hasattr(one, "commands"):
            _update(found.setdefault(key, {}), _defaults(one, path, value, whole))
            continue
        options = _options(one)
        for given, default in value.items():
            option = _present_name(whole, options, given)
            if option not in options:
                hint = _suggestion(option, options)
                raise UserError(f"{path}: the command {key!r} has no option {public_url(option)!r}{hint}")
            found.setdefault(key, {})[options[option].name] = _read_value(path, option, options[option], default)
    return found


def _spread(
    group: Any, path: Path, key: str, value: Any, found: dict[str, Any], of: str, *, ledger: bool = False
) -> bool:
    """Give every command of a group that has an option of this name its default; whether any has. With `ledger` the
    file names the ledger already, also for a command that calls its option otherwise."""
    is_known = False
    for name, one in group.commands.items():
        whole = of if one.hidden else f"{of} {name}".strip()
        if hasattr(one, "commands"):
            inner: dict[str, Any] = {}
            if _spread(one, path, key, value, inner, whole, ledger=ledger):
                _update(found.setdefault(name, {}), inner)
                is_known = True
            continue
        options = _options(one)
        if (parameter := options.get(_present_name(whole, options, key))) is not None:
            is_known = True
            if not (ledger and _is_ledger(parameter)):
                found.setdefault(name, {})[parameter.name] = _read_value(path, key, parameter, value)
    return is_known


def _present_name(path: str, options: Mapping[str, Any], key: str) -> str:
    """The name of an option that a file may call by a former one."""
    old = None if key in options else legacy.old_options(path, options).get(key)
    if old is None:
        return key
    legacy.note_old_name(old, f"{key} in affordance.toml", old.new)
    return old.new


def _update(found: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict):
            _update(found.setdefault(key, {}), value)
        else:
            found[key] = value


def _validate_all(group: Any, path: Path, found: Mapping[str, Any], of: str) -> None:
    import typer

    from affordance.cli.usage_errors import usage_message
    from affordance.core.validation import describe_setting

    for name, defaults in found.items():
        one, whole = group.commands[name], f"{of} {name}".strip()
        if hasattr(one, "commands"):
            _validate_all(one, path, defaults, whole)
            continue
        for parameter in one.params:
            if parameter.name not in defaults:
                continue
            try:
                parameter.process_value(None, defaults[parameter.name])
            except typer.TyperException as error:
                raise UserError(f"{path}: of the command {whole!r}, {usage_message(error, describe_setting)}") from None


def _suggestion(found: str, known: Iterable[str]) -> str:
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
    variables = [parameter.envvar] if isinstance(parameter.envvar, str) else parameter.envvar or []
    return "AFFORDANCE_LEDGER" in variables


def _read_value(path: Path, option: str, parameter: Any, value: Any) -> Any:
    """A value of the right shape; whether it is valid, the command's own parser decides. Paths, specs and ledgers are
    relative to the file."""
    from affordance.core.config import resolve_config_path

    values = value if isinstance(value, list) and parameter.multiple else [value]
    for one in values:
        if isinstance(one, (list, dict)):
            raise _unexpected(path, option, "one value", value)
    if parameter.type_descriptor.is_path or parameter.metavar == "SPEC" or _is_ledger(parameter):
        values = [resolve_config_path(path, _check_text(path, option, one)) for one in values]
    return values if parameter.multiple else values[0]


def _check_text(path: Path, option: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _unexpected(path, option, "text", value)
    return value


def _unexpected(path: Path, option: str, expected: str, value: Any) -> UserError:
    from affordance.core.validation import describe_setting

    return UserError(f"{path}: {option}: expected {expected}, found {describe_setting(value)}")
