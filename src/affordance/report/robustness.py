"""The same targets on the same pages, drawn differently (dark, zoomed, in another language...): what that costs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from affordance.core.attempt import Outcome
from affordance.report.asides import Table
from affordance.report.contests import clusters_of, mean_scores
from affordance.report.numbers import DASH, count, p_value, percent, points, points_interval
from affordance.report.results import key_of
from affordance.report.rows import Row
from affordance.report.words import name, with_short_names
from affordance.stats import SPAN_OF_SCORES, Paired, Pairing, holm

Couples = Sequence[tuple[str, str]]  # of questions: on the original, and drawn differently


@dataclass(frozen=True, slots=True)
class Gap:
    """One way of drawing screens against the original, on the targets that were scored on both."""

    rendering: str
    original: float
    redrawn: float
    paired: Paired  # drawn differently less the original


def robustness(group: Sequence[Row], outcomes: Sequence[Outcome]) -> Table | None:
    """The rows of a group on each rendering against the original; None where nothing was asked on another one."""
    if not any("original" in one.tags for one in outcomes):
        return None
    by_row: dict[tuple[str, ...], list[Outcome]] = {}
    for one in outcomes:
        by_row.setdefault(key_of(one), []).append(one)
    lines = [
        (name(told), _cells(gap, adjusted))
        for row, told in zip(group, with_short_names(group), strict=True)
        for gap, adjusted in _corrected(gaps(by_row.get(row.key, ())))
    ]
    if not lines:
        return None
    return Table(
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


def gaps(outcomes: Sequence[Outcome]) -> list[Gap]:
    """Of the outcomes of one row, by rendering in the order of the ledger."""
    scores, clusters = mean_scores(outcomes), clusters_of(outcomes)
    found = []
    for rendering, couples in _couples(outcomes, scores).items():
        first, second = ([scores[couple[which]] for couple in couples] for which in (0, 1))
        pairing = Pairing([clusters[original] for original, _ in couples], span=SPAN_OF_SCORES)
        paired = pairing.compare(second, first)
        found.append(Gap(rendering, sum(first) / len(first), sum(second) / len(second), paired))
    return found


def _couples(outcomes: Sequence[Outcome], scores: Mapping[str, float]) -> dict[str, Couples]:
    questions = {one.item: one.question for one in outcomes if one.question in scores}
    found: dict[str, dict[tuple[str, str], None]] = {}
    for one in outcomes:
        rendering, original = one.tags.get("rendering"), questions.get(one.tags.get("original", ""))
        if rendering is not None and original is not None and one.question in scores:
            found.setdefault(rendering, {})[original, one.question] = None  # once, however many trials
    return {rendering: list(couples) for rendering, couples in found.items()}


def _corrected(found: Sequence[Gap]) -> Iterator[tuple[Gap, float]]:
    return zip(found, holm([gap.paired.p for gap in found]), strict=True)


def _cells(gap: Gap, adjusted: float) -> tuple[str, ...]:
    paired = gap.paired
    return (
        gap.rendering,
        percent(gap.original),
        percent(gap.redrawn),
        points(paired.difference),
        DASH if paired.interval is None else points_interval(paired.interval),
        p_value(paired.p),
        p_value(adjusted),
        count(paired.losses),
        count(paired.wins),
        count(paired.n),
    )
