"""Small tables beside the leaderboard: differences within a model, what a judge can be misled by, what strategies
take."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.report.numbers import (
    MISSING,
    format_count,
    format_metric,
    format_percent,
    format_points,
    format_points_interval,
)
from affordance.report.rows import ResultRow
from affordance.report.words import row_label
from affordance.tasks.registry import TASKS

Cells = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AsideTable:
    title: str
    columns: tuple[str, ...]
    lines: tuple[tuple[str, Cells], ...]
    note: str
    corner: str = "model"  # what its lines are
    key: str = ""  # a name for it that does not change with its title


def additional_tables(group: Sequence[ResultRow]) -> list[AsideTable]:
    found = (
        _agreement_table(group),
        _paired_table(group),
        _density_table(group),
        _distractor_table(group),
        _judge_score_table(group),
        _effort(group),
    )
    return [table for table in found if table.lines]


def _agreement_table(group: Sequence[ResultRow]) -> AsideTable:
    lines = tuple(
        (
            row_label(row),
            (
                _number(one.alpha),
                f"{_number(one.kappa)} {one.kappa_of}".strip(),
                _number(one.iou),
                format_count(one.items),
            ),
        )
        for row in group
        for one in row.people
    )
    return AsideTable(
        key="people-agreement",
        title="How far do people agree?",
        columns=("alpha", "kappa", "mean IoU", "items"),
        lines=lines,
        note="Over items that two or more people answered. Krippendorff's alpha is 1 where all agree and 0 where they "
        "agree as by chance; kappa is given where every item has the same number of people.",
    )


def _number(value: float | None) -> str:
    return MISSING if value is None else f"{value:.2f}"


def _paired_table(group: Sequence[ResultRow]) -> AsideTable:
    lines = tuple(
        (row_label(row), (one.form, format_points(one.accuracy), _interval_note(one.interval), format_count(one.n)))
        for row in group
        for one in row.differences
        if not TASKS[row.task].views.split.baseline
    )
    return AsideTable(
        key="expressions",
        title="Does it matter how a target is described?",
        columns=("against", "points", "95% interval", "targets"),
        lines=lines,
        note="Accuracy here less that with the other expression, on the same targets; intervals are clustered by "
        "screen. One that holds 0 cannot be told from no difference.",
    )


def _interval_note(interval: tuple[float, float] | None) -> str:
    return MISSING if interval is None else format_points_interval(interval)


def _density_table(group: Sequence[ResultRow]) -> AsideTable:
    found = [(row, row.contrast) for row in group if row.contrast]
    lines = tuple(
        (
            row_label(row),
            (
                format_points(one["crude"]),
                format_points(one["adjusted"]),
                f"{100 * one['error']:.1f}",
                format_count(int(one["n"])),
            ),
        )
        for row, one in found
    )
    return AsideTable(
        key="density",
        title="Do neighbours distract, beyond size?",
        columns=("dense less sparse, points", "at equal area, points", "standard error", "targets compared"),
        lines=lines,
        note="The box in which neighbours are counted grows with the target, so density goes with size; at equal area, "
        "dense and sparse targets are compared within fifths of the area.",
    )


# What is told of a judged explanation beside its accuracy: by floor, metric or compat.
_MISLED = {
    "a rationale of another pair": "another pair's, %",
    "an answer that names every law": "naming all laws, %",
    "length_concordance": "longer is better, %",
    "ambiguous": "judged ambiguously, %",
    "rationale_accuracy": "reasons found, %",
    "rationale_accuracy_written": "in their own words, %",
    "rationale_accuracy_published": "as published, %",
}


def _distractor_table(group: Sequence[ResultRow]) -> AsideTable:
    lines = []
    for row in group:
        known = {**row.floors, **row.metrics, **row.compat}
        if row.metrics.get("rationale_accuracy") is not None:
            lines.append((row_label(row), tuple(format_percent(known.get(key)) for key in _MISLED)))
    return AsideTable(
        key="judge-controls",
        title="What can the judge be misled by?",
        columns=tuple(_MISLED.values()),
        lines=tuple(lines),
        note="A rationale of another pair should not be found, and an answer that names all laws has not seen a page. "
        "Of two explanations the longer one is the better in 50% where length makes no difference. Reasons that name a "
        "side are judged in neutral words, and once more in their own; as published, ambiguous ones are left out.",
    )


def _judge_score_table(group: Sequence[ResultRow]) -> AsideTable:
    """Of interpretations that a judge scored."""
    lines = tuple(
        (
            row_label(row),
            (
                format_metric("score", row.metrics.get("score_individual")),
                format_percent(row.metrics.get("judge_disagreement")),
                format_percent(row.metrics.get("judge_unread")),
            ),
        )
        for row in group
        if row.metrics.get("score") is not None
    )
    return AsideTable(
        key="judge-scores",
        title="What does the judge say beyond that?",
        columns=("score against each response", "depends on the order, %", "not readable, %"),
        lines=lines,
        note="Each response is a reference with --reference individual or both; their order matters where "
        "the judge was asked in both, with --judge-orders 2. Judgements that cannot be read are left out.",
    )


def _effort(group: Sequence[ResultRow]) -> AsideTable:
    """Where strategies can be compared."""
    several = len({row.strategy for row in group}) > 1
    lines = tuple(
        (
            row_label(row),
            (
                f"{row.effort.calls / row.effort.attempts:.1f}",
                _each(row.effort.input_tokens, row.effort.attempts),
                _each(row.effort.output_tokens, row.effort.attempts),
            ),
        )
        for row in group
        if several and row.effort is not None
    )
    return AsideTable(
        key="strategies",
        title="What do the strategies take?",
        columns=("calls", "tokens in", "tokens out"),
        lines=lines,
        note="Per attempt, with calls that strategies share counted for each of them.",
    )


def _each(total: int | None, attempts: int) -> str:
    return MISSING if total is None else format_count(round(total / attempts))
