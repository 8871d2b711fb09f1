"""Tables for the terminal and for text files, at most 100 columns wide."""

import re
from collections.abc import Iterable, Sequence
from io import StringIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from affordance.report.sheet import FOLDED, Column, ReportTable, split_columns

WIDTH = 100
NARROW = 60  # below, there are records
_NAMES = 24  # columns that names keep in lists of what there is
_GAP = 3  # between columns
_PIECE = re.compile(r"[^\s/@+-]*[\s/@+-]+|[^\s/@+-]+")  # of a name: behind it, a line may end


def print_table(columns: Sequence[Column], body: Sequence[Sequence[str]], note: str = "") -> None:
    """To standard output, at most 100 columns wide. Cells are text, never markup."""
    lines = tuple(tuple(row) for row in body)
    sheet = ReportTable("", tuple(columns), lines, (note,) if note else ())
    _write_all(_terminal(), [sheet], first=_NAMES)


def print_tables(found: Iterable[ReportTable]) -> None:
    """To standard output, as wide as the terminal up to 100 columns."""
    _write_all(_terminal(), found)


def render_text(found: Iterable[ReportTable]) -> str:
    """The same for a file: without colour, however wide the terminal."""
    text = StringIO()
    _write_all(Console(file=text, width=WIDTH, highlight=False, color_system=None, force_terminal=False), found)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def _terminal() -> Console:
    return Console(width=min(WIDTH, Console().width) if Console().is_terminal else WIDTH, highlight=False)


def _write_all(console: Console, found: Iterable[ReportTable], first: int = FOLDED) -> None:
    """`first` is what the first column keeps, if it takes as much."""
    narrow = console.width < NARROW
    parts = (
        part for whole in found for part in ([whole] if narrow else split_columns(whole, console.width, _GAP, first))
    )
    for number, sheet in enumerate(parts):
        if number:
            console.print()
        for line in filter(None, (sheet.heading, sheet.title)):
            console.print(Text(f"{line}\n"))
        if narrow:
            _write_records(console, sheet)
        else:
            _write_table(console, sheet, first)
        if sheet.notes:
            console.print(Text("\n" + "\n".join(sheet.notes), style="dim"))


def _write_table(console: Console, sheet: ReportTable, first: int) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for place, column in enumerate(sheet.columns):
        fixed = not column.left or not place  # names are wrapped here, where they have pieces
        table.add_column(Text(column.name), justify="left" if column.left else "right", overflow="fold", no_wrap=fixed)
    widths = sheet.widths
    room = max(min(widths[0], first), console.width - sum(one + _GAP for one in widths[1:]))
    for name, *others in sheet.lines:
        table.add_row(Text(wrap(name, room)), *(Text(cell) for cell in others))
    console.print(table)


def _write_records(console: Console, sheet: ReportTable) -> None:
    """The first cell of each line, and below it the others with the names of their columns."""
    names = [" ".join(column.name.split()) for column in sheet.columns[1:]]
    wide = max(map(len, names), default=0)
    for number, (first, *others) in enumerate(sheet.lines):
        if number:
            console.print()
        console.print(Text(wrap(first, console.width), style="bold"))
        for name, cell in zip(names, others, strict=True):
            if cell:
                told = wrap(cell, max(10, console.width - wide - 4)).split("\n")
                indent = "\n" + " " * (wide + 4)
                console.print(Text(f"  {name.ljust(wide)}  {indent.join(told)}"))


def wrap(text: str, width: int) -> str:
    """In lines of so many characters that end at spaces, slashes, hyphens and the like; what has none of them in its
    whole width is cut."""
    return "\n".join(line for row in text.split("\n") for line in _lines(row, width))


def _lines(text: str, width: int) -> list[str]:
    lines = [""]
    for piece in _PIECE.findall(text):
        rest = piece
        if lines[-1] and len(lines[-1]) + len(rest.rstrip()) > width:
            lines.append("")
        while len(rest.rstrip()) > width:
            lines[-1], rest = rest[:width], rest[width:]
            lines.append("")
        lines[-1] += rest
    return [line.rstrip() for line in lines]
