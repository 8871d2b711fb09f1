"""Edit batches: several edits that a person saves at once, each batch exactly once."""

import json

from sqlalchemy import Connection, bindparam, func, select

from affordance.ledger.connections import begin_write, driver_connection, pipeline
from affordance.ledger.database import Database
from affordance.ledger.records import BatchKey, BuildDrafts, DocumentSelection, SavedBatch
from affordance.ledger.revisions import append_drafts, selection_queries
from affordance.ledger.row_mapping import edit_batch_row, now, revision_from_row, revision_row
from affordance.ledger.schema import edit_batches, revisions

# The last id, and whether the batch was saved before, in one query.
_LAST_ID_AND_KEY = select(
    select(func.max(revisions.c.id)).scalar_subquery(),
    select(edit_batches.c.key).where(edit_batches.c.key == bindparam("key")).scalar_subquery(),
)


def save_edit_batch(
    database: Database, key: BatchKey, selection: DocumentSelection, build_drafts: BuildDrafts
) -> SavedBatch:
    """Writes the drafts that `build_drafts` returns for the selected documents, all or none. A batch that was saved
    before is returned as it was, and nothing is written."""
    return database.retry(lambda: _save_once(database, key, selection, build_drafts))


def read_batch(connection: Connection, key: str) -> SavedBatch | None:
    row = connection.execute(select(edit_batches).where(edit_batches.c.key == key)).one_or_none()
    if row is None:
        return None
    ids = json.loads(row.revisions)
    query = select(revisions).where(revisions.c.id.in_(ids))
    found = {one.id: one for one in map(revision_from_row, connection.execute(query))}
    return SavedBatch(BatchKey(row.key, row.author, row.content), row.created, tuple(found[number] for number in ids))


def read_recent_batches(connection: Connection, count: int) -> list[SavedBatch]:
    """The batches that were saved last, the latest first."""
    query = select(edit_batches.c.key).order_by(edit_batches.c.created.desc(), edit_batches.c.key).limit(count)
    found = [read_batch(connection, key) for key in connection.execute(query).scalars().all()]
    return [one for one in found if one is not None]


def read_edit_counts(connection: Connection) -> dict[str, tuple[int, str]]:
    """By author, the number of saved batches and the time of the latest."""
    columns = (edit_batches.c.author, func.count(), func.max(edit_batches.c.created))
    query = select(*columns).group_by(edit_batches.c.author)
    return {author: (count, latest) for author, count, latest in connection.execute(query)}


def _save_once(
    database: Database, key: BatchKey, selection: DocumentSelection, build_drafts: BuildDrafts
) -> SavedBatch:
    """Two round trips to a server: lock and look up, then write and commit."""
    statements = database.statements
    with driver_connection(database.engine) as driver:
        cursor = driver.cursor()
        looked_up = []
        with pipeline(driver):
            begin_write(database.engine, cursor)
            statements.read(cursor, _LAST_ID_AND_KEY, {"key": key.key})
            for query, values in selection_queries(selection):
                looked_up.append(driver.cursor())
                statements.read(looked_up[-1], query, values)
        ((last_id, known),) = statements.rows(cursor)
        if known is None:
            found = [revision_from_row(row) for each in looked_up for row in statements.rows(each)]
            latest = {(one.kind, one.subject): one for one in found}
            written, new = append_drafts(build_drafts(latest), latest, last_id or 0)
            saved = SavedBatch(key, now(), tuple(written), is_new=True)
            with pipeline(driver):
                statements.insert(cursor, revisions, [revision_row(one) for one in new])
                statements.insert(cursor, edit_batches, [edit_batch_row(saved)])
                cursor.execute("COMMIT")
            return saved
    with database.engine.connect() as connection:
        stored = read_batch(connection, key.key)
    assert stored is not None  # batches are never deleted
    return stored
