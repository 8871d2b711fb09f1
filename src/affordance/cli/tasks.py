"""`affordance tasks`: list tasks."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from affordance.cli import completion
from affordance.cli.options import LEDGER, Json, Ledger
from affordance.console.output import print_json, print_note

if TYPE_CHECKING:
    from affordance.tasks.task import Task


def tasks(
    name: Annotated[
        str | None,
        typer.Argument(metavar="TASK", help="Show this task or suite in detail.", autocompletion=completion.task_names),
    ] = None,
    ledger: Ledger = LEDGER,  # accepted for version 1; never read
    as_json: Json = False,
) -> None:
    """List tasks. With a name: its datasets, options, strategies and trials.

    \b
    Examples:
      affordance tasks
      affordance tasks motion/effect
    """
    from affordance.core.formatting import Unit, pluralize
    from affordance.core.table import Column, Table
    from affordance.report.formats.terminal import print_table
    from affordance.tasks.registry import TASKS, resolve_tasks

    known, broken = TASKS.load_all()
    for error in broken:
        print_note(str(error))
    found = list(known.values()) if name is None else resolve_tasks([name])
    if as_json:
        print_json([_record(task) for task in found])
        return
    if name is not None:
        for task in found:
            rows = [(key, _join(value)) for key, value in _record(task).items() if key != "name"]
            print_table(Table.of("task", "", [Column("property", task.name), Column("value", " ")], rows))
        return
    columns = (Column("task"), Column("question"), Column("items"), Column("trials", unit=Unit.COUNT))
    body = [
        (task.name, task.summary, pluralize(task.views.item_noun), task.protocols["affordance"].trials)
        for task in found
    ]
    print_table(Table.of("tasks", "", columns, body))


def _record(task: "Task") -> dict[str, Any]:
    from affordance.tasks.strategies import STRATEGIES

    return {
        "name": task.name,
        "summary": task.summary,
        "datasets": list(task.dataset_kinds),
        "options": sorted(task.options),
        "strategies": list(dict.fromkeys([*task.strategies, *STRATEGIES])),
        "trials": {name: protocol.trials for name, protocol in task.protocols.items()},
    }


def _join(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {one}" for key, one in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)
