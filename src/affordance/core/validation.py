"""Strict pydantic models, and validation errors in one line."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from affordance.core.http import public_url

MIN_SECRET_LENGTH = 6  # characters; what is shorter may be a word


def format_validation_error(error: ValidationError, describe: Callable[[Any], str] | None = None) -> str:
    """The first complaint with its place, what was found there, and how many more there are. `show` puts what was
    found into words; without it the beginning of it is quoted."""
    return format_validation_errors(error.errors(include_url=False, include_context=False), describe)


def format_validation_errors(errors: Sequence[Mapping[str, Any]], describe: Callable[[Any], str] | None = None) -> str:
    """The same of what `errors()` has given."""
    first, *others = errors
    where = ".".join(public_url(str(part)) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    found = first.get("input")
    told = repr(str(found)[:80]) if describe is None else describe(found)
    shown = "" if first["type"] in ("missing", "value_error") else f", found {told}"
    more = f" (and {len(others)} more)" if others else ""
    return f"{where + ': ' if where else ''}{message[:1].lower()}{message[1:]}{shown}{more}"


def describe_setting(value: Any) -> str:
    """What was found in a file of settings, in words that hold no key or password: what is short is quoted, of anything
    else the kind is named."""
    if isinstance(value, str | bool | int | float) and len(str(value)) < MIN_SECRET_LENGTH:
        return repr(value)
    kinds = {str: "text", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return next((words for kind, words in kinds.items() if isinstance(value, kind)), f"a {type(value).__name__}")


class StrictModel(BaseModel):
    """Nothing is converted; fields we do not know survive a round trip."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True, arbitrary_types_allowed=True)


def short_repr(value: object) -> str:
    """A value in a message: one short line."""
    if value is None:
        return "nothing"
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."
