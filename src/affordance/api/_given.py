"""What callers give, in the forms in which it is convenient, as the rooms below take it."""

import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from affordance.cli.quiet import hush, one_command
from affordance.core.names import USUAL_LEDGER
from affordance.run.options import Options

F = TypeVar("F", bound=Callable[..., Any])

Names = str | Iterable[str]

_USUAL: Options = {"seed": 0, "protocol": "affordance", "parameters": {}}


def names_of(given: Names) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def ledger_of(given: str | Path | None) -> str:
    """As the command line has it: AFFORDANCE_LEDGER, or affordance.db in the current folder."""
    return os.environ.get("AFFORDANCE_LEDGER") or USUAL_LEDGER if given is None else str(given)


@contextmanager
def hushed(quiet: bool) -> Iterator[None]:
    """In here there is no progress and no remark, where somebody wants it so."""
    with one_command():
        hush(quiet)
        yield


def with_options(function: F) -> F:
    """Show the options of a function one by one to whoever asks for its signature: help, and what completes names."""
    signature = inspect.signature(function)
    own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_USUAL.get(name), annotation=kind)
        for name, kind in Options.__annotations__.items()
    ]
    function.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    return function
