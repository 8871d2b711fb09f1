"""From a reply to a place. Never raises, never guesses: what cannot be read has a reason."""

import re
import unicodedata
from functools import lru_cache

from affordance.core.grammar import Locate
from affordance.core.thinking import without_thinking
from affordance.grounding import answers
from affordance.grounding.conventions import Convention, Order
from affordance.grounding.forms import Form, Reader
from affordance.grounding.groups import THING, Found, Numbers, Trouble
from affordance.grounding.places import ABSENT, Reading
from affordance.grounding.selection import dialect_named

_ERROR_REASON = "the reply is an error message, not an answer"
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_LONGEST = 20_000  # characters; what a reply says, it says at its end
_HUGE = 1e9
_VALUE = r"\s*+:\s*+(?!null|false|none|\"\"|\[\s*+\]|\{\s*+\})"
_NOT_ON_SCREEN = (  # a dialog that tells of an error is something to find
    r"(?!(?:\s+\w+){0,2}\s+(?:button|icon|dialog|banner|tab|link|label|notification|window|popup|bar|alert|toast|heading"
    r"|panel|page|(?:message|text)\s+(?:is|at))\b)"
)
_FAULT = r"[\"'](?:code|status|status_?code)[\"']\s*+:\s*+[\"']?[45]\d\d\b"
_FAULTY = re.compile(_FAULT, re.IGNORECASE)
_ERROR = re.compile(
    r"\s*+(?:```\w*\s*+)?(?:"
    rf"[\[{{][^\[\]]{{0,2000}}?\"(?:errors?|fault|status_?code)\"{_VALUE}"
    r"|\{.{0,2000}?\"error\"\s*+:\s*+\{\s*+\"|\{\s*+\"detail\"\s*+:\s*+\[\s*+\{"
    r"|\{[^\[\]]{0,2000}?\"(?:object|type|status)\"\s*+:\s*+\"error\""
    rf"|\{{[^\[\]]{{0,2000}}?{_FAULT}"
    r"|\{\s*+\"(?:code|message)\"\s*+:.{0,2000}?\"(?:code|message|type)\"\s*+:"
    r"|[\w.]{0,80}(?:error|exception|timeout)(?:\s*+(?:code\b|[:{\-–]|\d{3}\b|$)|\(['\"])"
    r"|(?:api|http|server|provider|request|network|connection|upstream|gateway|internal)\s(?:\w+\s){0,3}"
    rf"(?:error|failed|failure|timed\s+out|timeout)\b{_NOT_ON_SCREEN}"
    r"|(?:http(?:/\d(?:\.\d)?)?|status(?:\s+code)?)\W{0,3}[45]\d\d\b"
    r"|[45]\d\d\s+(?:[a-z]+\s+){0,2}(?:error|requests?|required|gateway|unavailable|timeout|found|forbidden"
    r"|unauthorized|limit|large)\b"
    r"|(?:rate\s+limit|quota|too\s+many\s+requests|bad\s+gateway|service\s+unavailable|gateway\s+time)"
    r"|traceback\s+\(most|<!doctype|<html|<\?xml)",
    re.IGNORECASE | re.DOTALL,
)
_TROUBLE = re.compile(  # how servers excuse themselves, wherever it stands in lower case
    rf"(?:{_FAULT}"
    r"|(?:error|exception)s?\b\]?\s*+(?:[:;\[({<>\d–-]|$|(?:codes?|at|while|occurred|has|have|was)\b)"
    r"|\b(?:an|internal|server|unknown|unexpected|api|http|gateway|connection|timeout)\s+error\b"
    r"|\boverloaded\b|\btry\s+again\s+(?:later|in|after)\b|\b(?:temporarily|service|currently)\s+unavailable\b"
    r"|\bexceeded\s(?:\w+\s){0,4}(?:quota|limit)\b|\b(?:quota|rate\s+limit)\s(?:\w+\s)?(?:exceeded|reached)\b"
    r"|\binsufficient\s+(?:balance|quota|credits?|funds)\b|\bsomething\s+went\s+wrong\b|\btoo\s+many\s+requests\b"
    r"|\b(?:request|call|connection|server|upstream)\s(?:\w+\s){0,2}(?:failed|timed\s+out|rejected|aborted)\b"
    r"|\b(?:status|http)(?:\s+code)?\W{1,3}[45]\d\d\b|\bbad\s+gateway\b|\binvalid\s+api\s+key\b"
    rf"){_NOT_ON_SCREEN}",
    re.MULTILINE,
)
_TROUBLE_WORDS = re.compile(  # these searches come first, as they are many times as quick
    r"error|exception|overloaded|again|unavailable|exceeded|reached|insufficient|went|too\s|failed|timed|rejected|aborted"
    r"|status|http|code|gateway|api\s"
)
_SEEK = r"(?:find|locate|see|identify|spot|detect)\b"
_DENIAL = re.compile(  # in lower case too
    r"\bno\s+(?:such|match(?:es|ing)?)\b|\bnot\s+found\b"
    rf"|\b(?:is|are|see|found|'s)\s+no\s+(?:(?:visible|clear|exact|ui|corresponding|suitable)\s+)?{THING}\b"
    rf"|\b(?:can(?:\s?not|'t)|could(?:\s+not|n't)|(?:did|do)(?:\s+not|n't)|unable\s+to|failed\s+to)\s+(?:\w+\s+)?{_SEEK}"
    rf"|\b(?:{THING}|it|that|which|this)\s+(?:(?:is|was)(?:\s+not|n't)\s+(?:actually\s+)?(?:found|present|visible|there"
    r"|shown|on\s|in\s)|(?:is|was)\s+(?:absent|missing)\b|does(?:\s+not|n't)\s+(?:exist|appear|match)\b)"
    rf"|\bnot\s+(?:the|a|what)\s+(?:(?:right|correct|requested)\s+)?(?:match|one|{THING})\b|\bnothing\s[^.\n]{{0,40}}?match"
    r"|\b(?:box|bbox|point|answer)\W{1,5}(?:none|null|absent)\b|(?:\A|[:\n])\W{0,20}none\W{0,20}\Z"
)
_DENIAL_WORDS = re.compile(r"no|n't|unable|failed|absent|missing|null")
_QUOTED = re.compile(  # what is on the screen, unless it is a message; names of values stay
    r"(\"(?:message|detail|msg|reason)\"\s*+:\s*+\"[^\"\n]{0,2000}\"|\"[^\"\n]{0,200}\"\s*+:)"
    r"|\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”|(?<!\w)'[^'\n]{1,200}'(?!\w)"
)
_END_OF_NUMBERS = re.compile(r"\d\s*+(?:%|px)?\s*+,?\s*+[\])}<'\"]")
_OTHER_ACT = r"(?:scroll|swipe|drag|type|write|input_text|keys?|key_?down|key_?up|hot_?key|send_?keys|zoom|pan)"
_OTHER_ACTS = re.compile(  # what a model types, or how far it scrolls, is not where something is
    rf"\b(?:pyautogui\.move(?:rel)?|[hv]scroll|scroll_?(?:up|down)|type_?(?:write|text)|drag_?(?:to|rel)|{_OTHER_ACT})"
    r"\((?:[^()'\"\n]|'[^'\n]*'|\"[^\"\n]*\"|\([^()\n]*\))*+\)(?!\s*,\s*\()"  # no name before two corners
    rf"|\{{[^{{}}]*?[\"'](?:action(?:_?type)?|type|name)[\"']\s*+:\s*+[\"']{_OTHER_ACT}[\"'][^{{}}]*+\}}",
    re.IGNORECASE,
)
_ACT_WORDS = re.compile(r"scroll|swipe|drag|type|write|input_text|key|zoom|pan|move")
_PROSE: frozenset[Reader] = frozenset({answers.four, answers.two, answers.grouped, answers.corners})
_BOXES: tuple[Reader, ...] = (answers.four, answers.grouped)
_POINTS: tuple[Reader, ...] = (answers.two, answers.grouped)
_ANY_FORM: tuple[Reader, ...] = (
    answers.begin_of_box,
    answers.labelled,
    answers.tagged,
    answers.keyed,
    answers.tars_action,
    answers.named,
    answers.pyautogui_call,
    answers.nothing_at_all,
)
_UNITS = {"percent": ("percent",), "pixels": ("original", "sent", "side", "area", "tiles", "smart")}


