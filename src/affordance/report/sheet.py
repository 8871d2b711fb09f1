"""A table as text, whoever writes it: terminal, Markdown or LaTeX. What a cell says is decided before it gets here."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

FOLDED = 16  # to which a column of text may be folded before there is one part more


@dataclass(frozen=True, slots=True)
class Column:
    name: str  # may have several lines
    left: bool = False


@dataclass(frozen=True, slots=True)
class ReportTable:
    title: str
    columns: tuple[Column, ...]
    lines: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    heading: str = ""  # over this sheet and those after it that have none
    part: bool = False  # whether it goes into the detail of the sheet before it

    @property
    def widths(self) -> list[int]:
        """Of the columns, where nothing is folded."""
        return [
            max(len(row) for cell in (column.name, *(line[place] for line in self.lines)) for row in cell.split("\n"))
            for place, column in enumerate(self.columns)
        ]


def split_columns(sheet: ReportTable, width: int, gap: int = 3, first: int = FOLDED) -> Iterator[ReportTable]:
    """The sheet in as many parts as it takes for each to be so many characters wide. The columns on the left that are
    text are in all of them, and may be folded, the first one to `first`; lines that are empty in a part are left out
    there; the notes are under the last."""
    kept = next((place for place, column in enumerate(sheet.columns) if not column.left), len(sheet.columns))
    widths = sheet.widths
    least = (first, *(FOLDED for _ in widths[1:]))
    room = width + gap - sum(min(one, folded) + gap for one, folded in zip(widths[:kept], least, strict=False))
    parts: list[list[int]] = [[]]
    used = 0
    for place in range(kept, len(sheet.columns)):
        if parts[-1] and used + widths[place] + gap > room:
            parts.append([])
            used = 0
        parts[-1].append(place)
        used += widths[place] + gap
    for number, part in enumerate(parts, 1):
        shown = [*range(kept), *part]
        yield replace(
            sheet,
            title=sheet.title if number == 1 else f"{sheet.title} (continued)".lstrip(),
            heading=sheet.heading if number == 1 else "",
            columns=tuple(sheet.columns[place] for place in shown),
            lines=tuple(
                tuple(line[place] for place in shown)
                for line in sheet.lines
                if len(parts) == 1 or any(line[place] for place in part)
            ),
            notes=sheet.notes if number == len(parts) else (),
        )
