"""How tables are fitted into a page or terminal: wrapped headings, then several parts."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

from affordance.core.table import Table

COLUMN_GAP = 3  # characters between columns
FOLDED_WIDTH = 16  # to which a column of text may be folded before the table is split
_FIRST_WIDTH = 24  # the same of the first column, which holds names
_HEADING_WIDTHS = (20, 16, 12, 9)  # to which headings are wrapped, as far as room is short


def fitted_headings(table: Table, width: int) -> list[str]:
    """The headings, those of numbers wrapped if the table is wider than `width` otherwise."""
    headings = table.headings()
    if _total(_widths(headings, table)) <= width:
        return headings
    columns = list(zip(*table.texts(), strict=True)) or [() for _ in headings]
    wrapped = headings
    for limit in _HEADING_WIDTHS:
        wrapped = [
            heading if left else _wrap_heading(heading, max(limit, *(len(cell) for cell in cells)))
            for heading, cells, left in zip(headings, columns, table.left_aligned(), strict=True)
        ]
        if _total(_widths(wrapped, table)) <= width:
            break
    return wrapped


def column_widths(table: Table, width: int) -> list[int]:
    """The width of each column of `texts`, with fitted headings and no cell folded."""
    return _widths(fitted_headings(table, width), table)


def first_column_width(widths: Sequence[int]) -> int:
    """What the first column keeps when room is short."""
    return min(widths[0], _FIRST_WIDTH)


def split_columns(table: Table, width: int) -> Iterator[Table]:
    """The table in as many parts as it takes for each to be at most `width` characters wide.

    Columns of text on the left are in every part and may be folded. Rows that are empty in a part are left out there.
    Notes are under the last part."""
    kept = next((place for place, column in enumerate(table.columns) if not column.is_left), len(table.columns))
    fits = _total(_widths(table.headings(), table)) <= width
    widths = [_total(column_widths(table.select([place]), width if fits else 0)) for place in range(len(table.columns))]
    fixed = [first_column_width(widths), *(min(one, FOLDED_WIDTH) for one in widths[1:kept])] if kept else []
    room = width + COLUMN_GAP - sum(one + COLUMN_GAP for one in fixed)
    parts: list[list[int]] = [[]]
    used = 0
    for place in range(kept, len(table.columns)):
        if parts[-1] and used + widths[place] + COLUMN_GAP > room:
            parts.append([])
            used = 0
        parts[-1].append(place)
        used += widths[place] + COLUMN_GAP
    for number, part in enumerate(parts, 1):
        shown = table.select([*range(kept), *part])
        yield replace(
            shown,
            title=table.title if number == 1 else f"{table.title} (continued)".lstrip(),
            section=table.section if number == 1 else "",
            finding=table.finding if number == 1 else "",
            rows=tuple(row for row in shown.rows if len(parts) == 1 or any(cell.value != "" for cell in row[kept:])),
            notes=table.notes if number == len(parts) else (),
        )


def _widths(headings: Sequence[str], table: Table) -> list[int]:
    columns = zip(headings, *table.texts(), strict=True)
    return [max(len(line) for cell in column for line in cell.split("\n")) for column in columns]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + COLUMN_GAP * (len(widths) - 1)


def _wrap_heading(heading: str, width: int) -> str:
    lines = (textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) for line in heading.split("\n"))
    return "\n".join(line for wrapped in lines for line in wrapped or [""])
