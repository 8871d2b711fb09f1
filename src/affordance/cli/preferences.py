"""`affordance data preferences`: pairs of designs as training data."""

from typing import Annotated, Literal

import typer

from affordance.cli import known
from affordance.cli.options import LEDGER, Json, Ledger, Spec
from affordance.cli.pairs import New
from affordance.cli.places import cache_dir
from affordance.console.output import print_json
from affordance.core.errors import UserError


def preferences(
    spec: Spec,
    out: New,
    origin: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="WHO",
            help="Who decides: the winner of the dataset, study:NAME, or a model that was asked in --run.",
        ),
    ] = "winner",
    ledger: Ledger = LEDGER,
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="R",
            help="The run of behavior/choice in which the model was asked.",
            autocompletion=known.runs,
        ),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="How the model was asked, where the run has several strategies.",
            autocompletion=known.strategies,
        ),
    ] = None,
    goal: Annotated[
        Literal["shown", "hidden"],
        typer.Option(metavar="shown|hidden", help="Whether prompts tell the goal of a page, where there is one."),
    ] = "shown",
    least: Annotated[
        float,
        typer.Option(
            "--least-agreement", metavar="A", min=0.5, max=1.0, help="Share of votes; below, a pair is left out."
        ),
    ] = 0.8,
    test: Annotated[
        float, typer.Option("--test", metavar="SHARE", min=0.0, max=0.9, help="Hold this share of the pairs back.")
    ] = 0.0,
    seed: Annotated[int, typer.Option(metavar="S", help="Decides which pairs are held back.")] = 0,
    as_json: Json = False,
) -> None:
    """Write a preference set for training: prompt, chosen, rejected and images, as TRL reads it.

    Ties, and pairs on which too few agree, are left out and counted. Never measure a model on what it was trained with:
    each row tells its item and dataset.

    \b
    Examples:
      affordance data preferences pairs -o preferences
      affordance data preferences pairs -o preferences --test 0.1
      affordance data preferences pairs -o preferences --from study:designs --ledger affordance.db
      affordance data preferences pairs -o predicted --from openai:gpt-5 --run monday
    """
    from affordance.core.formatting import count_noun
    from affordance.datasets import load_collection
    from affordance.integrations.preferences.export import PreferenceOptions, export_preferences, format_exclusions
    from affordance.integrations.preferences.sources import load_preferences

    dataset = load_collection(spec, cache_dir()).of_kind("pair")
    if dataset is None:
        raise UserError(f"expected pairs of designs in {spec}, found none")
    options = PreferenceOptions(goal == "shown", test, seed)
    made = export_preferences(dataset, load_preferences(origin, dataset, least, ledger, run, strategy), out, options)
    if as_json:
        print_json(made)
        return
    for split, count in made.rows.items():
        print(
            f"{out / 'data' / f'{split}.jsonl'}: {count_noun(count, 'row')} from "
            f"{count_noun(made.pairs[split], 'pair')}"
        )
    print(f"decided by: {', '.join(f'{name} ({count})' for name, count in made.signals.items())}")
    print(f"left out: {format_exclusions(made.left_out)}")
