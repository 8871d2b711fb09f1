"""The append-only record of runs, questions, attempts, asks, replies and verdicts; the cache and the way to resume."""

from affordance.ledger._ledger import Ledger
from affordance.ledger._open import open_ledger
from affordance.ledger.integrity import UNKNOWN_QUESTION, MediaSource, Mismatch
from affordance.ledger.leases import Lease, LeaseHeld
from affordance.ledger.records import (
    AttemptStep,
    BatchKey,
    DocumentDraft,
    DocumentRevision,
    DocumentSelection,
    JudgeCalibration,
    MediaRecord,
    ModelUsage,
    RequestRecord,
    RequestTotals,
    ResponseCount,
    RunEntry,
    RunRecord,
    RunSummary,
    SavedBatch,
    StatusCounts,
    UncountedResponse,
    VerdictOrigin,
)
from affordance.ledger.redaction import REDACTED, Redaction
from affordance.ledger.writer import WriteFuture

__all__ = [
    "REDACTED",
    "UNKNOWN_QUESTION",
    "AttemptStep",
    "BatchKey",
    "DocumentDraft",
    "DocumentRevision",
    "DocumentSelection",
    "JudgeCalibration",
    "Lease",
    "LeaseHeld",
    "Ledger",
    "MediaRecord",
    "MediaSource",
    "Mismatch",
    "ModelUsage",
    "Redaction",
    "RequestRecord",
    "RequestTotals",
    "ResponseCount",
    "RunEntry",
    "RunRecord",
    "RunSummary",
    "SavedBatch",
    "StatusCounts",
    "UncountedResponse",
    "VerdictOrigin",
    "WriteFuture",
    "open_ledger",
]
