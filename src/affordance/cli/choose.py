"""`affordance choose`: which of two designs does a model prefer, how sure is that, and why?"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.options import LEDGER, Concurrency, Json, KeyEnv, Ledger, Model, Timeout
from affordance.cli.places import cache_dir
from affordance.console.progress import run_progress

if TYPE_CHECKING:
    from affordance.evaluation.design_choice import DesignChoiceRun
    from affordance.tasks.behavior.design_preference import DesignPreference


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
    from affordance.cli.run import execution_config, report_run_problems
    from affordance.core.errors import UserError
    from affordance.evaluation.design_choice import choose_design
    from affordance.report.design_choice import choice_record
    from affordance.tasks.behavior.design_preference import infer_preference

    with run_progress() as watch:
        asking = choose_design(
            (a, b),
            model,
            goal,
            trials=trials,
            ledger=ledger,
            render_cache=cache_dir() / "pictures",
            execution=execution_config(concurrency, timeout, None, key_env, [model]),
            fresh=fresh,
            on_progress=watch,
        )
    code = report_run_problems(asking.request, asking.progress, asking.run)
    if not asking.said:
        raise UserError(f"{asking.model} gave no reply to judge by") if not code else typer.Exit(code)
    found = infer_preference(asking.said)
    if as_json:
        print(json.dumps(choice_record(found, asking), indent=2, ensure_ascii=False))
    else:
        _print_verdict(found, asking)
    raise typer.Exit(code)


def _print_verdict(found: "DesignPreference", asking: "DesignChoiceRun") -> None:
    from rich.console import Console
    from rich.text import Text

    from affordance.report.design_choice import describe_choice, headline, vote_table, wrap
    from affordance.report.formats.terminal import print_table

    title = Text("\n".join(wrap(headline(found, asking.model))), style="bold")
    Console(highlight=False, soft_wrap=True).print(title)
    print()
    table = vote_table(found, asking)
    print_table(table)
    print("\n" + "\n".join(describe_choice(found, asking.said, asking.goal)))
