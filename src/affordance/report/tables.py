"""The one writer of terminal tables: thin rules, numbers to the right, readable without colour."""

from collections.abc import Iterable, Sequence
from io import StringIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from affordance.report.document import sheets
from affordance.report.rows import Row
from affordance.report.sheet import Column, Sheet, fitting

__all__ = ["WIDTH", "Column", "print_rows", "print_table", "text_of"]

WIDTH = 100


def print_table(columns: Sequence[Column], body: Sequence[Sequence[str]], note: str = "") -> None:
    """To standard output, at most 100 columns wide. Cells are text, never markup."""
    _write(_terminal(), columns, body, note)


def print_rows(rows: Sequence[Row]) -> None:
    """The leaderboard: one table per task, run and form, with n, the interval and how attempts ended beside the
    value; then those over several runs and published rows."""
    if not rows:
        print("Nothing to report yet.")
        return
    _write_all(_terminal(), sheets(rows))


def text_of(found: Iterable[Sheet]) -> str:
    """The same for a file: without colour, however wide the terminal."""
    text = StringIO()
    _write_all(Console(file=text, width=WIDTH, highlight=False, color_system=None, force_terminal=False), found)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def _terminal() -> Console:
    return Console(width=min(WIDTH, Console().width) if Console().is_terminal else WIDTH, highlight=False)


def _write_all(console: Console, found: Iterable[Sheet]) -> None:
    for number, sheet in enumerate(part for whole in found for part in fitting(whole, console.width)):
        if number:
            console.print()
        for line in filter(None, (sheet.heading, sheet.title)):
            console.print(Text(f"{line}\n"))
        _write(console, sheet.columns, sheet.lines, "\n".join(sheet.notes))


def _write(console: Console, columns: Sequence[Column], body: Sequence[Sequence[str]], note: str) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        table.add_column(
            Text(column.name), justify="left" if column.left else "right", overflow="fold", no_wrap=not column.left
        )
    for row in body:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
    if note:
        console.print(Text(f"\n{note}", style="dim"))
