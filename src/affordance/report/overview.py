"""Many tasks at a glance: one line each, the models across."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.core.names import STUDIES, without_address
from affordance.report.contests import Contest, Who, holds
from affordance.report.numbers import counted, interval, percent
from affordance.report.people import called
from affordance.report.rows import Row
from affordance.report.words import against_chance, name, subject

FEWEST_GROUPS = 3  # below that, sentences say it all
MOST_PAIRS = 3  # of models that are compared in words


@dataclass(frozen=True, slots=True)
class Cell:
    value: str = ""
    interval: str = ""
    level: bool = False  # with answering blindly, or below


@dataclass(frozen=True, slots=True)
class Line:
    id: str
    question: str
    where: str
    chance: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    finding: str = ""
    models: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()


def overview(groups: Sequence[tuple[str, str, Sequence[Row]]], contests: Sequence[Contest] = ()) -> Overview:
    """Of groups of rows, each with its id on the page and its question; nothing where there are only a few."""
    if len(groups) < FEWEST_GROUPS:
        return Overview()
    models = tuple(dict.fromkeys(_column(row) for _, _, rows in groups for row in rows))
    several = len({rows[0].run for _, _, rows in groups}) > 1
    lines = tuple(_line(id_, question, rows, models, several) for id_, question, rows in groups)
    said = [_finding(groups, models), *_ahead(groups, contests)]
    return Overview(" ".join(one for one in said if one), models, lines)


def _column(row: Row) -> str:
    """Each study is asked one task, so people have one column for all of them."""
    return name(row) if row.asked is None else called(row.asked)


def _line(id_: str, question: str, rows: Sequence[Row], models: Sequence[str], several_runs: bool) -> Line:
    found = {_column(row): _cell(row) for row in rows}
    run = f", run {rows[0].run}" if several_runs else ""
    where = f"{subject(rows[0])}, n {max(row.n for row in rows):,}{run}"
    cells = tuple(found.get(model, Cell()) for model in models)
    return Line(id_, question, where, percent(rows[0].chance), cells)


def _cell(row: Row) -> Cell:
    share = row.metrics["accuracy"]
    if share is None:
        return Cell()
    star = "" if row.complete else "*"
    return Cell(percent(share) + star, interval(row.intervals.get("accuracy")), against_chance(row) != "above")


def _finding(groups: Sequence[tuple[str, str, Sequence[Row]]], models: Sequence[str]) -> str:
    said = []
    for model in models[:3]:
        rows = [row for _, _, group in groups for row in group if _column(row) == model and row.chance > 0]
        above = sum(against_chance(row) == "above" for row in rows)
        said.append(f"{model} is better than answering blindly in {above} of {counted(len(rows), 'line')}")
    return f"{'; '.join(said)}." if said else ""


def _ahead(groups: Sequence[tuple[str, str, Sequence[Row]]], contests: Sequence[Contest]) -> list[str]:
    """Of few models, in how many lines one is better than another for sure. People are other people in each line."""
    asked = {(row.run, row.task, row.form) for _, _, rows in groups for row in rows}
    held: dict[tuple[str, str], list[int]] = {}
    for one in contests:
        if any(who.model.startswith(STUDIES) for who in (one.first, one.second)):
            continue
        if one.first.run == one.second.run and (one.first.run, one.task, one.form) in asked:
            better = held.setdefault((_called(one.first), _called(one.second)), [0, 0, 0])
            better[2] += 1
            if holds(one.paired, one.holm):
                better[one.paired.difference < 0] += 1
    if len(held) > MOST_PAIRS:
        return []
    return [
        f"Question by question, {first} is better than {second} in {a} of {counted(n, 'line')} and worse in {b}, after "
        "correction for all comparisons."
        for (first, second), (a, b, n) in held.items()
    ]


def _called(who: Who) -> str:
    model = without_address(who.model)
    return model if who.strategy == "zero-shot" else f"{model} ({who.strategy})"
