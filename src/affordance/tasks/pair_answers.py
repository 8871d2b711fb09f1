"""Parsing and writing which of two versions a response picks.

Candidates, from the strongest (see `core.answer_text`):
- `More effective: WORD`, in any case, with or without markup, punctuation or the word "version";
- another label (`Answer: WORD`) or a JSON field;
- a line that is nothing but the word.

A negation or both words are no pick, and a marker with nothing or with the bare template after it is no candidate.
`read_strictly` is as published, for comparison: the first marker, and exactly the word."""

import re
from collections.abc import Iterator, Sequence

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
from affordance.core.json_repair import JsonValue, json_values
from affordance.core.question import PairChoice

ANSWER_MARKER = "More effective:"
# As asked it may stand anywhere; in other words only at the beginning of a line, or prose would be taken for it.
_MARKERS = re.compile(
    r"(?:More effective:|^\W*(?i:(?:the\s+)?more\s+effective\s*(?:version|variant|design|one)?\s*(?:is)?\s*[:=：]))\s*",
    re.MULTILINE,
)
_LABEL = re.compile(
    r"^\W*(?:(?:the|my)\s+)?(?:(?:final|overall)\s+)?(?:answer|verdict|choice|winner|pick|decision|conclusion)\s*(?:is\b)?\s*[:=：]?\s*",
    re.IGNORECASE | re.MULTILINE,
)
_KEYS = ("moreeffective", "answer", "finalanswer", "winner", "choice", "verdict")
_MARKUP = re.compile(r"[*_`<>\"'“”‘’\[\]{}()#$]|\\text(?:bf|it)?")
_ASIDE = re.compile(r"(?<=\w)[ \t*_`.]{0,20}\([^()\n]*+\)")  # what stands in brackets after the pick is no part of it
_NOUN = r"(?:\s+(?:version|variant|design|page|layout|option|one)\b)?"
_NOT_BEFORE = re.compile(r"\b(?:no|not|neither|cannot)\b", re.IGNORECASE)
_NOT_AFTER = re.compile(rf"{_NOUN}\W+(?:(?:is|was)\s+not\b|isn['’]?t|is\s+no\b|no\b[\s.!]*$)", re.IGNORECASE)
_REST_OF_LINE = re.compile(r"\s*+([^\n]*)")
_END = " \t.,;:!"


def parse_pair_choice(text: str, answer_format: PairChoice) -> str | None:
    """The word of the version that a response picks, as the answer format has it; None where it picks none."""
    final = label_final_answers(strip_thinking(text))
    found = parse_answer_text(final, lambda part: _find(part, answer_format))
    return None if isinstance(found, Unparsed) else found


def _find(text: str, answer_format: PairChoice) -> str | Unparsed:
    values = json_values(text)
    plain = _MARKUP.sub("", _ASIDE.sub("", blank_spans(text, [(found.start, found.end) for found in values])))
    if (
        len(candidates := [AnswerCandidate(word, 0, Strength.MARKED) for word in _json_words(values, answer_format)])
        > 1
    ):
        return AMBIGUOUS
    candidates += _labelled_candidates(plain, answer_format, _MARKERS, Strength.OWN)
    candidates += _labelled_candidates(plain, answer_format, _LABEL, Strength.MARKED)
    return decide([*candidates, *_line_candidates(plain, answer_format)], plain)


def _labelled_candidates(
    plain: str, answer_format: PairChoice, pattern: re.Pattern[str], strength: Strength
) -> Iterator[AnswerCandidate[str]]:
    template = f"{answer_format.first}/{answer_format.second}".lower()
    for marker in pattern.finditer(plain):
        line = _REST_OF_LINE.match(plain, marker.end())[1].strip()  # type: ignore[index]  # matches nothing, too
        word = _chosen_word(line, answer_format)
        if not line.strip(_END) or line.lower().strip(_END) == template:
            continue
        if strength is Strength.OWN or word is not None:
            yield AnswerCandidate(word or AMBIGUOUS, marker.start(), strength)


