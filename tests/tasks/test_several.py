"""Several options at once: which lists of letters are an answer, and which are none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.question import AnswerOption, MultipleChoice, SingleChoice
from affordance.tasks.choice_answers import (
    parse_multiple_choice,
    parse_single_choice,
    write_multiple_choice,
    write_single_choice,
)

SENTENCES = (
    "The menu “File” opens.",
    "A dialog appears. It is headed Print.",
    "The text is removed.",
    "A page opens, with the title A.",
    "The box is checked.",
    "Nothing is selected any more.",
)
GRAMMAR = MultipleChoice(
    tuple(AnswerOption(letter, text, text) for letter, text in zip("ABCDEF", SENTENCES, strict=True))
)

ANSWERS = {
    "one": ("B", "B"),
    "two": ("A,C", "AC"),
    "with spaces": ("A, C", "AC"),
    "in another order": ("C, A", "AC"),
    "twice the same": ("A, A, C", "AC"),
    "and": ("A and C", "AC"),
    "comma and": ("A, C, and E", "ACE"),
    "ampersand": ("A & C", "AC"),
    "in brackets": ("[A, C]", "AC"),
    "each in brackets": ("(A), (C)", "AC"),
    "bold": ("**A, C**", "AC"),
    "a full stop": ("A, C.", "AC"),
    "reasons after it": ("A, C\nBecause of its label.", "AC"),
    "stated": ("I looked.\nAnswer: A, C", "AC"),
    "stated in words": ("The correct options are A and C.", "AC"),
    "the last statement counts": ("Answer: B\nNo.\nFinal answer: A, C", "AC"),
    "last line": ("Let me see what each does.\nA, C", "AC"),
    "the last list counts": ("A, B\nHm, the text stays.\nA, C", "AC"),
    "the applicable options": ("The applicable options are **A** and **C**.", "AC"),
    "the options that apply": ("The following options apply: A, C", "AC"),
    "a list, then its sum": ("A\nC\n\nFinal answer: A, C", "AC"),
    "a remark in brackets": ("A, C (not B)", "AC"),
    "a reason after a dash": ("A, C - both", "AC"),
    "a reason after a semicolon": ("A; C since both are shown", "AC"),
    "Chinese commas": ("A、C", "AC"),
    "a call": ("Thought: hm.\nAction: finished(content='A, C')", "AC"),
    "JSON list": ('{"answers": ["A", "C"]}', "AC"),
    "JSON text": ('```json\n{"answer": "A, C"}\n```', "AC"),
    "after thinking": ("<think>Perhaps B.</think>\nA, C", "AC"),
    "one by its name": ("The text is removed.", "C"),
    "letter with its text": ("C. The text is removed.", "C"),
}


@pytest.mark.parametrize(("text", "letters"), ANSWERS.values(), ids=ANSWERS.keys())
def test_answers(text: str, letters: str) -> None:
    found = parse_multiple_choice(text, GRAMMAR)
    assert found is not None
    assert "".join(option.letter for option in found) == letters


NO_ANSWERS = {
    "empty": "",
    "prose": "A page opens when it is clicked, and a menu",
    "no such letter": "A, Z",
    "this or that": "A, C or B",
    "a list of options": "A. The menu “File” opens.\nB. A dialog appears. It is headed Print.",
    "only thinking": "<think>A, C</think>",
    "a JSON list of nothing known": '{"answers": ["Z"]}',
    "a number": "1, 3",
}


@pytest.mark.parametrize("text", NO_ANSWERS.values(), ids=NO_ANSWERS.keys())
def test_no_answers(text: str) -> None:
    assert parse_multiple_choice(text, GRAMMAR) is None


@settings(max_examples=40)
@given(st.sets(st.sampled_from(GRAMMAR.options), min_size=1))
def test_what_is_written_is_read(chosen: set[AnswerOption]) -> None:
    ordered = tuple(option for option in GRAMMAR.options if option in chosen)
    assert parse_multiple_choice(write_multiple_choice(ordered, "A reason, B another."), GRAMMAR) == ordered


@settings(max_examples=40)
@given(st.text(max_size=200))
def test_nothing_is_too_strange(text: str) -> None:
    found = parse_multiple_choice(text, GRAMMAR)
    assert found is None or set(found) <= set(GRAMMAR.options)


LIKE = ("It opens", "It opens, and closes again", "It closes", "It closes. The page is left", "It: opens")
ALIKE = SingleChoice(tuple(AnswerOption(letter, text, text) for letter, text in zip("ABCDE", LIKE, strict=True)))


@pytest.mark.parametrize("option", ALIKE.options, ids=[option.name for option in ALIKE.options])
@pytest.mark.parametrize("form", ["{letter}", "{letter}. {text}", "{letter}) {text}", "Answer: {letter}. {text}"])
def test_an_option_that_begins_like_another_can_be_chosen(option: AnswerOption, form: str) -> None:
    assert parse_single_choice(form.format(letter=option.letter, text=option.label), ALIKE) == option
    assert parse_single_choice(write_single_choice(option, "Because."), ALIKE) == option
