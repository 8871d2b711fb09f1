"""Strategies, driven by hand: how many calls each makes, and who sees what in them."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from affordance.core.media_spec import ImageSpec
from affordance.core.question import FreeText, PairChoice, Question
from affordance.core.requests import CallSettings, Request, Response, request_key, transcript
from affordance.tasks.behavior.choice import CHOICE, questions
from affordance.tasks.prompts import load_prompt_pack
from behavior_data import pair, write_pairs
from task_numbers import design_of

PROMPTS = load_prompt_pack(CHOICE).texts
DESIGN = design_of(CHOICE)
DECIDED = "More effective: First"


@pytest.fixture(scope="module")
def question(tmp_path_factory: pytest.TempPathFactory) -> Question:
    return next(questions(write_pairs(tmp_path_factory.mktemp("pair"), pair("alpha")), DESIGN)).question


def drive(strategy: str, question: Question, replies: Sequence[str]) -> tuple[list[Request], Response]:
    """All asks of a strategy that gets these replies, which must be as many as it wants, and what it returns."""
    steps = CHOICE.strategies[strategy](question, PROMPTS)
    (ask,) = next(steps)
    asks = [ask]
    for text in replies[:-1]:
        (ask,) = steps.send([Response(text)])
        asks.append(ask)
    with pytest.raises(StopIteration) as done:
        steps.send([Response(replies[-1])])
    assert isinstance(done.value.value, Response)
    return asks, done.value.value


def text_of(ask: Request) -> str:
    (message,) = ask.messages
    text, *pictures = message.parts
    assert message.role == "user"
    assert isinstance(text, str)
    assert len(pictures) == 2
    assert all(isinstance(picture, ImageSpec) for picture in pictures)
    return text


DEBATE = ["F1", "S1", "F2", "S2", "F3", "S3"]
# The replies to the calls of each strategy, and which of them stand in the prompt of each call.
CALLS: dict[str, tuple[list[str], list[set[str]]]] = {
    "zero-shot": ([DECIDED], [set()]),
    "cocot": ([DECIDED], [set()]),
    "ddcot": ([DECIDED], [set()]),
    "relabelled": (["More effective: Amber"], [set()]),
    "self-refine": (["DRAFT", "REVIEW", DECIDED], [set(), {"DRAFT"}, {"DRAFT", "REVIEW"}]),
    "debate-1": ([*DEBATE[:2], DECIDED], [set(), {"F1"}, {"F1", "S1"}]),
    "debate-3": ([*DEBATE, DECIDED], [set(), {"F1"}, {"S1"}, {"F2"}, {"S2"}, {"F3"}, {"F3", "S3"}]),
}


@pytest.mark.parametrize(("strategy", "replies", "seen"), [(name, *call) for name, call in CALLS.items()], ids=CALLS)
def test_calls_and_who_sees_what(question: Question, strategy: str, replies: list[str], seen: list[set[str]]) -> None:
    asks, _ = drive(strategy, question, replies)
    words = [reply for reply in replies if reply not in (DECIDED, "More effective: Amber")]
    assert [{word for word in words if word in text_of(ask)} for ask in asks] == seen
    assert all(ask.images == question.media for ask in asks), "both pictures go with every call"


def test_every_strategy_is_in_the_table() -> None:
    assert set(CALLS) == set(CHOICE.strategies)


@pytest.mark.parametrize(("strategy", "replies"), [(name, replies) for name, (replies, _) in CALLS.items()], ids=CALLS)
def test_an_answer_is_asked_for_in_the_last_call_only(question: Question, strategy: str, replies: list[str]) -> None:
    """And in the draft that self-refinement starts from. What is asked for otherwise is any words."""
    asks, _ = drive(strategy, question, replies)
    wanted = ["More effective: <" in text_of(ask) for ask in asks]
    either = [isinstance(ask.answer_format, PairChoice) for ask in asks]
    expected = [True, False, True] if strategy == "self-refine" else [False] * (len(asks) - 1) + [True]
    assert wanted == either == expected
    assert all(isinstance(ask.answer_format, PairChoice | FreeText) for ask in asks)


def test_what_a_strategy_returns_is_its_last_reply(question: Question) -> None:
    for strategy, (replies, _) in CALLS.items():
        assert drive(strategy, question, replies)[1].text == replies[-1]


def key(ask: Request, number: int) -> str:
    return request_key(CallSettings("m"), transcript(ask), 0, (number, 0, 0))


def test_self_refinement_starts_with_the_ask_of_cocot(question: Question) -> None:
    (cocot,), _ = drive("cocot", question, [DECIDED])
    refining, _ = drive("self-refine", question, CALLS["self-refine"][0])
    assert key(cocot, 0) == key(refining[0], 0)


def test_both_debates_share_the_asks_of_the_first_round(question: Question) -> None:
    short, _ = drive("debate-1", question, CALLS["debate-1"][0])
    long, _ = drive("debate-3", question, CALLS["debate-3"][0])
    assert [key(ask, n) for n, ask in enumerate(short[:2])] == [key(ask, n) for n, ask in enumerate(long[:2])]
    keys = {key(ask, n) for n, ask in enumerate(short)} | {key(ask, n) for n, ask in enumerate(long)}
    assert len(keys) == 8, "six debaters and two moderators"


def test_debaters_hold_their_sides_and_the_moderator_knows_the_round(question: Question) -> None:
    asks, _ = drive("debate-3", question, CALLS["debate-3"][0])
    opening = [text_of(ask).removesuffix(CALLS["debate-3"][0][0]) for ask in asks[:2]]
    assert opening[0] != opening[1]
    assert opening[0].replace("first", "second") == opening[1].replace("first", "second"), "one side each"
    assert re.search(r"\b3\b", text_of(asks[6]))
    assert re.search(r"\b1\b", text_of(drive("debate-1", question, CALLS["debate-1"][0])[0][2]))


def test_prompts_in_replies_are_not_filled_in(question: Question) -> None:
    asks, _ = drive("self-refine", question, ["{goal} {feedback}", "{previous_answer}", DECIDED])
    assert "{goal} {feedback}" in text_of(asks[1])
    assert "{previous_answer}" in text_of(asks[2])


@pytest.mark.parametrize("place", [0, 1])
def test_labels_that_say_nothing_of_places_are_mapped_back(question: Question, place: int) -> None:
    steps = CHOICE.strategies["relabelled"](question, PROMPTS)
    (ask,) = next(steps)
    assert isinstance(ask.answer_format, PairChoice)
    labels = (ask.answer_format.first, ask.answer_format.second)
    text = text_of(ask)
    assert all(label in text for label in labels)
    assert "First" not in text
    assert "Second" not in text
    reply = Response(f"It is clearer.\nMore effective: {labels[place]}")
    with pytest.raises(StopIteration) as done:
        steps.send([reply])
    assert done.value.value is reply
    assert CHOICE.score(replace(question, answer_format=ask.answer_format), reply).answer == ("First", "Second")[place]


@pytest.mark.parametrize("said", ["Both are fine.", "More effective: Neither", ""])
def test_without_a_label_nothing_is_mapped(question: Question, said: str) -> None:
    asks, reply = drive("relabelled", question, [said])
    assert reply.text == said
    assert CHOICE.score(replace(question, answer_format=asks[-1].answer_format), reply).answer is None


def test_labels_vary_with_the_question_and_not_with_the_place_in_the_list(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    pairs = [pair(f"p{number}") for number in range(12)]
    found = [trial.question for trial in questions(write_pairs(tmp_path_factory.mktemp("many"), *pairs), DESIGN)]
    labels, sorted_ways = set(), set()
    for one in found:
        (ask,) = next(CHOICE.strategies["relabelled"](one, PROMPTS))
        assert isinstance(ask.answer_format, PairChoice)
        labels |= {ask.answer_format.first, ask.answer_format.second}
        sorted_ways.add(ask.answer_format.first < ask.answer_format.second)
    assert len(labels) > 4
    assert sorted_ways == {True, False}
