"""`affordance tasks`: what can be asked."""

import json

from affordance.cli.options import LEDGER, Json, Ledger
from affordance.console.output import print_note


def tasks(ledger: Ledger = LEDGER, as_json: Json = False) -> None:
    """List the tasks.

    \b
    Example:
      affordance tasks --json
    """
    from affordance.core.formatting import Unit, pluralize
    from affordance.core.table import Column, Table
    from affordance.report.formats.terminal import print_table
    from affordance.tasks.registry import TASKS
    from affordance.tasks.strategies import STRATEGIES

    found, broken = TASKS.load_all()
    for error in broken:
        print_note(str(error))
    if as_json:
        listed = [
            {
                "name": task.name,
                "summary": task.summary,
                "datasets": list(task.dataset_kinds),
                "options": sorted(task.options),
                "strategies": [*task.strategies, *STRATEGIES],
                "trials": {name: protocol.trials for name, protocol in task.protocols.items()},
            }
            for task in found.values()
        ]
        print(json.dumps(listed, indent=2))
        return
    columns = ("task", Column("summary", "question"), Column("items"), Column("trials", unit=Unit.COUNT))
    rows = [
        (task.name, task.summary, pluralize(task.views.item_noun), task.protocols["affordance"].trials)
        for task in found.values()
    ]
    print_table(Table.of("tasks", "", columns, rows))
