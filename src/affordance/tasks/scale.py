"""Parsing and writing ratings: a JSON object with a whole number and a reason.

Candidates, from the strongest (see `core.answer_text`): the `score` of a JSON object, a label (`Score: 4`, also of
broken JSON), a line that is nothing but the number. A rating that is off the scale, broken or a range is none, and what
a reason says about scores is not read. `4/5` is a rating where 5 is the highest.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from affordance.core.answer_text import (
    AMBIGUOUS,
    AnswerCandidate,
    Strength,
    Unparsed,
    blank_spans,
    decide,
    drop_option_lists,
    label_final_answers,
    parse_answer_text,
    strip_thinking,
)
from affordance.core.grammar import RatingScale
from affordance.core.json_repair import json_values

_KEY = "score"
_QUOTES = r"[\"'“”‘’*`_\s]*"
# Possessive, so that neither 10 nor 3.5 is cut down to a number that the lookahead lets through.
_NUMBER = r"(-?\d++(?:\.\d++)?+)"
_NO_MORE = r"(?!,?\d|\w|%|\?|\s*(?:[|/]|or\b|to\b|[-–—]\s*\d))"
_LABELLED = re.compile(
    rf"(?<![^\W_])(?:{_KEY}|rating|(?:final\s+)?answer){_QUOTES}(?:is\b\s*)?[:=]{_QUOTES}{_NUMBER}(?:\s*/\s*(\d++))?+{_NO_MORE}",
    re.IGNORECASE,
)
_LINE = re.compile(rf"^[^\w\n-]*{_NUMBER}(?:\s*/\s*(\d++))?+[^\w\n]*$", re.MULTILINE)
_IN_A_STRING = re.compile(r"\s*(-?\d+(?:\.\d+)?)(?:\s*/\s*(\d+))?\s*")
_OFF_SCALE = Unparsed("the rating is not a whole number on the scale")


def parse_rating(text: str, grammar: RatingScale) -> int | None:
    """The rating that a response gives, or None where it gives none."""
    final = label_final_answers(strip_thinking(text))
    found = parse_answer_text(final, lambda part: decide(_candidates(part, grammar), part))
    return None if isinstance(found, Unparsed) else found


def _candidates(text: str, grammar: RatingScale) -> Iterator[AnswerCandidate[int]]:
    values = json_values(text)
    for found in values:
        scores = {_of_json(score, grammar) for score in _scores(found.value)}
        if scores:
            yield AnswerCandidate(scores.pop() if len(scores) == 1 else AMBIGUOUS, found.start, Strength.OWN)
    plain = blank_spans(text, [(found.start, found.end) for found in values])
    for match in _LABELLED.finditer(plain):
        yield AnswerCandidate(_on_scale(match, grammar), match.start(), Strength.MARKED)
    lines = [
        (plain.count("\n", 0, match.start()), match.start(), _on_scale(match, grammar))
        for match in _LINE.finditer(plain)
    ]
    kept = drop_option_lists((number, value) for number, _, value in lines)
    yield from (AnswerCandidate(value, start, Strength.LINE) for number, start, value in lines if number in kept)


def _scores(value: Any) -> Iterator[Any]:
    """All that stands under the key, wherever in a value."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key.lower() == _KEY and not isinstance(part, dict):
                yield part
            else:
                yield from _scores(part)
    elif isinstance(value, list):
        for part in value:
            yield from _scores(part)


def _of_json(score: Any, grammar: RatingScale) -> int | Unparsed:
    number = None if isinstance(score, bool) else _IN_A_STRING.fullmatch(str(score))
    return _on_scale(number, grammar) if number else _OFF_SCALE


def _on_scale(match: re.Match[str], grammar: RatingScale) -> int | Unparsed:
    if match[2] is not None and match[2] != str(grammar.high):
        return _OFF_SCALE
    return _whole(match[1], grammar)


def _whole(number: str, grammar: RatingScale) -> int | Unparsed:
    score = float(number)
    return int(score) if score.is_integer() and grammar.low <= score <= grammar.high else _OFF_SCALE


def write_rating(score: int, reason: str) -> str:
    return json.dumps({"score": score, "reason": reason}, ensure_ascii=False)
