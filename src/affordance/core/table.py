"""Tables as data. Reports, tasks, plugins and commands make them; `affordance.report.formats` renders them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, Self

from affordance.core.formatting import Bounds, Scalar, Unit

Row = Sequence["Cell | Scalar"]
INTERVAL_HEADING = "95% interval"


class Mark(StrEnum):
    """A sign after a value, explained in a note."""

    INCOMPLETE = "*"
    CONTRADICTED = "†"


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `key` is its stable name in JSON and CSV, `label` its heading, whose lines end with `\\n`."""

    key: str
    label: str = ""  # empty: the key
    unit: Unit = Unit.TEXT
    decimals: int | None = None  # None: those of the unit
    align: Literal["left", "right", "auto"] = "auto"  # auto: text to the left, numbers to the right

    @property
    def is_left(self) -> bool:
        return self.align == "left" or (self.align == "auto" and self.unit is Unit.TEXT)

    @property
    def heading(self) -> str:
        return f"{self.label or self.key}{self.unit.suffix}"


@dataclass(frozen=True, slots=True)
class Cell:
    """A value with its 95% interval, the number of attempts it is about where that differs from its row, and marks."""

    value: Scalar
    interval: Bounds | None = None
    n: int | None = None
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `id` is stable: the anchor of a page and the label in LaTeX."""

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    finding: str = ""  # the result as a sentence, shown above the table
    section: str = ""  # a heading over this table and those that follow
    detail: bool = False  # whether it belongs to the table before it
    intervals: Literal["column", "cell"] = "column"  # whether intervals have a column of their own

    @classmethod
    def of(
        cls,
        id: str,  # noqa: A002
        title: str,
        columns: Sequence[Column | str],
        rows: Iterable[Row],
        notes: Iterable[str] = (),
        *,
        finding: str = "",
        section: str = "",
        detail: bool = False,
        intervals: Literal["column", "cell"] = "column",
    ) -> Self:
        """A table of plain values. A column that is only a name holds text; empty notes are left out."""
        return cls(
            id=id,
            title=title,
            columns=tuple(Column(one) if isinstance(one, str) else one for one in columns),
            rows=tuple(tuple(one if isinstance(one, Cell) else Cell(one) for one in row) for row in rows),
            notes=tuple(filter(None, notes)),
            finding=finding,
            section=section,
            detail=detail,
            intervals=intervals,
        )

    def headings(self) -> list[str]:
        """One for each column of `texts`."""
        found = []
        for place, column in enumerate(self.columns):
            found.append(column.heading)
            if self._has_interval_column(place):
                found.append(INTERVAL_HEADING)
        return found

    def left_aligned(self) -> list[bool]:
        """Of each column of `texts`, whether it is aligned to the left."""
        found = []
        for place, column in enumerate(self.columns):
            found += [column.is_left, False] if self._has_interval_column(place) else [column.is_left]
        return found

    def texts(self) -> list[tuple[str, ...]]:
        """The rows as text, with intervals in columns of their own unless they are in the cells."""
        return [
            tuple(text for place in range(len(self.columns)) for text in self._cell_texts(row[place], place))
            for row in self.rows
        ]

    def text(self, cell: Cell, column: Column) -> str:
        """A cell as text: the value, its marks, and in brackets its interval and n."""
        space = " " if isinstance(cell.value, str) else ""
        value = column.unit.format_value(cell.value, column.decimals) + "".join(f"{space}{mark}" for mark in cell.marks)
        details = []
        if cell.interval is not None and self.intervals == "cell":
            details.append(column.unit.format_interval(cell.interval))
        if cell.n is not None:
            details.append(f"n {cell.n:,}")
        return f"{value} ({', '.join(details)})" if details else value

    def select(self, places: Sequence[int]) -> Self:
        """The table with some of its columns."""
        return replace(
            self,
            columns=tuple(self.columns[place] for place in places),
            rows=tuple(tuple(row[place] for place in places) for row in self.rows),
        )

    def _has_interval_column(self, place: int) -> bool:
        return self.intervals == "column" and any(row[place].interval is not None for row in self.rows)

    def _cell_texts(self, cell: Cell, place: int) -> tuple[str, ...]:
        column = self.columns[place]
        text = self.text(cell, column)
        return (text, column.unit.format_interval(cell.interval)) if self._has_interval_column(place) else (text,)
