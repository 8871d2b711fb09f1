"""Scores of a calibrated judge, corrected by human labels."""

from collections.abc import Sequence

from affordance.core.formatting import Unit, join_names
from affordance.core.table import Cell, Column, Table
from affordance.report.result_row import ResultRow
from affordance.stats import CorrectedScore, CorrectionUnavailable

_COLUMNS = (
    Column("model"), Column("judged", unit=Unit.PERCENT), Column("corrected", unit=Unit.PERCENT),
    Column("labels", unit=Unit.COUNT),
)  # fmt: skip
_NOTE = (
    "Corrected: the mean of the judge, corrected by the difference between judge and people on labelled judgements of "
    "the same model. Every judgement has equal weight and attempts without an answer are left out, so “judged” may "
    "differ slightly from the leaderboard, which keeps the score of the judge."
)


def corrected_scores_table(group: Sequence[ResultRow]) -> Table | None:
    """None without a calibrated judge."""
    found = [(row.label, one) for row in group if (one := row.corrected) is not None]
    if not found:
        return None
    unavailable: dict[str, list[str]] = {}
    for model, one in found:
        if isinstance(one, CorrectionUnavailable):
            unavailable.setdefault(one.reason, []).append(model)
    reasons = [f"No corrected score for {join_names(models)}: {reason}." for reason, models in unavailable.items()]
    rows = [(model, one.raw, _corrected(one), one.n_labels) for model, one in found]
    return Table.of("corrected", "Scores corrected by human labels", _COLUMNS, rows, [_NOTE, *reasons], detail=True)


def _corrected(found: CorrectedScore | CorrectionUnavailable) -> Cell:
    return Cell(found.value, found.interval) if isinstance(found, CorrectedScore) else Cell(None)
