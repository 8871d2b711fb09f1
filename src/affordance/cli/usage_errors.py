"""Errors of usage as one line: what was expected, what was found, and which name is close."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from affordance.core.errors import closest_match, suggest
from affordance.core.paths import find_config


def describe_usage_error(error: typer.TyperException) -> str:
    """An error of Typer's parser as one line that ends with the help page to read."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "affordance"
    file = _file_of_default(error, context)
    return f"{file}{usage_message(error, _describe_setting if file else repr)} (see `{path} --help`)"


def _describe_setting(value: Any) -> str:
    from affordance.core.validation import describe_setting

    return describe_setting(value)


def _file_of_default(error: Any, context: Any) -> str:
    """The file of a value that was not typed."""
    parameter = getattr(error, "param", None)
    source = context.get_parameter_source(parameter.name) if context is not None and parameter is not None else None
    return f"{find_config(Path.cwd())}: " if source is not None and source.name == "DEFAULT_MAP" else ""


def usage_message(error: Any, describe: Callable[[Any], str] = repr) -> str:
    """What is wrong. `describe` puts the value that was found into words."""
    context = getattr(error, "ctx", None)
    match type(error).__name__:
        case "NoSuchOption" if context is not None:
            known = [name for one in context.command.get_params(context) for name in one.opts]
            return f"No such option {error.option_name!r}{_closest(error.option_name, known)}"
        case "UsageError" if error.message.startswith("No such command") and context is not None:
            name = error.message.split("'")[1]
            known = [name for name, one in context.command.commands.items() if not one.hidden]
            return f"No such command {name!r}; {suggest(name, known)}"
        case "BadOptionUsage" if "requires an argument" in error.message:
            return f"{error.option_name}: expected a value, found none"
        case "UsageError" if found := re.search(r"unexpected extra arguments?(?:\(s\))? \((.*)\)", error.message):
            return f"expected no more arguments, found {found[1]!r}"
        case "BadParameter" if error.param is not None:
            return f"{_parameter_name(error.param)}: {_describe_value_error(error, describe)}"
        case "MissingParameter" if error.param is not None:
            return f"Missing {error.param.param_type_name} {_parameter_name(error.param)!r}: {error.param.help}"
        case _:
            return str(error.format_message())


def _closest(found: str, known: list[str]) -> str:
    """The closest name, or nothing: a help page lists the others better."""
    near = closest_match(found, [name for name in known if len(name) > 2 and len(found) > 2])
    return f"; did you mean {near!r}?" if near else ""


def _parameter_name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name)
    return next((name for name in parameter.opts if name.startswith("--")), str(parameter.opts[0]))


def _describe_value_error(error: Any, describe: Callable[[Any], str]) -> str:
    from affordance.core.validation import describe_invalid_value

    cause = error.__cause__
    if not hasattr(cause, "errors"):
        return str(error.message)
    first = cause.errors()[0]
    if choices := error.param.type_descriptor.choices:
        *names, last = [str(getattr(one, "value", one)) for one in choices]
        found = first["input"]
        return f"expected {', '.join(names)} or {last}, found {describe(found)}{_closest(str(found), [*names, last])}"
    message = describe_invalid_value(first, describe)
    return message if message.startswith("expected ") else str(error.message).removeprefix("Value error, ")
