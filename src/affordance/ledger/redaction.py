"""Redacting: the one exception to rows that are only ever added. What a person said is erased on their request, from
every version and from all that came of it; the rows stay, as tombstones."""

import json
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Column, ColumnElement, Connection, Engine, func, select

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempts import AttemptStatus
from affordance.core.json_text import Json, canonical_json
from affordance.core.requests import FinishReason
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

REDACTED = "redacted"  # what stands in the place of what was erased
_CHUNK_SIZE = 500  # values in one query
_PAUSE_SECONDS = 0.05

Document = Mapping[str, Json]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Redaction:
    """What is to be erased. `documents` are those whose versions are all rewritten, by kind and subject. Strokes of the
    `author` that wrote them no longer tell what they did. Replies that the `model` gave for the person, which is what
    `served_by` begins with, are emptied, and with them all that was judged of them; such attempts have failed, and are
    asked again with the next run."""

    documents: Mapping[tuple[str, str], Callable[[Document], Document]]
    author: str
    model: str
    served_by: str


def redact(connection: Connection, redaction: Redaction) -> None:
    """In the caller's transaction, which holds the write lock."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")  # what is overwritten is overwritten with zeros
    rewritten = _rewrite_documents(connection, redaction)
    _redact_batches(connection, redaction.author, rewritten)
    _redact_responses(connection, redaction)


def reclaim_space(engine: Engine, retry_seconds: float) -> bool:
    """What the database keeps of erased rows for its own purposes. Whether nothing is left: somebody who reads at the
    same time may keep the journal from being cut; it is when the last one closes the database."""
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for table in (revisions, edit_batches, requests, responses, verdicts, request_keys, verdict_origins):
                connection.exec_driver_sql(f"VACUUM {table.name}")
        return True
    deadline = time.monotonic() + retry_seconds
    with engine.raw_connection() as raw:
        raw.execute("VACUUM")  # pages that were split or moved hold parts of old rows
        while True:
            busy, _, _ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy or time.monotonic() > deadline:
                return not busy
            time.sleep(_PAUSE_SECONDS)


def _rewrite_documents(connection: Connection, redaction: Redaction) -> set[int]:
    """The ids of all versions that were rewritten."""
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
    """A digest of a short answer is as good as the answer: it can be guessed."""
    query = select(edit_batches.c.key, edit_batches.c.revisions).where(edit_batches.c.author == author)
    keys = [key for key, ids in connection.execute(query) if rewritten.intersection(json.loads(ids))]
    for part in _chunks(keys):
        connection.execute(edit_batches.update().where(edit_batches.c.key.in_(part)).values(content=REDACTED))


def _redact_responses(connection: Connection, redaction: Redaction) -> None:
    theirs = (requests.c.model == redaction.model) & responses.c.served_by.startswith(
        redaction.served_by, autoescape=True
    )
    query = (
        select(responses.c.id).select_from(responses.join(requests, requests.c.key == responses.c.key)).where(theirs)
    )
    said = list(connection.execute(query).scalars())
    answered = _select_values(connection, steps.c.attempt, steps.c.reply, said)
    judgements = _select_values(connection, attempts.c.id, attempts.c.subject, answered)
    judged = _exclusive_responses(connection, judgements)
    _clear_responses(connection, [*said, *judged])
    _redact_requests(connection, judged)
    _fail_attempts(connection, [*answered, *judgements])


def _exclusive_responses(connection: Connection, judgements: Sequence[str]) -> list[int]:
    """The replies that these judgements used, and no other: somebody else may have said the same."""
    used = _select_values(connection, steps.c.reply, steps.c.attempt, judgements)
    mine = set(judgements)
    by_reply: dict[int, set[str]] = {}
    for part in _chunks(used):
        query = select(steps.c.reply, steps.c.attempt).where(steps.c.reply.in_(part))
        for reply, attempt in connection.execute(query):
            by_reply.setdefault(reply, set()).add(attempt)
    return [reply for reply, users in by_reply.items() if users <= mine]


def _clear_responses(connection: Connection, ids: Sequence[int]) -> None:
    """No run can use them again."""
    gone = {
        "text": "",
        "reasoning": "",
        "served_by": "",
        "finish": FinishReason.ERROR.value,
        "error": REDACTED,
        "permanent": True,
    }
    for part in _chunks(ids):
        connection.execute(responses.update().where(responses.c.id.in_(part)).values(gone))


def _redact_requests(connection: Connection, ids: Sequence[int]) -> None:
    """Of asks with nothing but emptied replies, what they said; and their keys, which are digests of it."""
    for key in _select_values(connection, responses.c.key, responses.c.id, ids):
        left = select(func.count()).where(responses.c.key == key, responses.c.error != REDACTED)
        if not connection.execute(left).scalar():
            other = f"{REDACTED}-{secrets.token_hex(16)}"
            connection.execute(requests.update().where(requests.c.key == key).values(key=other, transcript="[]"))
            connection.execute(responses.update().where(responses.c.key == key).values(key=other))
            stored = request_keys.c.legacy_key == key
            connection.execute(request_keys.update().where(stored).values(legacy_key=other, key=other))


def _fail_attempts(connection: Connection, ids: Sequence[str]) -> None:
    """Verdicts tell nothing any more, and a new one says why."""
    gone = {"answer": None, "score": None, "first_score": None, "reason": REDACTED, "detail": "{}"}
    for part in _chunks(ids):
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
    for part in _chunks(list(values)):
        found.update(dict.fromkeys(connection.execute(select(column).where(by.in_(part))).scalars()))
    return list(found)


def _chunks(values: Sequence[T]) -> Iterable[Sequence[T]]:
    return (values[start : start + _CHUNK_SIZE] for start in range(0, len(values), _CHUNK_SIZE))
