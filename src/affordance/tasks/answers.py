"""Parsing and writing answers by answer format: ratings, Yes or No, and what other modules parse.

Candidates for a rating, from the strongest (see `core.answer_text`): the `score` of a JSON object, a label (`Score: 4`,
also of broken JSON), a line that is nothing but the number. A rating that is off the scale, broken or a range is none,
and what a reason says about scores is not read. `4/5` is a rating where 5 is the highest."""

import json
import re
from collections.abc import Iterator, Sequence
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
    numbered_lines,
    parse_answer_text,
    strip_thinking,
)
from affordance.core.json_repair import json_values
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
from affordance.grounding.location_parser import parse_location, write_location
from affordance.grounding.locations import ParsedLocation
from affordance.tasks.choice_answers import (
    parse_multiple_choice,
    parse_single_choice,
    write_multiple_choice,
    write_single_choice,
)
from affordance.tasks.pair_answers import missing_choice_reason, parse_pair_choice, write_pair_choice

NOT_PARSED = "no answer in the asked form"
NO_FREE_TEXT = "no words beside thinking"
FIRST, SECOND = "First", "Second"  # the answer to a pair choice, in whatever words it was asked for

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


def parse_rating(text: str, answer_format: RatingScale) -> int | None:
    """The rating that a response gives, or None where it gives none."""
    final = label_final_answers(strip_thinking(text))
    found = parse_answer_text(final, lambda part: decide(_candidates(part, answer_format), part))
    return None if isinstance(found, Unparsed) else found


