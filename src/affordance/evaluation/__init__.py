"""Evaluation: runs are planned, executed and resumed; verdicts are recomputed from what a ledger holds."""
