"""Tables for the terminal and for text files, at most 100 columns wide: thin rules, readable without colour."""

from collections.abc import Iterable
from io import StringIO

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from affordance.core.table import Table
from affordance.core.text import strip_control, wrap_name
from affordance.report.formats.layout import (
    COLUMN_GAP,
    column_widths,
    first_column_width,
    fitted_headings,
    split_columns,
)

MAX_WIDTH = 100


def print_tables(tables: Iterable[Table]) -> None:
    """Print to standard output, as wide as the terminal up to 100 columns. Cells are text, never markup."""
    terminal = Console().is_terminal
    _write(Console(width=min(MAX_WIDTH, Console().width) if terminal else MAX_WIDTH, highlight=False), tables)


def print_table(table: Table) -> None:
    print_tables([table])


def render_text(tables: Iterable[Table], width: int = MAX_WIDTH) -> str:
    """The tables as text without colour, however wide the terminal."""
    text = StringIO()
    _write(Console(file=text, width=width, highlight=False, color_system=None, force_terminal=False), tables)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def _write(console: Console, tables: Iterable[Table]) -> None:
    parts = (part for whole in tables for part in split_columns(whole, console.width))
    for number, table in enumerate(parts):
        if number:
            console.print()
        for line in filter(None, (table.section, table.title, table.finding)):
            console.print(Text(f"{strip_control(line)}\n"))
        _write_table(console, table)
        if table.notes:
            console.print(Text("\n" + "\n".join(map(strip_control, table.notes)), style="dim"))


def _write_table(console: Console, table: Table) -> None:
    shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    left = table.left_aligned()
    for place, heading in enumerate(fitted_headings(table, console.width)):
        fixed = not left[place] or not place  # names are wrapped here, where they have pieces
        label = "\n".join(map(strip_control, heading.split("\n")))
        shown.add_column(Text(label), justify="left" if left[place] else "right", overflow="fold", no_wrap=fixed)
    widths = column_widths(table, console.width)
    others = sum(width + COLUMN_GAP for width in widths[1:])
    room = max(first_column_width(widths), console.width - others)
    for name, *cells in table.texts():
        shown.add_row(Text(wrap_name(strip_control(name), room)), *(Text(strip_control(cell)) for cell in cells))
    console.print(shown)
