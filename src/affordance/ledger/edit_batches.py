"""Strokes: what people have saved in one go, each once, with the revisions that came of it."""

import json

from sqlalchemy import Connection, Engine, bindparam, func, select

from affordance.ledger.database import begin_write, driver_connection, pipeline, retry_write
from affordance.ledger.records import BatchKey, BuildDrafts, DocumentSelection, SavedBatch
from affordance.ledger.revisions import append_drafts, selection_queries
from affordance.ledger.row_mapping import RowValues, now, revision_from_row, revision_row
from affordance.ledger.schema import edit_batches, escape, revisions
from affordance.ledger.statements import SqlStatements

# What everybody who saves has to know first, in one query.
_LAST_ID_AND_KEY = select(
    select(func.max(revisions.c.id)).scalar_subquery(),
    select(edit_batches.c.key).where(edit_batches.c.key == bindparam("key")).scalar_subquery(),
)


def write_batch(
    engine: Engine,
    statements: SqlStatements,
    location: str,
    retry_seconds: float,
    key: BatchKey,
    selection: DocumentSelection,
    build_drafts: BuildDrafts,
) -> SavedBatch:
    """What is made of what is there, with the key of the stroke, all or nothing. Where the key is there already,
    nothing is written, whatever there would be to write."""
    return retry_write(location, retry_seconds, lambda: _write_once(engine, statements, key, selection, build_drafts))


def read_batch(connection: Connection, key: str) -> SavedBatch | None:
    row = connection.execute(select(edit_batches).where(edit_batches.c.key == key)).one_or_none()
    if row is None:
        return None
    ids = json.loads(row.revisions)
    found = {
        one.id: one
        for one in map(revision_from_row, connection.execute(select(revisions).where(revisions.c.id.in_(ids))))
    }
    return SavedBatch(BatchKey(row.key, row.author, row.content), row.created, tuple(found[number] for number in ids))


def read_recent_batches(connection: Connection, count: int) -> list[SavedBatch]:
    """Those that were saved last, the newest first."""
    query = select(edit_batches.c.key).order_by(edit_batches.c.created.desc(), edit_batches.c.key).limit(count)
    found = [read_batch(connection, key) for key in connection.execute(query).scalars().all()]
    return [one for one in found if one is not None]


def read_batch_counts(connection: Connection) -> dict[str, tuple[int, str]]:
    """By author, how many strokes they have saved, and when the last one."""
    query = select(edit_batches.c.author, func.count(), func.max(edit_batches.c.created)).group_by(
        edit_batches.c.author
    )
    return {author: (count, last) for author, count, last in connection.execute(query)}


def _write_once(
    engine: Engine, statements: SqlStatements, key: BatchKey, selection: DocumentSelection, build_drafts: BuildDrafts
) -> SavedBatch:
    """Two ways to a server: to the lock and what is there, and back with what was made of it."""
    with driver_connection(engine) as driver:
        cursor = driver.cursor()
        looked_up = []
        with pipeline(driver):
            begin_write(engine, cursor)
            statements.read(cursor, _LAST_ID_AND_KEY, {"key": key.key})
            for query, values in selection_queries(selection):
                looked_up.append(driver.cursor())
                statements.read(looked_up[-1], query, values)
        ((last, known),) = statements.rows(cursor)
        if known is None:
            found = [revision_from_row(row) for each in looked_up for row in statements.rows(each)]
            current = {(one.kind, one.subject): one for one in found}
            written, fresh = append_drafts(build_drafts(current), current, last or 0)
            saved = SavedBatch(key, now(), tuple(written), is_new=True)
            with pipeline(driver):
                statements.insert(cursor, revisions, [revision_row(one) for one in fresh])
                statements.insert(cursor, edit_batches, [_batch_row(saved)])
                cursor.execute("COMMIT")
            return saved
    with engine.connect() as connection:
        there = read_batch(connection, key.key)
    assert there is not None  # rows are only ever added
    return there


def _batch_row(saved: SavedBatch) -> RowValues:
    return {
        "key": escape(saved.batch.key),
        "author": escape(saved.batch.author),
        "created": saved.created,
        "content": escape(saved.batch.content_digest),
        "revisions": json.dumps([one.id for one in saved.revisions]),
    }