def _candidates(text: str, answer_format: RatingScale) -> Iterator[AnswerCandidate[int]]:
    values = json_values(text)
    for found in values:
        scores = {_of_json(score, answer_format) for score in _scores(found.value)}
        if scores:
            yield AnswerCandidate(scores.pop() if len(scores) == 1 else AMBIGUOUS, found.start, Strength.OWN)
    plain = blank_spans(text, [(found.start, found.end) for found in values])
    for match in _LABELLED.finditer(plain):
        yield AnswerCandidate(_on_scale(match, answer_format), match.start(), Strength.MARKED)
    lines = [
        (plain.count("\n", 0, match.start()), match.start(), _on_scale(match, answer_format))
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


def _of_json(score: Any, answer_format: RatingScale) -> int | Unparsed:
    number = None if isinstance(score, bool) else _IN_A_STRING.fullmatch(str(score))
    return _on_scale(number, answer_format) if number else _OFF_SCALE


def _on_scale(match: re.Match[str], answer_format: RatingScale) -> int | Unparsed:
    if match[2] is not None and match[2] != str(answer_format.high):
        return _OFF_SCALE
    return _whole(match[1], answer_format)


def _whole(number: str, answer_format: RatingScale) -> int | Unparsed:
    score = float(number)
    return int(score) if score.is_integer() and answer_format.low <= score <= answer_format.high else _OFF_SCALE


def write_rating(score: int, reason: str) -> str:
    return json.dumps({"score": score, "reason": reason}, ensure_ascii=False)


Contained = bool | None  # whether a rationale is contained; None where the judge did not say

_MARKUP = re.compile(r"[*_`<>\"'“”‘’\[\]{}#$]")
_AFTER_NO = r"(?:because|since|as|for|the|they|it|its|this|that|these|there|while|although|both|but|only)\b"
_OPENING = re.compile(
    rf"\W*(?:(yes)\b(?!\W*(?:and|or)\W*(?:yes|no)\b|\W*yes\b|\W*no\b(?!\s+\w)|\s*[/|&]\s*no\b)|(no)\b(?!\W*(?:and|or)?\W*(?:yes|no)\b)"
    rf"(?=\s*(?:$|[^\w\s])|\s+{_AFTER_NO}))",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\W*(?:(?:the|my)\s+)?(?:final\s+)?(?:answer|judge?ment|verdict|contained)\s*(?:is\b\s*[:=：]?|[:=：]|(?=(?:yes|no)\W*$))\s*",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\W*(yes|no)\W*", re.IGNORECASE)
_BOTH = re.compile(r"\W*(?:yes\W+no|no\W+yes)\W*", re.IGNORECASE)
_LAST_SENTENCE = re.compile(r".*[.!?:。]\s+(yes|no)\W*", re.IGNORECASE)


def parse_yes_no(text: str) -> Contained:
    """Whether a response says Yes: in JSON, as its first word, on a line of its own or after a label, or as the last
    sentence of a line. None where it says neither, or contradicts itself."""
    found = parse_answer_text(label_final_answers(strip_thinking(text)), lambda part: decide(_yes_no(part), part))
    return None if isinstance(found, Unparsed) else found


def _yes_no(text: str) -> Iterator[AnswerCandidate[bool]]:
    values = json_values(text)
    for found in values:
        answer = found.value.get("answer") if isinstance(found.value, dict) else None
        if isinstance(answer, str) and (match := _OPENING.match(answer)):
            yield AnswerCandidate(match[1] is not None, found.start, Strength.OWN)
    plain = blank_spans(text, [(found.start, found.end) for found in values])
    lines = [(start, line) for start, marked in numbered_lines(plain) if (line := _MARKUP.sub("", marked).strip())]
    yield from (AnswerCandidate(AMBIGUOUS, start, Strength.OWN) for start, line in lines if _BOTH.fullmatch(line))
    whole: list[tuple[int, int, bool]] = []
    for number, (start, line) in enumerate(lines):
        if (yes := _whole_line(line)) is not None:
            whole.append((number, start, yes))
        elif match := _LAST_SENTENCE.fullmatch(line):
            yield AnswerCandidate(match[1].lower() == "yes", start, Strength.LINE)
        if number in (0, len(lines) - 1) and (match := _OPENING.match(line)):
            strength = Strength.OWN if number == 0 else Strength.LINE
            yield AnswerCandidate(match[1] is not None, start, strength)
    kept = drop_option_lists((number, yes) for number, _, yes in whole)
    if whole and not kept:
        yield AnswerCandidate(AMBIGUOUS, whole[-1][1], Strength.OWN)
    yield from (AnswerCandidate(yes, start, Strength.OWN) for number, start, yes in whole if number in kept)


def _whole_line(line: str) -> Contained:
    """What a line says that is nothing but the word, or opens with a label and the word."""
    if match := _ALONE.fullmatch(line):
        return match[1].lower() == "yes"
    label = _LABEL.match(line)
    opening = _OPENING.match(line, label.end()) if label else None
    return None if opening is None else opening[1] is not None


def parse_answer(text: str, answer_format: AnswerFormat) -> Any | Unparsed:
    """The answer in a text, or why there is none.

    Returns:
        An `AnswerOption` for a single choice, a tuple of them for a multiple choice, `FIRST` or `SECOND` for a pair
        choice, a `ParsedLocation`, a whole number for a rating, a bool for Yes or No, the text without thinking for
        free text.
    """
    match answer_format:
        case SingleChoice():
            return parse_single_choice(text, answer_format) or Unparsed(NOT_PARSED)
        case MultipleChoice():
            return parse_multiple_choice(text, answer_format) or Unparsed(NOT_PARSED)
        case PairChoice():
            word = parse_pair_choice(text, answer_format)
            return Unparsed(missing_choice_reason(answer_format)) if word is None else _position(word, answer_format)
        case LocationFormat():
            parsed = parse_location(text, answer_format)
            return Unparsed(parsed.reason) if parsed.location is None else parsed
        case RatingScale(low, high):
            rating = parse_rating(text, answer_format)
            return Unparsed(f'no JSON object with a "score" from {low} to {high}') if rating is None else rating
        case YesNo():
            answer = parse_yes_no(text)
            return Unparsed("neither Yes nor No, or both") if answer is None else answer
        case FreeText():
            return strip_thinking(text).strip() or Unparsed(NO_FREE_TEXT)


def write_answer(answer: Any, answer_format: AnswerFormat, reason: str = "") -> str:
    """What a model writes that gives this answer in the requested form, as `parse_answer` returns it."""
    match answer_format:
        case SingleChoice():
            option: AnswerOption = answer
            return write_single_choice(option, reason)
        case MultipleChoice():
            options: Sequence[AnswerOption] = answer
            return write_multiple_choice(options, reason)
        case PairChoice(first, second):
            return write_pair_choice(first if answer == FIRST else second, reason)
        case LocationFormat():
            location: ParsedLocation = answer
            assert location.location is not None
            return write_location(location.location, answer_format)
        case RatingScale():
            return write_rating(answer, reason)
        case YesNo():
            return "Yes" if answer else "No"
        case FreeText():
            return str(answer)


def _position(word: str, answer_format: PairChoice) -> str:
    return FIRST if word == answer_format.first else SECOND
