"""Groups of commands: help pages of one form, `--quiet` everywhere, and exit codes."""

from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from affordance.cli.quiet import with_quiet

EXIT_OK, OUR_BUG, USERS_MISTAKE, INCOMPLETE = 0, 1, 2, 3


F = TypeVar("F", bound=Callable[..., Any])


class _Ours:
    """Before typer's own class, whose part it does not take over."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from affordance.cli.help import write_help

        write_help(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """A mistake knows the command that it was made in, whose help page is the one to read."""
        try:
            rest: list[str] = super().parse_args(ctx, args)  # type: ignore[misc]  # of typer's class
        except typer.TyperException as error:
            if getattr(error, "ctx", ctx) is None:
                error.ctx = ctx  # type: ignore[attr-defined]  # as mistakes of usage have it
            raise
        return rest

    def get_params(self, ctx: Any) -> list[Any]:
        """While a shell completes, values are taken as they were typed: to check them takes longer than all the
        rest."""
        found: list[Any] = super().get_params(ctx)  # type: ignore[misc]  # of typer's class
        if ctx.resilient_parsing:
            for parameter in found:
                parameter.process_value = lambda _, value: value
        return found


class HelpCommand(_Ours, TyperCommand):
    pass


class HelpGroup(_Ours, TyperGroup):
    pass


class CommandGroup(typer.Typer):
    """Commands under one name."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(cls=HelpGroup, no_args_is_help=True, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[F], F]:
        add = super().command(name, cls=HelpCommand, **settings)

        def keep(function: F) -> F:
            add(with_quiet(function))
            return function

        return keep
