"""BLEU, ROUGE-L, METEOR and BERTScore of explanations, computed on request."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from affordance.core.attempts import SCORED_STATUSES
from affordance.report.result_row import ResultRow
from affordance.report.results import RunResults
from affordance.tasks.behavior.rationale import NAME, wording_metrics
from affordance.tasks.scoring import JudgedAnswer


def add_text_metrics(
    results: RunResults, rows: Sequence[ResultRow], *, meteor: bool, weights: Path | None
) -> list[ResultRow]:
    """The rows; those of explanations with BLEU-2, BLEU-4 and ROUGE-L, and METEOR and BERTScore on request."""
    found = []
    for row in rows:
        if row.task != NAME:
            found.append(row)
            continue
        outcomes = results.outcomes[row.run][row.key]
        answered = results.ledger.answered_steps([one.attempt_id for one in outcomes])
        explanations = {
            one.attempt_id: JudgedAnswer.from_response(answered[one.attempt_id].response, one.model).text
            for one in outcomes
            if one.verdict is not None and one.verdict.status in SCORED_STATUSES and one.attempt_id in answered
        }
        scores = wording_metrics(outcomes, explanations, meteor=meteor, weights=weights)
        found.append(replace(row, metrics={**row.metrics, **scores}))
    return found


def missing_text_metrics(rows: Sequence[ResultRow]) -> str:
    """A notice if no row has explanations; else empty."""
    return "" if any(row.task == NAME for row in rows) else f"no text metrics: there are no results of {NAME}"
