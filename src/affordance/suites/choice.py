"""The one reader and the one writer of multiple-choice answers.

Read are, in this order:
1. a JSON object with an answer in it;
2. the last line that states one explicitly (`Answer: B`, `So the correct option is B.`);
3. an option that the first line opens with, by letter (`B`, `(B)`, `B. Move`, `Option B`) or by name (`Move: ...`);
   so is a last line that is only a letter, and where there are both, they must agree.

Where several options may apply, the same holds for a list of letters (`A, C`), which must be all that its line or JSON
value says.

Markup around a letter does not matter, thinking is not read at all, and a letter inside prose ("A square moves...")
is never an answer. Neither are two options at once, a list of options, or a letter with another option's name.
"""

import json
import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from affordance.core.grammar import Choice, Option, Several
from affordance.core.thinking import without_thinking

_FENCE = re.compile(r"^\s*(?:```|~~~)\w*\s*$")
_MARKUP = re.compile(
    r"[*_`#>$\"'“”‘’\[\]{}\u200b\ufeff]|\\(?:boxed|text(?:bf|it)?|mathbf|mathrm)|\\[()]|<\|[a-z_]+\|"
    r"|<(?=(?-i:[A-Z])>)|</?[a-z_]+(?=>)",  # <B> is a letter in brackets, <b> is a tag
    re.IGNORECASE,
)
_BULLET = re.compile(r"^[-+•]\s+")

