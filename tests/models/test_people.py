"""`baseline:people`, and the summary that quotes one of them."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_samples import ask, surroundings
from model_samples import question as choice

from affordance.core.ask import Finish, Reply
from affordance.core.grammar import Words
from affordance.core.question import Question
from affordance.models.baselines import OverlapBaseline, most_shared
from affordance.models.people import PeopleBaseline
from affordance.suites.motion.meaning import NAME
from affordance.suites.motion.meaning_judging import judge_questions
from affordance.suites.motion.references import PERSON, References
from errors import assert_carries

SAID = ("It was bought.", "It is in the cart.", "The shop has it.")


def meaning(kinds: tuple[str, ...] = ("summary",), without: str | None = "It is in the cart, bought.") -> Question:
    truth = References(kinds, SAID, orders=1, side=0, left_out=2, summary="It was put into the cart.", without=without)
    return Question(NAME, "item", {}, (), {}, Words(), truth.to_text(), files={})


def answer(question: Question) -> Reply:
    model = PeopleBaseline("baseline:people", surroundings(question))
    assert model.by_question, "the same words about another clip are another question"
    return asyncio.run(model.reply(ask("What?", grammar=question.grammar, question=question.id)))


def test_a_person_says_what_is_left_out_and_is_judged_without_it() -> None:
    question = meaning(("summary", "individual"))
    reply = answer(question)
    assert (reply.text, reply.reasoning, reply.finish) == (SAID[2], PERSON, Finish.STOP)
    compared = [tuple(one.fields.values()) for one in judge_questions(question, reply)]
    assert [set(pair) for pair in compared] == [
        {SAID[2], "It is in the cart, bought."},
        {SAID[2], SAID[0]},
        {SAID[2], SAID[1]},
    ]


def test_nobody_is_judged_against_a_summary_of_their_own_words() -> None:
    reply = answer(meaning(without=None))
    assert (reply.finish, reply.permanent) == (Finish.UNABLE, True)
    assert_carries(reply.error, "--summarizer")
    assert answer(meaning(("individual",), without=None)).text == SAID[2]


def test_people_were_asked_what_it_means_and_nothing_else() -> None:
    reply = answer(choice())
    assert (reply.finish, reply.permanent) == (Finish.UNABLE, True)
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
    assert most_shared(texts) == chosen


@settings(max_examples=40)
@given(st.lists(st.text(), min_size=1, max_size=8))
def test_it_is_one_of_them(texts: list[str]) -> None:
    assert most_shared(texts) in texts


def test_overlap_as_a_summarizer_quotes_it() -> None:
    fields = {"responses": "- red card\n- red card slides\n- card slides"}
    reply = asyncio.run(OverlapBaseline("baseline:overlap", surroundings()).reply(ask(grammar=Words(), fields=fields)))
    assert reply.text == "red card slides"
