"""From a response to a location, and from a location to what an ideal model of a dialect writes."""

import re
import unicodedata
from functools import lru_cache, partial

from affordance.core.answer_text import (
    NO_CANDIDATE,
    AnswerCandidate,
    Strength,
    Unparsed,
    decide,
    parse_answer_text,
    strip_thinking,
)
from affordance.core.geometry import Box
from affordance.core.question import LocationFormat
from affordance.grounding.coordinate_formats import CoordinateFormat
from affordance.grounding.coordinates import AxisOrder, CoordinateSystem
from affordance.grounding.dialects import get_dialect
from affordance.grounding.location_forms import ANY_FORM, Answer, Candidate
from affordance.grounding.locations import ABSENT, Absent, Location, ParsedLocation
from affordance.grounding.number_groups import THING, NumberGroup

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SIGNS = {"−": "-", "、": ",", "،": ",", "【": "[", "】": "]"}
_MAX_LENGTH = 20_000  # characters; a response has its answer at its end
_MAX_COORDINATE = 1e9
_UNITS = {"percent": ("percent",), "pixels": ("original", "sent", "side", "area", "tiles", "smart")}
_DECIMALS = {"unit": 3, "percent": 1}  # of the grid; whole numbers in any other
_EMPTY = Unparsed("the response is empty")
_NO_LOCATION = Unparsed("no coordinates in the response")

_KINDS = r"(?:such|matching|corresponding|requested|described|specified|visible|suitable|ui|single)\s+"
_REST = (
    r"(?:[\s,]+(?:in|on|here|that|which|matching|matches|match|for|exists?|found|present|visible|there|to|the|this|it"
    r"|screen(?:shot)?|image|picture|page|description|instruction|question|given|provided|shown|at|all))*+"
)
_ONLY_NOTHING = re.compile(
    rf"\W*(?:(?:answer|box|point)\W+)?(?:none|not\s+found|(?:sorry\W+)?(?:"
    rf"(?:there(?:\s+is|\s+are|'s)\s+|i\s+(?:see|find|found)\s+)?"
    rf"no\s+(?:(?:{_KINDS})+(?:{THING}|thing)s?|{THING}s?(?=\s+(?:that|which|match|matches|matching)\b)|match(?:es)?){_REST}"
    rf"|(?:the|this|such\s+an?)\s+(?:{_KINDS})*{THING}\s+(?:is\s+absent|(?:is\s+not|isn't)\s+(?:present|there|visible"
    rf"|shown|on|in)|does\s+not\s+(?:exist|appear)|doesn't\s+(?:exist|appear))\b{_REST}"
    rf"|nothing{_REST}))\W*",
    re.IGNORECASE,
)


def parse_location(text: str, answer_format: LocationFormat) -> ParsedLocation:
    """What a response says about where something is, in pixels of the image as it is. Never raises.

    Candidates of the dialect's own form are the strongest; then any other form (`fallback`). Negative numbers
    throughout mean that nothing matches, as does a response that says nothing else."""
    dialect = get_dialect(answer_format.dialect)
    form = dialect.format_for(answer_format.level)
    final = _normalize(strip_thinking(text)[-_MAX_LENGTH:])
    if not final.strip():
        return ParsedLocation(None, reason=_EMPTY.reason)
    found = parse_answer_text(final, partial(_find, form))
    if isinstance(found, Unparsed):
        return ParsedLocation(None, reason=found.reason)
    answer, fallback = found
    if isinstance(answer, Absent):
        return ParsedLocation(ABSENT, fallback=fallback)
    return _locate(answer, dialect.coordinates, answer_format, fallback)


def write_location(location: Location, answer_format: LocationFormat) -> str:
    """A location, in pixels of the image as it is, in the dialect's own form and with its own rounding. Where the form
    points, a box is written as its centre; where it has boxes, a point is a box without size."""
    dialect = get_dialect(answer_format.dialect)
    form = dialect.format_for(answer_format.level)
    if isinstance(location, Absent):
        return form.absent_answer
    if form.points and isinstance(location, Box):
        location = location.centre
    numbers = dialect.coordinates.from_location(location, answer_format.size, answer_format.sent)
    if not form.points and len(numbers) == 2:
        numbers = _as_box(numbers, dialect.coordinates)
    decimals = _DECIMALS.get(dialect.coordinates.grid.kind, 0)
    return form.answer_template % tuple(f"{round(number, decimals) + 0.0:.{decimals}f}" for number in numbers)


