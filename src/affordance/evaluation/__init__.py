"""Evaluation: verdicts are computed again from what a ledger holds."""

from affordance.evaluation.rescore import RescoreResult, read_again, rescore, rescore_ledger

__all__ = ["RescoreResult", "read_again", "rescore", "rescore_ledger"]
