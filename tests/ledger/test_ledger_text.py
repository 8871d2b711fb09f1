"""Whatever a model says comes back as it was said."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ledger_samples import STEP, a_question, a_run, an_ask, an_attempt

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.requests import Response
from affordance.ledger import Ledger
from affordance.ledger.schema import ESCAPE_MARK, escape, unescape

# Any code points, lone surrogates included, with the difficult ones often.
anything = st.text(
    st.one_of(st.sampled_from(f"\0{ESCAPE_MARK}\ud800\udfff\\0a😀é%:"), st.characters(codec=None)), max_size=40
)


@settings(max_examples=40)
@given(anything)
def test_escaping_is_lossless_and_leaves_what_every_database_takes(text: str) -> None:
    stored = escape(text)
    assert unescape(stored) == text
    assert "\0" not in stored
    stored.encode()


@pytest.mark.parametrize("text", ["", "plain", "C:\\new\\0", "%s %(name)s :name ?", "déjà vu 😀", '{"a": "\\u0000"}'])
def test_ordinary_text_is_stored_as_it_is(text: str) -> None:
    assert escape(text) == text


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(anything, min_size=5, max_size=5))
def test_every_text_survives_both_databases(ledger: Ledger, texts: list[str]) -> None:
    text, reasoning, error, answer, key = texts
    reply = Response(text, reasoning, error=error, served_by=answer)
    verdict = Verdict(AttemptStatus.ANSWERED, answer, 1.0, reasoning, {key: [text, {"deep": error}]})
    number = ledger.add_response("a", STEP, an_ask("one"), reply, run="r")
    ledger.add_verdict("a", verdict).result()
    assert ledger.get_response(number.result()) == reply
    assert ledger.verdict_history("a")[-1] == verdict


def test_names_may_hold_anything_too(ledger: Ledger) -> None:
    odd = "it\0em\ud83d\x1a 😀"
    run = ledger.begin_run(a_run(odd, note=odd))
    question = a_question(odd, task=odd, **{odd: odd})
    ledger.add_attempts([(an_attempt(run, question, model=odd), odd, question)]).result()
    assert ledger.begin_run(a_run(odd, note=odd)) == ledger.find_run(odd) == run
    assert run.settings == {"note": odd}
    [outcome] = ledger.attempt_results(run.id)
    assert (outcome.item_id, outcome.task, outcome.model, outcome.cluster) == (odd, odd, odd, odd)


def test_a_megabyte_survives(ledger: Ledger) -> None:
    text = "word 😀\0" * (5 * 1024 * 1024 // 40)
    number = ledger.add_response("a", STEP, an_ask("one"), Response(text), run="r").result()
    assert ledger.get_response(number).text == text
