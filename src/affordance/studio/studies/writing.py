"""Writing what depends on everything else of a study: while it is made, nobody else writes."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from affordance.author.records import Kind
from affordance.ledger import BatchKey, DocumentDraft, DocumentRevision, DocumentSelection, Ledger, SavedBatch
from affordance.models.study_documents import study_scope

Current = Mapping[tuple[str, str], DocumentRevision]
Make = Callable[[Current], Sequence[DocumentDraft]]


class Nothing(Exception):
    """Raised by who makes drafts where there are none to write: it is there already."""


def write_all_seen(ledger: Ledger, study: str, keys: Sequence[tuple[str, str]], author: str, make: Make) -> None:
    """Writes what is made of all seats of a study and the documents of these keys, if anything."""
    with suppress(Nothing):
        ledger.documents.save_edit_batch(_stroke(author), DocumentSelection(keys, study_scope(study), Kind.SEAT), make)


def write_seen(ledger: Ledger, keys: Sequence[tuple[str, str]], author: str, make: Make) -> None:
    """Writes what is made of the documents of these keys, if anything."""
    with suppress(Nothing):
        write_once(ledger, _stroke(author), keys, make)


def write_once(ledger: Ledger, stroke: BatchKey, keys: Sequence[tuple[str, str]], make: Make) -> SavedBatch:
    """Writes what is made of the documents of these keys, once for each key of a stroke."""
    return ledger.documents.save_edit_batch(stroke, DocumentSelection(keys), make)


def _stroke(author: str) -> BatchKey:
    """For what is not sent twice."""
    return BatchKey(secrets.token_hex(16), author, "")
