"""Ids of responses by request key, for a run that is in progress: it looks up each handful of requests, so that the
statements are texts which the driver keeps prepared, as where a group is written."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, CompoundSelect, FromClause, Select, bindparam, literal, select, union_all

from affordance.core.ask import Finish
from affordance.ledger._group import Statements
from affordance.ledger._schema import replies, request_keys

_FEW, _MOST = 8, 64  # keys in one statement; where there are fewer, the last one is in it several times
_RUN = "run"


def read_response_ids(
    driver: Any, statements: Statements, keys: Sequence[str], fresh_run: str | None
) -> dict[str, int]:
    """The newest response to each of the requests that can be used again, by today's key. `driver` is a connection of
    `driving`. What was stored under a key of version 1 counts where nothing is stored under today's."""
    found: tuple[dict[str, int], dict[str, int]] = {}, {}  # under today's keys, and under those of version 1
    for start in range(0, len(keys), _MOST):
        some = keys[start : start + _MOST]
        size = _FEW if len(some) <= _FEW else _MOST
        values: dict[str, str | int] = {f"key{n}": some[min(n, len(some) - 1)] for n in range(size)}
        cursor = driver.cursor()
        statements.read(
            cursor,
            _query(size, fresh_run is not None),
            values if fresh_run is None else {**values, _RUN: fresh_run},
        )
        for key, response, is_legacy in statements.rows(cursor):
            of_kind = found[is_legacy]
            # Not by `max` of the database: Postgres may look for it from the newest response backwards, through all.
            of_kind[key] = max(response, of_kind.get(key, 0))
    current, legacy = found
    return legacy | current


@cache
def _query(size: int, fresh: bool) -> CompoundSelect[Any]:
    keys: list[BindParameter[str]] = [bindparam(f"key{n}") for n in range(size)]
    stored = request_keys.join(replies, replies.c.key == request_keys.c.legacy_key)
    return union_all(
        _usable(select(replies.c.key, replies.c.id, literal(0)), replies, fresh).where(replies.c.key.in_(keys)),
        _usable(select(request_keys.c.key, replies.c.id, literal(1)), stored, fresh).where(
            request_keys.c.key.in_(keys)
        ),
    )


def _usable(query: Select[Any], source: FromClause, fresh: bool) -> Select[Any]:
    found = query.select_from(source).where(
        replies.c.finish != Finish.ERROR.value, replies.c.finish != Finish.UNABLE.value
    )
    return found.where(replies.c.run == bindparam(_RUN)) if fresh else found
