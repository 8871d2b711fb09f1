"""The matrix of paired differences between all rows of a task."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.core.formatting import format_count, format_p, format_points, format_points_interval, join_names
from affordance.report.pairwise import SIGNIFICANCE_LEVEL, RowComparison, RowRef, is_significant
from affordance.report.result_row import ResultRow


@dataclass(frozen=True, slots=True)
class SignificanceCell:
    """The row minus the column. `mark` is `better`, `worse`, or empty if not significant; `text` has all numbers."""

    points: str = ""
    mark: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class SignificanceMatrix:
    finding: str
    names: tuple[str, ...]
    lines: tuple[tuple[SignificanceCell, ...], ...]
    note: str


def significance_matrix(
    group: Sequence[ResultRow], labelled: Sequence[ResultRow], contests: Sequence[RowComparison]
) -> SignificanceMatrix | None:
    """Of the rows of one run, task and condition, with labels as in `labelled`; None without a second row."""
    rows = [row for row in group if row.n]
    names = [row.label for row in labelled if row.n]
    found: dict[tuple[RowRef, RowRef], tuple[RowComparison, int]] = {}
    for one in contests:
        if (one.task, one.form) == (group[0].task, group[0].form):
            found[one.first, one.second] = one, 1
            found[one.second, one.first] = one, -1
    who = [RowRef(row.run, row.model, row.strategy) for row in rows]
    lines = tuple(
        tuple(_cell(*found[one, other], names[i], names[j]) if (one, other) in found else SignificanceCell()
              for j, other in enumerate(who))
        for i, one in enumerate(who)
    )  # fmt: skip
    if not any(cell.points for line in lines for cell in line):
        return None
    family = next(one.family for one, _ in found.values())
    tests = " or ".join(dict.fromkeys(one.paired.test for one, _ in found.values()))
    note = (
        "Points by which the row is ahead of the column, on questions scored for both. Coloured cells are "
        f"significant: p below {SIGNIFICANCE_LEVEL} ({tests}; Holm's correction for {_all(family)} of this task in "
        "these runs) and an interval without 0. Point at a cell for its interval and p."
    )
    return SignificanceMatrix(_finding(names, lines), tuple(names), lines, note)


def _all(family: int) -> str:
    return "the only comparison" if family == 1 else f"all {format_count(family)} comparisons"


def _finding(names: Sequence[str], lines: Sequence[Sequence[SignificanceCell]]) -> str:
    """About the first row of the leaderboard: which others it is significantly better than."""
    rivals = [(names[at], cell) for at, cell in enumerate(lines[0]) if cell.points]
    if not rivals:
        return ""
    if len(rivals) == 1:
        ((rival, cell),) = rivals
        where = "behind" if cell.points.startswith("-") else "ahead of"
        significant = "a significant difference" if cell.mark else "not a significant difference"
        return f"{names[0]} is {cell.points.lstrip('+-')} points {where} {rival}, {significant}."
    beaten = [rival for rival, cell in rivals if cell.mark == "better"]
    if len(beaten) == len(rivals):
        return f"{names[0]} is significantly better than every other."
    open_ = join_names([rival for rival, cell in rivals if cell.mark != "better"])
    of_all = f"{format_count(len(beaten))} of {format_count(len(rivals))}"
    return f"{names[0]} is significantly better than {of_all} others; the difference to {open_} is not significant."


def _cell(contest: RowComparison, sign: int, first: str, second: str) -> SignificanceCell:
    paired = contest.paired
    difference = sign * paired.difference
    text = f"{first} minus {second}: {format_points(difference)} points"
    mark = "" if not is_significant(paired, contest.holm) else "better" if difference > 0 else "worse"
    if paired.interval is not None:
        low, high = sorted(sign * end for end in paired.interval)
        text += f", 95% interval {format_points_interval((low, high))}"
    text += f", p {format_p(paired.p)}, Holm {format_p(contest.holm)}"
    text += f", n {format_count(paired.n)}"
    return SignificanceCell(format_points(difference), mark, text)
