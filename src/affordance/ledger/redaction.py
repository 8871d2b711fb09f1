"""Redaction: erases a person's data on request, from every version of a document and from everything derived from it.
The rows stay as tombstones; it is the one exception to rows that are only added."""

import json
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Column, ColumnElement, Connection, func, select

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempts import AttemptStatus
from affordance.core.json_text import Json, canonical_json
from affordance.core.requests import FinishReason
from affordance.core.sequences import chunked
from affordance.ledger.database import Database
from affordance.ledger.queries import MAX_VALUES
from affordance.ledger.row_mapping import now
from affordance.ledger.schema import (
    attempts,
    edit_batches,
    request_keys,
    requests,
    responses,
    revisions,
    steps,
    verdict_origins,
    verdicts,
)

REDACTED = "redacted"  # in the place of erased text
_PAUSE_SECONDS = 0.05

Document = Mapping[str, Json]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Redaction:
    """What to erase.

    Attributes:
        documents: How to rewrite all versions of documents, by kind and subject.
        author: The author of edit batches that wrote them; the batches lose their content digests.
        model: The model whose responses are emptied, with everything that was judged of them. Their attempts become
            failed, and the next run sends their requests again.
        served_by: The beginning of `served_by` of those responses: the code of the person.
    """

    documents: Mapping[tuple[str, str], Callable[[Document], Document]]
    author: str
    model: str
    served_by: str


