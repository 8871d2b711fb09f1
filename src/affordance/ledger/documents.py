"""The documents of authoring projects and studies: JSON documents of which every version is kept, with a change feed.

They are written at once and not through the writer's queue: the author of an edit must learn of a conflict.
Transactions hold the write lock, so versions and ids are in the order of the commits on both databases.
"""

from collections.abc import Collection, Generator, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Select, func, select
from sqlalchemy.exc import DBAPIError

from affordance.core.errors import EditConflict
from affordance.core.json_text import canonical_json
from affordance.ledger.database import Database
from affordance.ledger.edit_batches import read_edit_counts, read_recent_batches, save_edit_batch
from affordance.ledger.records import (
    BatchKey,
    BuildDrafts,
    DocumentDraft,
    DocumentRevision,
    DocumentSelection,
    SavedBatch,
)
from affordance.ledger.redaction import Redaction, reclaim_space, redact
from affordance.ledger.revisions import append_drafts, changes_query, latest_query, selection_queries
from affordance.ledger.row_mapping import revision_from_row, revision_row
from affordance.ledger.schema import edit_batches, revisions
from affordance.ledger.statements import SqlStatements

_ROWS_AT_ONCE = 1000


class DocumentStore:
    """Versioned documents, identified by kind and subject. A read-only ledger of schema 1 or 2 has none."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def write(self, drafts: Sequence[DocumentDraft]) -> list[DocumentRevision]:
        """Writes new versions of documents, all or none, and waits for the commit. A draft that equals the current
        version is not written again.

        Raises:
            EditConflict: A document has a later version than the one that its draft is based on.
        """
        return self.database.write(lambda connection: _write(connection, self.database.statements, drafts))

    def save_edit_batch(self, key: BatchKey, selection: DocumentSelection, build_drafts: BuildDrafts) -> SavedBatch:
        """Writes the drafts that `build_drafts` returns for the selected documents, which no other process can change
        meanwhile, and waits for the commit. Drafts must be of selected documents; their `based_on` is ignored. A batch
        that was saved before is returned as it was."""
        return save_edit_batch(self.database, key, selection, build_drafts)

    def redact(self, redaction: Redaction) -> bool:
        """Erases a person's data in place, the one exception to rows that are only added. Returns whether the files of
        the database hold nothing of it any more, as far as can be known."""
        self.database.write(partial(redact, redaction=redaction))
        try:
            return reclaim_space(self.database)
        except (DBAPIError, self.database.engine.dialect.loaded_dbapi.Error):  # erased, but another process is reading
            return False

    def latest(
        self,
        *,
        scope: str | None = None,
        kind: str | None = None,
        subject: str | None = None,
        exclude_author_prefix: str | None = None,
    ) -> list[DocumentRevision]:
        """The latest version of each document, in the order of kind and subject.

        Args:
            exclude_author_prefix: Leaves out versions by authors whose names begin so.
        """
        given = ((revisions.c.screen, scope), (revisions.c.kind, kind), (revisions.c.subject, subject))
        conditions = [column == value for column, value in given if value is not None]
        if exclude_author_prefix is not None:
            conditions.append(~revisions.c.author.startswith(exclude_author_prefix, autoescape=True))
        return self._read(latest_query(*conditions).order_by(revisions.c.kind, revisions.c.subject))

    def iter_latest(self, kinds: Collection[str]) -> Generator[DocumentRevision, None, None]:
        """The latest versions of all documents of these kinds, in no order. They are read as they are consumed, since
        they may not fit into memory: close the iterator if you leave it early."""
        if self.database.has(revisions):
            with self.database.read() as connection:
                query = latest_query(revisions.c.kind.in_(kinds))
                rows = connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(query)
                yield from map(revision_from_row, rows)

    def get_many(self, keys: Sequence[tuple[str, str]]) -> list[DocumentRevision]:
        """The latest versions of documents by kind and subject, in no order; unknown ones are left out."""
        if not self.database.has(revisions):
            return []
        with self.database.read(autocommit=True) as connection:
            return _read_many(connection, keys)

    def history(self, kind: str, subject: str) -> list[DocumentRevision]:
        """All versions of a document, the oldest first."""
        query = select(revisions).where(revisions.c.kind == kind, revisions.c.subject == subject)
        return self._read(query.order_by(revisions.c.version))

    def histories_in_scope(self, scope: str) -> dict[tuple[str, str], list[DocumentRevision]]:
        """All versions of all documents of a scope by kind and subject, the oldest first."""
        query = select(revisions).where(revisions.c.screen == scope)
        found: dict[tuple[str, str], list[DocumentRevision]] = {}
        for one in self._read(query.order_by(revisions.c.kind, revisions.c.subject, revisions.c.version)):
            found.setdefault((one.kind, one.subject), []).append(one)
        return found

    def changes_since(
        self, revision_id: int, *, scope: str | None = None, kinds: Collection[str] | None = None
    ) -> list[DocumentRevision]:
        """The revisions after the one of that id, in the order of writing."""
        if (kinds is not None and not kinds) or not self.database.has(revisions):
            return []
        query = changes_query(scope is not None, None if kinds is None else len(kinds))
        values: dict[str, str | int] = {"after": revision_id} | ({} if scope is None else {"screen": scope})
        values |= {f"kind{place}": kind for place, kind in enumerate(kinds or ())}
        with self.database.read_with_driver() as driver:
            cursor = driver.cursor()
            self.database.statements.read(cursor, query, values)
            return [revision_from_row(row) for row in self.database.statements.rows(cursor)]

    def last_revision_id(self) -> int:
        """The id of the latest revision, 0 if there is none."""
        if not self.database.has(revisions):
            return 0
        with self.database.read(autocommit=True) as connection:
            return _read_last_id(connection)

    def subjects(self, kind: str) -> list[str]:
        """The subjects of all documents of a kind, in order."""
        if not self.database.has(revisions):
            return []
        query = select(revisions.c.subject).where(revisions.c.kind == kind).distinct().order_by(revisions.c.subject)
        with self.database.read() as connection:
            return list(connection.execute(query).scalars())

    def recent_edit_batches(self, count: int) -> list[SavedBatch]:
        """The edit batches that were saved last, the latest first."""
        if not self.database.has(edit_batches):
            return []
        with self.database.read() as connection:
            return read_recent_batches(connection, count)

    def edit_counts(self) -> dict[str, tuple[int, str]]:
        """By author, the number of saved edit batches and the time of the latest."""
        if not self.database.has(edit_batches):
            return {}
        with self.database.read() as connection:
            return read_edit_counts(connection)

    def _read(self, query: Select[Any]) -> list[DocumentRevision]:
        if not self.database.has(revisions):
            return []
        with self.database.read() as connection:
            return [revision_from_row(row) for row in connection.execute(query)]


def _write(
    connection: Connection, statements: SqlStatements, drafts: Sequence[DocumentDraft]
) -> list[DocumentRevision]:
    keys = dict.fromkeys((draft.kind, draft.subject) for draft in drafts)
    latest = {(one.kind, one.subject): one for one in _read_many(connection, list(keys))}
    for draft in drafts:
        current = latest.get((draft.kind, draft.subject))
        if (
            draft.based_on is not None
            and current is not None
            and current.version != draft.based_on
            and canonical_json(current.document) != canonical_json(draft.document)
        ):
            raise EditConflict(
                f"{draft.kind} {draft.subject} was changed by {current.author} at {current.created}; your edit is "
                f"based on version {draft.based_on}, the current one is {current.version}; reload and save again"
            )
    written, new = append_drafts(drafts, latest, _read_last_id(connection))
    if new:
        statements.insert(connection.connection.cursor(), revisions, [revision_row(one) for one in new])
    return written


def _read_many(connection: Connection, keys: Sequence[tuple[str, str]]) -> list[DocumentRevision]:
    queries = selection_queries(DocumentSelection(keys))
    return [revision_from_row(row) for query, values in queries for row in connection.execute(query, values)]


def _read_last_id(connection: Connection) -> int:
    return connection.execute(select(func.max(revisions.c.id))).scalar() or 0
