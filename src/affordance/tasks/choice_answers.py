"""Parsing and writing answers to multiple-choice questions: one option, or several.

Candidates, from the strongest (see `core.answer_text`):
- a JSON object with an answer in it;
- a line that states one in one of its sentences (`Answer: B`, `So the correct option is B.`), or is nothing but a
  letter or a list of letters;
- a line that opens with an option, by letter (`B. Move`, `Option B`) or by name (`Move: ...`).

Markup around a letter does not matter, and a letter inside prose ("A square moves...") is never an answer. Neither are
two options where one is asked for, a letter with another option's name, nor a list of options: three or more that lines
open with, or different ones on adjacent lines. A list of letters is read whole or not at all."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import cache
from typing import TypeVar

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
from affordance.core.question import AnswerOption, MultipleChoice, SingleChoice

T = TypeVar("T")

_FENCE = re.compile(r"^\s*(?:```|~~~)\w*\s*$")
_MARKUP = re.compile(
    r"[*_`#>$\"'“”‘’\[\]{}\u200b\ufeff]|\\(?:boxed|text(?:bf|it)?|mathbf|mathrm)|\\[()]|<\|[a-z_]+\|"
    r"|<(?=(?-i:[A-Z])>)|</?[a-z_]+(?=>)",  # <B> is a letter in brackets, <b> is a tag
    re.IGNORECASE,
)
_BULLET = re.compile(r"^[-+•]\s+")

_KINDS = (
    r"(?:(?:final|correct|best|right|selected|applicable|animation|most\s+(?:\w+ing|appropriate|suitable|likely))\s+)"
)
_BEFORE = r"(?:(?:so|thus|therefore|hence),?\s+)?(?:I\s+(?:believe|think|conclude)\s+(?:that\s+)?)?(?:(?:the|my)\s+)?"
_CHOOSE = r"(?:so\s+)?I(?:\s+would|['’]?d)?\s+(?:choose|pick|select|say|go\s+(?:with|for))\s+(?:option\s+)?"
_SAYS = r"\s*(?:(?:is|would\s+be)\b\s*)?[:=\-–—]?\s*"
_FOREIGN = (  # labels of an answer in other languages
    r"(?:(?:最终|正确)?(?:答案|选项|回答)(?:是|为)?|我?选择?|(?:最終)?(?:答え|回答|正解)は?|정답은?|답은?"
    r"|(?:Die\s+)?(?:(?:richtige|korrekte)\s+)?Antwort(?:\s+ist)?|(?:La\s+)?Respuesta(?:\s+correcta)?(?:\s+es)?"
    r"|(?:La\s+)?(?:bonne\s+)?Réponse(?:\s+correcte)?(?:\s+est)?|(?:A\s+)?Resposta(?:\s+correta)?(?:\s+é)?"
    r"|(?:La\s+)?Risposta(?:\s+(?:corretta|giusta))?(?:\s+è)?|(?:Правильный\s+)?Ответ|الإجابة)\s*[:=–—-]?\s*"
)
_LEAD = re.compile(
    rf"(?:(?:the|my)\s+)?{_KINDS}*(?:answer|option|choice|letter|type)\b{_SAYS}|{_FOREIGN}",
    re.IGNORECASE,
)
_STATED = re.compile(
    rf"{_BEFORE}(?:{_KINDS}+(?:option|choice|letter)|{_KINDS}*answer)\b"
    rf"(?=\s*(?:is\b|would\b|[:=\-–—])){_SAYS}|(?:result|conclusion|verdict|decision|correct)\s*[:=]\s*|{_CHOOSE}|{_FOREIGN}",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\(?([A-Za-z])(?![A-Za-z0-9])\s*([).:,;=\-–—]*)(\s*)(.*)")
_ALONE = re.compile(r"\(?([A-Za-z])[).:!]*$")
_REASON = re.compile(r"(?:because|since)\b|\((?!\s*(?:or|and)\b|[A-Z]\))[^()]*+\)[\s.]*$", re.IGNORECASE)
_WOULD = re.compile(r"would|\bI['’]?d\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|unless|had|were)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?;]\s+|,\s+(?:but|so|hence|thus|therefore)\s+", re.IGNORECASE)
_SENTENCES = 20  # of a line that may open with a label, at its end
_WIDE = str.maketrans({"，": ", ", "。": ". ", "、": ", ", "；": "; ", "：": ": "})  # they come without spaces
_SECOND = re.compile(
    r"[\s.,;/&+]*(?:(?i:or|and)\s+\(?([A-Z])\b|\(?([A-Za-z])(?:[).:,;/]|\s*$))|\s*[,;/&+]\s*\(?([B-HJ-Z])\b"
)
_OTHER_LETTER = re.compile(r"\(?[B-HJ-Z]\b")
_JOIN = re.compile(r"[\s.,;/&+]*(?:(?:or|and)\s+)?", re.IGNORECASE)
_PHRASE_ENDS = r"(?=\s*(?:[():.,;=–—]|-+\s|$)|\s+-)"
_KEYS = ("answer", "answers", "letter", "letters", "choice", "choices", "option", "options")
_STATED_ALL = re.compile(
    rf"{_BEFORE}{_KINDS}*(?:answer|option|choice|letter)s?\b"
    rf"(?=\s*(?:is\b|are\b|would\b|[:=\-–—]))\s*(?:(?:is|are|would\s+be)\b\s*)?[:=\-–—]?\s*|(?:the\s+)?(?:following\s+)?(?:options|letters)\s+(?:that\s+)?apply(?:\s+are)?\s*:?\s*|correct\s*[:=]\s*|{_CHOOSE}|{_FOREIGN}",
    re.IGNORECASE,
)
_LETTERS = re.compile(
    r"\(?[A-Z]\)?(?:(?:\s*[,;/&+、]\s*(?:and\s+)?|\s+(?:and|und|et|y)\s+|\s*[和与及と]\s*|\s+)\(?[A-Z]\)?(?!\w))*\.?"
)
_LETTER_WORD = re.compile(r"\b[A-Za-z]\b")
_ALTERNATIVES = re.compile(r"[A-Z]\b[^.\n]*?\s(?i:or)\s+(?:only\s+)?\(?[A-Z]\b")
_ASIDE = re.compile(r"\((?![A-Z]\))[^()\n]*+\)")
_LOWER_CASE = re.compile(r"[a-z](?:\s*,\s*[a-z])+\.?")
_ONLY = re.compile(r"^(?:only|just|both)\s+(?=[A-Z]\b)|(?<=^[A-Z])\s+(?:only|alone)(?=\.?$)", re.IGNORECASE)
_NEXT_LETTER = re.compile(  # of a sentence that does not exclude it
    r"(?<=[.])\s*\(?([A-Z])\b(?![^.]*\b(?:not|wrong|false|incorrect|excluded|no|(?:do|does|is|are|ca|wo)n['’]?t)\b)"
)
_AFTER_LETTERS = re.compile(
    r"(?<=[.])(?!\s*(?:or|and|also|maybe|perhaps|possibly)\b)|,\s*(?:but\s+)?not\b|\s*(?:$|[-–—:]|(?:since|because|as|for|both|all|only)\b"
    r"|(?:are|is|apply|applies)\b(?!.*(?:\bnot\b|\b(?:do|does|is|are|ca|wo)n['’]?t\b)))",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r".{0,200}\b(?:answer|choice|type|purpose|conclusion|result)(?:\s+is)?(?:\s+therefore)?:", re.IGNORECASE
)
_LAST_SENTENCE = re.compile(r"[^\n]*\w\w[.!?:]\s+\(?([A-Z])\)?\.?")
_CAPITAL = re.compile(r"\b[B-HJ-Z]\b")


class _LineForm(Enum):
    """How a line names its options."""

    STATED = "stated"  # behind a label
    ALONE = "alone"  # it is nothing but letters
    OPENING = "opening"  # it opens with them


def parse_single_choice(text: str, answer_format: SingleChoice) -> AnswerOption | None:
    """The option that a response names, or None where it names none or is ambiguous."""

    def find(final: str) -> AnswerOption | Unparsed:
        return _decide(
            final,
            lambda value: _single_from_json(value, answer_format),
            lambda line: _single_from_line(line, answer_format),
        )

    return _parse(text, find)


def parse_multiple_choice(text: str, answer_format: MultipleChoice) -> tuple[AnswerOption, ...] | None:
    """The options that a response names, in their own order, or None where it names none or is ambiguous."""

    def find(final: str) -> tuple[AnswerOption, ...] | Unparsed:
        return _decide(
            final,
            lambda value: _multiple_from_json(value, answer_format),
            lambda line: _multiple_from_line(line, answer_format),
        )

    return _parse(text, find)


def _parse(text: str, find: Callable[[str], T | Unparsed]) -> T | None:
    final = label_final_answers(unicodedata.normalize("NFKC", strip_thinking(text).translate(_WIDE)))
    found = parse_answer_text(final, find)
    return None if isinstance(found, Unparsed) else found


def _decide(
    text: str,
    of_json: Callable[[object], T | Unparsed | None],
    of_line: Callable[[str], tuple[T | Unparsed, _LineForm] | None],
) -> T | Unparsed:
    values = json_values(text)
    candidates: list[AnswerCandidate[T]] = []
    for one in values:
        if (answer := of_json(one.value)) is not None:
            candidates.append(AnswerCandidate(answer, one.start, Strength.OWN))
    by_form: dict[_LineForm, list[tuple[int, int, T | Unparsed]]] = {}
    for number, (start, line) in enumerate(_lines(blank_spans(text, [(one.start, one.end) for one in values]))):
        if (read := of_line(line)) is not None:
            value, form = read
            by_form.setdefault(form, []).append((number, start, value))
    for form, found in by_form.items():
        # A label is no part of a list of options, and one line is no list.
        is_single = form is _LineForm.STATED or len(found) == 1
        kept = {number for number, _, _ in found} if is_single else drop_option_lists((n, one) for n, _, one in found)
        strength = Strength.LINE if form is _LineForm.OPENING else Strength.MARKED
        candidates += [AnswerCandidate(value, start, strength) for number, start, value in found if number in kept]
    return decide(candidates, text)


def _single_from_json(value: object, answer_format: SingleChoice) -> AnswerOption | Unparsed | None:
    answer = _json_answer(value)
    if isinstance(answer, list):
        answer = answer[0] if len(answer) == 1 else None
        return (isinstance(answer, str) and _option_at_start(_plain(answer), answer_format)) or AMBIGUOUS
    return _option_at_start(_plain(answer), answer_format) if isinstance(answer, str) else None


def _multiple_from_json(value: object, answer_format: MultipleChoice) -> tuple[AnswerOption, ...] | Unparsed | None:
    answer = _json_answer(value)
    if isinstance(answer, list):
        return _option_list(", ".join(map(str, answer)), answer_format) or AMBIGUOUS
    return _option_list(_plain(answer), answer_format) if isinstance(answer, str) else None


def _json_answer(value: object) -> object:
    """What an object has under the key of an answer; a list of strings is one."""
    if isinstance(value, dict):
        return next((value[key] for key in _KEYS if key in value), None)
    return value if isinstance(value, list) and all(isinstance(one, str) for one in value) else None


def _single_from_line(line: str, answer_format: SingleChoice) -> tuple[AnswerOption | Unparsed, _LineForm] | None:
    """The option that a line states, consists of, or opens with."""
    for rest in _after_labels(line, _STATED):
        if stated := _option_at_start(rest, answer_format):
            return stated, _LineForm.STATED
    if (alone := _ALONE.match(line)) and (lettered := _option_by_letter(alone[1], answer_format)):
        return lettered, _LineForm.ALONE
    found = _option_at_start(line, answer_format) or _option_at_end(line, answer_format)
    return None if found is None else (found, _LineForm.OPENING)


def _after_labels(line: str, label: re.Pattern[str]) -> Iterator[str]:
    """What stands behind the labels that open a sentence of a line, the last one first."""
    starts = [0, *(match.end() for match in _SENTENCE.finditer(line))]
    for start in reversed(starts[-_SENTENCES:]):
        match = label.match(line, start)
        if match and not (_WOULD.search(match[0]) and _CONDITION.search(line, match.end())):
            yield line[match.end() :]


def _option_at_end(line: str, answer_format: SingleChoice) -> AnswerOption | None:
    """The option whose letter is the last sentence of a line that has no other letter."""
    match = _LAST_SENTENCE.fullmatch(line)
    return (
        _option_by_letter(match[1], answer_format) if match and not _CAPITAL.search(line, 0, match.start(1)) else None
    )


def _multiple_from_line(
    line: str, answer_format: MultipleChoice
) -> tuple[tuple[AnswerOption, ...] | Unparsed, _LineForm] | None:
    for rest in _after_labels(line, _STATED_ALL):
        if found := _option_list(rest, answer_format):
            return found, _LineForm.STATED
    if found := _all_letters(line, answer_format):
        return found, _LineForm.ALONE
    found = _option_list(line, answer_format)
    return None if found is None else (found, _LineForm.OPENING)


def _option_list(line: str, answer_format: MultipleChoice) -> tuple[AnswerOption, ...] | None:
    """The options of a list that a line consists of or opens with; or one by its name."""
    line = _ONLY.sub("", " ".join(_ASIDE.sub(" ", line).split()))
    if _ALTERNATIVES.match(line):
        return None
    for option in answer_format.options:  # what stands in the prompt behind each letter
        line = _prompt_pattern(option).sub(option.letter, line)
    if letters := _all_letters(line, answer_format):
        return letters
    if (match := _LETTERS.match(line)) and len(_LETTER_WORD.findall(match[0])) > 1:
        found = _all_letters(match[0].strip(), answer_format) if _AFTER_LETTERS.match(line, match.end()) else None
        more = _NEXT_LETTER.match(line, match.end())
        added = _option_by_letter(more[1], answer_format) if more else None
        return found if found is None or added is None or added in found else None
    opened = _option_at_start(line, SingleChoice(answer_format.options))
    return None if opened is None else (opened,)


def _all_letters(line: str, answer_format: MultipleChoice) -> tuple[AnswerOption, ...] | None:
    line = line.upper() if _LOWER_CASE.fullmatch(line) else line
    if not _LETTERS.fullmatch(line):
        return None
    found = [_option_by_letter(letter, answer_format) for letter in _LETTER_WORD.findall(line)]
    return tuple(option for option in answer_format.options if option in found) if None not in found else None


def write_multiple_choice(options: Iterable[AnswerOption], reason: str) -> str:
    return f"{', '.join(option.letter for option in options)}\n{reason}"


def write_single_choice(option: AnswerOption, because: str) -> str:
    """An answer in the asked form."""
    return f"{option.letter}\n{because}"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, without markup, and where each begins. A heading `Answer:` is one line with what
    comes below it."""
    heading_start = 0
    heading = False
    for start, line in numbered_lines(text):
        plain = "" if line.lstrip().startswith(("```", "~~~")) and _FENCE.match(line) else _plain(line.strip())
        if plain and heading:
            plain, at, heading = f"Answer: {plain}", heading_start, False
        else:
            at = start
        if plain and _LEAD.fullmatch(plain):
            heading, heading_start = True, at
        elif plain and _HEADING.fullmatch(plain):
            heading, heading_start = True, at
            yield at, plain
        elif plain:
            yield at, plain


