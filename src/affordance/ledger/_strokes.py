"""Strokes: what people have saved in one go, each once, with the revisions that came of it."""

import json

from sqlalchemy import Connection, Engine, bindparam, func, select

from affordance.ledger._engine import begin, driving, together
from affordance.ledger._group import Statements
from affordance.ledger._records import Make, SavedStroke, Stroke, Wanted
from affordance.ledger._revisions import appended, lookups, patiently, revision_of, revision_row
from affordance.ledger._rows import Row, now
from affordance.ledger._schema import revisions, strokes
from affordance.ledger._text import escape

# What everybody who saves has to know first, in one query.
_LAST_AND_KNOWN = select(
    select(func.max(revisions.c.id)).scalar_subquery(),
    select(strokes.c.key).where(strokes.c.key == bindparam("key")).scalar_subquery(),
)


def write_stroke(
    engine: Engine, statements: Statements, where: str, patience: float, stroke: Stroke, wanted: Wanted, make: Make
) -> SavedStroke:
    """What is made of what is there, with the key of the stroke, all or nothing. Where the key is there already,
    nothing is written, whatever there would be to write."""
    return patiently(where, patience, lambda: _write_once(engine, statements, stroke, wanted, make))


def read_stroke(connection: Connection, key: str) -> SavedStroke | None:
    row = connection.execute(select(strokes).where(strokes.c.key == key)).one_or_none()
    if row is None:
        return None
    ids = json.loads(row.revisions)
    found = {
        one.id: one for one in map(revision_of, connection.execute(select(revisions).where(revisions.c.id.in_(ids))))
    }
    return SavedStroke(Stroke(row.key, row.author, row.content), row.created, tuple(found[number] for number in ids))


def read_last_strokes(connection: Connection, count: int) -> list[SavedStroke]:
    """Those that were saved last, the newest first."""
    query = select(strokes.c.key).order_by(strokes.c.created.desc(), strokes.c.key).limit(count)
    found = [read_stroke(connection, key) for key in connection.execute(query).scalars().all()]
    return [one for one in found if one is not None]


def read_stroke_counts(connection: Connection) -> dict[str, tuple[int, str]]:
    """By author, how many strokes they have saved, and when the last one."""
    query = select(strokes.c.author, func.count(), func.max(strokes.c.created)).group_by(strokes.c.author)
    return {author: (count, last) for author, count, last in connection.execute(query)}


def _write_once(engine: Engine, statements: Statements, stroke: Stroke, wanted: Wanted, make: Make) -> SavedStroke:
    """Two ways to a server: to the lock and what is there, and back with what was made of it."""
    with driving(engine) as driver:
        cursor = driver.cursor()
        looked_up = []
        with together(driver):
            begin(engine, cursor)
            statements.read(cursor, _LAST_AND_KNOWN, {"key": stroke.key})
            for query, values in lookups(wanted):
                looked_up.append(driver.cursor())
                statements.read(looked_up[-1], query, values)
        ((last, known),) = statements.rows(cursor)
        if known is None:
            found = [revision_of(row) for each in looked_up for row in statements.rows(each)]
            current = {(one.kind, one.subject): one for one in found}
            written, fresh = appended(make(current), current, last or 0)
            saved = SavedStroke(stroke, now(), tuple(written), new=True)
            with together(driver):
                statements.insert(cursor, revisions, [revision_row(one) for one in fresh])
                statements.insert(cursor, strokes, [_stroke_row(saved)])
                cursor.execute("COMMIT")
            return saved
    with engine.connect() as connection:
        there = read_stroke(connection, stroke.key)
    assert there is not None  # rows are only ever added
    return there


def _stroke_row(saved: SavedStroke) -> Row:
    return {
        "key": escape(saved.stroke.key),
        "author": escape(saved.stroke.author),
        "created": saved.created,
        "content": escape(saved.stroke.content),
        "revisions": json.dumps([one.id for one in saved.revisions]),
    }
