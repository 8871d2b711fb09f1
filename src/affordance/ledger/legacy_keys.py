"""Today's keys of requests that version 1 stored, computed from the stored requests.

Version 1 also hashed the dialect and the digest of the prompt pack, so its keys cannot be converted; but everything
that either key is made of is in the ledger. A key is accepted only if the stored request gives the legacy key too.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Row, func, inspect, select

from affordance.core.requests import CallSettings, RequestStep, legacy_request_key, lookup_id_of, request_key
from affordance.ledger.schema import attempts, request_keys, requests, responses, steps

_CHUNK_SIZE = 500

_RequestUse = tuple[RequestStep, int, str]  # step and trial of an attempt, and the model name that served its response


def add_request_keys(connection: Connection, legacy: Collection[str] | None = None) -> None:
    """Adds today's keys of all requests with legacy keys, or of the given ones. The caller's transaction holds the
    write lock."""
    for pairs in _iter_key_pairs(connection, legacy):
        query = select(request_keys.c.legacy_key).where(request_keys.c.legacy_key.in_([old for old, _ in pairs]))
        known = set(connection.execute(query).scalars())
        if rows := [{"legacy_key": old, "key": new} for old, new in pairs if old not in known]:
            connection.execute(request_keys.insert(), rows)


def current_keys(connection: Connection) -> dict[str, str]:
    """Today's keys by legacy key."""
    if has_request_keys(connection):
        return {row.legacy_key: row.key for row in connection.execute(select(request_keys))}
    return {old: new for pairs in _iter_key_pairs(connection, None) for old, new in pairs}


def wrong_keys(connection: Connection) -> Iterator[str]:
    """Stored keys that no version computes from the stored request."""
    known = current_keys(connection)
    last = ""
    while rows := connection.execute(
        select(requests).where(requests.c.key > last).order_by(requests.c.key).limit(_CHUNK_SIZE)
    ).all():
        uses = _request_uses(connection, [row.key for row in rows])
        for row in rows:
            if row.key not in _possible_keys(row, uses.get(row.key, ())):
                current = _current_key(row, uses.get(row.key, ()))
                if current is None or current != known.get(row.key):
                    yield row.key
        last = rows[-1].key


def _possible_keys(row: Row[Any], uses: Collection[_RequestUse]) -> set[str]:
    """The possible keys of a request today."""
    call = CallSettings(row.model, row.base_url, row.dialect, row.pack, json.loads(row.parameters))
    return {
        request_key(call, row.transcript, trial, step, lookup_id_of(question, call))
        for step, trial, served_by in uses
        for question in _possible_lookups(row.question, served_by)
    }


def has_request_keys(connection: Connection) -> bool:
    """False for a read-only ledger of schema 4 or before."""
    return inspect(connection).has_table(request_keys.name)


def with_current_key(
    connection: Connection, found: FromClause, key: ColumnElement[str]
) -> tuple[FromClause, ColumnElement[str]]:
    """Joins the table of keys to a query and returns the column of today's key, which is the stored key in a read-only
    ledger of schema 4 or before."""
    if not has_request_keys(connection):
        return found, key
    joined = found.outerjoin(request_keys, request_keys.c.legacy_key == key)
    return joined, func.coalesce(request_keys.c.key, key)


def _iter_key_pairs(connection: Connection, legacy: Collection[str] | None) -> Iterator[list[tuple[str, str]]]:
    """Legacy keys with today's keys, in chunks, as the messages may not fit into memory."""
    last = ""
    wanted = None if legacy is None else sorted(set(legacy))
    while True:
        query = select(requests).where(requests.c.key > last).order_by(requests.c.key).limit(_CHUNK_SIZE)
        if wanted is not None:
            part, wanted = wanted[:_CHUNK_SIZE], wanted[_CHUNK_SIZE:]
            query = select(requests).where(requests.c.key.in_(part))
        rows = connection.execute(query).all()
        uses = _request_uses(connection, [row.key for row in rows])
        yield [(row.key, new) for row in rows if (new := _current_key(row, uses.get(row.key, ()))) is not None]
        if wanted == [] or (wanted is None and len(rows) < _CHUNK_SIZE):
            return
        last = rows[-1].key if wanted is None else last


def _request_uses(connection: Connection, keys: Sequence[str]) -> dict[str, set[_RequestUse]]:
    columns = (responses.c.key, responses.c.served_by, steps.c.round, steps.c.place, steps.c.retry, attempts.c.trial)
    joined = responses.join(steps, steps.c.reply == responses.c.id).join(attempts, attempts.c.id == steps.c.attempt)
    found: dict[str, set[_RequestUse]] = {}
    for row in connection.execute(select(*columns).distinct().select_from(joined).where(responses.c.key.in_(keys))):
        found.setdefault(row.key, set()).add(((row.round, row.place, row.retry), row.trial, row.served_by))
    return found


def _current_key(row: Row[Any], uses: Collection[_RequestUse]) -> str | None:
    """None if the stored request does not give the legacy key: a redacted request, or a key of today."""
    call = CallSettings(row.model, row.base_url, row.dialect, row.pack, json.loads(row.parameters))
    for step, trial, served_by in sorted(uses):
        for question in _possible_lookups(row.question, served_by):
            if legacy_request_key(call, row.transcript, trial, step, question) == row.key:
                return request_key(call, row.transcript, trial, step, lookup_id_of(question, call))
    return None


def _possible_lookups(question: str, served_by: str) -> tuple[str, ...]:
    """Keys of models that answer by question contain it; those of participants, the edition of their answer too."""
    return "", question, f"{question} {served_by}"
