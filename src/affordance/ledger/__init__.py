"""The ledger: the append-only record of runs, requests, responses and verdicts, which is cache and way to resume, and
the versioned documents of authoring projects and studies."""

from affordance.ledger.documents import DocumentStore
from affordance.ledger.integrity import UNKNOWN_QUESTION, MediaSource, Mismatch
from affordance.ledger.leases import Lease, LeaseHeld
from affordance.ledger.ledger import Ledger, open_ledger
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
    "DocumentStore",
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
