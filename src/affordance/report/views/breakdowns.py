"""Accuracy by slice, all models side by side, for the tags that rows were broken down by."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from affordance.core.attempts import SCORED_STATUSES
from affordance.core.formatting import MISSING, Unit, format_count, format_percent, join_names
from affordance.core.table import Cell, Column, Table
from affordance.report.result_row import ResultRow, SliceResult
from affordance.tasks.registry import TASKS
from affordance.tasks.views import BreakdownTag

_MAX_VALUES = 40
_MAX_FINDINGS = 3  # models whose best and worst value are put into words
_MAX_MODEL_COLUMNS = 4  # more models become rows, unless there are more values than
_MAX_VALUE_COLUMNS = 8
_NONE = "(none)"


@dataclass(frozen=True, slots=True)
class Breakdown:
    """One tag: a table of accuracy with n, and how many values are left out of it."""

    tag: str
    table: Table
    hidden: int
    has_models_as_rows: bool  # for many models and few values


def breakdowns_of(group: Sequence[ResultRow]) -> list[Breakdown]:
    """One for each tag of rows with a score. Of too many values, those with the most attempts are shown."""
    scored = [row for row in group if row.metrics["accuracy"] is not None]
    tags = dict.fromkeys(part.by for row in scored for part in row.breakdowns)
    return [_breakdown(by, scored) for by in tags if _varies(by, scored)]


def _varies(by: str, group: Sequence[ResultRow]) -> bool:
    """Whether there is more than one value: one alone says what the leaderboard says."""
    return len({part.value for row in group for part in row.breakdowns if part.by == by}) > 1


def _breakdown(by: str, group: Sequence[ResultRow]) -> Breakdown:
    slices = [{part.value: part for part in row.breakdowns if part.by == by} for row in group]
    values = list(dict.fromkeys(value for of_row in slices for value in of_row))
    attempts = {value: sum(of_row[value].n for of_row in slices if value in of_row) for value in values}
    most = set(sorted(values, key=lambda value: -attempts[value])[:_MAX_VALUES])
    shown = [value for value in values if value in most]
    names, labels = [row.label for row in group], [value or _NONE for value in shown]
    cells = [[_cell(of_row.get(value)) for value in shown] for of_row in slices]
    transposed = len(group) > _MAX_MODEL_COLUMNS and len(shown) <= _MAX_VALUE_COLUMNS
    heads, lines, columns = (
        (names, cells, labels) if transposed else (labels, [list(line) for line in zip(*cells, strict=True)], names)
    )
    findings = [one for row, of_row in zip(group, slices, strict=True) if (one := _finding(row, of_row.values()))]
    hidden = len(values) - len(shown)
    view = next((one for one in TASKS[group[0].task].views.breakdowns if one.tag == by), BreakdownTag(by))
    table = Table.of(
        id=f"breakdown/{by}",
        title=f"Accuracy by {view.label or by.replace('_', ' ')}",
        columns=(Column("model" if transposed else by), *(Column(name, unit=Unit.PERCENT) for name in columns)),
        rows=[(head, *line) for head, line in zip(heads, lines, strict=True)],
        notes=(
            view.note,
            f"{format_count(hidden)} values with fewer attempts are not shown." if hidden else "",
        ),
        finding=" ".join(findings[:_MAX_FINDINGS]),
        detail=True,
    )
    return Breakdown(by, table, hidden, transposed)


def _cell(part: SliceResult | None) -> Cell:
    """Accuracy with the number of scored attempts."""
    if part is None:
        return Cell(None, n=0)
    return Cell(part.metrics["accuracy"], n=sum(part.ended[status] for status in SCORED_STATUSES))


def _finding(row: ResultRow, parts: Iterable[SliceResult]) -> str:
    """Empty where nothing that has the tag is scored, as in a run that was interrupted."""
    shares = {part.value or _NONE: format_percent(part.metrics["accuracy"]) for part in parts}
    ranked = sorted((share for share in shares.values() if share != MISSING), key=float)
    if not ranked:
        return ""
    low, high = ranked[0], ranked[-1]
    if low == high:
        return f"{row.label} is right in {low}% of each."
    best = join_names([value for value, share in shares.items() if share == high])
    worst = join_names([value for value, share in shares.items() if share == low])
    return f"{row.label} is best on {best} ({high}%) and worst on {worst} ({low}%)."
