"""`affordance choose`: ask a model which of two designs is more effective."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.options import LEDGER, Budget, Concurrency, Fresh, Json, KeyEnv, Ledger, Model, Timeout
from affordance.console.output import print_json
from affordance.console.progress import run_progress
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.evaluation.design_choice import DesignChoiceRun
    from affordance.tasks.behavior.design_preference import DesignPreference


def choose(
    a: Annotated[Path, typer.Argument(metavar="A.png", help="Image of one design.")],
    b: Annotated[Path, typer.Argument(metavar="B.png", help="Image of the other.")],
    model: Model,
    goal: Annotated[str | None, typer.Option("--goal", metavar="TEXT", help="What the page should achieve.")] = None,
    trials: Annotated[int, typer.Option("--trials", min=1, metavar="N", help="Attempts per order.")] = 3,
    ledger: Ledger = LEDGER,
    concurrency: Concurrency = 64,
    timeout: Timeout = 300.0,
    key_env: KeyEnv = None,
    budget: Budget = None,
    fresh: Fresh = False,
    as_json: Json = False,
) -> int:
    """Ask a model which of two designs is more effective, in both orders, and why.

    Models tend to prefer a position: the first image, or the second. Asking in both orders removes that from the
    verdict. The same command uses the stored responses.

    \b
    Examples:
      affordance choose old.png new.png --model baseline:first
      affordance choose old.png new.png --model openai:gpt-5 --goal "More visitors start a trial"
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
            execution=execution_config(concurrency, timeout, budget, key_env, [model]),
            fresh=fresh,
            on_progress=watch,
        )
    code = report_run_problems(asking.request, asking.progress, asking.run)
    if not asking.said:
        if code:
            return code
        raise UserError(f"{asking.model} returned no usable response")
    found = infer_preference(asking.said)
    if as_json:
        print_json(choice_record(found, asking))
    else:
        _print_verdict(found, asking)
    return code


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
