"""Revisions: documents of a project, of which every change is kept.

They are written at once and not through the writer's queue: whoever saves has to know whether somebody else was first.
The transaction holds the write lock, so versions and ids are in the order of the commits on both databases."""

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Connection, Engine, Select, bindparam, func, select

from affordance.core.errors import EditConflict
from affordance.core.json_text import canonical_json
from affordance.ledger.database import retry_write, write_connection
from affordance.ledger.records import DocumentDraft, DocumentRevision, DocumentSelection, LatestRevisions
from affordance.ledger.redaction import Redaction, redact
from affordance.ledger.row_mapping import now, revision_from_row, revision_row
from affordance.ledger.schema import revisions
from affordance.ledger.statements import SqlStatements

_MAX_SUBJECTS_PER_QUERY = 128  # subjects in one query: sqlite takes 999 values where it is old


_MAX_KEYS_PER_QUERY = 8  # documents that are looked up in one query, as people wait for it
_KEY = ("kind", "subject")


def write_drafts(
    engine: Engine, statements: SqlStatements, location: str, retry_seconds: float, drafts: Sequence[DocumentDraft]
) -> list[DocumentRevision]:
    """All of them or none, in one transaction; those that equal what is there are not written again. Raises `Conflict`.
    A connection that breaks is tried again: what was committed after all is found to be there."""

    def write() -> list[DocumentRevision]:
        with write_connection(engine) as connection, connection.begin():
            return _write(connection, statements, drafts)

    return retry_write(location, retry_seconds, write)


def write_redaction(engine: Engine, location: str, retry_seconds: float, redaction: Redaction) -> None:
    """All of it or nothing; a connection that breaks is tried again, which erases what is erased once more."""

    def write() -> None:
        with write_connection(engine) as connection, connection.begin():
            redact(connection, redaction)

    retry_write(location, retry_seconds, write)


def read_latest(
    connection: Connection,
    *,
    scope: str | None = None,
    kind: str | None = None,
    subject: str | None = None,
    exclude_author_prefix: str | None = None,
) -> list[DocumentRevision]:
    """The latest version of each document, in the order of kind and subject. With `unless_by`, the latest of those
    whose author's name does not begin so."""
    given = ((revisions.c.screen, scope), (revisions.c.kind, kind), (revisions.c.subject, subject))
    conditions = [column == value for column, value in given if value is not None]
    if exclude_author_prefix is not None:
        conditions.append(~revisions.c.author.startswith(exclude_author_prefix, autoescape=True))
    query = _latest_query(*conditions)
    ordered = query.order_by(revisions.c.kind, revisions.c.subject)
    return [revision_from_row(row) for row in connection.execute(ordered)]


def iter_latest(connection: Connection, kinds: Collection[str]) -> Iterator[DocumentRevision]:
    """The latest version of each document of these kinds, a thousand at a time."""
    query = _latest_query(revisions.c.kind.in_(kinds))
    yield from map(revision_from_row, connection.execution_options(yield_per=1000).execute(query))


def read_documents(connection: Connection, keys: Sequence[tuple[str, str]]) -> list[DocumentRevision]:
    """The latest versions of the documents of these kinds and subjects."""
    queries = selection_queries(DocumentSelection(keys))
    return [revision_from_row(row) for query, values in queries for row in connection.execute(query, values)]


def read_history(connection: Connection, kind: str, subject: str) -> list[DocumentRevision]:
    """All versions of a document, the oldest first."""
    query = select(revisions).where(revisions.c.kind == kind, revisions.c.subject == subject)
    return [revision_from_row(row) for row in connection.execute(query.order_by(revisions.c.version))]


def read_histories(connection: Connection, scope: str) -> dict[tuple[str, str], list[DocumentRevision]]:
    """All versions of all documents of a screen by kind and subject, the oldest first."""
    query = select(revisions).where(revisions.c.screen == scope)
    found: dict[tuple[str, str], list[DocumentRevision]] = {}
    ordered = query.order_by(revisions.c.kind, revisions.c.subject, revisions.c.version)
    for one in map(revision_from_row, connection.execute(ordered)):
        found.setdefault((one.kind, one.subject), []).append(one)
    return found


def read_changes(
    driver: Any, statements: SqlStatements, revision_id: int, scope: str | None, kinds: Collection[str] | None
) -> list[DocumentRevision]:
    """What was written after the revision of that id, in the order of writing, which is that of the ids. `driver` is a
    connection of `driving`."""
    if kinds is not None and not kinds:
        return []
    values: dict[str, str | int] = {"after": revision_id} | ({} if scope is None else {"screen": scope})
    values |= {f"kind{place}": kind for place, kind in enumerate(kinds or ())}
    cursor = driver.cursor()
    statements.read(cursor, _changes_query(scope is not None, None if kinds is None else len(kinds)), values)
    return [revision_from_row(row) for row in statements.rows(cursor)]


def read_last_revision_id(connection: Connection) -> int:
    return connection.execute(select(func.max(revisions.c.id))).scalar() or 0


def read_subjects(connection: Connection, kind: str) -> list[str]:
    query = select(revisions.c.subject).where(revisions.c.kind == kind).distinct().order_by(revisions.c.subject)
    return list(connection.execute(query).scalars())


