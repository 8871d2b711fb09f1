"""INSERT statements of many rows and prepared queries, as text for one database."""

from collections.abc import Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

from sqlalchemy import CompoundSelect, Dialect, Select, Table, func, select
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError

from affordance.ledger.row_mapping import RowValues
from affordance.ledger.schema import (
    attempts,
    edit_batches,
    escape,
    judge_calibrations,
    media_specs,
    questions,
    requests,
    responses,
    revisions,
    runs,
    sources,
    steps,
    unescape,
    verdict_origins,
    verdicts,
)

Query = Select[Any] | CompoundSelect[Any]

# Rows whose keys exist are left as they are.
KEYED_TABLES = (runs, questions, attempts, sources, media_specs, requests, steps, judge_calibrations, verdict_origins)
NUMBERED_TABLES = (responses, verdicts)
_UNIQUE_TABLES = (*NUMBERED_TABLES, revisions, edit_batches)  # a second row of the same key is an error

# Rows in one statement. A few texts, which the driver keeps prepared, serve groups of any size; SQLite before 3.32
# takes 999 values.
_ROWS_PER_STATEMENT = (64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1)

_LAST_IDS = select(
    select(func.max(responses.c.id)).scalar_subquery(),
    select(func.max(verdicts.c.id)).scalar_subquery(),
)


class SqlStatements:
    """Statements as text, which the driver executes itself: for a short one, SQLAlchemy takes longer than the database.

    An INSERT takes many rows. With one statement for each row the driver would release the interpreter lock after every
    row: next to a busy thread, 100 responses then take 1 to 3 seconds instead of 0.1. Values come escaped (see
    `row_mapping`).
    """

    def __init__(self, dialect: Dialect) -> None:
        self._last_ids = str(_LAST_IDS.compile(dialect=dialect))
        self._error: type[Exception] = dialect.loaded_dbapi.Error
        self._placeholder = "%s" if dialect.name == "postgresql" else "?"
        self._dialect = dialect
        self._texts: dict[tuple[str, int], str] = {}
        self._queries: dict[Query, tuple[str, dict[str, Any]]] = {}

    def last_ids(self, cursor: DBAPICursor) -> tuple[int, int]:
        """The last ids of responses and verdicts."""
        self._execute(cursor, self._last_ids)
        response, verdict = cursor.fetchone() or (None, None)
        return response or 0, verdict or 0

    def read(self, cursor: DBAPICursor, query: Query, values: Mapping[str, str | int]) -> None:
        """Executes a query, compiled once for each query object, with values for its parameters. `rows` has the
        result."""
        if query not in self._queries:
            compiled = query.compile(dialect=self._dialect)
            self._queries[query] = str(compiled), dict(compiled.params)
        text, always = self._queries[query]
        given = {name: escape(str(value)) if isinstance(value, str) else value for name, value in values.items()}
        self._execute(cursor, text, {**always, **given})

    @staticmethod
    def rows(cursor: DBAPICursor) -> list[tuple[Any, ...]]:
        return [tuple(unescape(one) if isinstance(one, str) else one for one in row) for row in cursor.fetchall()]

    def insert(self, cursor: DBAPICursor, table: Table, rows: Sequence[RowValues]) -> None:
        names = table.c.keys()
        values = itemgetter(*names)
        start = 0
        while start < len(rows):
            count = next(size for size in _ROWS_PER_STATEMENT if size <= len(rows) - start)
            flat = tuple(chain.from_iterable(map(values, rows[start : start + count])))
            self._execute(cursor, self._insert(table, names, count), flat)
            start += count

    def _execute(self, cursor: DBAPICursor, text: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> None:
        try:
            cursor.execute(text, values)
        except self._error as error:
            raise DBAPIError.instance(text, None, error, self._error, hide_parameters=True) from error

    def _insert(self, table: Table, names: Sequence[str], count: int) -> str:
        text = self._texts.get((table.name, count))
        if text is None:
            marks = f"({', '.join([self._placeholder] * len(names))})"
            conflict = "" if table in _UNIQUE_TABLES else " ON CONFLICT DO NOTHING"
            text = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES {', '.join([marks] * count)}{conflict}"
            self._texts[table.name, count] = text
        return text
