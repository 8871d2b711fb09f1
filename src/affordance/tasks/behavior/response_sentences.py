"""Sentences of a response, with the letters of the designs they are about."""

import re

from affordance.core.answer_text import strip_thinking

MIN_WORDS = 4  # fewer are a heading
MAX_LENGTH = 300  # characters of a sentence that are kept

_THING = r"(?:version|variant|design|screenshot|screen|page|image|picture|option|layout|interface|one|ui)"
_PLACE = re.compile(rf"\b(first|second)(?:\s+{_THING})(?:['’]s)?\b(?!\s*\[)", re.IGNORECASE)
_NUMBER = re.compile(rf"\b{_THING}\s+(1|2|one|two)\b(?:['’]s)?(?!\s*\[)", re.IGNORECASE)
_IS_FIRST = {"first": True, "1": True, "one": True, "second": False, "2": False, "two": False}
_ANSWER = re.compile(r"^\W*more\s+effective\b[^:=]*[:=]", re.IGNORECASE)
_BULLET = re.compile(r"^(?:[-*•–+>#\s]+|\(?\d{1,2}[.)]\s+)+")
_MARKUP = re.compile(r"\*\*|__|`|(?<!\w)[*_]|[*_](?!\w)")
_END = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=[\"“‘(]?[A-Z0-9])")


def split_sentences(text: str) -> list[str]:
    """The sentences of a response as plain text, without headings and the answer line."""
    found: list[str] = []
    for line in strip_thinking(text).splitlines():
        plain = _MARKUP.sub("", _BULLET.sub("", "".join(c if c.isprintable() else " " for c in line))).strip()
        if _ANSWER.match(plain):
            continue
        for sentence in _END.split(plain):
            words = sentence.split()
            if len(words) >= MIN_WORDS and not sentence.endswith(":"):
                found.append(_truncate(" ".join(words)))
    return found


def label_designs(sentence: str, first: str, second: str) -> str:
    """The sentence with the letter of a design after each mention of its position."""

    def with_letter(match: re.Match[str]) -> str:
        return f"{match[0]} [{first if _IS_FIRST[match[1].lower()] else second}]"

    return _NUMBER.sub(with_letter, _PLACE.sub(with_letter, sentence))


def _truncate(sentence: str) -> str:
    return sentence if len(sentence) <= MAX_LENGTH else f"{sentence[: MAX_LENGTH - 1].rstrip()}…"