def read_place(text: str, grammar: Locate) -> Reading:
    """What a reply says about where something is, in pixels of the picture as it is.

    The dialect's own form is read first, then any other form that leaves no doubt (`fallback`). Two different answers
    are none, unless the form says which of them counts; nor is a place that the reply itself denies, or one in the
    words of a server. Negative numbers throughout mean that nothing matches."""
    dialect = dialect_named(grammar.dialect)
    said = without_thinking(text)[-_LONGEST:]
    if not said.isascii():
        said = _NOT_ASCII.sub(lambda match: _plain(match[0]), said)
    if not said.strip():
        return Reading(None, reason="the reply is empty")
    if _ERROR.match(said):
        return Reading(None, reason=_ERROR_REASON)
    found, fallback = _found(said, dialect.form(grammar.level))
    if isinstance(found, Numbers):
        return _placed(found, dialect.convention, grammar, fallback)
    if found is ABSENT:
        return Reading(ABSENT, fallback=fallback)
    return Reading(None, fallback=fallback, reason=found.reason if found else "no coordinates in the reply")


def _found(said: str, form: Form) -> tuple[Found, bool]:
    lower = said.lower()
    if _ACT_WORDS.search(lower):
        said = _OTHER_ACTS.sub(" ", said)
    if _TROUBLE_WORDS.search(lower) and _TROUBLE.search(_QUOTED.sub(r"\1", lower)):
        return _despite_trouble(said, form), False
    for reader in form.readers:
        if found := reader(said):
            return _undenied(found, said, reader in _PROSE), False
    for reader in (*_ANY_FORM, *(_POINTS if form.points else _BOXES)):
        if found := reader(said):
            return _undenied(found, said, True), True
    return None, False


