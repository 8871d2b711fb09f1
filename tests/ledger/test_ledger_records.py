"""What is written can be read: runs, plans, replies, verdicts, and the cache."""

from dataclasses import replace

import pytest
from ledger_samples import FAILED, PATH, RIGHT, STEP, a_picture, a_question, a_reply, a_run, an_ask, an_attempt

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.digest import digest
from affordance.core.errors import LedgerError, UnknownName
from affordance.core.question import RatingScale, YesNo
from affordance.core.requests import FinishReason, Response, TokenUsage
from affordance.ledger import Ledger, ModelUsage, StatusCounts, VerdictOrigin, open_ledger
from affordance.ledger.ledger import _MAX_SHOWN
from errors import raises


def test_a_run_is_recorded_once(ledger: Ledger) -> None:
    stored = ledger.begin_run(a_run(seed=1))
    assert replace(stored, created="") == a_run(seed=1)
    assert stored.created.endswith("+00:00")
    assert ledger.begin_run(a_run(seed=1)) == stored
    assert [summary.run for summary in ledger.run_summaries()] == [stored]


def test_a_name_that_is_taken_says_what_differs(ledger: Ledger) -> None:
    ledger.begin_run(a_run(seed=1, models=["m"]))
    with raises(LedgerError, "'first'", "seed", "2", "1", "fresh", "true", "false") as error:
        ledger.begin_run(a_run(seed=2, models=["m"], fresh=True))
    assert "models" not in str(error.value)
    assert len(ledger.run_summaries()) == 1


def test_long_settings_are_cut_where_they_differ(ledger: Ledger) -> None:
    fits, long = "x" * (_MAX_SHOWN - 2), "y" * (_MAX_SHOWN - 1)  # in quotes
    ledger.begin_run(a_run(prompt=fits))
    with raises(LedgerError, f'"{fits}"', f'"{long[: _MAX_SHOWN - 2]}…') as error:
        ledger.begin_run(a_run(prompt=long))
    assert long not in str(error.value)


def test_a_run_is_found_by_name_and_by_id(ledger: Ledger) -> None:
    run = ledger.begin_run(a_run("pilot"))
    assert ledger.find_run("pilot") == ledger.find_run(run.id) == run
    with raises(UnknownName, "pilto", "pilot") as unknown:
        ledger.find_run("pilto")
    assert (unknown.value.found, unknown.value.suggested) == ("pilto", "pilot")


def test_planning_again_changes_nothing(ledger: Ledger) -> None:
    run = ledger.begin_run(a_run())
    question = a_question()
    entries = [(an_attempt(run, question, trial=trial), "effect", question) for trial in range(3)]
    ledger.add_attempts(entries).result()
    ledger.add_verdict(entries[0][0].id, RIGHT).result()
    ledger.add_attempts(entries).result()
    assert ledger.run_summaries()[0].attempts == StatusCounts(3, {AttemptStatus.ANSWERED: 1})
    assert ledger.run_summaries()[0].attempts.pending == 2


def test_lines_are_what_each_run_has_asked(ledger: Ledger) -> None:
    question = a_question()
    for name, models in (("first", "mn"), ("second", "o")):
        run = ledger.begin_run(a_run(name))
        attempts = [an_attempt(run, question, model, trial) for model in models for trial in range(2)]
        attempts.append(an_attempt(run, question, "judge", subject=attempts[0].id))
        ledger.add_attempts([(attempt, "effect", question) for attempt in attempts]).result()
    found = [(line.run, line.task, line.model) for line in ledger.run_entries()]
    assert found == [("first", "effect", "m"), ("first", "effect", "n"), ("second", "effect", "o")]


