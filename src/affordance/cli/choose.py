"""`affordance choose`: which of two designs does a model prefer, how sure is that, and why?"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.options import LEDGER, Concurrency, Json, KeyEnv, Ledger, Model, Timeout
from affordance.cli.places import cache_folder
from affordance.cli.progress import shown

if TYPE_CHECKING:
    from affordance.run.choosing import Asking
    from affordance.suites.behavior.choose import Preference


def choose(
    a: Annotated[Path, typer.Argument(metavar="A.png", help="A picture of one design.")],
    b: Annotated[Path, typer.Argument(metavar="B.png", help="A picture of the other.")],
    model: Model,
    goal: Annotated[str | None, typer.Option(metavar="TEXT", help="What the page is to achieve.")] = None,
    trials: Annotated[int, typer.Option(min=1, metavar="N", help="Times to ask in each of both orders.")] = 3,
    ledger: Ledger = LEDGER,
    concurrency: Concurrency = 16,
    timeout: Timeout = 300.0,
    key_env: KeyEnv = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again what was asked before.")] = False,
    as_json: Json = False,
) -> None:
    """Ask a model which of two designs is the more effective one, in both orders, and why.

    Models tend to prefer a place: the first picture, or the second. Asking in both orders takes that out of the
    verdict. The replies are kept in the ledger, so the same command again asks nothing.

    \b
    Examples:
      affordance choose old.png new.png --model baseline:pixels
      affordance choose old.png new.png --model openai:gpt-5 --goal "More visitors begin a trial"
    """
    from affordance.cli.run import finished, means
    from affordance.core.errors import UserError
    from affordance.report.preferred import as_data
    from affordance.run.choosing import ask_which
    from affordance.suites.behavior.choose import prefer

    with shown() as watch:
        asking = ask_which(
            (a, b),
            model,
            goal,
            trials=trials,
            ledger=ledger,
            pictures=cache_folder() / "pictures",
            means=means(concurrency, timeout, None, key_env, [model]),
            fresh=fresh,
            watch=watch,
        )
    code = finished(asking.request, asking.progress, asking.run)
    if not asking.said:
        raise UserError(f"{asking.model} gave no reply to judge by") if not code else typer.Exit(code)
    found = prefer(asking.said)
    if as_json:
        print(json.dumps(as_data(found, asking), indent=2, ensure_ascii=False))
    else:
        _print_verdict(found, asking)
    raise typer.Exit(code)


def _print_verdict(found: "Preference", asking: "Asking") -> None:
    from rich.console import Console
    from rich.text import Text

    from affordance.report.preferred import headline, in_words, votes, wrapped
    from affordance.report.tables import print_table

    title = Text("\n".join(wrapped(headline(found, asking.model))), style="bold")
    Console(highlight=False, soft_wrap=True).print(title)
    print()
    table = votes(found, asking)
    print_table(table.columns, table.lines)
    print("\n" + "\n".join(in_words(found, asking.said, asking.goal)))