def redact(connection: Connection, redaction: Redaction) -> None:
    """Erases it in the caller's transaction, which holds the write lock."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")  # overwrites deleted content with zeros
    rewritten = _rewrite_documents(connection, redaction)
    _redact_batches(connection, redaction.author, rewritten)
    _redact_responses(connection, redaction)


def reclaim_space(database: Database) -> bool:
    """Removes erased rows from the files of the database. Returns whether nothing is left: another process that reads
    at the same time may keep SQLite's journal from being truncated; that happens when the last one closes the
    database."""
    if database.engine.dialect.name == "postgresql":
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for table in (revisions, edit_batches, requests, responses, verdicts, request_keys, verdict_origins):
                # A plain VACUUM only marks the space as free: the text stays in the file until it is overwritten.
                connection.exec_driver_sql(f"VACUUM FULL {table.name}")
        return True
    deadline = time.monotonic() + database.retry_seconds
    with database.engine.raw_connection() as raw:
        raw.execute("VACUUM")  # pages that were split or moved hold parts of old rows
        while True:
            busy, _, _ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy or time.monotonic() > deadline:
                return not busy
            time.sleep(_PAUSE_SECONDS)


def _rewrite_documents(connection: Connection, redaction: Redaction) -> set[int]:
    """Returns the ids of the rewritten versions."""
    found: set[int] = set()
    for (kind, subject), rewrite in redaction.documents.items():
        query = select(revisions.c.id, revisions.c.document).where(
            revisions.c.kind == kind, revisions.c.subject == subject
        )
        for number, document in connection.execute(query).all():
            text = canonical_json(dict(rewrite(json.loads(document))))
            connection.execute(revisions.update().where(revisions.c.id == number).values(document=text))
            found.add(number)
    return found


def _redact_batches(connection: Connection, author: str, rewritten: set[int]) -> None:
    """Erases the digests of batches: that of a short answer can be guessed."""
    query = select(edit_batches.c.key, edit_batches.c.revisions).where(edit_batches.c.author == author)
    keys = [key for key, ids in connection.execute(query) if rewritten.intersection(json.loads(ids))]
    for part in chunked(keys, MAX_VALUES):
        connection.execute(edit_batches.update().where(edit_batches.c.key.in_(part)).values(content=REDACTED))


def _redact_responses(connection: Connection, redaction: Redaction) -> None:
    theirs = (requests.c.model == redaction.model) & responses.c.served_by.startswith(
        redaction.served_by, autoescape=True
    )
    query = (
        select(responses.c.id).select_from(responses.join(requests, requests.c.key == responses.c.key)).where(theirs)
    )
    given = list(connection.execute(query).scalars())
    answered = _select_values(connection, steps.c.attempt, steps.c.reply, given)
    judgements = _select_values(connection, attempts.c.id, attempts.c.subject, answered)
    judged = _exclusive_responses(connection, judgements)
    _clear_responses(connection, [*given, *judged])
    _redact_requests(connection, judged)
    _fail_attempts(connection, [*answered, *judgements])


def _exclusive_responses(connection: Connection, judgements: Sequence[str]) -> list[int]:
    """The responses that only these judgements used: another person may have given the same answer."""
    used = _select_values(connection, steps.c.reply, steps.c.attempt, judgements)
    own = set(judgements)
    by_response: dict[int, set[str]] = {}
    for part in chunked(used, MAX_VALUES):
        query = select(steps.c.reply, steps.c.attempt).where(steps.c.reply.in_(part))
        for response, attempt in connection.execute(query):
            by_response.setdefault(response, set()).add(attempt)
    return [response for response, users in by_response.items() if users <= own]


def _clear_responses(connection: Connection, ids: Sequence[int]) -> None:
    """Empties responses and makes them unusable for later runs."""
    gone = {
        "text": "",
        "reasoning": "",
        "served_by": "",
        "finish": FinishReason.ERROR.value,
        "error": REDACTED,
        "permanent": True,
    }
    for part in chunked(ids, MAX_VALUES):
        connection.execute(responses.update().where(responses.c.id.in_(part)).values(gone))


def _redact_requests(connection: Connection, ids: Sequence[int]) -> None:
    """Erases the messages of requests with nothing but emptied responses, and their keys, which are digests of them."""
    for key in _select_values(connection, responses.c.key, responses.c.id, ids):
        left = select(func.count()).where(responses.c.key == key, responses.c.error != REDACTED)
        if not connection.execute(left).scalar():
            other = f"{REDACTED}-{secrets.token_hex(16)}"
            connection.execute(requests.update().where(requests.c.key == key).values(key=other, transcript="[]"))
            connection.execute(responses.update().where(responses.c.key == key).values(key=other))
            stored = request_keys.c.legacy_key == key
            connection.execute(request_keys.update().where(stored).values(legacy_key=other, key=other))


def _fail_attempts(connection: Connection, ids: Sequence[str]) -> None:
    """Empties the verdicts of attempts and adds a failed one that says why."""
    gone = {"answer": None, "score": None, "first_score": None, "reason": REDACTED, "detail": "{}"}
    for part in chunked(ids, MAX_VALUES):
        connection.execute(verdicts.update().where(verdicts.c.attempt.in_(part)).values(gone))
        theirs = select(verdicts.c.id).where(verdicts.c.attempt.in_(part))
        stored = verdict_origins.c.verdict.in_(theirs)
        connection.execute(verdict_origins.update().where(stored).values(response=None, answer_format=None))
    last = connection.execute(select(func.max(verdicts.c.id))).scalar() or 0
    failed = {**gone, "ended": AttemptStatus.FAILED.value, "first_ended": AttemptStatus.FAILED.value, "created": now()}
    rows = [{**failed, "id": last + number, "attempt": attempt} for number, attempt in enumerate(ids, 1)]
    if rows:
        connection.execute(verdicts.insert(), rows)
        unread = {"response": None, "answer_format": None, "parser_version": PARSER_VERSION}
        connection.execute(verdict_origins.insert(), [{**unread, "verdict": row["id"]} for row in rows])


def _select_values(connection: Connection, column: Column[T], by: ColumnElement[Any], values: Iterable[Any]) -> list[T]:
    found: dict[T, None] = {}
    for part in chunked(list(values), MAX_VALUES):
        found.update(dict.fromkeys(connection.execute(select(column).where(by.in_(part))).scalars()))
    return list(found)
