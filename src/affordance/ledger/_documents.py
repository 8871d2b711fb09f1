"""The documents of a project in a ledger: every version of them, and the strokes that people have saved."""

from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import DBAPIError

from affordance.core.errors import LedgerError
from affordance.ledger import edit_batches as stroked
from affordance.ledger import revisions as revised
from affordance.ledger.database import driver_connection
from affordance.ledger.database_errors import database_problem
from affordance.ledger.records import (
    BatchKey,
    BuildDrafts,
    DocumentDraft,
    DocumentRevision,
    DocumentSelection,
    SavedBatch,
)
from affordance.ledger.redaction import Redaction, reclaim_space
from affordance.ledger.schema import revisions
from affordance.ledger.statements import SqlStatements


class DocumentStore:
    """What a ledger knows of documents; they are written at once, and not through its writer."""

    def __init__(
        self, engine: Engine, location: str, fingerprints: tuple[str, str], *, read_only: bool, retry_seconds: float
    ) -> None:
        self.location = location  # without secrets, for messages
        # Tells it from every other ledger, in the name of a file; and the mark that earlier versions gave it.
        self.fingerprint, self.legacy_fingerprint = fingerprints
        self._engine = engine
        self._retry_seconds = retry_seconds
        self._read_only = read_only
        self._statements = SqlStatements(engine.dialect)

    def write_documents(self, drafts: Sequence[DocumentDraft]) -> list[DocumentRevision]:
        """Writes new versions of documents, all or none, and waits for the commit; a document that equals the current
        one is not written again. Raises `Conflict` where somebody was first."""
        self._check_writable()
        return revised.write_drafts(self._engine, self._statements, self.location, self._retry_seconds, drafts)

    def save_batch(self, key: BatchKey, selection: DocumentSelection, build_drafts: BuildDrafts) -> SavedBatch:
        """Writes what `make` makes of what is there of the wanted, which nobody changes meanwhile, and waits for the
        commit. Every document that is written must be wanted; `after` of a draft is not looked at. A stroke that was
        saved before gives what it gave then, and nothing is made."""
        self._check_writable()
        return stroked.write_batch(
            self._engine, self._statements, self.location, self._retry_seconds, key, selection, build_drafts
        )

    def redact(self, redaction: Redaction) -> bool:
        """Erases what a person said, in place: the one exception to rows that are only ever added. Whether nothing of
        it is left in the files of the database either, as far as that can be known."""
        self._check_writable()
        revised.write_redaction(self._engine, self.location, self._retry_seconds, redaction)
        try:
            return reclaim_space(self._engine, self._retry_seconds)
        except (DBAPIError, self._engine.dialect.loaded_dbapi.Error):  # it is erased, whoever is in the way
            return False

    def latest_documents(
        self,
        *,
        scope: str | None = None,
        kind: str | None = None,
        subject: str | None = None,
        exclude_author_prefix: str | None = None,
    ) -> list[DocumentRevision]:
        """The latest version of each document, in the order of kind and subject; the latest of those whose author's
        name does not begin with `unless_by`, where that is given."""
        try:
            with self._read_connection() as connection:
                return revised.read_latest(
                    connection, scope=scope, kind=kind, subject=subject, exclude_author_prefix=exclude_author_prefix
                )
        except DBAPIError:
            if self._read_only and not inspect(self._engine).has_table(revisions.name):
                return []  # a ledger of version 2 or before, which was never written to since
            raise

    def iter_documents(self, kinds: Collection[str]) -> Generator[DocumentRevision, None, None]:
        """The latest versions of all documents of these kinds, in no order. Read as they are asked for, as there may
        be more than fit into memory: close the iterator if you leave it early."""
        with self._read_connection() as connection:
            yield from revised.iter_latest(connection, kinds)

    def get_documents(self, keys: Sequence[tuple[str, str]]) -> list[DocumentRevision]:
        """The latest versions of the documents of these kinds and subjects, in no order; those that are not there are
        left out."""
        with self._query_connection() as connection:
            return revised.read_documents(connection, keys)

    def changes_since(
        self, revision_id: int, *, scope: str | None = None, kinds: Collection[str] | None = None
    ) -> list[DocumentRevision]:
        """What was written after the revision of that id, in the order of writing."""
        with self._translate_errors(), driver_connection(self._engine) as driver:
            return revised.read_changes(driver, self._statements, revision_id, scope, kinds)

    def last_revision_id(self) -> int:
        """The id of the newest revision, 0 where there is none."""
        with self._query_connection() as connection:
            return revised.read_last_revision_id(connection)

    def recent_batches(self, count: int) -> list[SavedBatch]:
        """Those that were saved last, the newest first."""
        with self._read_connection() as connection:
            return stroked.read_recent_batches(connection, count)

    def batch_counts_by_author(self) -> dict[str, tuple[int, str]]:
        """By author, how many strokes they have saved, and when the last one."""
        with self._read_connection() as connection:
            return stroked.read_batch_counts(connection)

    def document_subjects(self, kind: str) -> list[str]:
        """What there are documents of a kind of."""
        with self._read_connection() as connection:
            return revised.read_subjects(connection, kind)

    def history(self, kind: str, subject: str) -> list[DocumentRevision]:
        """All versions of a document, the oldest first."""
        with self._read_connection() as connection:
            return revised.read_history(connection, kind, subject)

    def histories_in_scope(self, scope: str) -> dict[tuple[str, str], list[DocumentRevision]]:
        """All versions of all documents of a screen by kind and subject, the oldest first."""
        with self._read_connection() as connection:
            return revised.read_histories(connection, scope)

    def _check_writable(self) -> None:
        if self._read_only:
            raise self._read_only_error()

    def _read_only_error(self) -> LedgerError:
        return LedgerError(f"the ledger {self.location} is open for reading only")

    def _query_connection(self) -> AbstractContextManager[Connection]:
        """For one query, which needs no transaction around it: two ways to a server less, where people wait."""
        return self._read_connection(isolation_level="AUTOCOMMIT")

    @contextmanager
    def _read_connection(self, **options: Any) -> Iterator[Connection]:
        with self._translate_errors(), self._engine.connect().execution_options(**options) as connection:
            yield connection

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """What keeps the ledger from being read is told as such."""
        try:
            yield
        except DBAPIError as error:
            found = database_problem(error)
            if found is None:
                raise
            raise LedgerError(f"cannot read the ledger {self.location}: {found.description}; {found.remedy}") from None
