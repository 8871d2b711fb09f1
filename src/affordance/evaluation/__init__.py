"""Evaluation: verdicts are computed again from what a ledger holds."""

from affordance.evaluation.ledger_check import Finding, LedgerCheck, check_ledger
from affordance.evaluation.rescore import RescoreResult, read_again, rescore, rescore_ledger

__all__ = [
    "Finding",
    "LedgerCheck",
    "RescoreResult",
    "check_ledger",
    "read_again",
    "rescore",
    "rescore_ledger",
]
