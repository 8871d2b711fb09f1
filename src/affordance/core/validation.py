"""Strict pydantic models, and validation errors in one line."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from affordance.core.http import public_url

MIN_SECRET_LENGTH = 6  # characters of an API key or password

_EXPECTED = {  # by type of error
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "enum": "{expected}",
    "finite_number": "a number",
    "float_parsing": "a number",
    "float_type": "a number",
    "greater_than": "a number above {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "less_than": "a number below {lt:g}",
    "less_than_equal": "at most {le:g}",
    "list_type": "a list",
    "literal_error": "{expected}",
    "mapping_type": "a mapping",
    "path_type": "a path",
    "string_type": "text",
    "tuple_type": "a list",
}
_MAX_SHOWN = 80  # characters of an invalid value


def describe_invalid_value(error: Mapping[str, Any], describe: Callable[[Any], str] | None = None) -> str:
    """What was expected and what was found, of one entry of `ValidationError.errors()`: `expected a number, found
    'x'`."""
    if error["type"] == "missing":
        return "a value is required"
    if error["type"] not in _EXPECTED:
        message = error["msg"].removeprefix("Value error, ")
        return f"{message[:1].lower()}{message[1:]}"
    expected = _EXPECTED[error["type"]].format(**_printable(error.get("ctx", {})))
    found = error["input"]
    return f"expected {expected}, found {describe_value(found) if describe is None else describe(found)}"


def _printable(context: Mapping[str, Any]) -> dict[str, Any]:
    """Limits of an option may be fractions, which have no number format."""
    return {name: float(value) if isinstance(value, Fraction) else value for name, value in context.items()}


def describe_value(value: Any) -> str:
    """A value in a message, without secrets of a URL: text and numbers are quoted, of anything else the type is
    named."""
    if value is None or isinstance(value, str | bool | int | float):
        return repr(public_url(value)[:_MAX_SHOWN] if isinstance(value, str) else value)
    return type(value).__name__


def format_validation_error(error: ValidationError, describe: Callable[[Any], str] | None = None) -> str:
    """The first invalid value with its place, and how many more there are. `describe` puts the value into words;
    without it the beginning of it is quoted."""
    return format_validation_errors(error.errors(include_url=False, include_context=False), describe)


def format_validation_errors(errors: Sequence[Mapping[str, Any]], describe: Callable[[Any], str] | None = None) -> str:
    """The same for the result of `ValidationError.errors()`."""
    first, *others = errors
    where = ".".join(public_url(str(part)) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    found = first.get("input")
    described = repr(str(found)[:_MAX_SHOWN]) if describe is None else describe(found)
    shown = "" if first["type"] in ("missing", "value_error") else f", found {described}"
    more = f" (and {len(others)} more)" if others else ""
    return f"{where + ': ' if where else ''}{message[:1].lower()}{message[1:]}{shown}{more}"


def describe_setting(value: Any) -> str:
    """A value of a settings file in a message that must not hold keys or passwords: short values are quoted, of others
    the kind is named."""
    if isinstance(value, str | bool | int | float) and len(str(value)) < MIN_SECRET_LENGTH:
        return repr(value)
    kinds = {str: "text", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return next((words for kind, words in kinds.items() if isinstance(value, kind)), f"a {type(value).__name__}")


class StrictModel(BaseModel):
    """Base of pydantic models that convert nothing and keep unknown fields in a round trip.

    Fields declared with `stored_as` are written and read under their stored names, and also read under their own.
    """

    model_config = ConfigDict(
        strict=True,
        extra="allow",
        frozen=True,
        arbitrary_types_allowed=True,
        validate_by_alias=True,
        validate_by_name=True,
        serialize_by_alias=True,
    )


def stored_as(name: str, default: Any = ...) -> Any:
    """A field of a `StrictModel` that files name differently; required without a default."""
    return Field(default, validation_alias=name, serialization_alias=name)


def short_repr(value: object) -> str:
    """A value in a message, as one short line."""
    if value is None:
        return "nothing"
    text = " ".join(repr(value).split())
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}..."
