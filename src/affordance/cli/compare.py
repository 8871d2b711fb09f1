"""`affordance compare`: is one run or model better than another?"""

import json
from typing import Annotated

import typer

from affordance.cli import known
from affordance.cli.options import LEDGER, Json, Ledger, OnlyTasks


def compare(
    first: Annotated[
        str, typer.Argument(metavar="A", help="A run, a model, or RUN/MODEL.", autocompletion=known.runs_and_models)
    ],
    second: Annotated[
        str, typer.Argument(metavar="B", help="What to compare it with.", autocompletion=known.runs_and_models)
    ],
    task: OnlyTasks = [],  # noqa: B006
    despite: Annotated[
        str,
        typer.Option(
            metavar="KINDS",
            help="Compare although these differ too: data, questions, prompts, dialect, sampling, input, protocol, "
            "judge, or all; joined by commas.",
        ),
    ] = "",
    items: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Items that flipped to list in each direction; 5 where there are at most 3 comparisons, else none.",
        ),
    ] = None,
    ledger: Ledger = LEDGER,
    as_json: Json = False,
) -> None:
    """Say whether A is better than B, by how much, how sure that is, where, and on which items.

    Both are compared on the questions that both were asked. Names are tried as runs, then as models, then as RUN/MODEL.

    \b
    Examples:
      affordance compare baseline:pixels baseline:random --ledger demo-out/affordance.db
      affordance compare monday tuesday --despite prompts
      affordance compare monday/openai:a tuesday/openai:b --task function/ground-element
    """
    from affordance.core.text import parse_choices
    from affordance.ledger import open_ledger
    from affordance.report.comparison import compare as compare_sides
    from affordance.report.comparison_sides import DifferenceKind
    from affordance.report.comparison_text import print_comparison
    from affordance.tasks.registry import resolve_tasks

    allowed = parse_choices(DifferenceKind, despite, "--despite")
    only = [one.name for one in resolve_tasks(task)]
    with open_ledger(ledger, read_only=True) as opened:
        found = compare_sides(opened, first, second, only, allowed)
    if as_json:
        print(json.dumps([one.to_json() for one in found], ensure_ascii=False, indent=2))
    else:
        print_comparison(found, items)