_KINDS = r"(?:(?:final|correct|best|right|selected|animation)\s+)"
_SAYS = r"\s*(?:(?:is|would\s+be)\b\s*)?[:=\-–—]?\s*"
_LEAD = re.compile(
    rf"(?:(?:the|my)\s+)?{_KINDS}*(?:answer|option|choice|letter|type)\b{_SAYS}",
    re.IGNORECASE,
)
_STATED = re.compile(
    rf"(?:(?:so|thus|therefore|hence),?\s+)?(?:(?:the|my)\s+)?(?:{_KINDS}+(?:option|choice|letter)|{_KINDS}*answer)\b"
    rf"(?=\s*(?:is\b|would\b|[:=\-–—])){_SAYS}",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\(?([A-Za-z])(?![A-Za-z0-9])\s*([).:,;=\-–—]*)(\s*)(.*)")
_ALONE = re.compile(r"\(?([A-Za-z])[).:]*$")
_SECOND = re.compile(r"[\s.,;/&+]*(?:(?i:or|and)\s+\(?([A-Z])\b|\(?([A-Za-z])(?:[).:,;/]|\s*$))")
_JOIN = re.compile(r"[\s.,;/&+]*(?:(?:or|and)\s+)?", re.IGNORECASE)
_PHRASE_ENDS = r"(?=\s*(?:[():.,;=–—]|-+\s|$)|\s+-)"
_KEYS = ("answer", "answers", "letter", "letters", "choice", "choices", "option", "options")
_STATED_ALL = re.compile(
    rf"(?:(?:so|thus|therefore|hence),?\s+)?(?:(?:the|my)\s+)?{_KINDS}*(?:answer|option|choice|letter)s?\b"
    r"(?=\s*(?:is\b|are\b|would\b|[:=\-–—]))\s*(?:(?:is|are|would\s+be)\b\s*)?[:=\-–—]?\s*",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"\(?[A-Z]\)?(?:(?:\s*[,;/&+]\s*(?:and\s+)?|\s+and\s+|\s+)\(?[A-Z]\)?)*\.?")


def read_choice(text: str, grammar: Choice) -> Option | None:
    """The option a reply names, or None where it names none or contradicts itself."""
    said = unicodedata.normalize("NFKC", without_thinking(text))
    lines = _lines(said)
    if not lines:
        return None
    return _from_json(said, grammar) or _from_statement(lines, grammar) or _from_ends(lines, grammar)


def read_several(text: str, grammar: Several) -> tuple[Option, ...] | None:
    """The options a reply names, in their own order, or None where it names none or contradicts itself."""
    said = unicodedata.normalize("NFKC", without_thinking(text))
    lines = _lines(said)
    if not lines:
        return None
    value = _json_answer(said)
    if value is not None:
        names = value if isinstance(value, list) else [value]
        return _listed(", ".join(map(str, names)), grammar)
    for line in reversed(lines):
        if (match := _STATED_ALL.match(line)) and (found := _listed(line[match.end() :], grammar)):
            return found
    first, last = _listed(lines[0], grammar), _listed(lines[-1], grammar)
    return first if last in (None, first) else last if first is None else None


def _listed(line: str, grammar: Several) -> tuple[Option, ...] | None:
    """The options of a list of letters that is all there is; or one by its name."""
    if _LETTERS.fullmatch(line):
        found = [_by_letter(letter, grammar) for letter in re.findall(r"\b[A-Za-z]\b", line)]
        return tuple(option for option in grammar.options if option in found) if None not in found else None
    option = _opening(_plain(line), Choice(grammar.options))
    return None if option is None else (option,)


def write_several(options: Iterable[Option], because: str) -> str:
    return f"{', '.join(option.letter for option in options)}\n{because}"


def write_choice(option: Option, because: str) -> str:
    """An answer in the asked form."""
    return f"{option.letter}\n{because}"


def _lines(text: str) -> list[str]:
    """The lines that say something, without markup. A heading `Answer:` is one line with what comes below it."""
    lines: list[str] = []
    for line in text.splitlines():
        plain = "" if line.lstrip().startswith(("```", "~~~")) and _FENCE.match(line) else _plain(line)
        if plain and lines and _LEAD.fullmatch(lines[-1]):
            lines[-1] += f" {plain}"
        elif plain:
            lines.append(plain)
    return lines


def _plain(line: str) -> str:
    if line.isalnum():  # as an answer in the asked form is: a letter by itself
        return line
    return _BULLET.sub("", " ".join(_MARKUP.sub("", line).split()))


def _from_json(text: str, grammar: Choice) -> Option | None:
    answer = _json_answer(text)
    return _opening(_plain(answer), grammar) if isinstance(answer, str) else None


def _json_answer(text: str) -> object:
    """What a reply that is a JSON object gives as its answer; None for any other reply."""
    start, end = text.find("{"), text.rfind("}")
    if end < start or start < 0 or text[:start].strip("` \n").lower() not in ("", "json"):
        return None
    try:
        found = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None
    return next((found[key] for key in _KEYS if key in found), None)


def _from_statement(lines: list[str], grammar: Choice) -> Option | None:
    for line in reversed(lines):
        if (match := _STATED.match(line)) and (option := _opening(line[match.end() :], grammar)):
            return option
    return None


def _from_ends(lines: list[str], grammar: Choice) -> Option | None:
    alone = [_ALONE.match(line) for line in (lines[0], lines[-1])]
    first = _opening(lines[0], grammar)
    if first is not None and not alone[0] and len(lines) > 1 and _opening(lines[1], grammar) not in (None, first):
        first = None  # not an answer but a list of options
    last = _by_letter(alone[1][1], grammar) if alone[1] else None
    if first is None or last is None:
        return first or last
    return first if first == last else None


def _opening(line: str, grammar: Choice) -> Option | None:
    """The option that a line opens with."""
    while match := _LEAD.match(line):
        line = line[match.end() :]
    letter = _LETTER.match(line)
    by_letter = _from_letter(letter, grammar) if letter else None
    return by_letter or _named(line, grammar)


def _from_letter(match: re.Match[str], grammar: Choice) -> Option | None:
    letter, mark, space, rest = match.groups()
    option = _by_letter(letter, grammar)
    if option is None or not rest:
        return option
    named = _named(rest, grammar)
    if named not in (None, option) or _another(rest, option, grammar):
        return None
    if named is None:  # then it takes a mark to tell a letter from a word
        return option if space and mark and (letter.isupper() or mark[0] in ").:") else None
    if not mark and letter in "AaIi":  # "A fade" is prose, "A Fade" is the option as it was shown
        return option if letter.isupper() and rest.lstrip("(").startswith(option.label[: len(option.name)]) else None
    return option


def _named(text: str, grammar: Choice) -> Option | None:
    """The option whose name a text begins with, as whole words that end a phrase."""
    text = text.lstrip("( ")
    if not text:
        return None
    matching = [option for option in grammar.options if _phrase(option.name).match(text)]
    if not matching:
        return None
    option = max(matching, key=lambda one: len(one.name))  # one option may begin like another
    return None if _another(text, option, grammar) else option


def _another(text: str, option: Option, grammar: Choice) -> bool:
    """Whether a second option follows at once, after the first one's name if that is there."""
    for known in (_spoken(option.label), _spoken(option.name)):
        if text.lower().startswith(known):
            text = text[len(known) :]
            break
    if match := _SECOND.match(text):
        return _by_letter(match[1] or match[2], grammar) not in (None, option)
    rest = _JOIN.sub("", text, count=1)
    return bool(rest) and any(_phrase(other.name).match(rest) for other in grammar.options if other != option)


@cache
def _phrase(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(_plain(name)) + _PHRASE_ENDS, re.IGNORECASE)


@cache
def _spoken(name: str) -> str:
    return _plain(name).lower()


def _by_letter(letter: str, grammar: Choice | Several) -> Option | None:
    return next((option for option in grammar.options if option.letter == letter.upper()), None)
