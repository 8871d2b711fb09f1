"""Quiet and verbose output, notes on standard error, JSON on standard output."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from affordance.core.errors import UserError

_quiet: ContextVar[bool] = ContextVar("quiet", default=False)
_verbose: ContextVar[bool] = ContextVar("verbose", default=False)


@contextmanager
def output_scope(*, quiet: bool = False) -> Iterator[None]:
    """Settings of one command or call; those of the next in the same process start from the defaults."""
    quiet_token, verbose_token = _quiet.set(quiet), _verbose.set(False)
    try:
        yield
    finally:
        _quiet.reset(quiet_token)
        _verbose.reset(verbose_token)


def set_quiet(quiet: bool) -> None:
    """Until the end of the scope. An option before the command's name and one after it count alike."""
    _quiet.set(quiet or _quiet.get())


def set_verbose(verbose: bool) -> None:
    _verbose.set(verbose or _verbose.get())


def is_quiet() -> bool:
    return _quiet.get()


def is_verbose() -> bool:
    return _verbose.get()


def print_note(text: str) -> None:
    """A line on standard error, unless output is quiet."""
    if not is_quiet():
        print_warning(text)


def print_warning(text: str) -> None:
    """A line on standard error, also where output is quiet: what a user needs to know to continue."""
    print(f"affordance: {text}", file=sys.stderr)


def print_json(value: object) -> None:
    """A value as JSON on standard output; dataclasses become objects, sets become sorted lists."""
    # `dataclasses.asdict` cannot copy a Counter.
    print(json.dumps(value, indent=2, ensure_ascii=False, default=_to_plain), flush=True)


def dataclass_fields(value: Any) -> dict[str, Any]:
    """The fields of a dataclass by name."""
    return {one.name: getattr(value, one.name) for one in fields(value)}


def _to_plain(value: object) -> object:
    if is_dataclass(value):
        return dataclass_fields(value)
    if isinstance(value, (Path, UserError)):
        return str(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"cannot be written as JSON: {type(value).__name__}")
