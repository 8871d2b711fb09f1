"""From a reply to a place. Never raises, never guesses: what cannot be read has a reason."""

import re
import unicodedata

from affordance.core.grammar import Locate
from affordance.core.thinking import without_thinking
from affordance.grounding import answers
from affordance.grounding.conventions import Convention, Order
from affordance.grounding.dialects import Dialect
from affordance.grounding.forms import Reader
from affordance.grounding.groups import Found, Numbers
from affordance.grounding.places import ABSENT, Reading
from affordance.grounding.selection import dialect_named

_LONGEST = 20_000  # characters; what a reply says, it says at its end
_HUGE = 1e9
_VALUE = r"\s*+:\s*+(?!null|false|none|\"\"|\[\s*+\]|\{\s*+\})"
_NOT_ON_SCREEN = r"(?![^\n(\[]*\b(?:button|icon|dialog|banner|tab|link|label|notification|window|popup|bar)\b)"
_ERROR = re.compile(
    r"\s*+(?:```\w*\s*+)?(?:"
    rf"[\[{{][^\[\]]{{0,2000}}?\"(?:errors?|fault|status_?code)\"{_VALUE}"
    r"|\{.{0,2000}?\"error\"\s*+:\s*+\{\s*+\"|\{\s*+\"detail\"\s*+:\s*+\[\s*+\{"
    r"|\{[^\[\]]{0,2000}?\"(?:object|type|status)\"\s*+:\s*+\"error\""
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
    are none, unless the form says which of them counts. Negative numbers throughout mean that nothing matches."""
    dialect = dialect_named(grammar.dialect)
    said = without_thinking(text)[-_LONGEST:]
    if not said.isascii():
        said = unicodedata.normalize("NFKC", said).replace("−", "-")
    if not said.strip():
        return Reading(None, reason="the reply is empty")
    if _ERROR.match(said):
        return Reading(None, reason="the reply is an error message, not an answer")
    found, fallback = _found(said, dialect, grammar.level)
    if isinstance(found, Numbers):
        return _placed(found, dialect.convention, grammar, fallback)
    if found is ABSENT:
        return Reading(ABSENT, fallback=fallback)
    return Reading(None, fallback=fallback, reason=found.reason if found else "no coordinates in the reply")


def _found(said: str, dialect: Dialect, level: str) -> tuple[Found, bool]:
    form = dialect.form(level)
    for reader in form.readers:
        if found := reader(said):
            return found, False
    for reader in (*_ANY_FORM, *(_POINTS if form.points else _BOXES)):
        if found := reader(said):
            return found, True
    return None, False


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
