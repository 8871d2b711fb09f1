"""How much of an answer is position: accuracy by the winner's place, and how pairs are judged in their two orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from affordance.report.figures import stacked
from affordance.report.numbers import DASH, interval, percent
from affordance.report.published import PublishedTable, published_for
from affordance.report.rows import Row
from affordance.report.words import name
from affordance.suites.task import Measured

# How the two orders of a pair were answered, with what that means.
KINDS = {
    "right": "right in both orders",
    "first": "the first one in both orders",
    "second": "the second one in both orders",
    "wrong": "wrong in both orders",
    "unread": "not readable in one of them",
}
COLUMNS = (
    "winner first",
    "winner second",
    "average",
    "both orders",
    "both by chance",
    "wrong in both",
    "by place",
    "takes the first",
    "trials differ",
)
_ACCURACIES = ("first_accuracy", "second_accuracy", "average_accuracy", "consistent_accuracy")
_PUBLISHED_NOTE = "What could not be read counts as wrong there, and is not told apart."


@dataclass(frozen=True, slots=True)
class Number:
    value: str
    interval: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    model: str
    numbers: tuple[Number, ...]  # in the order of COLUMNS
    bar: Markup


@dataclass(frozen=True, slots=True)
class Published:
    """Rows of a paper about data of the same name: for orientation, in a table of their own."""

    lines: tuple[Line, ...]
    ours: tuple[tuple[str, tuple[str, ...]], ...]  # our accuracies, counted as published
    source: str
    note: str


@dataclass(frozen=True, slots=True)
class Positions:
    findings: tuple[str, ...]
    lines: tuple[Line, ...]
    kinds: tuple[tuple[str, str], ...]  # those that occur, with their meaning
    published: Published | None


def positions(group: Sequence[Row]) -> Positions | None:
    """None where position plays no part in the task."""
    rows = [row for row in group if row.positions]
    if not rows:
        return None
    occurring = [kind for kind in KINDS if any(row.positions.get(kind, (0.0,))[0] for row in rows)]
    return Positions(
        findings=tuple(_finding(row) for row in (rows[:3] if occurring else rows)),
        lines=tuple(_line(row) for row in rows),
        kinds=tuple((kind, KINDS[kind]) for kind in occurring),
        published=_published(rows, published_for(str(rows[0].dataset.get("name")), rows[0].task)),
    )


def _line(row: Row) -> Line:
    return Line(
        name(row),
        (
            *(_number(_with_interval(row, metric)) for metric in _ACCURACIES),
            *(_number(row.positions.get(kind)) for kind in ("chance of both", "wrong", "flipping")),
            *(_number(row.positions.get(kind)) for kind in ("preference", "noise")),
        ),
        _bar(name(row), {kind: row.positions[kind][0] for kind in KINDS if kind in row.positions}),
    )


def _published(rows: Sequence[Row], table: PublishedTable | None) -> Published | None:
    if table is None or not any("right" in row.positions for row in rows):
        return None
    lines = []
    for row in table.rows:
        derived = row.shares()
        if derived is None:
            continue
        shares = {"right": derived.right, "first": derived.first, "second": derived.second, "wrong": derived.wrong}
        lines.append(
            Line(
                row.name,
                (
                    *(Number(percent(row.values[metric])) for metric in _ACCURACIES),
                    *(Number(percent(share)) for share in (derived.chance, derived.wrong, derived.flipping)),
                    Number(percent(derived.preference)),
                    Number(DASH),
                ),
                _bar(row.name, shares),
            )
        )
    return Published(
        tuple(lines), tuple(_as_published(row) for row in rows), table.source, f"{table.protocol}. {_PUBLISHED_NOTE}"
    )


def _as_published(row: Row) -> tuple[str, tuple[str, ...]]:
    """Read strictly, and over all pairs."""
    found = (row.compat.get(f"{metric}_strict_all", row.compat.get(f"{metric}_strict")) for metric in _ACCURACIES)
    return name(row), tuple(map(percent, found))


def _bar(model: str, shares: Mapping[str, float]) -> Markup:
    said = "; ".join(f"{KINDS[kind]} {percent(share)}%" for kind, share in shares.items() if share)
    return stacked(list(shares.items()), f"{model}: {said}")


def _with_interval(row: Row, metric: str) -> Measured | None:
    value = row.metrics.get(metric)
    return None if value is None else (value, *(row.intervals.get(metric) or (None, None)))


def _number(found: Measured | None) -> Number:
    if found is None:
        return Number(DASH)
    value, low, high = found
    return Number(percent(value), "" if low is None or high is None else interval((low, high)))


def _finding(row: Row) -> str:
    first = row.positions.get("preference")
    if "right" not in row.positions:
        return f"Of two equal pictures {name(row)} takes the first one in {_in_words(first)}."
    right, wrong = row.positions["right"][0], row.positions["wrong"][0]
    steady = right + wrong
    leaning = "" if first is None else f", and takes the first one in {percent(first[0])}% of its readable answers"
    if not steady:
        return f"{name(row)} never judges a pair the same way in both orders{leaning}."
    return (
        f"{name(row)} judges {percent(steady)}% of the pairs the same way in both orders and is right on "
        f"{percent(right / steady)}% of these{leaning}."
    )


def _in_words(found: Measured | None) -> str:
    number = _number(found)
    return f"{number.value}%" + (f" (95% interval {number.interval})" if number.interval else "")
