"""Numbers that papers print, with source, protocol and n, and the contradictions in them.

Published numbers never share a column with our own."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from affordance.core.formatting import Unit, format_count
from affordance.core.table import Cell, Column, Mark, Table
from affordance.stats import PublishedPatterns, patterns_from_published

_ORDERS = ("first_accuracy", "second_accuracy", "consistent_accuracy")
_PERCENT = "percent"


@dataclass(frozen=True, slots=True)
class PublishedColumn:
    metric: str
    form: str  # of the task, as our rows have it; empty if the task or the paper has none
    by: str  # what the column is a part by; empty for the whole
    value: str
    n: int | None  # items of the part, where known
    unit: str  # percent, score, count, tokens or share
    decimals: int  # that the paper prints

    @property
    def name(self) -> str:
        """The slice, or else the condition, or else the metric."""
        return self.value or (self.form if self.metric == "accuracy" and self.form else self.metric)


@dataclass(frozen=True, slots=True)
class PublishedCell:
    column: PublishedColumn
    value: float | None  # shares from 0 to 1, others as printed; None: not stated
    suspect: str = ""  # why it contradicts other numbers; empty if it does not


@dataclass(frozen=True, slots=True)
class PublishedRow:
    model: str
    strategy: str
    cells: tuple[PublishedCell, ...]
    form: str = ""  # of the table's headline

    @property
    def name(self) -> str:
        return f"{self.model}, {self.strategy}" if self.strategy else self.model

    @property
    def values(self) -> dict[str, float]:
        """By metric: of the whole, in the form of the headline."""
        whole = [cell for cell in self.cells if not cell.column.by and cell.column.form == self.form]
        return {cell.column.metric: cell.value for cell in whole if cell.value is not None}

    def shares(self) -> PublishedPatterns | None:
        """How pairs were answered in both orders; None if that cannot be derived."""
        values = self.values
        if not all(name in values for name in _ORDERS):
            return None
        return patterns_from_published(*(values[name] for name in _ORDERS))


@dataclass(frozen=True, slots=True)
class PublishedTable:
    dataset: str
    task: str
    source: str
    n: int | None  # None: not stated
    protocol: str  # in which it differs from ours
    columns: tuple[PublishedColumn, ...]
    rows: tuple[PublishedRow, ...]


@dataclass(frozen=True, slots=True)
class PublishedFact:
    """A statement of a paper in prose, or about its data."""

    dataset: str
    task: str
    source: str
    text: str


def published_tables() -> tuple[PublishedTable, ...]:
    return _everything()[0]


def published_facts() -> tuple[PublishedFact, ...]:
    return _everything()[1]


def published_tables_for(dataset: str, task: str) -> tuple[PublishedTable, ...]:
    """Published tables on a dataset of this name."""
    return tuple(one for one in published_tables() if (one.dataset, one.task) == (dataset, task))


def headline_table_for(dataset: str, task: str) -> PublishedTable | None:
    """The first of these tables, which has the headline."""
    return next(iter(published_tables_for(dataset, task)), None)


def published_facts_for(dataset: str, task: str) -> tuple[PublishedFact, ...]:
    return tuple(one for one in published_facts() if (one.dataset, one.task) == (dataset, task))


@cache
def _everything() -> tuple[tuple[PublishedTable, ...], tuple[PublishedFact, ...]]:
    data = tomllib.loads((files("affordance.report") / "published.toml").read_text(encoding="utf-8"))
    return tuple(map(_table, data["table"])), tuple(PublishedFact(**fact) for fact in data["fact"])


def _table(said: Mapping[str, Any]) -> PublishedTable:
    form = said.get("form", "")
    printed = zip(*(row[2:] for row in said["rows"]), strict=True)
    columns = tuple(_column(one, form, values) for one, values in zip(said["columns"], printed, strict=True))
    rows = tuple(_row(columns, form, said.get("suspects", ()), *row) for row in said["rows"])
    return PublishedTable(said["dataset"], said["task"], said["source"], said.get("n"), said["protocol"], columns, rows)


def _column(said: Mapping[str, Any], form: str, values: Sequence[float | str]) -> PublishedColumn:
    return PublishedColumn(
        said.get("metric", "accuracy"),
        said.get("form", form),
        said.get("by", ""),
        said.get("value", ""),
        said.get("n"),
        said.get("unit", _PERCENT),
        max((len(repr(value).partition(".")[2]) for value in values if isinstance(value, float)), default=1),
    )


def _row(
    columns: Sequence[PublishedColumn],
    form: str,
    suspects: Sequence[Mapping[str, Any]],
    model: str,
    strategy: str,
    *values: float | str,
) -> PublishedRow:
    about = [one for one in suspects if one["model"] == model]
    cells = []
    for column, value in zip(columns, values, strict=True):
        names = {column.name, column.metric} if not column.by else {column.name}
        reason = "; ".join(one["reason"] for one in about if not one.get("columns") or names & set(one["columns"]))
        cells.append(PublishedCell(column, _number(column, value), reason if value != "" else ""))
    return PublishedRow(model, strategy, tuple(cells), form)


def _number(column: PublishedColumn, value: float | str) -> float | None:
    """A missing value is an empty text."""
    if isinstance(value, str):
        return None
    return value / 100 if column.unit == _PERCENT else value


# The metric of a paper that corresponds to our headline: the first that it prints.
_HEADLINES = ("accuracy", "average_accuracy", "rationale_accuracy", "score")


def headline_cells(table: PublishedTable, forms: set[str]) -> Iterator[tuple[PublishedRow, PublishedCell]]:
    """The headline numbers of each row, in conditions that our rows have too."""
    for row in table.rows:
        for cell in _headline(row, forms):
            if cell.value is not None:
                yield row, cell


def _headline(row: PublishedRow, forms: set[str]) -> list[PublishedCell]:
    whole = [cell for cell in row.cells if not cell.column.by and (not cell.column.form or cell.column.form in forms)]
    metric = next((name for name in _HEADLINES if any(cell.column.metric == name for cell in whole)), None)
    return [cell for cell in whole if cell.column.metric == metric]


def published_name(row: PublishedRow) -> str:
    return row.model if row.strategy in ("", "zero-shot") else f"{row.model} ({row.strategy})"


_UNITS = {"percent": Unit.PERCENT, "score": Unit.SCORE, "share": Unit.RATIO}


def published_cell(cell: PublishedCell) -> Cell:
    """A value as printed, marked where it contradicts itself."""
    return Cell(cell.value, marks=(Mark.CONTRADICTED,) if cell.suspect else ())


def published_unit(column: PublishedColumn) -> tuple[Unit, int | None]:
    """The unit of a column and its number of decimals, where that is not the unit's own."""
    decimals = {"percent": column.decimals, "share": 4}.get(column.unit)
    return _UNITS.get(column.unit, Unit.COUNT), decimals


