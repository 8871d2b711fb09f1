"""Integrity checks: rows that refer to missing rows, and digests that do not match the stored content. Only reads."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, FromClause, func, inspect, select

from affordance.core.attempts import Attempt
from affordance.core.media_spec import media_spec_from_recipe
from affordance.core.question import question_id
from affordance.ledger.legacy_keys import has_request_keys, wrong_keys
from affordance.ledger.redaction import REDACTED
from affordance.ledger.schema import (
    attempts,
    media_specs,
    questions,
    request_keys,
    requests,
    responses,
    runs,
    sources,
    steps,
    verdict_origins,
    verdicts,
)

UNKNOWN_QUESTION = "attempts without a question"  # a run with these cannot be read
_MAX_IDS = 5  # in one mismatch


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Rows of one kind with a mismatch, and the first of their ids."""

    description: str
    count: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MediaSource:
    """An image or video that was sent to a model, and the path of its source."""

    digest: str
    source: str
    path: Path | None


_Reference = tuple[
    str, ColumnElement[Any], FromClause, ColumnElement[bool]
]  # description, id column, source and condition


def read_broken_references(connection: Connection) -> Iterator[Mismatch]:
    for what, column, source, condition in _find_references(has_request_keys(connection)):
        if n := connection.execute(select(func.count()).select_from(source).where(condition)).scalar_one():
            found = connection.execute(select(column).select_from(source).where(condition).limit(_MAX_IDS)).scalars()
            yield Mismatch(what, n, tuple(map(str, found)))


def _find_references(has_keys_and_origins: bool) -> Iterator[_Reference]:
    of_run = runs.c.id
    question = (questions.c.run == attempts.c.run) & (questions.c.id == attempts.c.question)
    yield _find_orphans("questions without a run", questions.c.id, runs, of_run == questions.c.run)
    yield _find_orphans("attempts without a run", attempts.c.id, runs, of_run == attempts.c.run)
    yield _find_orphans(UNKNOWN_QUESTION, attempts.c.id, questions, question)
    yield _find_orphans(
        "uses of a response without an attempt", steps.c.attempt, attempts, attempts.c.id == steps.c.attempt
    )
    yield _find_orphans("uses of a missing response", steps.c.attempt, responses, responses.c.id == steps.c.reply)
    yield _find_orphans("responses without a run", responses.c.id, runs, of_run == responses.c.run)
    yield _find_orphans("responses without a request", responses.c.id, requests, requests.c.key == responses.c.key)
    yield _find_orphans("responses without an attempt", responses.c.id, steps, steps.c.reply == responses.c.id)
    yield _find_orphans("requests without a response", requests.c.key, responses, responses.c.key == requests.c.key)
    yield _find_orphans("verdicts without an attempt", verdicts.c.id, attempts, attempts.c.id == verdicts.c.attempt)
    subjects = attempts.alias()
    what, column, source, missing = _find_orphans(
        "judgements of a missing attempt", attempts.c.id, subjects, subjects.c.id == attempts.c.subject
    )
    yield what, column, source, missing & (attempts.c.subject != "")
    if has_keys_and_origins:
        legacy, verdict = request_keys.c.legacy_key, verdict_origins.c.verdict
        yield _find_orphans("legacy keys without a request", legacy, requests, requests.c.key == legacy)
        yield _find_orphans("origins without a verdict", verdict, verdicts, verdicts.c.id == verdict)
        used = (steps.c.attempt == verdicts.c.attempt) & (steps.c.reply == verdict_origins.c.response)
        source = verdict_origins.join(verdicts, verdicts.c.id == verdict).outerjoin(steps, used)
        unused = steps.c.attempt.is_(None) & verdict_origins.c.response.is_not(None)
        yield "verdicts parsed from a response that their attempt did not use", verdict, source, unused


def _find_orphans(what: str, column: Column[Any], other: FromClause, on: ColumnElement[bool]) -> _Reference:
    """Rows of the column's table without a row in another one."""
    return what, column, column.table.outerjoin(other, on), next(iter(other.primary_key)).is_(None)


def read_wrong_digests(connection: Connection) -> Iterator[Mismatch]:
    found = {
        "questions whose id is not the digest of task, item and axes": (
            row.id
            for row in connection.execute(select(questions))
            if question_id(row.task, row.item, json.loads(row.axes)) != row.id
        ),
        "attempts whose id is not the digest of their fields": (
            row.id
            for row in connection.execute(select(attempts))
            if Attempt(row.run, row.question, row.model, row.strategy, row.trial, row.subject).id != row.id
        ),
        "requests whose key is not the digest of what was sent": (
            key for key in wrong_keys(connection) if not key.startswith(REDACTED)
        ),
        "images whose digest is not that of source and recipe": (
            row.digest
            for row in connection.execute(select(media_specs))
            if _media_digest(row.source, row.recipe) != row.digest
        ),
    }
    for what, ids in found.items():
        if wrong := list(ids):
            yield Mismatch(what, len(wrong), tuple(wrong[:_MAX_IDS]))


def read_media_sources(connection: Connection) -> list[MediaSource]:
    joined = media_specs.outerjoin(sources, sources.c.digest == media_specs.c.source)
    query = select(media_specs.c.digest, media_specs.c.source, sources.c.path).select_from(joined)
    return [
        MediaSource(row.digest, row.source, None if row.path is None else Path(row.path))
        for row in connection.execute(query.order_by(media_specs.c.digest))
    ]


def read_row_counts(connection: Connection) -> dict[str, int]:
    """The number of rows by kind."""
    counted = {
        "runs": runs,
        "questions": questions,
        "attempts": attempts,
        "requests": requests,
        "responses": responses,
        "verdicts": verdicts,
        "images": media_specs,
    }
    there = set(inspect(connection).get_table_names())
    return {
        name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for name, table in counted.items()
        if table.name in there
    }


def _media_digest(source: str, recipe: str) -> str:
    try:
        return media_spec_from_recipe(source, json.loads(recipe)).digest
    except (KeyError, TypeError, ValueError, ArithmeticError):
        return ""