def write_location_exactly(location: Location, answer_format: LocationFormat) -> str:
    """A location as every dialect reads it, without rounding and with a point as a point: for locations that others
    have parsed already."""
    dialect = get_dialect(answer_format.dialect)
    if isinstance(location, Absent):
        return dialect.format_for(answer_format.level).absent_answer
    tag = "box" if isinstance(location, Box) else "point"
    numbers = dialect.coordinates.from_location(location, answer_format.size, answer_format.sent)
    return f"<{tag}>{' '.join(f'{number:.17g}' for number in numbers)}</{tag}>"


def _find(form: CoordinateFormat, text: str) -> tuple[Answer, bool] | Unparsed:
    """The answer, and whether it is in another form than the requested one."""
    requested = [_as_requested(one) for finder in form.finders for one in finder(text)]
    others = [one for finder in ANY_FORM if finder not in form.finders for one in finder(text)]
    found = decide(_with_requested_shape([*requested, *others], form), text)
    if found is NO_CANDIDATE:
        return (ABSENT, True) if len(text) < 200 and _ONLY_NOTHING.fullmatch(text) else _NO_LOCATION
    if isinstance(found, Unparsed):
        return found
    named = isinstance(found, NumberGroup) and found.named
    return found, named or not any(one.value == found for one in requested)


def _as_requested(candidate: Candidate) -> Candidate:
    if candidate.strength is not Strength.MARKED:
        return candidate
    return AnswerCandidate(candidate.value, candidate.start, Strength.OWN)


def _with_requested_shape(candidates: list[Candidate], form: CoordinateFormat) -> list[Candidate]:
    """Without points where a box is asked for, if the strongest class has both; and the other way round."""
    strongest = max((one.strength for one in candidates), default=Strength.PROSE)
    wanted = 2 if form.points else 4
    counts = {
        len(one.value.values) for one in candidates if one.strength is strongest and isinstance(one.value, NumberGroup)
    }
    if len(counts) < 2:
        return candidates
    return [one for one in candidates if not isinstance(one.value, NumberGroup) or len(one.value.values) == wanted]


def _normalize(text: str) -> str:
    return text if text.isascii() else _NOT_ASCII.sub(lambda match: _plain(match[0]), text)


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    """Wide and small forms, digits and commas of other scripts as what they stand for. Not every compatible character:
    10² is not 102."""
    if character in _SIGNS:
        return _SIGNS[character]
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    wide = unicodedata.decomposition(character).startswith(("<wide>", "<narrow>", "<small>"))
    return unicodedata.normalize("NFKC", character) if wide else character


def _locate(
    found: NumberGroup, coordinates: CoordinateSystem, answer_format: LocationFormat, fallback: bool
) -> ParsedLocation:
    grids = _UNITS.get(found.unit)
    if grids and coordinates.grid.kind not in grids:
        reason = f"coordinates are in {found.unit}; this model family uses the grid {coordinates.grid}"
        return ParsedLocation(None, found.values, fallback, reason)
    values = _in_axis_order(found.values, coordinates.axis_order) if found.named else found.values
    if not all(abs(value) < _MAX_COORDINATE for value in values):  # also where it is not a number at all
        return ParsedLocation(None, values, fallback, "numbers that cannot be coordinates")
    if all(value < 0 for value in values):
        return ParsedLocation(ABSENT, values, fallback)
    return ParsedLocation(coordinates.to_location(values, answer_format.size, answer_format.sent), values, fallback)


def _in_axis_order(values: tuple[float, ...], order: AxisOrder) -> tuple[float, ...]:
    """Numbers that came with their names, as a model that leaves the names away would have written them."""
    match order, values:
        case AxisOrder.YXYX, (x, y):
            return y, x
        case AxisOrder.YXYX, (x1, y1, x2, y2):
            return y1, x1, y2, x2
        case AxisOrder.XYWH, (x1, y1, x2, y2):
            return x1, y1, x2 - x1, y2 - y1
        case _:
            return values


def _as_box(numbers: tuple[float, ...], coordinates: CoordinateSystem) -> tuple[float, ...]:
    return (*numbers, 0.0, 0.0) if coordinates.axis_order == "xywh" else (*numbers, *numbers)
