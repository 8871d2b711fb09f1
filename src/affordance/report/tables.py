"""The one writer of terminal tables: thin rules, numbers to the right, readable without colour."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from affordance.report.numbers import interval, percent
from affordance.report.rows import Row

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    left: bool = False


def print_table(columns: Sequence[Column], body: Sequence[Sequence[str]], note: str = "") -> None:
    """To standard output, at most 100 columns wide. Cells are text, never markup."""
    console = Console(width=min(WIDTH, Console().width) if Console().is_terminal else WIDTH, highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        table.add_column(
            column.name, justify="left" if column.left else "right", overflow="fold", no_wrap=not column.left
        )
    for row in body:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
    if note:
        console.print(Text(f"\n{note}", style="dim"))


def print_rows(rows: Sequence[Row]) -> None:
    """The leaderboard: one table per task and run, with n, the interval and how attempts ended beside the value."""
    if not rows:
        print("Nothing to report yet.")
        return
    for number, (task, run) in enumerate(dict.fromkeys((row.task, row.run) for row in rows)):
        group = [row for row in rows if (row.task, row.run) == (task, run)]
        print("\n" * (number > 0) + headline(task, group) + "\n")
        columns = (
            Column("model", left=True), Column("accuracy"), Column("95% interval"), Column("macro F1"),
            Column("n"), Column("no answer"), Column("missing"),
        )  # fmt: skip
        print_table(columns, [_cells(row) for row in group], notes(group))


def headline(task: str, rows: Sequence[Row]) -> str:
    dataset = rows[0].dataset
    made_up = ", synthetic" if dataset.get("synthetic") else ""
    return f"{task} on {dataset['name']} ({rows[0].items} items{made_up}), run {rows[0].run}"


def notes(rows: Sequence[Row]) -> str:
    """What must be said beside the numbers."""
    said = [f"Chance is {percent(rows[0].chance)}%. n counts attempts; intervals are clustered by item."]
    if any(not row.complete for row in rows):
        said.append("Missing attempts failed at the provider or are not finished; they are not scored.")
    for row in rows:
        if row.ended["skipped"]:
            said.append(f"{row.model} cannot be asked {row.ended['skipped']} of these questions; they are not scored.")
        if not row.complete:
            low, high = row.bounds.get("accuracy", (0.0, 1.0))
            missing = row.ended["failed"] + row.pending
            said.append(
                f"{row.model} is incomplete: {missing} of {row.n} attempts are missing; "
                f"accuracy is between {percent(low)} and {percent(high)}%."
            )
    return "\n".join(said)


def _cells(row: Row) -> tuple[str, ...]:
    ended = row.ended
    name = row.model if row.strategy == "zero-shot" else f"{row.model} ({row.strategy})"
    return (
        name if row.complete else f"{name} *",
        percent(row.metrics["accuracy"]),
        interval(row.intervals.get("accuracy")),
        percent(row.metrics.get("macro_f1")),
        str(row.n),
        str(ended["refused"] + ended["unparsed"] + ended["truncated"]),
        str(ended["failed"] + row.pending),
    )
