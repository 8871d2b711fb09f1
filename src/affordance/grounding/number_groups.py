"""Groups of two or four numbers in a response, and what says that they are a location.

Everything here is a search for text; nothing is evaluated. The patterns never go back over digits or spaces they have
taken, so that a hostile response costs no more than its length."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from affordance.core.answer_text import AMBIGUOUS, AnswerCandidate, Strength, Unparsed

NUMBER = r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:e[-+]?\d++)?|[-+]?(?:nan|inf(?:inity)?)\b"
ITEM = rf"(?:(?:{NUMBER})(?:\s?%|\s?px\b)?+)"
BETWEEN = r"(?:\s*+[,;]\s*+|\s++)"
GROUP = rf"(?:[\[(]\s*+{ITEM}(?:{BETWEEN}{ITEM})*+\s*+,?\s*+[\])])"
PAIR = rf"(?:[\[(]\s*+{ITEM}{BETWEEN}{ITEM}\s*+[\])])"
NESTED = rf"(?:[\[(]\s*+{PAIR}\s*+,\s*+{PAIR}\s*+[\])])"
CORNERS = rf"(?:{PAIR}\s*+,\s*+{PAIR})"
_JOINT = r"\s*+[,;]?\s*+(?:-++>?|[–—→×x/]|=>|\.\.++|to\b|and\b|through\b)?\s*+"
SPAN = rf"(?:{PAIR}{_JOINT}{PAIR})"  # two corners, where a label says that they are those of a box
BARE = rf"(?:{ITEM}(?:{BETWEEN}{ITEM})++(?![\d.]))"
THING = (
    r"(?:element|target|region|object|item|control|component|widget|button|icon|link|field|tab|menu|input|bar|panel"
    r"|check\s?box|toggle|switch|slider|logo|dialog|banner|window|popup|notification|row|card)"
)

_ITEM = re.compile(ITEM, re.IGNORECASE)
_WHOLE = re.compile(rf"\s*+{BARE}\s*+,?\s*+", re.IGNORECASE)
_PLAIN = re.compile(r"[\[(][0-9]+(?:, ?[0-9]+)*[\])]")
_THOUSANDS = re.compile(r"(?<![\d.,])\d,\d{3}(?![\d.])")
_SPACED = re.compile(r"\d[,;]?\s+[-+.\d]")
_BETWEEN_CORNERS = re.compile(rf"(?<=[\])]){_JOINT}(?=[\[(])", re.IGNORECASE)
_GROUPED = re.compile(rf"{NESTED}|{PAIR},{PAIR}|{GROUP}", re.IGNORECASE)
_ALTERNATIVE = re.compile(
    rf"[^\n]{{0,80}}?(?:\bor\b|/|\||\band\b)\s*+(?:[\w-]{{1,20}}+\s++){{0,3}}{GROUP}", re.IGNORECASE
)
_IN_A_LIST = re.compile(r"\s*+,\s*+")  # between two groups
_RANGES = frozenset({(0.0, 1.0), (0.0, 100.0), (0.0, 999.0), (0.0, 1000.0)})  # what a model says its numbers run over
_LOCATION = (
    r"(?:bounding[\s_-]?box|b?box(?:es)?|rectangle|bounds|coordinates?|coords?|points?|positions?|locations?|located"
    r"|cent(?:er|re)(?:ed|d)?|corners?|answer|area|x\s?,\s?y\s?[\])]?)"
)
_ACT = r"(?:click|tap|press|select|touch|hover)(?:ed|ing|s)?"
_SAYS = r"(?:(?<!\w)(?:is|are|was|lies|spans|covers|occupies|would\s+be|should\s+be)(?!\w)|[:=→]|[-=]>)"
_SOFT = r"[\s*_`\"'“”<>|:=~$\\-]"  # what Markdown, quotes, tags and labels put before an answer
_LINKS = (
    rf"(?:{_SOFT}++|\b(?:is|are|be|at|on|to|of|as|by|the|it|its|here|about|around|approximately|roughly|exactly"
    rf"|given|follows|from|inside|within|spans|covers|{_LOCATION})\b)*+\Z"
)
_INTRODUCED = re.compile(
    rf"(?<![\w'])(?:(?:at|{_LOCATION}|{_ACT})(?!\w){_LINKS}"
    rf"|(?:it|this|that|here)(?:\s+{_SAYS}|'s(?!\w)){_LINKS}"
    rf"|(?:{_LOCATION}|{THING})s?(?!\w)[^.;:\n]{{0,80}}?{_SAYS}{_LINKS})",
    re.IGNORECASE,
)
_EXPLAINED = re.compile(
    r"[\s*_`\"'”,]*+(?:which\s+)?(?:is|are|marks|bounds|encloses|surrounds|covers|contains)\s"
    rf"[^.\n]{{0,80}}?\b(?:{_LOCATION}|{THING})\b",
    re.IGNORECASE,
)
_GLUE = re.compile(  # what is left of a line that has nothing but an answer
    rf"(?:<\|\w++\|>|</?s>|[\W_]|(?:{_LOCATION}|boxed|json|python|xml|text|plaintext|final|my|in|or|and|to|at|is|it|the"
    r"|that|this|here|of|i|e|with|either|bounding|target)(?![^\W_]))*+",
    re.IGNORECASE,
)
_MEASURED = re.compile(  # how large something is, not where
    r"(?:\b(?:sizes?|resolution|dimensions?|viewport|ranges?|scale|extent|width|height)"
    r"|(?:\A|[.;:\n])\W*(?:the\s|this\s)?(?:whole\s|full\s)?(?:screen(?:shot)?|image|picture|display|page|canvas))"
    rf"(?:{_SOFT}|\b(?:is|are|was|of|as|in|pixels|px|the|over|from|image|screen(?:shot)?)\b)*+\Z",
    re.IGNORECASE,
)
_DENIED = re.compile(rf"(?:\bnot|n't)\s+(?:(?:at|in|on|the|it|this|{_LOCATION})\s*+)*+\Z", re.IGNORECASE)
_SOMETHING_ELSE = re.compile(  # "is the logo, not the search icon", "not found"
    rf"[\s*_`\"'”,)]*+(?:(?:which\s+)?(?:is|are|was|marks|shows|bounds|contains|belongs\s+to)\s[^.\n]{{0,120}}?"
    rf"(?:\bnot|n't)\s+(?:\w+\s+){{0,3}}?(?:match|one|right|correct|requested|{THING})\b"
    r"|(?:(?:is|was)\s+)?not\s+(?:found|present|visible|there)\b)",
    re.IGNORECASE,
)
_DOUBT = re.compile(  # in its sentence or the next one, a location is not stated as the answer
    r"\b(?:either|might|could|may|maybe|perhaps|unless|whether|unsure|uncertain|unclear|closest|nearest|although"
    r"|but(?!\s+(?:rather\s+)?at\b)|however|failed|failure|exception|(?:an|internal|unknown|unexpected)\s+error"
    r"|error\s+(?:while|occurred)|would\s+be|first\s+idea|not\s+(?:sure|certain|clear)|can(?:no|'|’)t|is\s?n['’o]t(?!\s+at\b))\b|\?",
    re.IGNORECASE,
)
_NO_MATCH = re.compile(  # anywhere, no sentence states a location
    r"\b(?:no\s+(?:such|match)|not\s+found|absent|(?:can(?:no|'|’)t|could\s?n[o'’]t)\s+(?:find|locate|see)"
    r"|do(?:es)?(?:\s+not|n['’]t)\s+(?:exist|see))\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")
_OPENING_END = re.compile(
    r"[*_`\s]*+(?:\Z|[-–—:,.;(（：，。#|]|//|(?:is|are|marks|bounds|for|=>?|→|->)(?!\w))", re.IGNORECASE
)
_SENTENCE_BEFORE = re.compile(r"[^\W\d_][\"'”’)*_`]*+[.!?。！？][*_`]*+[ \t]*+[*_`]*+\Z")
_WORD_AFTER = re.compile(r"[ \t*_`]++\"?[^\W\d_]{2}")
_LINE_END = re.compile(r"[ \t\r.*_`]*+(?:\n|\Z)")
_LINE_START = re.compile(r"[\s*_`>#$•–—-]*+\Z")
_NEAR = 120  # characters before an answer that may introduce it
_MAX_GROUPS = 16  # of the first groups in a response, and of the last
_BRACKETS = str.maketrans("[](){}", "      ")
_UNITS = {"%": "percent", "px": "pixels"}


@dataclass(frozen=True, slots=True)
class NumberGroup:
    """Two or four numbers in the model's own order, unless `named` says that they came with names and are x before y,
    corner before corner. `unit` is what was written behind them: percent, pixels or nothing."""

    values: tuple[float, ...]
    named: bool = False
    unit: str = ""


def parse_numbers(text: str, named: bool = False) -> NumberGroup | Unparsed:
    """The numbers of a text that holds nothing else but brackets."""
    if _THOUSANDS.search(text) and _SPACED.search(text):
        return Unparsed("a number has a thousands comma")
    if _PLAIN.fullmatch(text):  # most answers, at a third of the time
        return number_group(tuple(map(float, text[1:-1].split(","))), named)
    plain = _BETWEEN_CORNERS.sub(",", text).translate(_BRACKETS)
    if not _WHOLE.fullmatch(plain):
        return Unparsed("expected two or four numbers, found other text")
    return collect_numbers(_ITEM.findall(plain), named)


def collect_numbers(items: list[str], named: bool = False) -> NumberGroup | Unparsed:
    written = "".join(items).lower()
    unit = next((name for mark, name in _UNITS.items() if mark in written), "")
    return number_group(tuple(float(item.rstrip("%pxPX ")) for item in items), named, unit)


def number_group(values: tuple[float, ...], named: bool = False, unit: str = "") -> NumberGroup | Unparsed:
    if len(values) not in (2, 4):
        return Unparsed(f"expected two or four numbers, found {len(values)}")
    return NumberGroup(values, named, unit)


def find_groups(text: str, whole_line: Strength) -> Iterator[AnswerCandidate[NumberGroup]]:
    """Groups of two or four numbers: on a line of their own (`whole_line`), at the beginning of a line (LINE), or in a
    sentence that says that they are a location (PROSE). Sizes, ranges, and locations that are denied are not among
    them; those in a sentence only where nothing in the text is in doubt.

    Where brackets are the requested form, they may be the last sentence of a line, and words may follow right after a
    box."""
    found = [
        (match, group)
        for match in _GROUPED.finditer(text)
        if isinstance(group := parse_numbers(match[0]), NumberGroup) and group.values not in _RANGES
    ]
    if len(found) <= 2 * _MAX_GROUPS:
        found = [(match, group) for match, group in found if not _is_denied(match)]
    found = [*found[:_MAX_GROUPS], *found[_MAX_GROUPS:][-_MAX_GROUPS:]]
    in_prose: list[tuple[re.Match[str], NumberGroup]] = []
    for number, (match, group) in enumerate(found):
        if number and _IN_A_LIST.fullmatch(text, found[number - 1][0].end(), match.start()):
            yield AnswerCandidate(AMBIGUOUS, match.start(), whole_line)
        elif _is_whole_line(match):
            yield AnswerCandidate(group, match.start(), whole_line)
        elif _opens_line(match) or (whole_line > Strength.LINE and _has_words(match, group)):
            value = AMBIGUOUS if has_alternative(text, match.end()) else group
            yield AnswerCandidate(value, match.start(), Strength.LINE)
        else:
            in_prose.append((match, group))
    if any(_is_introduced(match) for match, _ in found) and in_prose and not _NO_MATCH.search(text):
        for match, group in in_prose:
            if not _is_doubtful(match):
                yield AnswerCandidate(group, match.start(), Strength.PROSE)


def has_alternative(text: str, end: int) -> bool:
    """Whether another location follows on the same line as an alternative."""
    return _ALTERNATIVE.match(text, end) is not None


def describes_something_else(text: str, end: int) -> bool:
    """Whether what follows a location says that it is that of something else."""
    return _SOMETHING_ELSE.match(text, end, end + 2 * _NEAR) is not None


def _is_denied(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - _NEAR) : match.start()]
    return bool(
        _MEASURED.search(before) or _DENIED.search(before) or describes_something_else(match.string, match.end())
    )


def _is_doubtful(match: re.Match[str]) -> bool:
    """Whether its sentence or the next one has doubts."""
    text = match.string
    around = max(0, match.start() - 4 * _NEAR)
    start = max((one.end() for one in _SENTENCE_END.finditer(text, around, match.start())), default=around)
    end = match.end()
    for _ in range(2):
        found = _SENTENCE_END.search(text, end, match.end() + 4 * _NEAR)
        end = found.end() if found else min(len(text), match.end() + 4 * _NEAR)
    return _DOUBT.search(text, start, end) is not None


def _is_introduced(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - _NEAR) : match.start()]
    return bool(_INTRODUCED.search(before) or _EXPLAINED.match(match.string, match.end(), match.end() + _NEAR))


def _is_whole_line(match: re.Match[str]) -> bool:
    text, start, end = match.string, match.start(), match.end()
    line_end = text.find("\n", end)
    line = text[text.rfind("\n", 0, start) + 1 : len(text) if line_end < 0 else line_end]
    return len(line) < 10 * _NEAR and bool(_GLUE.fullmatch(_GROUPED.sub(" ", line)))


def _has_words(match: re.Match[str], group: NumberGroup) -> bool:
    """Whether it is the last sentence of a line, or a box that opens one with words right after it."""
    text, start = match.string, match.start()
    before = text[max(0, start - _NEAR) : start]
    if _SENTENCE_BEFORE.search(before):
        return _LINE_END.match(text, match.end()) is not None
    line_start = before.rfind("\n") + 1
    is_whole = line_start > 0 or start == len(before)  # the line, from its beginning
    opens = is_whole and _LINE_START.match(before, line_start) is not None
    return opens and len(group.values) == 4 and _WORD_AFTER.match(text, match.end()) is not None


def _opens_line(match: re.Match[str]) -> bool:
    text, start = match.string, match.start()
    before = text[max(text.rfind("\n", 0, start) + 1, start - _NEAR) : start]
    line_end = text.find("\n", match.end())
    end = len(text) if line_end < 0 else line_end
    return bool(_LINE_START.match(before) and _OPENING_END.match(text, match.end(), end))
