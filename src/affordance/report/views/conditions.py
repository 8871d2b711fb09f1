"""Paired differences between conditions of one task: cues, descriptions of targets, renderings of the same screens."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from affordance.core.attempts import AttemptResult
from affordance.core.formatting import Unit, pluralize
from affordance.core.table import Cell, Column, Table
from affordance.report.pairwise import cluster_by_question, mean_score_by_question
from affordance.report.result_row import ResultRow, with_short_labels
from affordance.report.results import row_key
from affordance.stats import SCORE_RANGE, PairedComparison, PairedDifference, holm_adjust
from affordance.tasks.registry import TASKS

_DIFFERENCE = Column("difference", unit=Unit.POINTS)
_P, _P_HOLM = Column("p", unit=Unit.P), Column("p_holm", "p, Holm", Unit.P)


def main_condition_rows(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """The rows that are shown in full: those of the main condition, for tasks that were asked in several."""
    mains = {
        (row.run, row.task)
        for row in rows
        if TASKS[row.task].views.split.main and row.form == TASKS[row.task].views.split.main
    }
    return [row for row in rows if (row.run, row.task) not in mains or row.form == TASKS[row.task].views.split.main]


def condition_tables(group: Sequence[ResultRow], rows: Sequence[ResultRow]) -> list[Table]:
    """All conditions of a group's task against the baseline condition, one table per model."""
    task = TASKS[group[0].task]
    base = task.views.split.baseline
    same = with_short_labels([row for row in rows if (row.run, row.task) == (group[0].run, group[0].task)])
    if not base or not any(row.form == base for row in same) or len({row.form for row in same}) < 2:
        return []
    columns = (
        Column("condition", task.views.split.tag), Column("accuracy", task.headline_label, Unit.PERCENT), _DIFFERENCE,
        _P, _P_HOLM,
    )  # fmt: skip
    models = dict.fromkeys((row.model, row.strategy) for row in same if row.n)
    found = [
        Table.of(
            id=task.views.split.tag,
            title=f"Effect of {task.views.split.tag}: {of_model[0].label}",
            columns=columns,
            rows=_condition_rows(of_model, base),
            detail=True,
        )
        for model in models
        if (of_model := sorted((row for row in same if (row.model, row.strategy) == model), key=_condition_rank))
    ]
    note = (
        f"Differences are against “{base}”, on the same items. p: exact McNemar test where every item is right or "
        "wrong, otherwise Wilcoxon's test with Pratt's zeros. Holm's correction is over the conditions of one model."
    )
    return [*found[:-1], replace(found[-1], notes=(note,))] if found else []


def _condition_rows(rows: Sequence[ResultRow], base: str) -> list[tuple[Cell | str | float | None, ...]]:
    differences = [next((one for one in row.differences if one.form == base), None) for row in rows]
    adjusted = iter(holm_adjust([one.p for one in differences if one is not None]))
    found = []
    for row, one in zip(rows, differences, strict=True):
        accuracy = Cell(row.metrics["accuracy"], row.intervals.get("accuracy"))
        compared = (None, None, None) if one is None else (Cell(one.accuracy, one.interval), one.p, next(adjusted))
        found.append((row.form, accuracy, *compared))
    return found


def _condition_rank(row: ResultRow) -> tuple[int, str]:
    """The baseline first, then by the number of parts that are joined by `+`."""
    return 0 if row.form == TASKS[row.task].views.split.baseline else 1 + row.form.count("+"), row.form


def paired_table(group: Sequence[ResultRow]) -> Table | None:
    """Each row against those of other conditions, for tasks without a baseline condition."""
    rows = [
        (row.label, one.form, Cell(one.accuracy, one.interval), one.n)
        for row in group
        for one in row.differences
        if not TASKS[row.task].views.split.baseline
    ]
    if not rows:
        return None
    task = TASKS[group[0].task]
    columns = (
        Column("model"),
        Column("against"),
        _DIFFERENCE,
        Column("n", pluralize(task.views.item_noun), Unit.COUNT),
    )
    note = (
        f"Accuracy of “{group[0].form}” minus that of the other {task.views.split.tag}, on the same "
        f"{pluralize(task.views.item_noun)}. An interval that contains 0 is not significant."
    )
    return Table.of("expressions", f"Effect of the {task.views.split.tag}", columns, rows, [note], detail=True)


