"""The append-only record of runs, questions, attempts, asks, replies and verdicts; the cache and the way to resume."""

from affordance.ledger._integrity import UNKNOWN_QUESTION, Mismatch, StoredMedium
from affordance.ledger._ledger import Ledger
from affordance.ledger._open import open_ledger
from affordance.ledger._records import (
    Asked,
    Certificate,
    Draft,
    Effort,
    Line,
    ModelUsage,
    PictureRecord,
    ResponseCount,
    Revision,
    Run,
    RunSummary,
    SavedStroke,
    StepRecord,
    Stroke,
    Tally,
    Uncounted,
    VerdictOrigin,
    Wanted,
)
from affordance.ledger._redact import REDACTED, Redaction
from affordance.ledger._written import Written
from affordance.ledger.leases import Lease, LeaseHeld

__all__ = [
    "REDACTED",
    "UNKNOWN_QUESTION",
    "Asked",
    "Certificate",
    "Draft",
    "Effort",
    "Lease",
    "LeaseHeld",
    "Ledger",
    "Line",
    "Mismatch",
    "ModelUsage",
    "PictureRecord",
    "Redaction",
    "ResponseCount",
    "Revision",
    "Run",
    "RunSummary",
    "SavedStroke",
    "StepRecord",
    "StoredMedium",
    "Stroke",
    "Tally",
    "Uncounted",
    "VerdictOrigin",
    "Wanted",
    "Written",
    "open_ledger",
]
