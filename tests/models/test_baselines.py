"""Baselines: functions of their inputs, in the answer format of the question."""

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

from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.question import (
    AnswerFormat,
    AnswerOption,
    FreeText,
    LocationFormat,
    MultipleChoice,
    PairChoice,
    RatingScale,
    SingleChoice,
    YesNo,
)
from affordance.core.requests import FinishReason, Request, Response
from affordance.grounding.location_parser import parse_location
from affordance.media.ocr import TextLine
from affordance.models.baselines import pixels
from affordance.models.baselines.first import FirstBaseline
from affordance.models.baselines.overlap import OverlapBaseline, word_overlap
from affordance.models.baselines.pixels import PixelBaseline, TextPart, find_part, text_likeness
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


def test_the_first_option_is_chosen_always() -> None:
    model = FirstBaseline("baseline:first", surroundings())
    formats = (SEVEN, MultipleChoice(SEVEN.options), PairChoice("Left", "Right"))
    single, several, pair = (asyncio.run(model.send(ask(grammar=grammar))).text for grammar in formats)
    assert parse_single_choice(single, SEVEN) == SEVEN.options[0]
    assert ("A" in several, "B" in several) == (True, False)
    assert pair.endswith("Left")
    refused = asyncio.run(model.send(ask(grammar=FreeText())))
    assert (refused.finish, refused.permanent, refused.sent) == (FinishReason.UNSUPPORTED, True, False)


LIKENESS = [
    ("Send now", "Send now", 1.0, 1.0),
    ("Send now", "SEND NOW!", 1.0, 1.0),
    ("Inbox", "lnbox", 0.7, 0.9),
    ("Inbox", "Drafts", 0.0, 0.0),
    ("Remove Heather Throw", "Heather Throw", 0.7, 0.9),
    ("Inbox", "", 0.0, 0.0),
    ("···", "···", 0.0, 0.0),
]


@pytest.mark.parametrize(("expression", "text", "low", "high"), LIKENESS)
def test_likeness_of_texts(expression: str, text: str, low: float, high: float) -> None:
    assert low <= text_likeness(expression, text) <= high


def test_the_part_whose_text_is_most_like_the_expression() -> None:
    def part(row: int, text: str, is_large: bool = False) -> TextPart:
        return TextPart(Box(CoordinateSpace.PIXEL, 0, 10 * row, 40, 10 * row + 8), is_large, text)

    parts = [
        part(0, "Reports"),
        part(1, "Billing"),
        part(2, "Billing Reports Members", is_large=True),
        part(3, "Billing"),
    ]
    assert find_part(parts, "The page “Billing” opens.", "element") == parts[1].box
    assert find_part(parts, "The list of members", "region") == parts[2].box
    assert find_part(parts, "Archive", "element") is None
    assert find_part([], "Archive", "element") is None


@pytest.mark.parametrize("readable", [True, False])
def test_pixels_point_at_text_or_at_the_centre(readable: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    line = TextLine(Box(CoordinateSpace.PIXEL, 100, 95, 130, 105), "Send")
    monkeypatch.setattr(pixels, "ocr_available", lambda: readable)
    monkeypatch.setattr(pixels, "read_text", lambda image: (line,))
    grammar = LocationFormat("default", "element", (320, 240), (160, 120))
    model = PixelBaseline("baseline:pixels", surroundings(content={"screen": png(40)}))
    asked = ask("Where?", picture("screen"), grammar=grammar, prompt_fields={"expression": "The button “Send”"})
    found = parse_location(asyncio.run(model.send(asked)).text, grammar).location
    assert isinstance(found, Box)
    centre = (found.centre.x, found.centre.y)
    assert centre == pytest.approx((230, 200) if readable else (160, 120), abs=1)


@pytest.mark.parametrize("grammar", [YesNo(), FreeText(), PairChoice("Left", "Right"), MultipleChoice(SEVEN.options)])
def test_pixels_answer_nothing_else(grammar: AnswerFormat) -> None:
    model = PixelBaseline("baseline:pixels", surroundings(content={"screen": png(40)}))
    reply = asyncio.run(model.send(ask("Which?", picture("screen"), grammar=grammar)))
    assert (reply.finish, reply.permanent) == (FinishReason.UNSUPPORTED, True)
