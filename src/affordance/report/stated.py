"""What papers state, as cells and tables: with marks where a number cannot be right, and the reasons."""

from collections.abc import Iterator, Sequence

from affordance.report.numbers import MISSING, format_count, format_metric
from affordance.report.published import PublishedCell, PublishedColumn, PublishedRow, PublishedTable
from affordance.report.sheet import Column, ReportTable

DAGGER = "†"
# The metric of a paper that stands for the headline of ours: the first that it states.
_HEADLINES = ("accuracy", "average_accuracy", "rationale_accuracy", "score")


def headline_cells(table: PublishedTable, forms: set[str]) -> Iterator[tuple[PublishedRow, PublishedCell]]:
    """The numbers that stand for a row as a whole, in forms that our rows have too; none of a table without such."""
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


def format_published(cell: PublishedCell, *, among_percents: bool = False) -> str:
    """As printed: shares with the decimals of their column."""
    if cell.value is None:
        return MISSING
    match cell.column.unit:
        case "percent":
            return f"{100 * cell.value:.{cell.column.decimals}f}"
        case "score":
            said = format_metric("score", cell.value)
            return f"{said} of 5" if among_percents and cell.column.metric == "score" else said
        case "share":
            return f"{cell.value:.4f}"
        case _:
            return format_count(int(cell.value)) if cell.value == int(cell.value) else f"{cell.value:,.1f}"


def contradiction_notes(papers: Sequence[PublishedTable], forms: set[str]) -> list[str]:
    """Why marked cells of the headline cannot be right."""
    found = [
        f"{DAGGER} {table.source}, {published_name(row)}: {cell.suspect}."
        for table in papers
        for row, cell in headline_cells(table, forms)
        if cell.suspect
    ]
    return list(dict.fromkeys(found))


def published_table(table: PublishedTable) -> ReportTable:
    """All columns of a table as stated, with marks and their reasons."""
    lines = tuple(
        (row.name, *(format_published(cell) + (DAGGER if cell.suspect else "") for cell in row.cells))
        for row in table.rows
    )
    reasons = dict.fromkeys(
        f"{DAGGER} {row.name}: {cell.suspect}." for row in table.rows for cell in row.cells if cell.suspect
    )
    columns = (Column("model", left=True), *(Column(_named_cell(column)) for column in table.columns))
    return ReportTable(f"{table.source} on {table.dataset}", columns, lines, (f"{table.protocol}.", *reasons))


def _named_cell(column: PublishedColumn) -> str:
    name = column.name.replace("_", " ") if not column.by else f"{column.by}\n{column.value}"
    unit = ", %" if column.unit == "percent" else ""
    return f"{name}{unit}" + (f"\nn {format_count(column.n)}" if column.n is not None else "")
