"""Chance and word overlap: functions of their inputs, in the asked grammar."""

import asyncio
import json
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_samples import OPTIONS, ask, picture, surroundings

from affordance.core.question import AnswerFormat, AnswerOption, RatingScale, SingleChoice, YesNo
from affordance.core.requests import FinishReason, Request, Response
from affordance.models.baselines.overlap import OverlapBaseline, word_overlap
from affordance.models.baselines.pixels import PixelBaseline
from affordance.models.baselines.random import RandomBaseline
from affordance.tasks.choice_answers import parse_single_choice

SEVEN = SingleChoice(tuple(AnswerOption(letter, letter.lower() * 3, letter * 3) for letter in "ABCDEFG"))


def chance(one: Request, seed: int = 0) -> str:
    return asyncio.run(RandomBaseline("baseline:random", surroundings(seed=seed)).send(one)).text


def test_chance_is_a_function_of_seed_question_trial_and_step() -> None:
    one = ask(grammar=SEVEN)
    assert chance(one) == chance(ask("Other words", picture(), grammar=SEVEN))
    changes = {
        "seed": [chance(one, seed) for seed in range(40)],
        "question": [chance(replace(one, question=str(number))) for number in range(40)],
        "trial": [chance(replace(one, trial=number)) for number in range(40)],
        "step": [chance(replace(one, step=(0, 0, number))) for number in range(40)],
    }
    for what, replies in changes.items():
        assert len(set(replies)) == 7, what


def test_the_seed_is_part_of_what_is_sent() -> None:
    models = [RandomBaseline("baseline:random", surroundings(seed=seed)) for seed in (0, 1)]
    assert models[0].request_parameters({"temperature": 0}) != models[1].request_parameters({})
    assert models[0].request_parameters({"temperature": 0}) == models[0].request_parameters({})


def test_chance_is_near_uniform() -> None:
    drawn = [
        parse_single_choice(chance(ask(grammar=SEVEN, question=str(q), trial=t)), SEVEN)
        for q in range(70)
        for t in range(5)
    ]
    assert None not in drawn
    counts = Counter(option.letter for option in drawn if option)
    statistic = sum((counts[letter] - 50) ** 2 / 50 for letter in "ABCDEFG")
    assert statistic < 22.5  # chi-square with 6 degrees of freedom, p = 0.001


def test_chance_in_the_other_grammars() -> None:
    scores = {json.loads(chance(ask(grammar=RatingScale(0, 5), trial=trial)))["score"] for trial in range(100)}
    assert scores == {0, 1, 2, 3, 4, 5}
    assert {chance(ask(grammar=YesNo(), trial=trial)) for trial in range(50)} == {"Yes", "No"}


OVERLAPS = {
    "equal": ("The card slides up", "the card slides up!", 1.0),
    "other words": ("card slides", "button glows", 0.0),
    "half": ("card slides", "card glows", 0.5),  # 2 * 1 / (2 + 2)
    "contained": ("card", "card slides quickly", 0.5),  # 2 * 1 / (1 + 3)
    "order and repetition do not count": ("card card slides", "slides, card", 1.0),
    "common words do not count": ("it is the card", "a card", 1.0),
    "only common words": ("it is", "the", 1.0),
    "both empty": ("", "", 1.0),
    "one empty": ("", "card", 0.0),
    "other scripts": ("карта движется", "Карта стоит", 0.5),
    "underscores and digits": ("step_1", "step 1", 1.0),
}


@pytest.mark.parametrize(("one", "other", "expected"), OVERLAPS.values(), ids=OVERLAPS.keys())
def test_overlap(one: str, other: str, expected: float) -> None:
    assert word_overlap(one, other) == pytest.approx(expected)


@settings(max_examples=40)
@given(st.text(), st.text())
def test_overlap_is_a_share_and_symmetric(one: str, other: str) -> None:
    assert 0 <= word_overlap(one, other) <= 1
    assert word_overlap(one, other) == word_overlap(other, one)
    assert word_overlap(one, one) == 1


def judged(grammar: AnswerFormat, **fields: str) -> Response:
    return asyncio.run(
        OverlapBaseline("baseline:overlap", surroundings()).send(ask(grammar=grammar, prompt_fields=fields))
    )


JUDGEMENTS = [
    ("card slides", "card slides", 5, "Yes"),
    ("card slides", "card glows", 2, "Yes"),  # a half of 0 to 5, rounded to even
    ("card slides up now", "card glows red twice", 1, "No"),  # a quarter
    ("card", "button", 0, "No"),
]


@pytest.mark.parametrize(("a", "b", "score", "same"), JUDGEMENTS)
def test_the_overlap_judge(a: str, b: str, score: int, same: str) -> None:
    found = json.loads(judged(RatingScale(0, 5), text_a=a, text_b=b).text)
    assert found["score"] == score
    assert found["reason"]
    assert judged(YesNo(), text_a=a, text_b=b).text == same


@pytest.mark.parametrize(
    ("grammar", "fields"),
    [
        (RatingScale(0, 5), {}),
        (RatingScale(0, 5), {"text_a": "x"}),
        (OPTIONS, {}),
        (OPTIONS, {"text_a": "x", "text_b": "x"}),
    ],
)
def test_the_overlap_judge_judges_and_nothing_else(grammar: AnswerFormat, fields: dict[str, str]) -> None:
    reply = judged(grammar, **fields)
    assert (reply.finish, reply.permanent, reply.text) == (FinishReason.UNSUPPORTED, True, "")
    assert "--judge" in reply.error


def png(x: int) -> bytes:
    image = np.full((120, 160, 3), 255, np.uint8)
    image[10:30, 5:25] = 0
    image[50:80, x : x + 30] = (210, 100, 30)
    _, encoded = cv2.imencode(".png", image)
    return bytes(encoded)


def test_the_pixel_baseline_answers_in_the_grammar_of_the_ask() -> None:
    content = {str(number): png(40 + 3 * number) for number in range(20)}
    model = PixelBaseline("baseline:pixels", surroundings(content=content))
    parts = ("Which?", *[picture(name) for name in content])
    reply = asyncio.run(model.send(ask(*parts)))
    option = parse_single_choice(reply.text, OPTIONS)
    assert option is not None
    assert option.name == "move"
    other = SingleChoice((AnswerOption("A", "fade", "Fade"), AnswerOption("B", "blur", "Blur")))
    assert asyncio.run(model.send(ask(*parts, grammar=other))).finish is FinishReason.UNSUPPORTED
    assert asyncio.run(model.send(ask(*parts, grammar=YesNo()))).finish is FinishReason.UNSUPPORTED
