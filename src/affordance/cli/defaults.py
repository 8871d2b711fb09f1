"""Defaults of options from `affordance.toml`: a top-level key is for every command that has the option, a table is
for one command."""

from typing import Any

from affordance.core.config import Config
from affordance.core.errors import UserError


def default_map(command: Any, config: Config) -> dict[str, dict[str, Any]]:
    """The file's options as the command parser takes them. `command` is the whole command line, a group."""
    found: dict[str, dict[str, Any]] = {}
    options = {name: {parameter.name for parameter in one.params} for name, one in command.commands.items()}
    for key, value in config.options.items():
        if isinstance(value, dict):
            if key not in options:
                raise UserError(f"affordance.toml: there is no command {key!r} for the table [{key}]")
            for option, default in value.items():
                if _parameter(option) not in options[key]:
                    raise UserError(f"affordance.toml: the command {key!r} has no option {option!r}")
                found.setdefault(key, {})[_parameter(option)] = default
            continue
        having = [name for name, known in options.items() if _parameter(key) in known]
        if not having:
            raise UserError(f"affordance.toml: no command has an option {key!r}")
        for name in having:
            found.setdefault(name, {}).setdefault(_parameter(key), value)
    return found


def _parameter(option: str) -> str:
    return option.replace("-", "_")
