"""Scores of wording beside those of a judge, where they are asked for: they need the text of every explanation."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from affordance.core.attempt import COUNTED
from affordance.report.results import Results
from affordance.report.rows import Row
from affordance.suites.behavior.judging import explanation_of
from affordance.suites.behavior.rationale import NAME
from affordance.suites.behavior.rationale_metrics import wording_metrics


def with_wording(results: Results, rows: Sequence[Row], *, meteor: bool, weights: Path | None) -> list[Row]:
    """The rows, those of explanations with BLEU-2, BLEU-4 and ROUGE-L among their metrics; METEOR and BERTScore where
    they are asked for."""
    found = []
    for row in rows:
        if row.task != NAME:
            found.append(row)
            continue
        outcomes = results.outcomes[row.run][row.key]
        answered = results.ledger.answered_steps([one.attempt for one in outcomes])
        explanations = {
            one.attempt: explanation_of(answered[one.attempt].reply)
            for one in outcomes
            if one.verdict is not None and one.verdict.ended in COUNTED and one.attempt in answered
        }
        scores = wording_metrics(outcomes, explanations, meteor=meteor, weights=weights)
        found.append(replace(row, metrics={**row.metrics, **scores}))
    return found


def lacking(rows: Sequence[Row]) -> str:
    """What to say where no row has explanations; empty where one has."""
    return "" if any(row.task == NAME for row in rows) else f"no words were compared: there is nothing on {NAME} here"