def test_outcomes_come_in_one_order_whatever_the_order_of_planning(ledger: Ledger) -> None:
    run = ledger.begin_run(a_run())
    questions = [a_question(item, task, order=order) for task in "ba" for item in ("Z", "é", "a") for order in (1, 0)]
    attempts = [
        (an_attempt(run, question, model, trial), question.task, question)
        for question in questions
        for model in ("n", "m", "M")
        for trial in (1, 0)
    ]
    ledger.add_attempts(attempts).result()
    order = {question.id: question.axes["order"] for question in questions}
    found = [
        (o.task, o.model, o.item_id, order[o.question_id], o.trial, o.attempt_id)
        for o in ledger.attempt_results(run.id)
    ]
    assert found == sorted(found)
    assert {row[-1] for row in found} == {attempt.id for attempt, _, _ in attempts}


def test_an_outcome_holds_question_and_verdict(ledger: Ledger) -> None:
    run = ledger.begin_run(a_run())
    question = a_question(order=1)
    attempt = an_attempt(run, question)
    ledger.add_attempts([(attempt, "effect", question)]).result()
    [pending] = ledger.attempt_results(run.id)
    assert (pending.verdict, pending.first_verdict) == (None, None)
    verdict = Verdict(AttemptStatus.ANSWERED, "no", 0.0, detail={"nid": 0.25, "list": [1, None]})
    ledger.add_verdict(attempt.id, verdict, first=Verdict(AttemptStatus.UNPARSED)).result()
    assert list(ledger.attempt_results(run.id)) == [
        AttemptResult(
            attempt_id=attempt.id,
            task="effect",
            model="m",
            strategy="zero-shot",
            trial=0,
            question_id=question.id,
            item_id="clip-1",
            truth="yes",
            tags={"family": "fade"},
            cluster="clip-1",
            verdict=verdict,
            first_verdict=Verdict(AttemptStatus.UNPARSED),
        )
    ]


def test_the_latest_verdict_counts_and_the_older_stay(ledger: Ledger) -> None:
    run = ledger.begin_run(a_run())
    question = a_question()
    attempt = an_attempt(run, question)
    ledger.add_attempts([(attempt, "effect", question)])
    for verdict in (FAILED, RIGHT, replace(RIGHT, score=0.5)):
        ledger.add_verdict(attempt.id, verdict)
    ledger.add_verdict("another", FAILED).result()
    assert ledger.statuses(run.id) == {attempt.id: AttemptStatus.ANSWERED}
    assert [outcome.verdict for outcome in ledger.attempt_results(run.id)] == [replace(RIGHT, score=0.5)]
    assert ledger.verdict_history(attempt.id) == [FAILED, RIGHT, replace(RIGHT, score=0.5)]


def test_judgements_are_kept_apart(ledger: Ledger) -> None:
    run = ledger.begin_run(a_run())
    question = a_question()
    attempt = an_attempt(run, question)
    judgement = an_attempt(run, question, model="judge", subject=attempt.id)
    ledger.add_attempts([(attempt, "effect", question), (judgement, "effect", question)])
    ledger.add_verdict(judgement.id, RIGHT).result()
    assert [outcome.attempt_id for outcome in ledger.attempt_results(run.id)] == [attempt.id]
    assert [outcome.attempt_id for outcome in ledger.attempt_results(run.id, judgements=True)] == [judgement.id]
    assert ledger.judged_attempts(run.id) == {judgement.id: attempt.id}
    [summary] = ledger.run_summaries()
    assert (summary.attempts, summary.judgements) == (StatusCounts(1, {}), StatusCounts(1, {AttemptStatus.ANSWERED: 1}))
    assert ledger.statuses(run.id) == {judgement.id: AttemptStatus.ANSWERED}


def test_a_reply_is_read_as_it_was(ledger: Ledger) -> None:
    reply = Response(
        "a", "b", FinishReason.LENGTH, "e", True, usage=TokenUsage(2**40, None, 0), seconds=0.1, served_by="s"
    )
    number = ledger.add_response("attempt", STEP, an_ask("one"), reply, run="r").result()
    assert ledger.get_response(number) == reply
    with raises(LedgerError, ledger.location, 99):
        ledger.get_response(99)


