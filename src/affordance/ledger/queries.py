"""Parts of queries that several readers share."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, String, func, inspect, select, type_coerce

from affordance.core.requests import FinishReason
from affordance.ledger.schema import EscapedText, attempts, responses, steps, verdict_origins, verdicts

MAX_VALUES = 500  # values of one IN list: SQLite before 3.32 takes 999 in a statement
UNUSABLE_REASONS = (FinishReason.ERROR.value, FinishReason.UNSUPPORTED.value)

attempts_with_responses = attempts.join(steps, steps.c.attempt == attempts.c.id).join(
    responses, responses.c.id == steps.c.reply
)


def has_origins(connection: Connection) -> bool:
    """False for a read-only ledger of schema 4 or before."""
    return inspect(connection).has_table(verdict_origins.name)


def with_latest_verdict(source: FromClause) -> FromClause:
    """Joins the latest verdict to attempts; attempts without one stay."""
    other = verdicts.alias()
    latest = select(func.max(other.c.id)).where(other.c.attempt == attempts.c.id).correlate(attempts)
    return source.outerjoin(verdicts, verdicts.c.id == latest.scalar_subquery())


def with_origin(source: FromClause) -> FromClause:
    """Joins the origins of verdicts; verdicts without one stay."""
    return source.outerjoin(verdict_origins, verdict_origins.c.verdict == verdicts.c.id)


def raw(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A text as it is stored: for a million rows `EscapedText` costs more than reading them does."""
    return type_coerce(column, String()) if isinstance(column.type, EscapedText) else column


def to_int(total: Any) -> int | None:
    """A sum, which Postgres returns as Decimal."""
    return None if total is None else int(total)
