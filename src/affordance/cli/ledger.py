"""`affordance ledger`: maintain a ledger as a whole."""

from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK, CommandGroup
from affordance.cli.options import LEDGER, Json, Ledger
from affordance.console.output import print_json

app = CommandGroup()


@app.callback()
def ledger() -> None:
    """Check a ledger.

    \b
    Example:
      affordance ledger check --ledger results.db
    """


@app.command("check")
def check(ledger: Ledger = LEDGER, as_json: Json = False) -> int:
    """Recompute digests, verdicts and counts of a ledger and compare them with what is stored. Changes nothing.

    Each difference is one line with ids. Notes explain differences with a known cause, such as an interrupted run. Exit
    code 3: something differs.

    \b
    Example:
      affordance ledger check --ledger results.db
    """
    from affordance.evaluation.ledger_check import check_ledger
    from affordance.ledger import open_ledger

    with open_ledger(ledger, read_only=True) as opened:
        found = check_ledger(opened)
    if as_json:
        print_json(found.to_json())
    else:
        print(found)
    return EXIT_OK if found.is_sound else EXIT_INCOMPLETE
