"""Keys of requests that version 1 stored: what they are today, from what was stored with them.

Version 1 hashed the dialect and the digest of the prompt pack, so that its keys cannot be turned into those of today;
but all that either is made of is in the ledger. A key is taken over only if what is stored gives the legacy key too."""

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Row, func, inspect, select

from affordance.core.requests import CallSettings, RequestStep, legacy_request_key, lookup_id_of, request_key
from affordance.ledger.schema import attempts, request_keys, requests, responses, steps

_CHUNK_SIZE = 500

_RequestUse = tuple[RequestStep, int, str]  # step and trial of an attempt, and who served its response


def add_request_keys(connection: Connection, legacy: Collection[str] | None = None) -> None:
    """Adds today's keys of all requests that have legacy ones, or of these. The caller's transaction holds the write
    lock."""
    for pairs in _iter_key_pairs(connection, legacy):
        query = select(request_keys.c.legacy_key).where(request_keys.c.legacy_key.in_([old for old, _ in pairs]))
        known = set(connection.execute(query).scalars())
        if rows := [{"legacy_key": old, "key": new} for old, new in pairs if old not in known]:
            connection.execute(request_keys.insert(), rows)


def current_keys(connection: Connection) -> dict[str, str]:
    """By legacy key, the key of today."""
    if has_request_keys(connection):
        return {row.legacy_key: row.key for row in connection.execute(select(request_keys))}
    return {old: new for pairs in _iter_key_pairs(connection, None) for old, new in pairs}


def wrong_keys(connection: Connection) -> Iterator[str]:
    """Stored keys that what is stored does not give, by the rules of any version."""
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
    """The keys of today that a request may have."""
    address = CallSettings(row.model, row.base_url, row.dialect, row.pack, json.loads(row.parameters))
    return {
        request_key(address, row.transcript, trial, step, lookup_id_of(question, address))
        for step, trial, served_by in uses
        for question in _possible_lookups(row.question, served_by)
    }


def has_request_keys(connection: Connection) -> bool:
    """False for a ledger of version 4 or before, which is open for reading only."""
    return inspect(connection).has_table(request_keys.name)


def with_current_key(
    connection: Connection, found: FromClause, key: ColumnElement[str]
) -> tuple[FromClause, ColumnElement[str]]:
    """Joins the table of keys to a query, and gives the column of today's key. It is the stored key in a ledger of
    version 4 or before that is open for reading only."""
    if not has_request_keys(connection):
        return found, key
    joined = found.outerjoin(request_keys, request_keys.c.legacy_key == key)
    return joined, func.coalesce(request_keys.c.key, key)


def _iter_key_pairs(connection: Connection, legacy: Collection[str] | None) -> Iterator[list[tuple[str, str]]]:
    """Legacy keys with those of today, some at a time, as not all messages fit into memory."""
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
    """None where what is stored does not give the legacy key: a tombstone, or a key of today."""
    address = CallSettings(row.model, row.base_url, row.dialect, row.pack, json.loads(row.parameters))
    for step, trial, served_by in sorted(uses):
        for question in _possible_lookups(row.question, served_by):
            if legacy_request_key(address, row.transcript, trial, step, question) == row.key:
                return request_key(address, row.transcript, trial, step, lookup_id_of(question, address))
    return None


def _possible_lookups(question: str, served_by: str) -> tuple[str, ...]:
    """Models that answer by the question have it in the key, and people in a study the edition of their answer."""
    return "", question, f"{question} {served_by}"
