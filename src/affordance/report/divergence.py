"""Grounding against outcomes: whether models that find an element best also know best what it does (AutoGUI-v2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.core.formatting import format_p, format_percent
from affordance.report.result_row import ResultRow, with_short_labels
from affordance.stats import spearman
from affordance.tasks.registry import TASKS

LEVELS = ("region", "element")
FEWEST = 3  # models; a rank correlation of two is always 1


@dataclass(frozen=True, slots=True)
class Point:
    model: str
    ground: float
    outcome: float


@dataclass(frozen=True, slots=True)
class GroundingOutcomeGap:
    """One level in one run. `forms` are those of the two axes: the expression, and how many answers are right."""

    run: str
    level: str
    forms: tuple[str, str]
    points: tuple[Point, ...]
    finding: str
    ranks: str  # the rank correlation in words; empty with too few models


def grounding_outcome_gaps(rows: Sequence[ResultRow]) -> list[GroundingOutcomeGap]:
    """For each run and level, and each pair of forms that at least two models have both numbers of."""
    found = []
    for run in dict.fromkeys(row.run for row in rows):
        for level in LEVELS:
            ground, outcome = (
                with_short_labels([row for row in rows if (row.run, row.task) == (run, f"function/{kind}-{level}")])
                for kind in ("ground", "outcome")
            )
            for forms in [(g, o) for g in _forms(ground) for o in _forms(outcome)]:
                points = _points([r for r in ground if r.form == forms[0]], [r for r in outcome if r.form == forms[1]])
                if len(points) > 1:
                    found.append(
                        GroundingOutcomeGap(run, level, forms, tuple(points), _finding(level, points), _ranks(points))
                    )
    return found


def _forms(rows: Sequence[ResultRow]) -> list[str]:
    return [
        form
        for form in dict.fromkeys(row.form for row in rows)
        if form != TASKS[rows[0].task].views.split.control or not form
    ]


def _points(ground: Sequence[ResultRow], outcome: Sequence[ResultRow]) -> list[Point]:
    shares = {row.label: row.metrics["accuracy"] for row in outcome if row.complete}
    found = []
    for row in ground:
        pointing, knowing = row.metrics["accuracy"], shares.get(row.label)
        if row.complete and pointing is not None and knowing is not None:
            found.append(Point(row.label, pointing, knowing))
    return found


def _finding(level: str, points: Sequence[Point]) -> str:
    best = max(points, key=lambda one: one.ground), max(points, key=lambda one: one.outcome)
    if best[0] == best[1]:
        return f"{best[0].model} is best at both."
    return (
        f"{best[0].model} is best at grounding {level}s ({format_percent(best[0].ground)}%), {best[1].model} at their "
        f"outcomes ({format_percent(best[1].outcome)}%)."
    )


def _ranks(points: Sequence[Point]) -> str:
    if len(points) < FEWEST:
        return ""
    ranks = spearman([one.ground for one in points], [one.outcome for one in points])
    if ranks.rho is None or ranks.p is None:
        return "All models are equal at one of the two, so there is no rank correlation."
    return f"Rank correlation over {ranks.n} models: {ranks.rho:+.2f} (Spearman, p {format_p(ranks.p)})."
