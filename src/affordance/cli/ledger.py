"""`affordance ledger`: what is done with a ledger as a whole."""

import json

import typer

from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK, CommandGroup
from affordance.cli.options import LEDGER, Json, Ledger

app = CommandGroup()


@app.callback()
def ledger() -> None:
    """Check a ledger as a whole.

    \b
    Example:
      affordance ledger check --ledger results.db
    """


@app.command("check")
def check_all(ledger: Ledger = LEDGER, as_json: Json = False) -> None:
    """Compare everything in a ledger with what it is computed from: ids, request keys, images, verdicts, counts,
    references and positions of the right option. Writes nothing.

    Each difference is one line with ids. Notes explain what has a known cause, such as an interrupted run. The exit
    code is 3 where something differs.

    \b
    Example:
      affordance ledger check --ledger results.db
    """
    from affordance.evaluation.ledger_check import check_ledger
    from affordance.ledger import open_ledger

    with open_ledger(ledger, read_only=True) as opened:
        found = check_ledger(opened)
    print(json.dumps(found.to_json(), ensure_ascii=False, indent=2) if as_json else found)
    raise typer.Exit(EXIT_OK if found.is_sound else EXIT_INCOMPLETE)
