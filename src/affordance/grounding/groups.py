"""Numbers in a reply: groups of two or four that belong together, and the names they may come with.

Everything here is a search for text that looks like an answer; nothing is evaluated. The patterns never go back over
digits or spaces they have taken, so that a hostile reply costs no more than its length."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from affordance.grounding.places import Absent

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

_ITEM = re.compile(ITEM, re.IGNORECASE)
_WHOLE = re.compile(rf"\s*+{BARE}\s*+,?\s*+", re.IGNORECASE)
_PLAIN = re.compile(r"[\[(][0-9]+(?:, ?[0-9]+)*[\])]")
_BETWEEN_CORNERS = re.compile(rf"(?<=[\])]){_JOINT}(?=[\[(])", re.IGNORECASE)
_GROUPED = re.compile(rf"{NESTED}|{GROUP}", re.IGNORECASE)
_RANGES = frozenset({(0.0, 1.0), (0.0, 100.0), (0.0, 999.0), (0.0, 1000.0)})  # what a model says its numbers run over

THING = (
    r"(?:element|target|region|object|item|control|component|widget|button|icon|link|field|tab|menu|input|bar|panel"
    r"|check\s?box|toggle|switch|slider|logo|dialog|banner|window|popup|notification|row|card)"
)
_PLACE = (
    r"(?:bounding[\s_-]?box|b?box(?:es)?|rectangle|bounds|coordinates?|coords?|points?|positions?|locations?|located"
    r"|cent(?:er|re)(?:ed|d)?|corners?|answer|area|x\s?,\s?y\s?[\])]?)"
)
_ACT = r"(?:click|tap|press|select|touch|hover)(?:ed|ing|s)?"
_SAYS = r"(?:(?<!\w)(?:is|are|was|lies|spans|covers|occupies|would\s+be|should\s+be)(?!\w)|[:=→]|[-=]>)"
_SOFT = r"[\s*_`\"'“”<>|:=~$\\-]"  # what Markdown, quotes, tags and labels put before an answer
_LINKS = (
    rf"(?:{_SOFT}++|\b(?:is|are|be|at|on|to|of|as|by|the|it|its|here|about|around|approximately|roughly|exactly"
    rf"|given|follows|from|inside|within|spans|covers|{_PLACE})\b)*+\Z"
)
_INTRODUCED = re.compile(
    rf"(?<![\w'])(?:(?:at|{_PLACE}|{_ACT})(?!\w){_LINKS}"
    rf"|(?:it|this|that|here)(?:\s+{_SAYS}|'s(?!\w)){_LINKS}"
    rf"|(?:{_PLACE}|{THING})s?(?!\w)[^.;:\n]{{0,80}}?{_SAYS}{_LINKS})",
    re.IGNORECASE,
)
_EXPLAINED = re.compile(
    r"[\s*_`\"'”,]*+(?:which\s+)?(?:is|are|marks|bounds|encloses|surrounds|covers|contains)\s"
    rf"[^.\n]{{0,80}}?\b(?:{_PLACE}|{THING})\b",
    re.IGNORECASE,
)
_GLUE = re.compile(  # what is left of a line that says nothing but an answer
    rf"(?:<\|\w++\|>|</?s>|[\W_]|(?:{_PLACE}|boxed|json|python|xml|text|plaintext|final|my|in|or|and|to|at|is|it|the|that|this|here|of|i|e"
    r"|with|either|bounding|target)(?![^\W_]))*+",
    re.IGNORECASE,
)
_MEASURED = re.compile(  # how large something is, not where
    r"(?:\b(?:sizes?|resolution|dimensions?|viewport|ranges?|scale|extent|width|height)"
    r"|(?:\A|[.;:\n])\W*(?:the\s|this\s)?(?:whole\s|full\s)?(?:screen(?:shot)?|image|picture|display|page|canvas))"
    rf"(?:{_SOFT}|\b(?:is|are|was|of|as|in|pixels|px|the|over|from|image|screen(?:shot)?)\b)*+\Z",
    re.IGNORECASE,
)
_DENIED = re.compile(rf"(?:\bnot|n't)\s+(?:(?:at|in|on|the|it|this|{_PLACE})\s*+)*+\Z", re.IGNORECASE)
_IN_A_STRING = re.compile(
    rf"\"(?!(?:{_PLACE}|final_answer|result|response)\")\w+\"\s*+:\s*+\"[^\"\n]*+\Z", re.IGNORECASE
)
_NEAR = 120  # characters before an answer that may introduce it
_LOOKED_AT = 16  # of the first groups in a reply, and of the last
_BRACKETS = str.maketrans("[](){}", "      ")
_UNITS = {"%": "percent", "px": "pixels"}


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a model said: two or four numbers in its own order, unless `named` says that they came with names and are
    x before y, corner before corner. `unit` is what it wrote behind them: percent, pixels or nothing."""

    values: tuple[float, ...]  # two or four
    named: bool = False  # whether they came as x, y..., and not in the dialect's order
    unit: str = ""  # that was written behind them


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that was meant as an answer and is none."""

    reason: str


Answer = Numbers | Absent | Trouble
Found = Answer | None  # None: nothing in this form


def numbers_in(text: str, named: bool = False) -> Numbers | Trouble:
    """The numbers of a text that holds nothing else but brackets."""
    if _PLAIN.fullmatch(text):  # most answers, at a third of the time
        return _counted(tuple(map(float, text[1:-1].split(","))), named, "")
    plain = _BETWEEN_CORNERS.sub(",", text).translate(_BRACKETS)
    if not _WHOLE.fullmatch(plain):
        return Trouble("expected two or four numbers, found other text")
    return collected(_ITEM.findall(plain), named)


def stated(text: str) -> list[Numbers]:
    """Groups of two or four numbers in prose, if at least one of them is said to be a place: it stands on a line with
    nothing else, or after words such as `at` or `the box is`. Sizes, ranges, places that are denied and what stands in
    JSON under another name are not among them."""
    groups = [(match, numbers_in(match[0])) for match in _GROUPED.finditer(text)]
    found = [(match, group) for match, group in groups if isinstance(group, Numbers) and group.values not in _RANGES]
    if len(found) <= 2 * _LOOKED_AT:
        found = [(match, group) for match, group in found if not _set_aside(match)]
    if any(_meant(match) for match, _ in (*found[:_LOOKED_AT], *found[_LOOKED_AT:][-_LOOKED_AT:])):
        return [group for _, group in found]
    return []


def collected(items: list[str], named: bool = False) -> Numbers | Trouble:
    written = "".join(items).lower()
    unit = next((name for mark, name in _UNITS.items() if mark in written), "")
    return _counted(tuple(float(item.rstrip("%pxPX ")) for item in items), named, unit)


def agreed(answers: Iterable[Answer]) -> Found:
    """The one answer that all of these are; a contradiction is trouble, and never settled by taking the middle."""
    different = list(dict.fromkeys(answers))
    if len(different) > 1:
        return Trouble(f"found {len(different)} different answers and nothing that says which one counts")
    return different[0] if different else None


def last(answers: Iterable[Answer]) -> Found:
    """Where the form says that the last one counts."""
    found = None
    for found in answers:  # noqa: B007
        pass
    return found


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - _NEAR) : match.start()]


def _set_aside(match: re.Match[str]) -> bool:
    before = _before(match)
    return bool(_MEASURED.search(before) or _DENIED.search(before) or _IN_A_STRING.search(before))


def _meant(match: re.Match[str]) -> bool:
    text, start, end = match.string, match.start(), match.end()
    if _INTRODUCED.search(_before(match)) or _EXPLAINED.match(text, end, end + _NEAR):
        return True
    line_end = text.find("\n", end)
    line = text[text.rfind("\n", 0, start) + 1 : len(text) if line_end < 0 else line_end]
    return len(line) < 10 * _NEAR and bool(_GLUE.fullmatch(_GROUPED.sub(" ", line)))


def _counted(values: tuple[float, ...], named: bool, unit: str) -> Numbers | Trouble:
    if len(values) not in (2, 4):
        return Trouble(f"expected two or four numbers, found {len(values)}")
    return Numbers(values, named, unit)
