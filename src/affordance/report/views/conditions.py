"""Paired differences between conditions of one task: cues, and renderings of the same screens."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from affordance.core.attempts import AttemptResult
from affordance.report.asides import AsideTable
from affordance.report.numbers import (
    MISSING,
    format_count,
    format_interval,
    format_p,
    format_percent,
    format_points,
    format_points_interval,
)
from affordance.report.pairwise import cluster_by_question, mean_score_by_question
from affordance.report.results import row_key
from affordance.report.rows import ResultRow
from affordance.report.words import row_label, with_short_labels
from affordance.stats import SCORE_RANGE, PairedComparison, PairedDifference, holm_adjust
from affordance.tasks.registry import TASKS


def main_condition_rows(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """The rows that are shown in full: of a task that was asked in several forms, the main one."""
    mains = {
        (row.run, row.task)
        for row in rows
        if TASKS[row.task].views.split.main and row.form == TASKS[row.task].views.split.main
    }
    return [row for row in rows if (row.run, row.task) not in mains or row.form == TASKS[row.task].views.split.main]


def condition_table(group: Sequence[ResultRow], rows: Sequence[ResultRow]) -> AsideTable | None:
    """All forms of what a group is one form of, against the base; None where there is nothing to compare."""
    task = TASKS[group[0].task]
    same = with_short_labels([row for row in rows if (row.run, row.task) == (group[0].run, group[0].task)])
    if (
        not task.views.split.baseline
        or not any(row.form == task.views.split.baseline for row in same)
        or len({row.form for row in same}) < 2
    ):
        return None
    lines = []
    for model in dict.fromkeys((row.model, row.strategy) for row in same if row.n):
        of_model = sorted((row for row in same if (row.model, row.strategy) == model), key=_size)
        against = [
            next((one for one in row.differences if one.form == task.views.split.baseline), None) for row in of_model
        ]
        adjusted = iter(holm_adjust([one.p for one in against if one is not None]))
        for row, one in zip(of_model, against, strict=True):
            told = (
                (MISSING,) * 4
                if one is None
                else (
                    format_points(one.accuracy),
                    MISSING if one.interval is None else format_points_interval(one.interval),
                    format_p(one.p),
                    format_p(next(adjusted)),
                )
            )
            lines.append(
                (
                    row_label(row),
                    (
                        row.form,
                        format_percent(row.metrics["accuracy"]),
                        format_interval(row.intervals.get("accuracy")),
                        *told,
                    ),
                )
            )
    return AsideTable(
        key="cues",
        title="What do cues add?",
        columns=("cues", f"{task.headline_label}, %", "95% interval", "points", "95% interval", "p", "p, Holm"),
        lines=tuple(lines),
        note="Points are what cues add to none, between answers about the same items; p is of the exact McNemar test "
        "where items are right or wrong, else of Wilcoxon's with Pratt's zeros; Holm's is over the cues of a model.",
    )


def _size(row: ResultRow) -> tuple[int, str]:
    return 0 if row.form == TASKS[row.task].views.split.baseline else 1 + row.form.count("+"), row.form


Couples = Sequence[tuple[str, str]]  # of questions: on the original, and drawn differently


@dataclass(frozen=True, slots=True)
class RenderingGap:
    """One way of drawing screens against the original, on the targets that were scored on both."""

    rendering: str
    original: float
    redrawn: float
    paired: PairedDifference  # drawn differently less the original


def rendering_table(group: Sequence[ResultRow], outcomes: Sequence[AttemptResult]) -> AsideTable | None:
    """The rows of a group on each rendering against the original; None where nothing was asked on another one."""
    if not any("original" in one.tags for one in outcomes):
        return None
    by_row: dict[tuple[str, ...], list[AttemptResult]] = {}
    for one in outcomes:
        by_row.setdefault(row_key(one), []).append(one)
    lines = [
        (row_label(told), _cells(gap, adjusted))
        for row, told in zip(group, with_short_labels(group), strict=True)
        for gap, adjusted in _holm_adjusted(rendering_gaps(by_row.get(row.key, ())))
    ]
    if not lines:
        return None
    return AsideTable(
        key="renderings",
        title="Does it hold when the same screen is drawn differently?",
        columns=(
            *("drawn as", "original, %", "so drawn, %", "points", "95% interval", "p", "p, Holm"),
            *("better as original", "better so drawn", "targets"),
        ),
        lines=tuple(lines),
        note="The same targets in the same words on the same pages, so what differs is how the page is drawn. Points "
        "are what that adds; intervals are clustered by page, and one that holds 0 cannot be told from no difference. "
        "Better on one of the two are targets that were right, or right more often, there. p is of the exact McNemar "
        "test where pages have one target, else of Wilcoxon's over pages; Holm's is over the renderings of a model.",
    )


def rendering_gaps(outcomes: Sequence[AttemptResult]) -> list[RenderingGap]:
    """Of the outcomes of one row, by rendering in the order of the ledger."""
    scores, clusters = mean_score_by_question(outcomes), cluster_by_question(outcomes)
    found = []
    for rendering, couples in _couples(outcomes, scores).items():
        first, second = ([scores[couple[which]] for couple in couples] for which in (0, 1))
        pairing = PairedComparison([clusters[original] for original, _ in couples], value_range=SCORE_RANGE)
        paired = pairing.compare(second, first)
        found.append(RenderingGap(rendering, sum(first) / len(first), sum(second) / len(second), paired))
    return found


def _couples(outcomes: Sequence[AttemptResult], scores: Mapping[str, float]) -> dict[str, Couples]:
    questions = {one.item_id: one.question_id for one in outcomes if one.question_id in scores}
    found: dict[str, dict[tuple[str, str], None]] = {}
    for one in outcomes:
        rendering, original = one.tags.get("rendering"), questions.get(one.tags.get("original", ""))
        if rendering is not None and original is not None and one.question_id in scores:
            found.setdefault(rendering, {})[original, one.question_id] = None  # once, however many trials
    return {rendering: list(couples) for rendering, couples in found.items()}


def _holm_adjusted(found: Sequence[RenderingGap]) -> Iterator[tuple[RenderingGap, float]]:
    return zip(found, holm_adjust([gap.paired.p for gap in found]), strict=True)


def _cells(gap: RenderingGap, adjusted: float) -> tuple[str, ...]:
    paired = gap.paired
    return (
        gap.rendering,
        format_percent(gap.original),
        format_percent(gap.redrawn),
        format_points(paired.difference),
        MISSING if paired.interval is None else format_points_interval(paired.interval),
        format_p(paired.p),
        format_p(adjusted),
        format_count(paired.losses),
        format_count(paired.wins),
        format_count(paired.n),
    )
