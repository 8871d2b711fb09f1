"""Groups of commands: help pages of one form, `--quiet` and `--verbose` everywhere, former names, and exit codes."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from affordance.cli import legacy
from affordance.cli.options import COMMON
from affordance.console.output import print_note, set_quiet, set_verbose

F = TypeVar("F", bound=Callable[..., Any])

EXIT_OK, EXIT_BUG, EXIT_USER_ERROR, EXIT_INCOMPLETE = 0, 1, 2, 3

_QUIET: dict[str, Any] = {"help": "Print only results and errors.", "rich_help_panel": COMMON}
_VERBOSE: dict[str, Any] = {
    "help": "Also print numbers of requests and stored responses; show tracebacks.",
    "rich_help_panel": COMMON,
}
Quiet = Annotated[bool, typer.Option("-q", "--quiet", **_QUIET)]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", **_VERBOSE)]
QuietEverywhere = Annotated[bool, typer.Option("-q", "--quiet", envvar="AFFORDANCE_QUIET", **_QUIET)]
VerboseEverywhere = Annotated[bool, typer.Option("-v", "--verbose", envvar="AFFORDANCE_VERBOSE", **_VERBOSE)]


class _Parsing:
    """Before Typer's own class, whose part it does not take over."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from affordance.cli.help import write_help

        write_help(ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse former names, and let an error know the command whose help page is the one to read."""
        options = self.get_params(ctx)
        if not hasattr(self, "commands"):
            known = {name.removeprefix("--") for one in options for name in one.opts if name.startswith("--")}
            args = legacy.translate_arguments(command_path(ctx), args, known)
            legacy.note_old_variables(options)
        try:
            rest: list[str] = super().parse_args(ctx, args)  # type: ignore[misc]  # of Typer's class
        except typer.TyperException as error:
            if getattr(error, "ctx", ctx) is None:
                error.ctx = ctx  # type: ignore[attr-defined]  # as usage errors have it
            raise
        return rest

    def get_params(self, ctx: Any) -> list[Any]:
        """While a shell completes, values are taken as they were typed: to check them takes longer than all the
        rest."""
        found: list[Any] = super().get_params(ctx)  # type: ignore[misc]  # of Typer's class
        if ctx.resilient_parsing:
            for parameter in found:
                parameter.process_value = lambda _, value: value
        return found


class HelpCommand(_Parsing, TyperCommand):
    pass


class HelpGroup(_Parsing, TyperGroup):
    pass


class GroupWithDefault(HelpGroup):
    """A group that stands for one of its commands where no command is named."""

    default = ""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        visible = [name for name, one in self.commands.items() if not one.hidden]
        if self.stands_for_default(args) and args[:1] != ["-h"] and not set(args[:1]) & {"--help", *visible}:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def stands_for_default(self, args: list[str]) -> bool:
        raise NotImplementedError


class CommandGroup(typer.Typer):
    """Commands under one name."""

    def __init__(self, group: type[HelpGroup] = HelpGroup, *, no_args_is_help: bool = True, **settings: Any) -> None:
        super().__init__(cls=group, no_args_is_help=no_args_is_help, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[F], F]:
        add = super().command(name, cls=HelpCommand, **settings)

        def keep(function: F) -> F:
            add(_with_output_options(function))
            return function

        return keep


def command_path(context: Any) -> str:
    """A command as it is typed, without the program: `data fetch`."""
    return str(context.command_path).partition(" ")[2]


def _with_output_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """A command with --quiet and --verbose, which the function itself never sees."""
    hints = get_type_hints(function, include_extras=True)
    own = [
        one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name])
        for one in inspect.signature(function).parameters.values()
    ]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation)
        for name, annotation in (("quiet", Quiet), ("verbose", Verbose))
    ]

    @wraps(function)
    def command(*, quiet: bool, verbose: bool, **given: Any) -> Any:
        set_quiet(quiet)
        set_verbose(verbose)
        for notice in legacy.take_notices():
            print_note(notice)
        return function(**given)

    command.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined]  # what inspect looks at
    command.__annotations__ = {one.name: one.annotation for one in (*own, *added)}
    return command
