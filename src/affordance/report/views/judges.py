"""Scores of a calibrated judge, corrected by human labels."""

from collections.abc import Sequence

from affordance.report.asides import AsideTable
from affordance.report.numbers import MISSING, format_count, format_interval, format_percent, join_names
from affordance.report.rows import ResultRow
from affordance.report.words import row_label
from affordance.stats import CorrectedScore, CorrectionUnavailable

_NOTE = (
    "The judge's mean over all that it judged, corrected by how people's labels of the same model's answers differ "
    "from it. Each judgement counts the same, and attempts without an answer are not among them, so that the first "
    "column may differ a little from the leaderboard. What the judge scored stays the headline."
)


def corrected_scores_table(group: Sequence[ResultRow]) -> AsideTable | None:
    """None where the judge is not certified."""
    found = [(row_label(row), one) for row in group if (one := row.corrected) is not None]
    if not found:
        return None
    withheld: dict[str, list[str]] = {}
    for model, one in found:
        if isinstance(one, CorrectionUnavailable):
            withheld.setdefault(one.reason, []).append(model)
    reasons = [f"Withheld for {join_names(models)}: {reason}." for reason, models in withheld.items()]
    return AsideTable(
        key="corrected",
        title="What would people have scored?",
        columns=("judged, %", "corrected, %", "95% interval", "labels"),
        lines=tuple((model, _cells(one)) for model, one in found),
        note=" ".join([_NOTE, *reasons]),
    )


def _cells(found: CorrectedScore | CorrectionUnavailable) -> tuple[str, ...]:
    if isinstance(found, CorrectedScore):
        return (
            format_percent(found.raw),
            format_percent(found.value),
            format_interval(found.interval),
            format_count(found.n_labels),
        )
    return format_percent(found.raw), MISSING, MISSING, format_count(found.n_labels)
