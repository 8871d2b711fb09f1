"""Look-up of response ids by request key. A run in progress looks up a few requests at a time, so the statements are
texts that the driver keeps prepared."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, CompoundSelect, FromClause, Select, bindparam, literal, select, union_all

from affordance.core.requests import FinishReason
from affordance.ledger.schema import request_keys, responses
from affordance.ledger.statements import SqlStatements

_SMALL_QUERY_KEYS, _LARGE_QUERY_KEYS = 8, 64  # keys in one statement; the last one is repeated to fill it
_RUN = "run"


def read_response_ids(
    driver: Any, statements: SqlStatements, keys: Sequence[str], fresh_run: str | None
) -> dict[str, int]:
    """The latest reusable response to each request by today's key. A response stored under a key of version 1 counts if
    there is none under today's. `driver` is a `driver_connection`."""
    found: tuple[dict[str, int], dict[str, int]] = {}, {}  # under today's keys and under those of version 1
    for start in range(0, len(keys), _LARGE_QUERY_KEYS):
        some = keys[start : start + _LARGE_QUERY_KEYS]
        size = _SMALL_QUERY_KEYS if len(some) <= _SMALL_QUERY_KEYS else _LARGE_QUERY_KEYS
        values: dict[str, str | int] = {f"key{n}": some[min(n, len(some) - 1)] for n in range(size)}
        cursor = driver.cursor()
        statements.read(
            cursor,
            _response_id_query(size, fresh_run is not None),
            values if fresh_run is None else {**values, _RUN: fresh_run},
        )
        for key, response, is_legacy in statements.rows(cursor):
            of_kind = found[is_legacy]
            # Not by `max` in SQL: Postgres may search for it from the latest response backwards, through all of them.
            of_kind[key] = max(response, of_kind.get(key, 0))
    current, legacy = found
    return legacy | current


@cache
def _response_id_query(size: int, fresh: bool) -> CompoundSelect[Any]:
    keys: list[BindParameter[str]] = [bindparam(f"key{n}") for n in range(size)]
    stored = request_keys.join(responses, responses.c.key == request_keys.c.legacy_key)
    return union_all(
        _filter_usable(select(responses.c.key, responses.c.id, literal(0)), responses, fresh).where(
            responses.c.key.in_(keys)
        ),
        _filter_usable(select(request_keys.c.key, responses.c.id, literal(1)), stored, fresh).where(
            request_keys.c.key.in_(keys)
        ),
    )


def _filter_usable(query: Select[Any], source: FromClause, fresh: bool) -> Select[Any]:
    found = query.select_from(source).where(
        responses.c.finish != FinishReason.ERROR.value, responses.c.finish != FinishReason.UNSUPPORTED.value
    )
    return found.where(responses.c.run == bindparam(_RUN)) if fresh else found
