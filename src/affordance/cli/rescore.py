"""`affordance rescore`: verdicts read again from stored responses."""

import json
from typing import Annotated

import typer

from affordance.cli import known
from affordance.cli.options import LEDGER, Json, Ledger


def rescore(
    run: Annotated[
        list[str],
        typer.Option("--run", metavar="R", help="Only this run; repeatable.", autocompletion=known.runs),
    ] = [],  # noqa: B006
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would change, and store nothing.")] = False,
    ledger: Ledger = LEDGER,
    as_json: Json = False,
) -> None:
    """Read stored responses again with the parsers of this version. Nothing is sent.

    New verdicts are stored next to the earlier ones, and count from then on. Judged answers are scored from their
    stored judgements.

    \b
    Examples:
      affordance rescore --dry-run --ledger results.db
      affordance rescore --run monday
    """
    from affordance.evaluation.rescore import rescore_ledger

    found = rescore_ledger(ledger, run, dry_run=dry_run)
    print(json.dumps(found.to_json(), ensure_ascii=False, indent=2) if as_json else found)
