"""Who is better than whom: all rows of a task against each other, in one matrix."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.core.formatting import format_count, format_p, format_points, format_points_interval, join_names
from affordance.report.pairwise import SIGNIFICANCE_LEVEL, RowComparison, RowRef, is_significant
from affordance.report.result_row import ResultRow


@dataclass(frozen=True, slots=True)
class SignificanceCell:
    """The row less the column. `told` is `better`, `worse`, or empty where the data cannot tell; `said` is all of it
    in words."""

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
    group: Sequence[ResultRow], told: Sequence[ResultRow], contests: Sequence[RowComparison]
) -> SignificanceMatrix | None:
    """Of the rows of one run, task and form, called as in `told`; None where there is no other to compare with."""
    rows = [row for row in group if row.n]
    names = [row.label for row in told if row.n]
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
        "Points by which the line is ahead of the column, on the questions that both were scored on. A coloured cell "
        f"is a difference that holds: p below {SIGNIFICANCE_LEVEL} ({tests}), corrected after Holm for "
        f"{_all(family)} of this task "
        "in these runs, and an interval without 0. Point at a cell for interval and p."
    )
    return SignificanceMatrix(_finding(names, lines), tuple(names), lines, note)


def _all(family: int) -> str:
    return "the only comparison" if family == 1 else f"all {format_count(family)} comparisons"


def _finding(names: Sequence[str], lines: Sequence[Sequence[SignificanceCell]]) -> str:
    """About the first, who comes first on the leaderboard too: whom it is better than for sure."""
    rivals = [(names[at], cell) for at, cell in enumerate(lines[0]) if cell.points]
    if not rivals:
        return ""
    if len(rivals) == 1:
        ((rival, cell),) = rivals
        where = "behind" if cell.points.startswith("-") else "ahead of"
        sure = "and that holds" if cell.mark else "which the data cannot tell from none"
        return f"Question by question, {names[0]} is {cell.points.lstrip('+-')} points {where} {rival}, {sure}."
    beaten = [rival for rival, cell in rivals if cell.mark == "better"]
    if len(beaten) == len(rivals):
        return f"Question by question, {names[0]} is better than each of the others."
    open_ = join_names([rival for rival, cell in rivals if cell.mark != "better"])
    of_all = f"{format_count(len(beaten))} of {format_count(len(rivals))}"
    return (
        f"Question by question, {names[0]} is better than {of_all} others for sure; against {open_} the data cannot "
        "tell."
    )


def _cell(contest: RowComparison, sign: int, first: str, second: str) -> SignificanceCell:
    paired = contest.paired
    difference = sign * paired.difference
    said = f"{first} less {second}: {format_points(difference)} points"
    told = "" if not is_significant(paired, contest.holm) else "better" if difference > 0 else "worse"
    if paired.interval is not None:
        low, high = sorted(sign * end for end in paired.interval)
        said += f", 95% interval {format_points_interval((low, high))}"
    said += f", p {format_p(paired.p)}, after Holm {format_p(contest.holm)}, sign flip {format_p(paired.sign_flip)}"
    said += f", n {format_count(paired.n)}"
    return SignificanceCell(format_points(difference), told, said)
