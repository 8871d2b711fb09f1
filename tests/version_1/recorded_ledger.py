"""What the tests of recorded runs take from the inside of the program and of the ledger: renaming touches this file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from affordance.core.json_text import canonical_json
from affordance.core.requests import CallSettings, legacy_request_key
from affordance.datasets import load_collection


def request_key(entry: dict[str, Any]) -> str:
    """The key of a request of version 1, from all that it was made of."""
    address = CallSettings(entry["model"], entry["base_url"], entry["dialect"], entry["pack"], entry["parameters"])
    number, place, retry = entry["step"]
    messages = canonical_json(entry["messages"])
    return legacy_request_key(address, messages, entry["trial"], (number, place, retry), entry["besides"])


def describe_dataset(spec: str, cache: Path) -> dict[str, Any]:
    data = load_collection(spec, cache)
    return {
        "described": data.to_record(),
        "items": {part.header.kind: [item.id for item in part.items] for part in data.datasets},
        "digests": {part.header.kind: part.digest() for part in data.datasets},
        "names": {part.header.kind: part.name for part in data.datasets},
    }


@contextmanager
def ledger_rows(where: str) -> Iterator[Any]:
    """A function that reads rows of a ledger, in SQLite or Postgres, by SQL."""
    if "://" in where:
        import psycopg

        with psycopg.connect(where) as postgres:
            yield lambda text: postgres.execute(text).fetchall()
    else:
        with closing(sqlite3.connect(where)) as connection:
            yield lambda text: connection.execute(text).fetchall()


def run_ids(where: str) -> dict[str, str]:
    with ledger_rows(where) as rows:
        return dict(rows("SELECT name, id FROM ledger_runs"))


def question_ids(where: str) -> dict[str, dict[str, dict[str, list[str]]]]:
    """By run, task and item."""
    with ledger_rows(where) as rows:
        found = rows(
            "SELECT u.name, q.task, q.item, q.id FROM ledger_questions q JOIN ledger_runs u ON u.id = q.run "
            "ORDER BY u.name, q.task, q.item, q.id"
        )
    questions: dict[str, dict[str, dict[str, list[str]]]] = {}
    for run, task, item, identity in found:
        questions.setdefault(run, {}).setdefault(task, {}).setdefault(item, []).append(identity)
    return questions


def attempt_ids(where: str) -> dict[str, list[str]]:
    """By run, without judgements."""
    with ledger_rows(where) as rows:
        found = rows(
            "SELECT u.name, a.id FROM ledger_attempts a JOIN ledger_runs u ON u.id = a.run WHERE a.subject = '' "
            "ORDER BY 1, 2"
        )
    attempts: dict[str, list[str]] = {}
    for run, identity in found:
        attempts.setdefault(run, []).append(identity)
    return attempts


def request_keys(where: str) -> set[str]:
    """Requests by the key that version 1 gave them, where it did."""
    with ledger_rows(where) as rows:
        found = rows(
            "SELECT coalesce(k.legacy_key, a.key) FROM ledger_asks a LEFT JOIN ledger_request_keys k ON k.key = a.key"
        )
        return {key for (key,) in found}
