"""`affordance tasks`: list tasks.

Built-in tasks are read from a file of `scripts/make-command-data.py`: their modules take a second to import."""

import json
from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affordance.cli import completion
from affordance.cli.options import LEDGER, Json, Ledger
from affordance.console.output import print_json, print_note
from affordance.core import plugin_registry

if TYPE_CHECKING:
    from affordance.tasks.task import Task

FILE = Path(__file__).with_suffix(".json")


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
    from affordance.core.formatting import Unit
    from affordance.core.table import Column, Table
    from affordance.report.formats.terminal import print_table

    found = _choose(_load_tasks(), name)
    if as_json:
        print_json([{key: value for key, value in task.items() if key != "items"} for task in found])
        return
    if name is not None:
        for task in found:
            rows = [(key, _join(value)) for key, value in task.items() if key != "name"]
            print_table(Table.of("task", "", [Column("property", task["name"]), Column("value", " ")], rows))
        return
    columns = (Column("task"), Column("question"), Column("items"), Column("trials", unit=Unit.COUNT))
    listed = [(task["name"], task["summary"], task["items"], task["trials"]["affordance"]) for task in found]
    print_table(Table.of("tasks", "", columns, listed))


def describe_task(task: "Task") -> dict[str, Any]:
    """A task as data."""
    from affordance.core.formatting import pluralize

    return {
        "name": task.name,
        "summary": task.summary,
        "items": pluralize(task.views.item_noun),
        "datasets": list(task.dataset_kinds),
        "options": sorted(task.options),
        "strategies": list(task.strategies),
        "trials": {name: protocol.trials for name, protocol in task.protocols.items()},
    }


def _load_tasks() -> list[dict[str, Any]]:
    """Built-in tasks from the file; those of other packages are imported."""
    found: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    if entry_points(group=plugin_registry.TASKS):
        from affordance.tasks.registry import TASKS

        loaded, broken = TASKS.load_all()
        for error in broken:
            print_note(str(error))
        builtin = {task["name"] for task in found}
        found += [describe_task(task) for task in loaded.values() if task.name not in builtin]
    if entry_points(group=plugin_registry.STRATEGIES):
        from affordance.tasks.strategies import STRATEGIES

        found = [{**task, "strategies": list(dict.fromkeys([*task["strategies"], *STRATEGIES]))} for task in found]
    return found


def _choose(found: Sequence[dict[str, Any]], name: str | None) -> list[dict[str, Any]]:
    from affordance.core.errors import UnknownName

    chosen = [task for task in found if name in (None, task["name"], task["name"].partition("/")[0])]
    if not chosen:
        suites = {task["name"].partition("/")[0] for task in found}
        raise UnknownName("task", str(name), [*(task["name"] for task in found), *suites])
    return chosen


def _join(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {one}" for key, one in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)
