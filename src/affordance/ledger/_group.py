"""Writing one group of records in one transaction."""

from collections.abc import Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

from sqlalchemy import CompoundSelect, Connection, Dialect, Select, Table, func, select
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError

from affordance.ledger._rows import Row, now
from affordance.ledger._schema import (
    attempts,
    edit_batches,
    judge_calibrations,
    media_specs,
    questions,
    requests,
    responses,
    revisions,
    runs,
    sources,
    steps,
    verdict_origins,
    verdicts,
)
from affordance.ledger._text import escape, unescape
from affordance.ledger._written import WriteFuture

Query = Select[Any] | CompoundSelect[Any]

# Rows that are there already stay as they are.
KEYED_TABLES = (runs, questions, attempts, sources, media_specs, requests, steps, judge_calibrations, verdict_origins)
NUMBERED_TABLES = (responses, verdicts)
_UNIQUE_TABLES = (*NUMBERED_TABLES, revisions, edit_batches)  # a second row of the same key is an error

# Rows in one statement. A few texts, which the driver keeps prepared, serve groups of any size; and sqlite takes 999
# values where it is old.
_ROWS_PER_STATEMENT = (64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1)

_LAST_IDS = select(
    select(func.max(responses.c.id)).scalar_subquery(),
    select(func.max(verdicts.c.id)).scalar_subquery(),
)


class PendingWrite(WriteFuture[Any]):
    """What is written together and told together: rows that carry their own key, of which those already there
    stay as they are, and a reply with its step, or a verdict, which get the next number."""

    __slots__ = ("reply", "rows", "verdict")

    def __init__(
        self, rows: dict[Table, list[Row]] | None = None, reply: Row | None = None, verdict: Row | None = None
    ) -> None:
        super().__init__()
        self.rows = rows or {}
        self.reply = reply
        self.verdict = verdict


class SqlStatements:
    """The statements that write, as text for one database: going through the compiler for each row makes
    a group cost half as much again. Rows are stored as they are, so they come with their text escaped (see `_rows`).

    A statement takes many rows. With one for each row the driver would let go of the interpreter after every row, and
    the two threads would spend more time handing it to each other than the rows take."""

    def __init__(self, dialect: Dialect) -> None:
        self._last_ids = str(_LAST_IDS.compile(dialect=dialect))
        self._error: type[Exception] = dialect.loaded_dbapi.Error
        self._placeholder = "%s" if dialect.name == "postgresql" else "?"
        self._dialect = dialect
        self._texts: dict[tuple[str, int], str] = {}
        self._queries: dict[Query, tuple[str, dict[str, Any]]] = {}

    def last_ids(self, cursor: DBAPICursor) -> tuple[int, int]:
        self._execute(cursor, self._last_ids)
        reply, verdict = cursor.fetchone() or (None, None)
        return reply or 0, verdict or 0

    def read(self, cursor: DBAPICursor, query: Query, values: Mapping[str, str | int]) -> None:
        """Sends a query that is the same object each time, with values for its parameters, which are escaped here.
        `rows` has what it finds."""
        if query not in self._queries:
            compiled = query.compile(dialect=self._dialect)
            self._queries[query] = str(compiled), dict(compiled.params)
        text, always = self._queries[query]
        given = {name: escape(str(value)) if isinstance(value, str) else value for name, value in values.items()}
        self._execute(cursor, text, {**always, **given})

    @staticmethod
    def rows(cursor: DBAPICursor) -> list[tuple[Any, ...]]:
        return [tuple(unescape(one) if isinstance(one, str) else one for one in row) for row in cursor.fetchall()]

    def insert(self, cursor: DBAPICursor, table: Table, rows: Sequence[Row]) -> None:
        names = table.c.keys()
        values = itemgetter(*names)
        start = 0
        while start < len(rows):
            count = next(size for size in _ROWS_PER_STATEMENT if size <= len(rows) - start)
            flat = tuple(chain.from_iterable(map(values, rows[start : start + count])))
            self._execute(cursor, self._insert(table, names, count), flat)
            start += count

    def _execute(self, cursor: DBAPICursor, text: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> None:
        """By the driver itself: what SQLAlchemy does around a statement takes longer than some rows do."""
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


def write_records(connection: Connection, statements: SqlStatements, records: Sequence[PendingWrite]) -> None:
    """Adds the records and gives their replies and verdicts ids. The caller's transaction holds the write lock."""
    if _is_written(connection, records):
        return
    cursor = connection.connection.cursor()
    last_reply, last_verdict = statements.last_ids(cursor)
    batches: dict[Table, list[Row]] = {table: [] for table in (*KEYED_TABLES, *NUMBERED_TABLES)}
    time = now()
    for record in records:
        for table, rows in record.rows.items():
            batches[table] += rows
        if record.reply is not None:
            last_reply += 1
            record.reply["id"] = last_reply
            record.reply["created"] = time
            batches[responses].append(record.reply)
            for row in record.rows[steps]:
                row["reply"] = last_reply
        if record.verdict is not None:
            last_verdict += 1
            record.verdict["id"] = last_verdict
            record.verdict["created"] = time
            batches[verdicts].append(record.verdict)
            for row in record.rows.get(verdict_origins, ()):
                row["verdict"] = last_verdict
    for table, rows in batches.items():
        if rows:
            statements.insert(cursor, table, rows)


def _is_written(connection: Connection, records: Sequence[PendingWrite]) -> bool:
    """Whether an earlier try to write this group was committed after all: a connection that breaks during COMMIT
    does not say. One numbered row stands for the group, which is written as a whole; without any, writing it
    again changes nothing. The time, in microseconds, tells the row from another process' of the same number."""
    for record in records:
        for table, row in ((responses, record.reply), (verdicts, record.verdict)):
            if row is not None:
                if "id" not in row:
                    return False
                query = select(table.c.created).where(table.c.id == row["id"])
                return connection.execute(query).scalar() == row["created"]
    return False
