"""Accuracy by effect, by position...: all models side by side, for whatever tags the rows were broken down by."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from affordance.core.attempt import COUNTED
from affordance.report.figures import mark
from affordance.report.numbers import DASH, percent
from affordance.report.rows import Breakdown, Row
from affordance.report.words import listed, name

MOST_VALUES = 40
_DESCRIBED = 3  # models whose best and worst value are put into words

_TITLES = {"slot": "Does the place of the right option matter?"}
_NOTES = {
    "slot": "A model that reads the options is as often right wherever the right one stands; "
    "one that prefers a letter is not."
}


@dataclass(frozen=True, slots=True)
class Cell:
    share: str
    n: int
    figure: Markup


@dataclass(frozen=True, slots=True)
class Line:
    value: str
    n: int | None  # scored attempts of each model; None where the models differ, then the cells say it
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    by: str
    title: str
    note: str
    findings: tuple[str, ...]
    models: tuple[str, ...]
    lines: tuple[Line, ...]
    hidden: int  # values that are left out


def tables(group: Sequence[Row]) -> list[Table]:
    """One table for each tag. Of too many values those with the most attempts are shown."""
    tags = dict.fromkeys(part.by for row in group for part in row.breakdowns)
    return [_table(by, group) for by in tags]


def _table(by: str, group: Sequence[Row]) -> Table:
    parts = [{part.value: part for part in row.breakdowns if part.by == by} for row in group]
    values = list(dict.fromkeys(value for of_row in parts for value in of_row))
    attempts = {value: sum(of_row[value].n for of_row in parts if value in of_row) for value in values}
    most = set(sorted(values, key=lambda value: -attempts[value])[:MOST_VALUES])
    lines = [_line(value, [of_row.get(value) for of_row in parts], group) for value in values if value in most]
    return Table(
        by=by,
        title=_TITLES.get(by, f"How right are the models for each {by.replace('_', ' ')}?"),
        note=_NOTES.get(by, ""),
        findings=tuple(_finding(row, list(of_row.values())) for row, of_row in zip(group, parts, strict=True))[
            :_DESCRIBED
        ],
        models=tuple(name(row) for row in group),
        lines=tuple(lines),
        hidden=len(values) - len(lines),
    )


def _line(value: str, parts: Sequence[Breakdown | None], group: Sequence[Row]) -> Line:
    shown = value or "(none)"
    cells = []
    for part, row in zip(parts, group, strict=True):
        share = None if part is None else part.metrics["accuracy"]
        said = f"{name(row)}, {shown}: " + ("nothing scored" if share is None else f"{percent(share)}%")
        cells.append(Cell(percent(share), 0 if part is None else _scored(part), mark(share, row.chance, said)))
    numbers = {cell.n for cell in cells}
    return Line(shown, numbers.pop() if len(numbers) == 1 else None, tuple(cells))


def _finding(row: Row, parts: Sequence[Breakdown]) -> str:
    shares = {part.value or "(none)": percent(part.metrics["accuracy"]) for part in parts}
    ranked = sorted((share for share in shares.values() if share != DASH), key=float)
    if not ranked:
        return f"Nothing of {name(row)} is scored."
    low, high = ranked[0], ranked[-1]
    if low == high:
        return f"{name(row)} is right in {low}% throughout."
    best = listed([value for value, share in shares.items() if share == high])
    worst = listed([value for value, share in shares.items() if share == low])
    return f"{name(row)} is most often right for {best} ({high}%), least often for {worst} ({low}%)."


def _scored(part: Breakdown) -> int:
    return sum(part.ended[ended] for ended in COUNTED)
