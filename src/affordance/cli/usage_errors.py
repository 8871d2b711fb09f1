"""Errors of usage as one line: what was expected, what was found, and what may have been meant."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from affordance.core.errors import closest_match, suggest
from affordance.core.paths import find_config

# By the type that pydantic gives them: what was expected.
EXPECTED = {
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "int_type": "a whole number",
    "float_parsing": "a number",
    "float_type": "a number",
    "finite_number": "a number",
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
}


def describe_usage_error(error: typer.TyperException) -> str:
    """What typer says of a command line, in our words; ends with where to read on."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "affordance"
    file = _file_of(error, context)
    return f"{file}{usage_message(error, _in_file if file else repr)} (see `{path} --help`)"


def _in_file(value: Any) -> str:
    from affordance.core.validation import describe_setting

    return describe_setting(value)


def _file_of(error: Any, context: Any) -> str:
    """The file that a value comes from which nobody typed."""
    parameter = getattr(error, "param", None)
    source = context.get_parameter_source(parameter.name) if context is not None and parameter is not None else None
    return f"{find_config(Path.cwd())}: " if source is not None and source.name == "DEFAULT_MAP" else ""


def usage_message(error: Any, show: Callable[[Any], str] = repr) -> str:
    """The same without where to read on. `show` puts the value that was found into words."""
    context = getattr(error, "ctx", None)
    match type(error).__name__:
        case "NoSuchOption" if context is not None:
            known = [name for one in context.command.get_params(context) for name in one.opts]
            return f"No such option {error.option_name!r}{_nearest(error.option_name, known)}"
        case "UsageError" if error.message.startswith("No such command") and context is not None:
            name = error.message.split("'")[1]
            return f"No such command {name!r}; {suggest(name, context.command.commands)}"
        case "BadOptionUsage" if "requires an argument" in error.message:
            return f"{error.option_name}: expected a value, found none"
        case "UsageError" if found := re.search(r"unexpected extra arguments?(?:\(s\))? \((.*)\)", error.message):
            return f"expected no more arguments, found {found[1]!r}"
        case "BadParameter" if error.param is not None:
            return f"{_parameter_name(error.param)}: {_bad(error, show)}"
        case "MissingParameter" if error.param is not None:
            return f"Missing {error.param.param_type_name} {_parameter_name(error.param)!r}: {error.param.help}"
        case _:
            return str(error.format_message())


def _nearest(found: str, known: list[str]) -> str:
    """The nearest name, or nothing: a help page lists the others better."""
    near = closest_match(found, [name for name in known if len(name) > 2 and len(found) > 2])
    return f"; did you mean {near!r}?" if near else ""


def _parameter_name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name)
    return next((name for name in parameter.opts if name.startswith("--")), str(parameter.opts[0]))


def _bad(error: Any, show: Callable[[Any], str]) -> str:
    cause = error.__cause__
    if not hasattr(cause, "errors"):
        return str(error.message)
    first = cause.errors()[0]
    found = first["input"]
    if first["type"] in EXPECTED:
        return f"expected {EXPECTED[first['type']].format(**first.get('ctx', {}))}, found {show(found)}"
    if choices := error.param.type_descriptor.choices:
        *names, last = [str(getattr(one, "value", one)) for one in choices]
        return f"expected {', '.join(names)} or {last}, found {show(found)}{_nearest(str(found), [*names, last])}"
    return str(error.message).removeprefix("Value error, ")
