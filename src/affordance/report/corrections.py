"""Scores as people would have given them, beside those of a certified judge."""

from collections.abc import Sequence

from affordance.report.asides import Table
from affordance.report.numbers import DASH, count, interval, listed, percent
from affordance.report.rows import Row
from affordance.report.words import name
from affordance.stats import Corrected, Withheld

_NOTE = (
    "The judge's mean over all that it judged, corrected by how people's labels of the same model's answers differ "
    "from it. Each judgement counts the same, and attempts without an answer are not among them, so that the first "
    "column may differ a little from the leaderboard. What the judge scored stays the headline."
)


def corrected_table(group: Sequence[Row]) -> Table | None:
    """None where the judge is not certified."""
    found = [(name(row), one) for row in group if (one := row.corrected) is not None]
    if not found:
        return None
    withheld: dict[str, list[str]] = {}
    for model, one in found:
        if isinstance(one, Withheld):
            withheld.setdefault(one.reason, []).append(model)
    reasons = [f"Withheld for {listed(models)}: {reason}." for reason, models in withheld.items()]
    return Table(
        key="corrected",
        title="What would people have scored?",
        columns=("judged, %", "corrected, %", "95% interval", "labels"),
        lines=tuple((model, _cells(one)) for model, one in found),
        note=" ".join([_NOTE, *reasons]),
    )


def _cells(found: Corrected | Withheld) -> tuple[str, ...]:
    if isinstance(found, Corrected):
        return percent(found.raw), percent(found.value), interval(found.interval), count(found.n_labels)
    return percent(found.raw), DASH, DASH, count(found.n_labels)