def _despite_trouble(said: str, form: Form) -> Found:
    """What a reply that talks of failure says on lines of its own, in a form that is not mistaken for prose."""
    if _FAULTY.search(said):
        return Trouble(_ERROR_REASON)
    lines = [line for line in said.splitlines() if not _TROUBLE.search(_QUOTED.sub(r"\1", line.lower()))]
    for reader in form.readers:
        if reader not in _PROSE and (found := reader("\n".join(lines))):
            return _undenied(found, said, False)
    return Trouble(_ERROR_REASON)


def _undenied(found: Found, said: str, anywhere: bool) -> Found:
    """Nothing, where the reply also says that nothing matches: `anywhere` in it, or after the numbers."""
    if not isinstance(found, Numbers) or not _DENIAL_WORDS.search(lower := said.lower()):
        return found
    end = 0 if anywhere else max((match.end() for match in _END_OF_NUMBERS.finditer(lower)), default=0)
    if _DENIAL.search(_QUOTED.sub("", lower[end:])):
        return Trouble("found a place, and that nothing matches")
    return found


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    """Wide and small forms as what they stand for. Not every compatible character: 10² is not 102."""
    if character == "−":
        return "-"
    wide = unicodedata.decomposition(character).startswith(("<wide>", "<narrow>", "<small>"))
    return unicodedata.normalize("NFKC", character) if wide else character


def _placed(found: Numbers, convention: Convention, grammar: Locate, fallback: bool) -> Reading:
    grids = _UNITS.get(found.unit)
    if grids and convention.grid.kind not in grids:
        reason = f"expected numbers of the grid {convention.grid}, found {found.unit}"
        return Reading(None, found.values, fallback, reason)
    values = _in_order(found.values, convention.order) if found.named else found.values
    if not all(abs(value) < _HUGE for value in values):  # also where it is not a number at all
        return Reading(None, values, fallback, "expected coordinates, found numbers that cannot be any")
    if all(value < 0 for value in values):
        return Reading(ABSENT, values, fallback)
    return Reading(convention.place(values, grammar.size, grammar.sent), values, fallback)


def _in_order(values: tuple[float, ...], order: Order) -> tuple[float, ...]:
    """Numbers that came with their names, as a model that leaves the names away would have said them."""
    match order, values:
        case Order.YXYX, (x, y):
            return y, x
        case Order.YXYX, (x1, y1, x2, y2):
            return y1, x1, y2, x2
        case Order.XYWH, (x1, y1, x2, y2):
            return x1, y1, x2 - x1, y2 - y1
        case _:
            return values