def test_only_replies_that_can_be_used_again_are_cached(ledger: Ledger) -> None:
    numbers = {
        an_ask(finish).key: ledger.add_response(
            "attempt", STEP, an_ask(finish), Response(finish=finish), run="r"
        ).result()
        for finish in FinishReason
    }
    usable = {an_ask(finish).key for finish in (FinishReason.STOP, FinishReason.LENGTH, FinishReason.REFUSAL)}
    assert set(FinishReason) == {
        FinishReason.STOP,
        FinishReason.LENGTH,
        FinishReason.REFUSAL,
        FinishReason.ERROR,
        FinishReason.UNSUPPORTED,
    }
    assert ledger.reusable_response_ids() == {key: number for key, number in numbers.items() if key in usable}


def test_the_newest_usable_reply_is_cached(ledger: Ledger) -> None:
    one, two = an_ask("one"), an_ask("two")
    ledger.add_response("a", STEP, one, a_reply(), run="r")
    newest = ledger.add_response("a", STEP, one, a_reply(), run="s")
    ledger.add_response("a", STEP, one, Response(finish=FinishReason.ERROR), run="s")
    other = ledger.add_response("b", STEP, two, a_reply(), run="r")
    other.result()
    assert ledger.reusable_response_ids() == {one.key: newest.result(), two.key: other.result()}


def test_a_fresh_run_sees_only_its_own_replies(ledger: Ledger) -> None:
    one, two = an_ask("one"), an_ask("two")
    ledger.add_response("a", STEP, one, a_reply(), run="old")
    mine = ledger.add_response("b", STEP, two, a_reply(), run="new").result()
    assert ledger.reusable_response_ids(fresh_run="new") == {two.key: mine}
    assert ledger.reusable_response_ids(fresh_run="none") == {}


def test_steps_show_made_and_cached_replies_in_order(ledger: Ledger) -> None:
    one, two = an_ask("one"), an_ask("two")
    second = ledger.add_response("attempt", (1, 0, 0), two, a_reply("second"), run="r").result()
    first = ledger.add_response("other", STEP, one, a_reply("first"), run="r").result()
    ledger.link_response("attempt", STEP, first)
    ledger.link_response("attempt", STEP, first).result()
    found = ledger.steps_of(["attempt"])["attempt"]
    assert [(s.step, s.key, s.response_id, s.response.text) for s in found] == [
        (STEP, one.key, first, "first"),
        ((1, 0, 0), two.key, second, "second"),
    ]
    assert found[0].transcript == one.transcript


def test_pictures_are_kept_with_source_recipe_and_the_first_path(ledger: Ledger, where: str) -> None:
    ledger.add_response("a", STEP, an_ask("one", pictures=3), a_reply(), run="r").result()
    with open_ledger(where) as other:
        moved = replace(an_ask("two", pictures=4), source_paths={digest("clip"): PATH.with_name("moved.mp4")})
        other.add_response("a", STEP, moved, a_reply(), run="r").result()
    for seconds in range(4):
        record = ledger.media_record(a_picture(seconds).digest)
        assert record is not None
        assert record.source == digest("clip")
        assert record.recipe == a_picture(seconds).to_recipe()
        assert record.path == PATH
    assert ledger.media_record("unknown") is None


def test_a_picture_whose_file_is_not_known_has_no_path(ledger: Ledger) -> None:
    ledger.add_response("a", STEP, replace(an_ask("one"), source_paths={}), a_reply(), run="r").result()
    record = ledger.media_record(a_picture().digest)
    assert record is not None
    assert record.path is None


def test_usage_counts_what_was_made_in_the_run_by_model(ledger: Ledger) -> None:
    ledger.add_response("a", STEP, an_ask("one", model="x"), a_reply(), run="r", requests=3)
    ledger.add_response("b", STEP, an_ask("two", model="x"), replace(a_reply(), usage=TokenUsage(1)), run="r")
    ledger.add_response("c", STEP, an_ask("three", model="y"), Response(seconds=2.0), run="r")
    number = ledger.add_response("d", STEP, an_ask("four", model="y"), a_reply(), run="earlier").result()
    ledger.link_response("e", STEP, number).result()
    assert ledger.token_usage("r") == [
        ModelUsage("x", 2, 4, input_tokens=11, output_tokens=2, reasoning_tokens=None, seconds=1.0, uncounted=1),
        ModelUsage("y", 1, 1, input_tokens=None, output_tokens=None, reasoning_tokens=None, seconds=2, uncounted=1),
    ]