@dataclass(frozen=True, slots=True)
class RenderingGap:
    """One rendering against the original, on the targets that were scored on both."""

    rendering: str
    original: float
    rendered: float
    paired: PairedDifference  # the rendering minus the original


_RENDERING_COLUMNS = (
    Column("model"), Column("rendering"), Column("original", unit=Unit.PERCENT),
    Column("rendered", "this rendering", Unit.PERCENT), _DIFFERENCE, _P, _P_HOLM,
    Column("better_original", "better on original", Unit.COUNT),
    Column("better_rendered", "better on rendering", Unit.COUNT), Column("n", "targets", Unit.COUNT),
)  # fmt: skip


def rendering_table(group: Sequence[ResultRow], outcomes: Sequence[AttemptResult]) -> Table | None:
    """The rows of a group on each rendering against the original; None without other renderings."""
    if not any("original" in one.tags for one in outcomes):
        return None
    by_row: dict[tuple[str, ...], list[AttemptResult]] = {}
    for one in outcomes:
        by_row.setdefault(row_key(one), []).append(one)
    rows = [
        (
            short.label,
            gap.rendering,
            gap.original,
            gap.rendered,
            Cell(gap.paired.difference, gap.paired.interval),
            gap.paired.p,
            adjusted,
            gap.paired.losses,
            gap.paired.wins,
            gap.paired.n,
        )
        for row, short in zip(group, with_short_labels(group), strict=True)
        for gap, adjusted in _holm_adjusted(rendering_gaps(by_row.get(row.key, ())))
    ]
    if not rows:
        return None
    note = (
        "The same targets on the same pages in the same words; only the rendering differs. Intervals are clustered by "
        "page; one that contains 0 is not significant. p: exact McNemar test where pages have one target, otherwise "
        "Wilcoxon's test over pages. Holm's correction is over the renderings of one model."
    )
    return Table.of("renderings", "Robustness to rendering", _RENDERING_COLUMNS, rows, [note], detail=True)


def rendering_gaps(outcomes: Sequence[AttemptResult]) -> list[RenderingGap]:
    """Of the results of one row, by rendering in the order of the ledger."""
    scores, clusters = mean_score_by_question(outcomes), cluster_by_question(outcomes)
    found = []
    for rendering, pairs in _question_pairs(outcomes, scores).items():
        first, second = ([scores[pair[which]] for pair in pairs] for which in (0, 1))
        comparison = PairedComparison([clusters[original] for original, _ in pairs], value_range=SCORE_RANGE)
        paired = comparison.compare(second, first)
        found.append(RenderingGap(rendering, sum(first) / len(first), sum(second) / len(second), paired))
    return found


def _question_pairs(
    outcomes: Sequence[AttemptResult], scores: Mapping[str, float]
) -> dict[str, Sequence[tuple[str, str]]]:
    """By rendering: the question on the original page, and the same question on the rendering."""
    questions = {one.item_id: one.question_id for one in outcomes if one.question_id in scores}
    found: dict[str, dict[tuple[str, str], None]] = {}
    for one in outcomes:
        rendering, original = one.tags.get("rendering"), questions.get(one.tags.get("original", ""))
        if rendering is not None and original is not None and one.question_id in scores:
            found.setdefault(rendering, {})[original, one.question_id] = None  # once, however many trials
    return {rendering: list(pairs) for rendering, pairs in found.items()}


def _holm_adjusted(found: Sequence[RenderingGap]) -> Iterator[tuple[RenderingGap, float]]:
    return zip(found, holm_adjust([gap.paired.p for gap in found]), strict=True)
