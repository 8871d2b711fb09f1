"""Differences within a model: between ways of describing a target, and between crowded and lonely targets."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.report.numbers import DASH, count, points, points_interval
from affordance.report.rows import Row
from affordance.report.words import name

Cells = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, Cells], ...]
    note: str


def contrasts(group: Sequence[Row]) -> list[Table]:
    return [table for table in (_paired(group), _crowding(group)) if table.lines]


def _paired(group: Sequence[Row]) -> Table:
    lines = tuple(
        (name(row), (one.form, points(one.accuracy), _sure(one.interval), count(one.n)))
        for row in group
        for one in row.differences
    )
    return Table(
        title="Does it matter how a target is described?",
        columns=("against", "points", "95% interval", "targets"),
        lines=lines,
        note="Accuracy here less that with the other expression, on the same targets; intervals are clustered by "
        "screen. One that holds 0 cannot be told from no difference.",
    )


def _sure(interval: tuple[float, float] | None) -> str:
    return DASH if interval is None else points_interval(interval)


def _crowding(group: Sequence[Row]) -> Table:
    found = [(row, row.contrast) for row in group if row.contrast]
    lines = tuple(
        (name(row), (points(one["crude"]), points(one["adjusted"]), f"{100 * one['error']:.1f}", count(int(one["n"]))))
        for row, one in found
    )
    return Table(
        title="Do neighbours distract, beyond size?",
        columns=("dense less sparse, points", "at equal area, points", "standard error", "targets compared"),
        lines=lines,
        note="The box in which neighbours are counted grows with the target, so density goes with size; at equal area, "
        "dense and sparse targets are compared within fifths of the area.",
    )