def _plain(line: str) -> str:
    if line.isalnum():  # as an answer in the asked form is: a letter by itself
        return line
    return _BULLET.sub("", " ".join(_MARKUP.sub("", line).split()))


def _option_at_start(line: str, answer_format: SingleChoice) -> AnswerOption | None:
    """The option that a line opens with."""
    while match := _LEAD.match(line):
        line = line[match.end() :]
    letter = _LETTER.match(line)
    by_letter = _option_after_letter(letter, answer_format) if letter else None
    return by_letter or _option_by_name(line, answer_format)


def _option_after_letter(match: re.Match[str], answer_format: SingleChoice) -> AnswerOption | None:
    letter, mark, space, rest = match.groups()
    option = _option_by_letter(letter, answer_format)
    if option is None or not rest:
        return option
    if mark[-1:] in (",", ";") and _OTHER_LETTER.match(rest):
        return None
    named = _option_by_name(rest, answer_format)
    if named not in (None, option) or _has_second_option(rest, option, answer_format):
        return None
    if named is None and not mark and letter.isupper() and _REASON.match(rest):
        return option
    if named is None:  # then only a mark makes a letter of a word
        return option if space and mark and (letter.isupper() or mark[0] in ").:") else None
    if not mark and letter in "AaIi":  # "A fade" is prose, "A Fade" is the option as it was shown
        return option if letter.isupper() and rest.lstrip("(").startswith(option.label[: len(option.name)]) else None
    return option


