"""`--quiet`: no progress and no remarks. Every command has it, and it may stand before the command's name, too. Errors
stay, and so does what somebody has to know to go on."""

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

from affordance.cli.options import COMMON

_quiet: ContextVar[bool] = ContextVar("quiet", default=False)

_WHAT: dict[str, Any] = {"help": "No progress, no remarks; errors stay.", "rich_help_panel": COMMON}
Quiet = Annotated[bool, typer.Option("-q", "--quiet", **_WHAT)]
QuietAll = Annotated[bool, typer.Option("-q", "--quiet", envvar="AFFORDANCE_QUIET", **_WHAT)]


@contextmanager
def output_scope() -> Iterator[None]:
    """What is said in one command line does not hold for the next in the same process."""
    token = _quiet.set(False)
    try:
        yield
    finally:
        _quiet.reset(token)


def set_quiet(quiet: bool) -> None:
    """From here to the end of the command; once said, it is not taken back."""
    _quiet.set(quiet or _quiet.get())


def is_quiet() -> bool:
    return _quiet.get()


def print_note(text: str) -> None:
    """A line on standard error that may be left out."""
    if not is_quiet():
        print(f"affordance: {text}", file=sys.stderr)


def with_quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """A command with the option, which the function itself never sees."""
    hints = get_type_hints(function, include_extras=True)
    own = [
        one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name])
        for one in inspect.signature(function).parameters.values()
    ]
    option = inspect.Parameter("quiet", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Quiet)

    @wraps(function)
    def command(*, quiet: bool, **given: Any) -> Any:
        set_quiet(quiet)
        return function(**given)

    command.__signature__ = inspect.Signature([*own, option])  # type: ignore[attr-defined]  # what inspect looks at
    command.__annotations__ = {one.name: one.annotation for one in (*own, option)}
    return command
