"""Responses that repeat themselves cost the parsers of words no more than their length."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.answer_text import label_final_answers, strip_thinking
from affordance.core.question import AnswerOption, MultipleChoice, PairChoice, RatingScale, SingleChoice
from affordance.tasks.answers import parse_rating, parse_yes_no
from affordance.tasks.choice_answers import parse_multiple_choice, parse_single_choice
from affordance.tasks.pair_answers import parse_pair_choice
from affordance.tasks.refusals import declines_task

OPTIONS = tuple(AnswerOption(letter, name, name) for letter, name in zip("ABC", ("Move", "Scale", "Fade"), strict=True))
PARSERS: dict[str, Callable[[str], object]] = {
    "one option": lambda text: parse_single_choice(text, SingleChoice(OPTIONS)),
    "several": lambda text: parse_multiple_choice(text, MultipleChoice(OPTIONS)),
    "one of two": lambda text: parse_pair_choice(text, PairChoice()),
    "rating": lambda text: parse_rating(text, RatingScale(0, 5)),
    "yes or no": parse_yes_no,
    "refusal": declines_task,
    "final answers": lambda text: label_final_answers(strip_thinking(text)),
}
PIECES = ["A ", "A, ", "A\n", "Answer: ", "Answer:\n", "{", "{'", '{"a":', '["', "\\boxed{", "finished('", "<answer>"]
PIECES += [
    "<|begin_of_box|>",
    "More effective: ",
    "Score: ",
    "4/",
    "4\n",
    "No\n",
    "yes ",
    "I can't ",
    " I ",
    "sorry ",
    "(",
]
PIECES += ["kann ich x ", "我", "도와", "手伝い", "**", " ", ". ", '"', "◁think▷", "[THINK]", "<|channel|>", "(x "]


@pytest.mark.parametrize("name", PARSERS)
def test_a_response_that_repeats_itself_is_parsed_in_time(name: str) -> None:
    for piece in PIECES:
        start = time.process_time()  # of this process alone, whatever else the machine does
        PARSERS[name]((piece * 20_000)[:20_000])
        assert time.process_time() - start < 2, piece


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from([*PIECES, "B", "\n", "or ", "First", "}", "]", "</answer>", "5"]), max_size=20).map(
        "".join
    )
)
def test_any_response_is_parsed(text: str) -> None:
    for parse in PARSERS.values():
        parse(text)