def _line_candidates(plain: str, answer_format: PairChoice) -> Iterator[AnswerCandidate[str]]:
    """Lines that are nothing but one of the words."""
    words = {word.lower(): word for word in (answer_format.first, answer_format.second)}
    found: list[tuple[int, int, str]] = []
    number = 0
    for start, line in numbered_lines(plain):
        word = words.get(re.sub(r"^the\s+|\s+(?:version|one)$", "", line.lower().strip(_END + "\r\n")))
        if word is not None:
            found.append((number, start, word))
        number += bool(line.strip())
    kept = drop_option_lists((number, word) for number, _, word in found)
    yield from (AnswerCandidate(word, start, Strength.LINE) for number, start, word in found if number in kept)


def _json_words(values: Sequence[JsonValue], answer_format: PairChoice) -> Iterator[str | Unparsed]:
    for found in values:
        if not isinstance(found.value, dict):
            continue
        fields = {re.sub(r"[^a-z]", "", key.lower()): value for key, value in found.value.items()}
        answer = next((fields[key] for key in _KEYS if key in fields), None)
        if answer is not None:
            yield (isinstance(answer, str) and _chosen_word(_MARKUP.sub("", answer), answer_format)) or AMBIGUOUS


def _chosen_word(line: str, answer_format: PairChoice) -> str | None:
    """The one word of the two that a line opens with, or that is alone in it."""
    first, second = re.escape(answer_format.first), re.escape(answer_format.second)
    if match := re.match(rf"\W*(?:the\s+)?({first}|{second})\b", line, re.IGNORECASE):
        rest = line[match.end() :]
        joined = (
            rf"{_NOUN}\s*(?:(?:/|\||&|\?|[,;]?\s*(?:or|and)\b(?:\s+the)?)\s*(?:{first}|{second}|$)"
            rf"|[,;]\s*(?:{first}|{second})\s*(?:$|[^\w\s]))"
        )
        alternative = rf"[^.;:\n]*?\bor\s+(?:the\s+)?(?:{first}|{second})\b"
        if (
            re.match(joined, rest, re.IGNORECASE)
            or _NOT_AFTER.match(rest)
            or re.match(alternative, rest, re.IGNORECASE)
        ):
            return None
        return answer_format.first if match[1].lower() == answer_format.first.lower() else answer_format.second
    found = [
        (word, match)
        for word in (answer_format.first, answer_format.second)
        if (match := re.search(rf"\b{re.escape(word)}\b", line, re.IGNORECASE))
    ]
    if len(found) != 1:
        return None
    ((word, match),) = found
    denied = _NOT_BEFORE.search(line[: match.start()]) or _NOT_AFTER.match(line[match.end() :])
    return None if denied else word


def missing_choice_reason(answer_format: PairChoice) -> str:
    """Why a response has no answer."""
    return f"no line `{ANSWER_MARKER} {answer_format.first}` or `{ANSWER_MARKER} {answer_format.second}`"


def parse_as_published(text: str, answer_format: PairChoice) -> str | None:
    """As the released evaluator reads, which strips letters of `Version`: other words than First and Second would lose
    some of theirs, so they are put in the place of those."""
    words = {answer_format.first: "First", answer_format.second: "Second"}
    text = re.sub("|".join(rf"\b{re.escape(word)}\b" for word in words), lambda match: words[match[0]], text)
    _, marker, rest = text.partition(ANSWER_MARKER)
    if not marker:
        return None
    line = rest.partition(ANSWER_MARKER)[0].strip().partition("\n")[0].partition("(")[0]
    for letters in ("* ", "<> ", "Version ", "version "):
        line = line.strip(letters)
    return {name: word for word, name in words.items()}.get(line)


def write_pair_choice(word: str, reason: str) -> str:
    return f"{reason}\n{ANSWER_MARKER} {word}"