def _write(
    connection: Connection, statements: SqlStatements, drafts: Sequence[DocumentDraft]
) -> list[DocumentRevision]:
    keys = dict.fromkeys((draft.kind, draft.subject) for draft in drafts)
    current = {(one.kind, one.subject): one for one in read_documents(connection, list(keys))}
    overtaken = [
        draft
        for draft in drafts
        if draft.based_on is not None
        and (there := current.get((draft.kind, draft.subject))) is not None
        and there.version != draft.based_on
        and canonical_json(there.document) != canonical_json(draft.document)
    ]
    if overtaken:
        first = overtaken[0]
        by = current[first.kind, first.subject]
        raise EditConflict(
            f"the {first.kind} of {first.subject} was changed by {by.author} at {by.created} (version {by.version}; "
            f"yours was made from version {first.based_on}); look at that one, and save again"
        )
    written, fresh = append_drafts(drafts, current, read_last_revision_id(connection))
    if fresh:
        statements.insert(connection.connection.cursor(), revisions, [revision_row(one) for one in fresh])
    return written


def append_drafts(
    drafts: Sequence[DocumentDraft], latest: LatestRevisions, last: int
) -> tuple[list[DocumentRevision], list[DocumentRevision]]:
    """The versions that there are after the drafts, and those of them that are to be written; `last` is the newest
    id."""
    current = dict(latest)
    written: list[DocumentRevision] = []
    fresh: list[DocumentRevision] = []
    moment = now()
    for draft in drafts:
        before = current.get((draft.kind, draft.subject))
        if before is not None and canonical_json(before.document) == canonical_json(draft.document):
            written.append(before)
            continue
        last += 1
        version = 1 if before is None else before.version + 1
        created = draft.created or moment
        one = DocumentRevision(
            last, draft.kind, draft.subject, draft.scope, version, draft.author, created, draft.document
        )
        current[draft.kind, draft.subject] = one
        fresh.append(one)
        written.append(one)
    return written, fresh


def selection_queries(selection: DocumentSelection) -> Iterator[tuple[Select[Any], dict[str, str]]]:
    """Queries for the newest versions, the same ones each time, and the values for them."""
    keys = selection.keys
    if 0 < len(keys) <= _MAX_KEYS_PER_QUERY:
        yield (
            _latest_by_key_query(len(keys)),
            {f"{name}{n}": value for n, key in enumerate(keys) for name, value in zip(_KEY, key, strict=True)},
        )
    else:
        by_kind: dict[str, list[str]] = {}  # of pairs, sqlite makes a scan of the whole table
        for kind, subject in keys:
            by_kind.setdefault(kind, []).append(subject)
        for kind, subjects in by_kind.items():
            start = 0
            while start < len(subjects):
                count = min(
                    _MAX_SUBJECTS_PER_QUERY, 1 << (len(subjects) - start).bit_length() - 1
                )  # a few queries serve any number
                part = subjects[start : start + count]
                yield (
                    _latest_by_subject_query(count),
                    {"kind": kind} | {f"subject{n}": subject for n, subject in enumerate(part)},
                )
                start += count
    if selection.scope is not None:
        of_kind = {} if selection.kind is None else {"kind": selection.kind}
        yield _latest_in_scope_query(selection.kind is not None), {"screen": selection.scope} | of_kind


@cache
def _latest_by_key_query(count: int) -> Select[Any]:
    """The newest version of each of some documents, looked up one by one in the index. In few words: a driver learns
    long queries anew each time."""
    newest = []
    for place in range(count):
        one = revisions.alias(f"r{place}")
        newest.append(
            select(one.c.id)
            .where(one.c.kind == bindparam(f"kind{place}"), one.c.subject == bindparam(f"subject{place}"))
            .order_by(one.c.version.desc())
            .limit(1)
            .scalar_subquery()
        )
    return select(revisions).where(revisions.c.id.in_(newest))


@cache
def _latest_by_subject_query(count: int) -> Select[Any]:
    subjects: list[BindParameter[str]] = [bindparam(f"subject{place}") for place in range(count)]
    return _latest_query(revisions.c.kind == bindparam("kind"), revisions.c.subject.in_(subjects))


@cache
def _latest_in_scope_query(of_kind: bool) -> Select[Any]:
    conditions = [revisions.c.kind == bindparam("kind")] if of_kind else []
    return _latest_query(revisions.c.screen == bindparam("screen"), *conditions)


@cache
def _changes_query(in_scope: bool, kinds: int | None) -> Select[Any]:
    query = select(revisions).where(revisions.c.id > bindparam("after"))
    if in_scope:
        query = query.where(revisions.c.screen == bindparam("screen"))
    if kinds is not None:
        # As an expression, which has no index: or sqlite looks through all of these kinds instead of the few new ones.
        query = query.where((revisions.c.kind + "").in_([bindparam(f"kind{place}") for place in range(kinds)]))
    return query.order_by(revisions.c.id)


def _latest_query(*conditions: ColumnElement[bool]) -> Select[Any]:
    """The newest of the versions that meet the conditions. Chosen by the database: there may be many of each."""
    newest = (
        select(revisions.c.kind, revisions.c.subject, func.max(revisions.c.version).label("version"))
        .where(*conditions)
        .group_by(revisions.c.kind, revisions.c.subject)
        .subquery()
    )
    same = (
        (revisions.c.kind == newest.c.kind)
        & (revisions.c.subject == newest.c.subject)
        & (revisions.c.version == newest.c.version)
    )
    return select(revisions).join(newest, same)
