"""Revisions: documents of a project, of which every change is kept.

They are written at once and not through the writer's queue: whoever saves has to know whether somebody else was first.
The transaction holds the write lock, so versions and ids are in the order of the commits on both databases."""

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Select, func, select, tuple_
from sqlalchemy.exc import DBAPIError

from affordance.core.digest import canonical
from affordance.core.errors import Conflict, LedgerError
from affordance.ledger._engine import writing
from affordance.ledger._records import Draft, Revision
from affordance.ledger._rows import now
from affordance.ledger._schema import revisions
from affordance.ledger._trouble import trouble

_AT_ONCE = 200  # subjects in one query: sqlite takes 999 values where it is old
_PAUSE = 0.05


def write_drafts(engine: Engine, where: str, patience: float, drafts: Sequence[Draft]) -> list[Revision]:
    """All of them or none, in one transaction; those that equal what is there are not written again. Raises `Conflict`.
    A connection that breaks is tried again: what was committed after all is found to be there."""
    deadline = time.monotonic() + patience
    while True:
        try:
            with writing(engine) as connection, connection.begin():
                return _write(connection, drafts)
        except DBAPIError as error:
            found = trouble(error)
            if found is None:
                raise
            if time.monotonic() > deadline:
                raise LedgerError(f"cannot write to {where}: {found.what}; {found.todo}") from None
            time.sleep(_PAUSE)


def read_current(
    connection: Connection, *, screen: str | None = None, kind: str | None = None, subject: str | None = None
) -> list[Revision]:
    """The latest version of each document, in the order of kind and subject."""
    given = ((revisions.c.screen, screen), (revisions.c.kind, kind), (revisions.c.subject, subject))
    query = _newest(*(column == value for column, value in given if value is not None))
    ordered = query.order_by(revisions.c.kind, revisions.c.subject)
    return [_revision(row) for row in connection.execute(ordered)]


def read_history(connection: Connection, kind: str, subject: str) -> list[Revision]:
    """All versions of a document, the oldest first."""
    query = select(revisions).where(revisions.c.kind == kind, revisions.c.subject == subject)
    return [_revision(row) for row in connection.execute(query.order_by(revisions.c.version))]


def read_histories(connection: Connection, screen: str) -> dict[tuple[str, str], list[Revision]]:
    """All versions of all documents of a screen by kind and subject, the oldest first."""
    query = select(revisions).where(revisions.c.screen == screen)
    found: dict[tuple[str, str], list[Revision]] = {}
    ordered = query.order_by(revisions.c.kind, revisions.c.subject, revisions.c.version)
    for one in map(_revision, connection.execute(ordered)):
        found.setdefault((one.kind, one.subject), []).append(one)
    return found


def read_subjects(connection: Connection, kind: str) -> list[str]:
    query = select(revisions.c.subject).where(revisions.c.kind == kind).distinct().order_by(revisions.c.subject)
    return list(connection.execute(query).scalars())


def _write(connection: Connection, drafts: Sequence[Draft]) -> list[Revision]:
    current = {(one.kind, one.subject): one for one in _latest(connection, drafts)}
    overtaken = [
        draft
        for draft in drafts
        if draft.after is not None
        and (there := current.get((draft.kind, draft.subject))) is not None
        and there.version != draft.after
        and canonical(there.document) != canonical(draft.document)
    ]
    if overtaken:
        first = overtaken[0]
        by = current[first.kind, first.subject]
        raise Conflict(
            f"the {first.kind} of {first.subject} was changed by {by.author} at {by.created} (version {by.version}; "
            f"yours was made from version {first.after}); look at that one, and save again"
        )
    last = connection.execute(select(func.max(revisions.c.id))).scalar() or 0
    written: list[Revision] = []
    fresh: list[Revision] = []
    moment = now()
    for draft in drafts:
        there = current.get((draft.kind, draft.subject))
        if there is not None and canonical(there.document) == canonical(draft.document):
            written.append(there)
            continue
        last += 1
        version = 1 if there is None else there.version + 1
        created = draft.created or moment
        one = Revision(last, draft.kind, draft.subject, draft.screen, version, draft.author, created, draft.document)
        current[draft.kind, draft.subject] = one
        fresh.append(one)
        written.append(one)
    if fresh:
        connection.execute(revisions.insert(), [_row(one) for one in fresh])
    return written


def _latest(connection: Connection, drafts: Iterable[Draft]) -> Iterable[Revision]:
    keys = list(dict.fromkeys((draft.kind, draft.subject) for draft in drafts))
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        of_part = tuple_(revisions.c.kind, revisions.c.subject).in_(part)
        for row in connection.execute(_newest(of_part)):
            yield _revision(row)


def _newest(*conditions: ColumnElement[bool]) -> Select[Any]:
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


def _row(one: Revision) -> dict[str, object]:
    return {
        "id": one.id,
        "screen": one.screen,
        "kind": one.kind,
        "subject": one.subject,
        "version": one.version,
        "author": one.author,
        "created": one.created,
        "document": canonical(dict(one.document)),
    }


def _revision(row: Iterable[Any]) -> Revision:
    id_, screen, kind, subject, version, author, created, document = row
    return Revision(id_, kind, subject, screen, version, author, created, json.loads(document))
