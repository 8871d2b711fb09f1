"""Requests of earlier versions are found under the keys that they have today."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ledger_samples import RIGHT, STEP, a_question, a_reply, a_run, an_ask, an_attempt
from sqlalchemy import Connection, select

from affordance.core.digest import digest
from affordance.core.question import YesNo
from affordance.core.requests import CallSettings, RequestStep, Response, legacy_request_key, lookup_id_of, request_key
from affordance.ledger import REDACTED, Ledger, Redaction, RequestRecord, VerdictOrigin, open_ledger
from affordance.ledger.connections import postgres_engine, sqlite_engine, write_connection
from affordance.ledger.schema import leases, request_keys, schema_version, verdict_origins

HTTP = CallSettings("openai:m", "https://host/v1", "", "pack", {"temperature": 0})
TRANSCRIPT = '[["user",["Which?"]]]'
# By name: whom a request goes to, what a model knows it by in addition to its messages, and who serves the response.
REQUESTS: dict[str, tuple[CallSettings, str, str]] = {
    "over HTTP": (HTTP, "", "m-2025"),
    "in a dialect": (replace(HTTP, model="openai:d", dialect="gemini"), "", ""),
    "by the question": (CallSettings("oracle"), digest("q"), ""),
    "by the question, in a dialect": (CallSettings("oracle:gemini", "", "gemini"), digest("q"), ""),
    "by its images, in this process": (CallSettings("baseline:pixels", "", "gemini"), "", ""),
    "of a person": (CallSettings("study:s"), f"{digest('q')} CODE/1", "CODE/1"),
    "of nobody": (CallSettings("study:t"), f"{digest('q')} ", ""),
}


def a_request(
    address: CallSettings, lookup: str = "", trial: int = 0, step: RequestStep = STEP, transcript: str = TRANSCRIPT
) -> tuple[RequestRecord, str]:
    """As version 1 stored it, and its key of today."""
    old = legacy_request_key(address, transcript, trial, step, lookup)
    new = request_key(address, transcript, trial, step, lookup_id_of(lookup, address))
    return RequestRecord(old, address, digest("q"), transcript), new


def change(where: str, work: Callable[[Connection], Any]) -> None:
    from sqlalchemy import make_url

    engine = (
        postgres_engine(make_url(where), lock_seconds=1)
        if "://" in where
        else sqlite_engine(Path(where), read_only=False, lock_seconds=1)
    )
    with write_connection(engine) as connection, connection.begin():
        work(connection)
    engine.dispose()


def as_version_4(where: str) -> None:
    def work(connection: Connection) -> None:
        for table in (request_keys, verdict_origins, leases):
            table.drop(connection)
        connection.execute(schema_version.update(), {"version": 4})

    change(where, work)


@pytest.fixture
def version_4(where: str) -> dict[str, str]:
    """A ledger of version 4 with all those requests; by name, their keys of today."""
    keys = {}
    with open_ledger(where) as ledger:
        run = ledger.begin_run(a_run("old"))
        for number, (name, (address, lookup, served_by)) in enumerate(REQUESTS.items()):
            attempt = an_attempt(run, a_question(name=name), address.model, trial=number)
            step = (number, 1, 2)
            asked, keys[name] = a_request(address, lookup, number, step)
            ledger.add_attempts([(attempt, "effect", a_question(name=name))])
            reply = replace(a_reply(name), served_by=served_by)
            ledger.add_response(attempt.id, step, asked, reply, run=run.id)
            ledger.add_verdict(attempt.id, RIGHT).result()
    as_version_4(where)
    return keys


@pytest.mark.parametrize("read_only", [True, False])
def test_requests_of_version_4_are_found_by_their_keys_of_today(
    version_4: dict[str, str], where: str, read_only: bool
) -> None:
    with open_ledger(where, read_only=read_only) as ledger:
        cached = ledger.reusable_response_ids()
        assert {name: ledger.get_response(cached[key]).text for name, key in version_4.items()} == {
            name: name for name in REQUESTS
        }
        if not read_only:
            run = ledger.find_run("old")
            steps = ledger.steps_of([one.attempt_id for one in ledger.attempt_results(run.id)])
            assert {step.key for found in steps.values() for step in found} == set(version_4.values())
            assert ledger.response_ids_by_key([*version_4.values(), "no key"]) == cached
            assert ledger.response_ids_by_key([version_4["over HTTP"]], fresh_run="another") == {}


def test_a_key_that_cannot_be_proven_stays_as_it_is(where: str) -> None:
    with open_ledger(where) as ledger:
        number = ledger.add_response("attempt", STEP, an_ask("one"), a_reply(), run="r").result()
    as_version_4(where)
    with open_ledger(where) as ledger:
        assert ledger.reusable_response_ids() == {an_ask("one").key: number}


def test_of_the_same_request_with_two_prompt_packs_the_newest_response_counts(where: str) -> None:
    with open_ledger(where) as ledger:
        run = ledger.begin_run(a_run())
        attempt = an_attempt(run, a_question())
        ledger.add_attempts([(attempt, "effect", a_question())])
        for pack in ("one", "two", "three"):
            asked, key = a_request(replace(HTTP, prompt_digest=pack))
            newest = ledger.add_response(attempt.id, STEP, asked, a_reply(pack), run=run.id).result()
    as_version_4(where)
    with open_ledger(where) as ledger:
        assert ledger.reusable_response_ids() == {key: newest}
        assert ledger.response_ids_by_key([key]) == {key: newest}
        now = ledger.add_response(attempt.id, STEP, replace(asked, key=key), a_reply("now"), run="r").result()
        assert ledger.reusable_response_ids() == {key: now}
        assert ledger.response_ids_by_key([key]) == {key: now}
        asked, other = a_request(HTTP, trial=0, transcript="[]")
        late = ledger.add_response(attempt.id, STEP, asked, a_reply("late"), run=run.id).result()
        for _ in range(2):
            ledger.add_request_keys([asked.key, key, "no key"])
        assert ledger.reusable_response_ids() == {key: now, other: late}


def test_the_call_settings_of_a_run_have_its_own_prompts(ledger: Ledger) -> None:
    """Another run has sent the same messages before, with another pack."""
    asked, key = a_request(HTTP)
    asked = replace(asked, key=key)
    for name in ("first", "second"):
        run = ledger.begin_run(a_run(name, prompts={"effect": f"pack of {name}"}))
        attempt = an_attempt(run, a_question())
        ledger.add_attempts([(attempt, "effect", a_question())])
        if name == "first":
            number = ledger.add_response(attempt.id, STEP, asked, a_reply(), run=run.id).result()
        else:
            ledger.link_response(attempt.id, STEP, number).result()
        assert ledger.call_settings(run.id) == {HTTP.model: [replace(HTTP, prompt_digest=f"pack of {name}")]}


def test_redaction_forgets_keys(where: str) -> None:
    """A key of a judgement of what a person said is a digest of it."""
    person = CallSettings("study:s")
    judge = replace(HTTP, model="openai:judge")
    with open_ledger(where) as ledger:
        run = ledger.begin_run(a_run())
        attempt = an_attempt(run, a_question(), person.model)
        judgement = an_attempt(run, a_question(judged=1), judge.model, subject=attempt.id)
        ledger.add_attempts([(attempt, "meaning", a_question()), (judgement, "meaning", a_question(judged=1))])
        said, _ = a_request(person, f"{digest('q')} CODE/1")
        judged, _ = a_request(judge, transcript='[["user",["Is it calm?"]]]')
        ledger.add_response(attempt.id, STEP, said, Response("It is calm.", served_by="CODE/1"), run=run.id)
        ledger.add_response(judgement.id, STEP, judged, a_reply(), run=run.id)
        for one in (attempt, judgement):
            ledger.add_verdict(one.id, RIGHT).result()
    as_version_4(where)
    kept: list[tuple[str, str]] = []
    origins: list[tuple[int | None, str | None]] = []
    with open_ledger(where) as ledger:
        ledger.add_verdict(judgement.id, RIGHT, origin=VerdictOrigin(1, YesNo()))
        ledger.add_verdict("another", RIGHT, origin=VerdictOrigin(1, YesNo())).result()
        ledger.documents.redact(Redaction({}, "", person.model, "CODE/"))
        assert {one.verdict.reason for one in ledger.attempt_results(run.id, judgements=True) if one.verdict} == {
            REDACTED
        }
    change(where, lambda connection: kept.extend(tuple(row) for row in connection.execute(request_keys.select())))
    columns = (verdict_origins.c.response, verdict_origins.c.answer_format)
    query = select(*columns).order_by(verdict_origins.c.verdict)
    change(where, lambda connection: origins.extend(tuple(row) for row in connection.execute(query)))
    forgotten = [pair for pair in kept if pair[0] != said.key]
    assert [(old == new, old.startswith(REDACTED)) for old, new in forgotten] == [(True, True)]
    assert [(response, answer_format is None) for response, answer_format in origins] == [
        (None, True),
        (1, False),
        (None, True),
        (None, True),
    ]
