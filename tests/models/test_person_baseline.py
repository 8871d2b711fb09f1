"""`baseline:people`, and the summary that quotes one response."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_samples import ask, surroundings
from model_samples import question as choice

from affordance.core.question import FreeText, Question
from affordance.core.requests import FinishReason, Response
from affordance.models.baselines.overlap import OverlapBaseline, most_overlapping
from affordance.models.baselines.person import PersonBaseline
from affordance.tasks.motion.meaning import NAME
from affordance.tasks.motion.meaning_judging import PERSON_BASELINE, MeaningReferences, plan_judgements
from affordance.tasks.scoring import JudgedAnswer
from errors import assert_carries

SAID = ("It was bought.", "It is in the cart.", "The shop has it.")


def meaning(kinds: tuple[str, ...] = ("summary",), without: str | None = "It is in the cart, bought.") -> Question:
    truth = MeaningReferences(
        kinds, SAID, orders=1, side=0, left_out=2, summary="It was put into the cart.", without=without
    )
    return Question(NAME, "item", {}, (), {}, FreeText(), truth.to_text(), source_paths={})


def answer(question: Question) -> Response:
    model = PersonBaseline("baseline:people", surroundings(question))
    assert model.answers_by_question, "the same words about another clip are another question"
    return asyncio.run(model.send(ask("What?", grammar=question.answer_format, question=question.id)))


def test_a_person_says_what_is_left_out_and_is_judged_without_it() -> None:
    question = meaning(("summary", "individual"))
    reply = answer(question)
    assert (reply.text, reply.reasoning, reply.finish) == (SAID[2], "", FinishReason.STOP)
    compared = [
        tuple(one.prompt_fields.values())
        for one in plan_judgements(question, JudgedAnswer.from_response(reply, PERSON_BASELINE))
    ]
    assert [set(pair) for pair in compared] == [
        {SAID[2], "It is in the cart, bought."},
        {SAID[2], SAID[0]},
        {SAID[2], SAID[1]},
    ]


def test_nobody_is_judged_against_a_summary_of_their_own_words() -> None:
    reply = answer(meaning(without=None))
    assert (reply.finish, reply.permanent) == (FinishReason.UNSUPPORTED, True)
    assert_carries(reply.error, "--summarizer")
    assert answer(meaning(("individual",), without=None)).text == SAID[2]


def test_people_were_asked_what_it_means_and_nothing_else() -> None:
    reply = answer(choice())
    assert (reply.finish, reply.permanent) == (FinishReason.UNSUPPORTED, True)
    assert_carries(reply.error, "baseline:people", NAME)


SHARED = {
    "one": (["It fades."], "It fades."),
    "the one in the middle": (["red card", "red card slides", "card slides"], "red card slides"),
    "level: the first": (["card slides", "slides card", "button"], "card slides"),
    "nothing in common: the first": (["red", "green", "blue"], "red"),
    "common words do not count": (["it is the", "card slides", "the card slides"], "card slides"),
}


@pytest.mark.parametrize(("texts", "chosen"), SHARED.values(), ids=SHARED.keys())
def test_the_text_that_shares_most_words(texts: list[str], chosen: str) -> None:
    assert most_overlapping(texts) == chosen


@settings(max_examples=40)
@given(st.lists(st.text(), min_size=1, max_size=8))
def test_it_is_one_of_them(texts: list[str]) -> None:
    assert most_overlapping(texts) in texts


def test_overlap_as_a_summarizer_quotes_it() -> None:
    fields = {"responses": "- red card\n- red card slides\n- card slides"}
    reply = asyncio.run(
        OverlapBaseline("baseline:overlap", surroundings()).send(ask(grammar=FreeText(), prompt_fields=fields))
    )
    assert reply.text == "red card slides"
