"""Options and arguments that several commands share, and the headings under which help pages list them."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

from affordance.cli import known
from affordance.core.paths import DEFAULT_LEDGER

FIRST, MEASURE, MAKE, PEOPLE = "First steps", "Measure", "Make benchmarks", "Ask people"  # commands, in this order
HOW, JUDGING, REACHED = "How it is asked", "How it is judged", "How it is reached"
ARGUMENTS, OPTIONS, COMMANDS = "Arguments", "Options", "Commands"  # where nothing else is said
COMMON = "Common options"  # always last

ORDER = (FIRST, MEASURE, MAKE, PEOPLE, ARGUMENTS, OPTIONS)


LEDGER = DEFAULT_LEDGER


def resolved_ledger(context: typer.Context, parameter: typer.CallbackParam, value: str) -> str:
    """The value of an option for a ledger: what was given, or what `resolve_ledger` finds."""
    source = context.get_parameter_source(str(parameter.name))
    if context.resilient_parsing or source is None or source.name != "DEFAULT":
        return value
    from affordance.core.config import resolve_ledger
    from affordance.core.errors import UserError

    try:
        return resolve_ledger()
    except UserError:
        if context.info_name == "doctor":  # which reports what is wrong with the file, next to all else
            return value
        raise


Ledger = Annotated[
    str,
    typer.Option(
        "--ledger",
        metavar="L",
        envvar="AFFORDANCE_LEDGER",
        help="A sqlite file or a Postgres URL; holds every reply.",
        callback=resolved_ledger,
        show_default=LEDGER,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel=COMMON)]
Spec = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        help="A dataset folder, or FORMAT:PATH with a published dataset.",
        autocompletion=known.specs,
    ),
]
Model = Annotated[
    str, typer.Option("--model", metavar="M", help="PROVIDER:MODEL[@BASE_URL]", autocompletion=known.models)
]
Models = Annotated[
    list[str],
    typer.Option("--model", metavar="M", help="PROVIDER:MODEL[@BASE_URL]; repeatable.", autocompletion=known.models),
]
OnlyTasks = Annotated[
    list[str],
    typer.Option("--task", metavar="T", help="Only these tasks; repeatable.", autocompletion=known.tasks),
]
Concurrency = Annotated[int, typer.Option(min=1, metavar="N", help="Asks at once to one model, at most.")]
Timeout = Annotated[float, typer.Option(min=0.1, metavar="S", help="Seconds to wait for a reply.")]
KeyEnv = Annotated[
    list[str] | None,
    typer.Option(
        "--key-env",
        metavar="[MODEL=]NAME",
        help="Environment variable with the API key, of MODEL or of the only one asked; repeatable.",
        show_default="the provider's, sent to its own host only",
    ),
]
Data = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="A dataset; without it the demo data.", autocompletion=known.specs),
]
Limit = Annotated[int | None, typer.Option(min=1, metavar="N", help="Only N items, from all over.")]
Cues = Annotated[
    str | None,
    typer.Option(
        metavar="C",
        help="What helps beside the clip: motion, context and caption, joined by commas; none, or all.",
        autocompletion=known.cues,
        rich_help_panel=HOW,
    ),
]
Expression = Annotated[
    str | None,
    typer.Option(
        metavar="E",
        help="How a target is described: functionality, description, intent, or all.",
        autocompletion=known.expressions,
        rich_help_panel=HOW,
    ),
]
Goal = Annotated[
    str | None, typer.Option(metavar="shown|hidden", help="Of the page that is designed.", rich_help_panel=HOW)
]
Judge = Annotated[
    str, typer.Option("--judge", metavar="M", help="PROVIDER:MODEL[@BASE_URL]", autocompletion=known.models)
]
Browser = Annotated[
    str | None,
    typer.Option(
        "--browser", metavar="PATH", envvar="AFFORDANCE_BROWSER", help="A Chromium; by default one found on PATH."
    ),
]
Workers = Annotated[int, typer.Option(min=1, max=32, metavar="N", help="Pages open at once.")]


def with_options(function: Callable[..., None]) -> Callable[..., None]:
    """A command whose last parameter is a dataclass of options has each of them as an option of its own, as typer wants
    them; the function gets them together."""
    hints = get_type_hints(function, include_extras=True)
    own = list(inspect.signature(function).parameters.values())
    together = own.pop()
    options: type[Any] = hints[together.name]
    of_options = get_type_hints(options, include_extras=True)
    names = [one.name for one in fields(options)]
    shared = [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if one.default is MISSING else one.default,
            annotation=of_options[one.name],
        )
        for one in fields(options)
    ]

    @wraps(function)
    def command(**given: Any) -> None:
        common = options(**{name: given.pop(name) for name in names})
        function(**given, **{together.name: common})

    mine = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name]) for one in own]
    needed = [one for one in (*shared, *mine) if one.default is inspect.Parameter.empty]
    others = [one for one in (*mine, *shared) if one.default is not inspect.Parameter.empty]
    command.__signature__ = inspect.Signature([*needed, *others])  # type: ignore[attr-defined]  # what inspect looks at
    command.__annotations__ = {one.name: one.annotation for one in (*needed, *others)}
    return command