def contradiction_notes(papers: Sequence[PublishedTable], forms: set[str]) -> list[str]:
    """Why marked cells contradict other numbers of the paper."""
    found = [
        f"{Mark.CONTRADICTED} {table.source}, {published_name(row)}: {cell.suspect}."
        for table in papers
        for row, cell in headline_cells(table, forms)
        if cell.suspect
    ]
    return list(dict.fromkeys(found))


def published_table(table: PublishedTable) -> Table:
    """All columns of a table as printed, with marks and their reasons."""
    reasons = dict.fromkeys(
        f"{Mark.CONTRADICTED} {row.name}: {cell.suspect}." for row in table.rows for cell in row.cells if cell.suspect
    )
    return Table.of(
        id=f"{table.task}/published/{table.source}",
        title=f"{table.source} on {table.dataset}",
        columns=[Column("model"), *map(_column_of, table.columns)],
        rows=[(row.name, *map(published_cell, row.cells)) for row in table.rows],
        notes=[f"{table.protocol}.", *reasons],
        detail=True,
    )


def _column_of(column: PublishedColumn) -> Column:
    name = column.name.replace("_", " ") if not column.by else f"{column.by}\n{column.value}"
    unit, decimals = published_unit(column)
    n = f"n {format_count(column.n)}\n" if column.n is not None else ""
    return Column(column.name, f"{n}{name}", unit, decimals)
