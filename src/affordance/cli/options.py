"""Options and arguments that several commands share."""

from typing import Annotated

import typer

from affordance.cli import known
from affordance.cli.topics import COMMON, HOW
from affordance.core.names import DEFAULT_LEDGER

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
