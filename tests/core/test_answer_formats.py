"""Answer formats as they are stored with verdicts."""

import json

import pytest

from affordance.core.json_text import canonical_json
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
    answer_format_from_json,
    answer_format_to_json,
)

OPTIONS = (AnswerOption("A", "move", "Move (it moves)"), AnswerOption("B", "é", "\u2028"))
OPTIONS_JSON = [
    {"letter": "A", "name": "move", "label": "Move (it moves)"},
    {"letter": "B", "name": "é", "label": "\u2028"},
]
FORMATS: list[tuple[AnswerFormat, dict[str, object]]] = [
    (SingleChoice(OPTIONS), {"kind": "single_choice", "options": OPTIONS_JSON}),
    (MultipleChoice(OPTIONS), {"kind": "multiple_choice", "options": OPTIONS_JSON}),
    (
        LocationFormat("gemini", "element", (10, 20), (5, 10), absent=True),
        {
            "kind": "location", "dialect": "gemini", "level": "element", "size": [10, 20], "sent": [5, 10],
            "absent": True,
        },
    ),
    (PairChoice("Amber", "Cedar"), {"kind": "pair_choice", "first": "Amber", "second": "Cedar"}),
    (FreeText(), {"kind": "free_text"}),
    (RatingScale(0, 5), {"kind": "rating", "low": 0, "high": 5}),
    (YesNo(), {"kind": "yes_no"}),
]  # fmt: skip


@pytest.mark.parametrize(("grammar", "stored"), FORMATS)
def test_answer_formats_are_stored_as_json(grammar: AnswerFormat, stored: dict[str, object]) -> None:
    text = canonical_json(answer_format_to_json(grammar))
    assert json.loads(text) == stored
    assert answer_format_from_json(json.loads(text)) == grammar


@pytest.mark.parametrize("stored", [{}, {"kind": "drawing"}, {"kind": "rating"}, {"kind": "yes_no", "maybe": True}])
def test_an_answer_format_of_a_later_version_is_refused(stored: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="answer format"):
        answer_format_from_json(stored)
