"""`affordance runs`: what is in a ledger."""

import json

from affordance.cli.options import LEDGER, Json, Ledger


def runs(ledger: Ledger = LEDGER, as_json: Json = False) -> None:
    """List the runs in a ledger, and how far they are.

    \b
    Example:
      affordance runs --ledger results.db
    """
    from affordance.core.attempts import AttemptStatus
    from affordance.core.formatting import Unit
    from affordance.core.table import Column, Table
    from affordance.ledger import open_ledger
    from affordance.report.formats.terminal import print_table

    with open_ledger(ledger, read_only=True) as opened:
        found = opened.run_summaries()
    if as_json:
        listed = [
            {
                "name": one.run.name,
                "created": one.run.created,
                "fresh": one.run.fresh,
                "settings": one.run.settings,
                "dataset": one.run.dataset,
                "attempts": one.attempts.planned,
                "pending": one.attempts.pending,
                "ended": one.attempts.by_status,
            }
            for one in found
        ]
        print(json.dumps(listed, ensure_ascii=False, indent=2))
        return
    if not found:
        print("No runs yet; start with `affordance run`.")
        return
    counts = [Column(name, unit=Unit.COUNT) for name in ("attempts", "pending", "failed")]
    body = [
        (
            one.run.name,
            one.run.created[:16].replace("T", " "),
            str(one.run.dataset.get("name", "")),
            one.attempts.planned,
            one.attempts.pending,
            one.attempts.by_status.get(AttemptStatus.FAILED, 0),
        )
        for one in found
    ]
    print_table(Table.of("runs", "", ["run", "begun", "dataset", *counts], body))
