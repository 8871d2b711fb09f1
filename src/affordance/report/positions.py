"""Position bias: accuracy by position of the winner, and how pairs are judged in both orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from affordance.core.formatting import MISSING, format_interval, format_percent
from affordance.report.page.inline_figures import stacked_bar
from affordance.report.published_results import PublishedTable, headline_table_for
from affordance.report.result_row import ResultRow, ValueWithInterval

# How the two orders of a pair were answered, with what that means.
KINDS = {
    "right": "right in both orders",
    "first": "first position in both orders",
    "second": "second position in both orders",
    "wrong": "wrong in both orders",
    "unread": "unparsed in one order",
}
# Sections of metrics that this view shows.
SECTIONS = frozenset({"position", "position patterns"})
COLUMNS = (
    "winner first",
    "winner second",
    "average",
    "both orders",
    "both by chance",
    "wrong in both",
    "by position",
    "chooses first",
    "trials differ",
)
_ACCURACIES = ("first_accuracy", "second_accuracy", "average_accuracy", "consistent_accuracy")
_PUBLISHED_NOTE = "Unparsed responses count as wrong there."


@dataclass(frozen=True, slots=True)
class PositionNumber:
    value: str
    interval: str = ""


@dataclass(frozen=True, slots=True)
class PositionRow:
    model: str
    numbers: tuple[PositionNumber, ...]  # in the order of COLUMNS
    bar: Markup


@dataclass(frozen=True, slots=True)
class PublishedPositions:
    """Published rows on data of the same name, in a table of their own."""

    lines: tuple[PositionRow, ...]
    ours: tuple[tuple[str, tuple[str, ...]], ...]  # our accuracies, counted as published
    source: str
    note: str


@dataclass(frozen=True, slots=True)
class PositionTable:
    findings: tuple[str, ...]
    lines: tuple[PositionRow, ...]
    kinds: tuple[tuple[str, str], ...]  # those that occur, with their meaning
    published: PublishedPositions | None


def position_table(group: Sequence[ResultRow]) -> PositionTable | None:
    """None for tasks without positions."""
    rows = [row for row in group if row.positions]
    if not rows:
        return None
    occurring = [kind for kind in KINDS if any(row.positions.get(kind, (0.0,))[0] for row in rows)]
    return PositionTable(
        findings=tuple(_finding(row) for row in (rows[:3] if occurring else rows)),
        lines=tuple(_line(row) for row in rows),
        kinds=tuple((kind, KINDS[kind]) for kind in occurring),
        published=_published_positions(rows, headline_table_for(str(rows[0].dataset.get("name")), rows[0].task)),
    )


def _line(row: ResultRow) -> PositionRow:
    return PositionRow(
        row.label,
        (
            *(_number(_with_interval(row, metric)) for metric in _ACCURACIES),
            *(_number(row.positions.get(kind)) for kind in ("chance of both", "wrong", "flipping")),
            *(_number(row.positions.get(kind)) for kind in ("preference", "noise")),
        ),
        _bar(row.label, {kind: row.positions[kind][0] for kind in KINDS if kind in row.positions}),
    )


def _published_positions(rows: Sequence[ResultRow], table: PublishedTable | None) -> PublishedPositions | None:
    if table is None or not any("right" in row.positions for row in rows):
        return None
    lines = []
    for row in table.rows:
        derived = row.shares()
        if derived is None:
            continue
        shares = {
            "right": derived.both_correct,
            "first": derived.first,
            "second": derived.second,
            "wrong": derived.both_wrong,
        }
        lines.append(
            PositionRow(
                row.name,
                (
                    *(PositionNumber(format_percent(row.values[metric])) for metric in _ACCURACIES),
                    *(
                        PositionNumber(format_percent(share))
                        for share in (derived.chance, derived.both_wrong, derived.inconsistent)
                    ),
                    PositionNumber(format_percent(derived.first_share)),
                    PositionNumber(MISSING),
                ),
                _bar(row.name, shares),
            )
        )
    return PublishedPositions(
        tuple(lines), tuple(_as_published(row) for row in rows), table.source, f"{table.protocol}. {_PUBLISHED_NOTE}"
    )


def _as_published(row: ResultRow) -> tuple[str, tuple[str, ...]]:
    """With the strict parser, over all pairs."""
    found = (row.compat.get(f"{metric}_strict_all", row.compat.get(f"{metric}_strict")) for metric in _ACCURACIES)
    return row.label, tuple(map(format_percent, found))


def _bar(model: str, shares: Mapping[str, float]) -> Markup:
    said = "; ".join(f"{KINDS[kind]} {format_percent(share)}%" for kind, share in shares.items() if share)
    return stacked_bar(list(shares.items()), f"{model}: {said}")


def _with_interval(row: ResultRow, metric: str) -> ValueWithInterval | None:
    value = row.metrics.get(metric)
    return None if value is None else (value, *(row.intervals.get(metric) or (None, None)))


def _number(found: ValueWithInterval | None) -> PositionNumber:
    if found is None:
        return PositionNumber(MISSING)
    value, low, high = found
    return PositionNumber(format_percent(value), "" if low is None or high is None else format_interval((low, high)))


def _finding(row: ResultRow) -> str:
    first = row.positions.get("preference")
    if "right" not in row.positions:
        return f"Of two equal images {row.label} chooses the first in {_in_words(first)}."
    right, wrong = row.positions["right"][0], row.positions["wrong"][0]
    steady = right + wrong
    leaning = (
        "" if first is None else f", and chooses the first design in {format_percent(first[0])}% of its parsed answers"
    )
    if not steady:
        return f"{row.label} never makes the same choice in both orders{leaning}."
    return (
        f"{row.label} makes the same choice in both orders for {format_percent(steady)}% of the pairs, of which "
        f"{format_percent(right / steady)}% are right{leaning}."
    )


def _in_words(found: ValueWithInterval | None) -> str:
    number = _number(found)
    return f"{number.value}%" + (f" (95% interval {number.interval})" if number.interval else "")
