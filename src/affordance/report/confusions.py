"""What was answered instead of the truth: a matrix for each model, or a list where there are too many classes."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.report.numbers import count
from affordance.report.rows import Row
from affordance.report.words import name
from affordance.suites.metrics import NO_ANSWER

MOST_CLASSES = 16
MOST_PAIRS = 15
STEPS = 10  # of shading

_NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class Cell:
    number: str
    step: int  # of shading: its share in the row, from 0 to STEPS
    right: bool


@dataclass(frozen=True, slots=True)
class Pair:
    truth: str
    answer: str
    number: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """Columns and lines of a matrix, or, where the classes are too many for one, the most frequent mistakes."""

    model: str
    finding: str
    columns: tuple[str, ...] = ()
    lines: tuple[tuple[str, tuple[Cell, ...]], ...] = ()
    mistakes: tuple[Pair, ...] = ()
    hidden: int = 0  # kinds of mistake that are left out


def matrices(group: Sequence[Row], labels: Sequence[str]) -> list[Matrix]:
    """One for each row that has anything scored. `labels` gives the order of the classes; others come after them."""
    return [_matrix(row, _classes(row, labels)) for row in group if row.confusion]


def _classes(row: Row, labels: Sequence[str]) -> list[str]:
    others = sorted({label for truth, answer, _ in row.confusion for label in (truth, answer)} - {NO_ANSWER, *labels})
    return [*labels, *others]


def _matrix(row: Row, classes: Sequence[str]) -> Matrix:
    table = {(truth, answer): number for truth, answer, number in row.confusion}
    wrong = sorted((-number, truth, answer) for (truth, answer), number in table.items() if truth != answer)
    mistakes = [Pair(truth, answer or _NO_ANSWER, -number) for number, truth, answer in wrong]
    totals = {truth: sum(n for (of, _), n in table.items() if of == truth) for truth, _ in table}
    finding = _finding(row, mistakes, totals)
    if len(classes) > MOST_CLASSES:
        return Matrix(
            name(row), finding, mistakes=tuple(mistakes[:MOST_PAIRS]), hidden=max(0, len(mistakes) - MOST_PAIRS)
        )
    columns = [*classes, NO_ANSWER]
    lines = tuple(
        (truth, tuple(_cell(table.get((truth, answer), 0), totals[truth], truth == answer) for answer in columns))
        for truth in classes
        if truth in totals
    )
    return Matrix(name(row), finding, (*classes, _NO_ANSWER), lines)


def _cell(number: int, total: int, right: bool) -> Cell:
    return Cell(str(number) if number else "", round(STEPS * number / total), right)


def _finding(row: Row, mistakes: Sequence[Pair], totals: dict[str, int]) -> str:
    if not mistakes:
        return f"{name(row)} makes no mistake."
    worst = mistakes[0]
    share = f"{count(worst.number)} of {count(totals[worst.truth])}"
    if worst.answer == _NO_ANSWER:
        return f"{name(row)} most often gives no answer where the truth is {worst.truth} ({share})."
    return f"{name(row)} most often takes {worst.truth} for {worst.answer} ({share})."