IMPOSSIBLE = {
    2**63: Response(usage=TokenUsage(input=2**63)),
    -1: Response(usage=TokenUsage(output=-1)),
    "nan": Response(seconds=float("nan")),
}


def test_a_reply_that_no_database_can_hold_is_refused_at_once(ledger: Ledger) -> None:
    for found, reply in IMPOSSIBLE.items():
        with raises(ValueError, found):
            ledger.add_response("a", STEP, an_ask("one"), reply, run="r")
    largest = Response(usage=TokenUsage(2**63 - 1, 0), seconds=0.0)
    number = ledger.add_response("a", STEP, an_ask("one"), largest, run="r").result()
    assert ledger.get_response(number) == largest


def test_a_verdict_without_a_possible_score_is_refused_at_once(ledger: Ledger) -> None:
    for score in (float("nan"), float("inf"), 1.001, -0.001):
        with raises(ValueError, score):
            ledger.add_verdict("a", replace(RIGHT, score=score))
    with pytest.raises(ValueError):
        ledger.add_verdict("a", replace(RIGHT, detail={"x": float("nan")}))
    possible = [replace(RIGHT, score=score) for score in (0.0, 1.0, None)]
    for verdict in possible:
        ledger.add_verdict("a", verdict).result()
    assert ledger.verdict_history("a") == possible


def test_a_ledger_for_reading_reads_and_does_not_write(ledger: Ledger, where: str) -> None:
    run = ledger.begin_run(a_run())
    with open_ledger(where, read_only=True) as reading:
        assert [summary.run for summary in reading.run_summaries()] == [run]
        with raises(LedgerError, reading.location):
            reading.begin_run(a_run("second"))


def test_outcomes_can_be_left_early(ledger: Ledger) -> None:
    run = ledger.begin_run(a_run())
    question = a_question()
    ledger.add_attempts([(an_attempt(run, question, trial=n), "effect", question) for n in range(1200)]).result()
    for _ in range(10):
        outcomes = ledger.attempt_results(run.id)
        assert next(outcomes).trial == 0
        outcomes.close()
    assert sum(1 for _ in ledger.attempt_results(run.id)) == 1200


def test_a_verdict_says_what_it_was_read_from(ledger: Ledger) -> None:
    run = ledger.begin_run(a_run())
    questions = [a_question(number=number) for number in range(3)]
    attempts = [an_attempt(run, question) for question in questions]
    ledger.add_attempts([(attempt, "effect", question) for attempt, question in zip(attempts, questions, strict=True)])
    read, unknown, silent = [attempt.id for attempt in attempts]
    numbers = {
        (name, place): ledger.add_response(
            name, (0, place, 0), an_ask(f"{name}{place}"), a_reply(), run=run.id
        ).result()
        for name in (read, unknown)
        for place in (0, 1)
    }
    later = VerdictOrigin(numbers[read, 0], RatingScale(0, 5), 7)
    ledger.add_verdict(read, RIGHT, origin=VerdictOrigin(numbers[read, 1], None))
    ledger.add_verdict(read, RIGHT, origin=later)
    ledger.add_verdict(unknown, RIGHT, origin=VerdictOrigin(numbers[unknown, 0], YesNo()))
    ledger.add_verdict(unknown, RIGHT).result()
    answered = ledger.answered_steps([read, unknown, silent])
    assert {name: one.response_id for name, one in answered.items()} == {
        read: numbers[read, 0],
        unknown: numbers[unknown, 1],
    }
    assert ledger.verdict_origins(run.id) == {read: later}
    assert [one.parser_version for one in ledger.attempt_results(run.id) if one.attempt_id in (read, unknown)] == [7, 1]
