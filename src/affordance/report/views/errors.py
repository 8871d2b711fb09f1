"""Wrong answers: confusion matrices, and shares of kinds of error."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.core.formatting import format_count, format_percent
from affordance.report.result_row import ResultRow
from affordance.tasks.metrics import NO_ANSWER_COLUMN, NO_ANSWER_KIND
from affordance.tasks.registry import TASKS

MOST_CLASSES = 16
MOST_PAIRS = 15
STEPS = 10  # of shading

_NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class ConfusionCell:
    number: str
    step: int  # of shading: its share in the row, from 0 to STEPS
    right: bool


@dataclass(frozen=True, slots=True)
class ClassPair:
    truth: str
    answer: str
    number: int


@dataclass(frozen=True, slots=True)
class ConfusionMatrix:
    """Columns and lines of a matrix, or the most frequent errors if there are too many classes."""

    model: str
    finding: str
    columns: tuple[str, ...] = ()
    lines: tuple[tuple[str, tuple[ConfusionCell, ...]], ...] = ()
    mistakes: tuple[ClassPair, ...] = ()
    hidden: int = 0  # pairs of classes that are left out


def confusion_matrices(group: Sequence[ResultRow], labels: Sequence[str]) -> list[ConfusionMatrix]:
    """One for each scored row. `labels` gives the order of the classes; others follow."""
    return [_matrix(row, _classes(row, labels)) for row in group if row.confusion]


def _classes(row: ResultRow, labels: Sequence[str]) -> list[str]:
    others = sorted(
        {label for truth, answer, _ in row.confusion for label in (truth, answer)} - {NO_ANSWER_COLUMN, *labels}
    )
    return [*labels, *others]


def _matrix(row: ResultRow, classes: Sequence[str]) -> ConfusionMatrix:
    table = {(truth, answer): number for truth, answer, number in row.confusion}
    wrong = sorted((-number, truth, answer) for (truth, answer), number in table.items() if truth != answer)
    mistakes = [ClassPair(truth, answer or _NO_ANSWER, -number) for number, truth, answer in wrong]
    totals = {truth: sum(n for (of, _), n in table.items() if of == truth) for truth, _ in table}
    finding = _finding(row, mistakes, totals)
    if len(classes) > MOST_CLASSES:
        return ConfusionMatrix(
            row.label, finding, mistakes=tuple(mistakes[:MOST_PAIRS]), hidden=max(0, len(mistakes) - MOST_PAIRS)
        )
    columns = [*classes, NO_ANSWER_COLUMN]
    lines = tuple(
        (truth, tuple(_cell(table.get((truth, answer), 0), totals[truth], truth == answer) for answer in columns))
        for truth in classes
        if truth in totals
    )
    return ConfusionMatrix(row.label, finding, (*classes, _NO_ANSWER), lines)


def _cell(number: int, total: int, right: bool) -> ConfusionCell:
    return ConfusionCell(str(number) if number else "", round(STEPS * number / total), right)


def _finding(row: ResultRow, mistakes: Sequence[ClassPair], totals: dict[str, int]) -> str:
    if not mistakes:
        return f"{row.label} makes no error."
    worst = mistakes[0]
    share = f"{format_count(worst.number)} of {format_count(totals[worst.truth])}"
    if worst.answer == _NO_ANSWER:
        return f"Most frequent error of {row.label}: no answer for {worst.truth} ({share})."
    return f"Most frequent error of {row.label}: {worst.answer} for {worst.truth} ({share})."


_MAX_SENTENCES = 3  # models with a sentence of their own


def error_kinds(group: Sequence[ResultRow]) -> list[str]:
    """The kinds of error that occur, “no answer” last."""
    found = dict.fromkeys(kind for row in group for kind in row.shares if kind != NO_ANSWER_KIND)
    if any(NO_ANSWER_KIND in row.shares for row in group):
        found[NO_ANSWER_KIND] = None
    return list(found)


def share_right(row: ResultRow) -> float:
    """What is left of all scored attempts, so that a row adds up to 100%."""
    return max(0.0, 1 - sum(row.shares.values()))


def most_frequent_errors(group: Sequence[ResultRow]) -> str:
    """A sentence for each of the first models."""
    sentences = []
    for row in group[:_MAX_SENTENCES]:
        if wrong := {kind: share for kind, share in row.shares.items() if share}:
            kind = max(wrong, key=lambda kind: wrong[kind])
            sentences.append(f"Most frequent error of {row.label}: {kind} ({format_percent(wrong[kind])}%).")
    return " ".join(sentences)


def note(group: Sequence[ResultRow]) -> str:
    """What the kinds of error mean."""
    return TASKS[group[0].task].views.errors_note
