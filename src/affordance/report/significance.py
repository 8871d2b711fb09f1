"""Who is better than whom: all rows of a task against each other, in one matrix."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.report.contests import ALPHA, Contest, Who, holds
from affordance.report.numbers import count, listed, p_value, points, points_interval
from affordance.report.rows import Row
from affordance.report.words import name


@dataclass(frozen=True, slots=True)
class Cell:
    """The row less the column. `told` is `better`, `worse`, or empty where the data cannot tell; `said` is all of it
    in words."""

    points: str = ""
    told: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Matrix:
    finding: str
    names: tuple[str, ...]
    lines: tuple[tuple[Cell, ...], ...]
    note: str


def matrix(group: Sequence[Row], told: Sequence[Row], contests: Sequence[Contest]) -> Matrix | None:
    """Of the rows of one run, task and form, called as in `told`; None where there is no other to compare with."""
    rows = [row for row in group if row.n]
    names = [name(row) for row in told if row.n]
    found: dict[tuple[Who, Who], tuple[Contest, int]] = {}
    for one in contests:
        if (one.task, one.form) == (group[0].task, group[0].form):
            found[one.first, one.second] = one, 1
            found[one.second, one.first] = one, -1
    who = [Who(row.run, row.model, row.strategy) for row in rows]
    lines = tuple(
        tuple(_cell(*found[one, other], names[i], names[j]) if (one, other) in found else Cell()
              for j, other in enumerate(who))
        for i, one in enumerate(who)
    )  # fmt: skip
    if not any(cell.points for line in lines for cell in line):
        return None
    family = next(one.family for one, _ in found.values())
    tests = " or ".join(dict.fromkeys(one.paired.test for one, _ in found.values()))
    note = (
        "Points by which the line is ahead of the column, on the questions that both were scored on. A coloured cell "
        f"is a difference that holds: p below {ALPHA} ({tests}), corrected after Holm for {_all(family)} of this task "
        "in these runs, and an interval without 0. Point at a cell for interval and p."
    )
    return Matrix(_finding(names, lines), tuple(names), lines, note)


def _all(family: int) -> str:
    return "the only comparison" if family == 1 else f"all {count(family)} comparisons"


def _finding(names: Sequence[str], lines: Sequence[Sequence[Cell]]) -> str:
    """About the first, who comes first on the leaderboard too: whom it is better than for sure."""
    rivals = [(names[at], cell) for at, cell in enumerate(lines[0]) if cell.points]
    if not rivals:
        return ""
    if len(rivals) == 1:
        ((rival, cell),) = rivals
        where = "behind" if cell.points.startswith("-") else "ahead of"
        sure = "and that holds" if cell.told else "which the data cannot tell from none"
        return f"Question by question, {names[0]} is {cell.points.lstrip('+-')} points {where} {rival}, {sure}."
    beaten = [rival for rival, cell in rivals if cell.told == "better"]
    if len(beaten) == len(rivals):
        return f"Question by question, {names[0]} is better than each of the others."
    open_ = listed([rival for rival, cell in rivals if cell.told != "better"])
    of_all = f"{count(len(beaten))} of {count(len(rivals))}"
    return (
        f"Question by question, {names[0]} is better than {of_all} others for sure; against {open_} the data cannot "
        "tell."
    )


def _cell(contest: Contest, sign: int, first: str, second: str) -> Cell:
    paired = contest.paired
    difference = sign * paired.difference
    said = f"{first} less {second}: {points(difference)} points"
    told = "" if not holds(paired, contest.holm) else "better" if difference > 0 else "worse"
    if paired.interval is not None:
        low, high = sorted(sign * end for end in paired.interval)
        said += f", 95% interval {points_interval((low, high))}"
    said += f", p {p_value(paired.p)}, after Holm {p_value(contest.holm)}, sign flip {p_value(paired.sign_flip)}"
    said += f", n {count(paired.n)}"
    return Cell(points(difference), told, said)
