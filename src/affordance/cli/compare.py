"""`affordance compare`: compare two runs or models."""

from typing import Annotated

import typer

from affordance.cli.options import LEDGER, Json, Ledger, OnlyTasks
from affordance.console.output import print_json


def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="A run, a model, or RUN/MODEL.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    task: OnlyTasks = [],  # noqa: B006
    allow_different: Annotated[
        str,
        typer.Option(
            "--allow-different",
            metavar="KINDS",
            help="Compare although these differ: data, questions, prompts, dialect, sampling, input, protocol, "
            "judge, or all; joined by commas.",
        ),
    ] = "",
    items: Annotated[
        int | None,
        typer.Option(
            "--items",
            metavar="N",
            min=0,
            help="Changed items to list per direction.",
            show_default="5 for up to 3 comparisons, else 0",
        ),
    ] = None,
    ledger: Ledger = LEDGER,
    as_json: Json = False,
) -> None:
    """Compare A with B: the difference, its interval and significance, by subgroup and by item.

    Both are compared on the questions that they share. Names are tried as runs, then as models, then as RUN/MODEL.

    \b
    Examples:
      affordance compare demo/baseline:first demo/baseline:random --ledger demo-out/affordance.db
      affordance compare monday tuesday --allow-different prompts
      affordance compare monday/openai:a tuesday/openai:b --task function/ground-element
    """
    from affordance.core.text import parse_choices
    from affordance.ledger import open_ledger
    from affordance.report.comparison import compare as compare_sides
    from affordance.report.comparison_sides import DifferenceKind
    from affordance.report.comparison_text import print_comparison
    from affordance.tasks.registry import resolve_tasks

    allowed = parse_choices(DifferenceKind, allow_different, "--allow-different")
    only = [one.name for one in resolve_tasks(task)]
    with open_ledger(ledger, read_only=True) as opened:
        found = compare_sides(opened, first, second, only, allowed)
    if as_json:
        print_json([one.to_json() for one in found])
    else:
        print_comparison(found, items)
