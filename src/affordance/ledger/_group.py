"""Writing one group of records in one transaction."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Dialect, Insert, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite

from affordance.ledger._rows import Row, now
from affordance.ledger._schema import asks, attempts, pictures, questions, replies, runs, sources, steps, verdicts

_LAST_IDS = select(
    select(func.max(replies.c.id)).scalar_subquery(),
    select(func.max(verdicts.c.id)).scalar_subquery(),
)


@dataclass(slots=True, eq=False)
class Record:
    """What is written together and told to one future: rows that carry their own key, of which those already there
    stay as they are, and a reply with its step, or a verdict, which get the next number."""

    rows: dict[Table, list[Row]] = field(default_factory=dict)
    reply: Row | None = None
    verdict: Row | None = None
    future: Future[Any] = field(default_factory=Future)

    def __post_init__(self) -> None:
        # From here on it cannot be cancelled: it is going to be written, whoever waits for it.
        self.future.set_running_or_notify_cancel()


class Statements:
    """The statements that write, as text for one database: going through the compiler for each row makes
    a group cost half as much again. Rows are stored as they are, so they come with their text escaped (see `_rows`)."""

    def __init__(self, dialect: Dialect) -> None:
        insert = postgresql.insert if dialect.name == "postgresql" else sqlite.insert
        keyed = (runs, questions, attempts, sources, pictures, asks, steps)
        inserts: dict[Table, Insert] = {table: insert(table).on_conflict_do_nothing() for table in keyed}
        inserts |= {table: insert(table) for table in (replies, verdicts)}
        self.last_ids = str(_LAST_IDS.compile(dialect=dialect))
        self.insert = {table: str(statement.compile(dialect=dialect)) for table, statement in inserts.items()}


def write(connection: Connection, statements: Statements, records: Sequence[Record]) -> None:
    """Adds the records and gives their replies and verdicts ids. The caller's transaction holds the write lock."""
    if _is_there(connection, records):
        return
    last_reply, last_verdict = (last or 0 for last in connection.exec_driver_sql(statements.last_ids).one())
    batches: dict[Table, list[Row]] = {table: [] for table in statements.insert}
    time = now()
    for record in records:
        for table, rows in record.rows.items():
            batches[table] += rows
        if record.reply is not None:
            last_reply += 1
            record.reply |= {"id": last_reply, "created": time}
            batches[replies].append(record.reply)
            for row in record.rows[steps]:
                row["reply"] = last_reply
        if record.verdict is not None:
            last_verdict += 1
            record.verdict |= {"id": last_verdict, "created": time}
            batches[verdicts].append(record.verdict)
    for table, rows in batches.items():
        if rows:
            connection.exec_driver_sql(statements.insert[table], rows)


def _is_there(connection: Connection, records: Sequence[Record]) -> bool:
    """Whether an earlier try to write this group was committed after all: a connection that breaks during COMMIT
    does not say. One numbered row stands for the group, which is written as a whole; without any, writing it
    again changes nothing. The time, in microseconds, tells the row from another process' of the same number."""
    for record in records:
        for table, row in ((replies, record.reply), (verdicts, record.verdict)):
            if row is not None:
                if "id" not in row:
                    return False
                query = select(table.c.created).where(table.c.id == row["id"])
                return connection.execute(query).scalar() == row["created"]
    return False