def _option_by_name(text: str, answer_format: SingleChoice) -> AnswerOption | None:
    """The option whose name a text begins with, as whole words that end a phrase."""
    text = text.lstrip("( ")
    if not text:
        return None
    matching = [option for option in answer_format.options if _name_pattern(option.name).match(text)]
    if not matching:
        return None
    option = max(matching, key=lambda one: len(one.name))  # one option may begin like another
    return None if _has_second_option(text, option, answer_format) else option


def _has_second_option(text: str, option: AnswerOption, answer_format: SingleChoice) -> bool:
    """Whether a second option follows at once, after the first one's name if that is there."""
    for known in (_plain_lower(option.label), _plain_lower(option.name)):
        if text.lower().startswith(known):
            text = text[len(known) :]
            break
    if match := _SECOND.match(text):
        return _option_by_letter(match[1] or match[2] or match[3], answer_format) not in (None, option)
    rest = _JOIN.sub("", text, count=1)
    return bool(rest) and any(
        _name_pattern(other.name).match(rest) for other in answer_format.options if other != option
    )


@cache
def _name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(_plain(name)) + _PHRASE_ENDS, re.IGNORECASE)


@cache
def _plain_lower(name: str) -> str:
    return _plain(name).lower()


def _option_by_letter(letter: str, answer_format: SingleChoice | MultipleChoice) -> AnswerOption | None:
    return next((option for option in answer_format.options if option.letter == letter.upper()), None)


@cache
def _prompt_pattern(option: AnswerOption) -> re.Pattern[str]:
    """An option as the prompt has it: its letter, a mark and its text."""
    texts = "|".join(sorted({re.escape(_plain(option.label)), re.escape(_plain(option.name))}, key=len, reverse=True))
    return re.compile(rf"\b{option.letter}\s*[).:=–—-]*\s*(?:{texts})(?!\w)", re.IGNORECASE)
