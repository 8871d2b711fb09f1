"""Pydantic's complaints in one line."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError


def first_complaint(error: ValidationError) -> str:
    """The first complaint with its place, what was found there, and how many more there are."""
    return complaint_of(error.errors(include_url=False, include_context=False))


def complaint_of(errors: Sequence[Mapping[str, Any]]) -> str:
    """The same of what `errors()` has given."""
    first, *others = errors
    where = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    shown = "" if first["type"] in ("missing", "value_error") else f", found {str(first.get('input'))[:80]!r}"
    more = f" (and {len(others)} more)" if others else ""
    return f"{where + ': ' if where else ''}{message[:1].lower()}{message[1:]}{shown}{more}"
