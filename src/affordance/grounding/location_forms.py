"""The forms in which models write a location: one finder for each, from a response's final text to candidates.

A dialect lists the finders of its requested form; the candidates of all others are weaker (see `location_parser`)."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from affordance.core.answer_text import AMBIGUOUS, AnswerCandidate, Strength, Unparsed, blank_spans
from affordance.core.json_repair import CONFLICTING_VALUES, json_values
from affordance.grounding.locations import ABSENT, Absent
from affordance.grounding.number_groups import (
    BARE,
    CORNERS,
    GROUP,
    ITEM,
    NESTED,
    PAIR,
    SPAN,
    NumberGroup,
    collect_numbers,
    describes_something_else,
    find_groups,
    has_alternative,
    number_group,
    parse_numbers,
)

Answer = NumberGroup | Absent
Candidate = AnswerCandidate[Answer]
Finder = Callable[[str], Iterator[Candidate]]
_Value = Answer | Unparsed

_ERROR = Unparsed("an error message, not an answer")
_HALF_NAMED = Unparsed("expected a point or a box, found names of neither")
_DRAG = Unparsed("a drag from one point to another")

_NOTHING = r"(?:none|null|n/a|absent|not\s+found|no\s+match|nothing|\[\s*(?:none|null)?\s*\]|\(\s*\))(?!\w)"
_SOFT = r"[\s*_`\"'“”]*+"  # what Markdown and quotes put around a label
_LABELLED = re.compile(
    rf"(?<![\"'])\b(?<!search )(?<!text )(?<!dialog )(?<!check )(?:box|bbox){_SOFT}[:=]{_SOFT}"
    rf"(?:({NESTED}|{SPAN}|{GROUP})|({_NOTHING})(?=[ \t\r*_`\"']*+(?:$|[.,:;(]|[-–—](?!\d)))"
    rf"|({BARE})(?=[ \t\r*_`\"'.,]*+$))",
    re.IGNORECASE | re.MULTILINE,
)
_ANOTHER = re.compile(rf"[^\n\[(]{{0,80}}?{PAIR}", re.IGNORECASE)
_OTHER_LABEL = re.compile(
    rf"(?<![\"'\w])(?:click\s)?(?:points?|coordinates?|position|location|cent(?:er|re)){_SOFT}[:=]{_SOFT}"
    rf"(?:({GROUP})|({BARE})(?=\s|$))",
    re.IGNORECASE,
)
_BOX_MARKS = re.compile(r"<\|begin_of_box\|>(.{0,2000}?)<\|end_of_box\|>", re.DOTALL)
_CORNERS = re.compile(CORNERS, re.IGNORECASE)
_TAGGED = re.compile(
    r"<(box|bbox|point)>([^<]{0,200})</\1>|<\|(box|point)_start\|>([^<]{0,200})<\|\3_end\|>"
    r"|<\|det\|>([^<]{0,200})<\|/det\|>"
    r"|<arg_key>\s*(?:box|bbox|point|coordinates?)\w{0,9}\s*</arg_key>\s*<arg_value>([^<]{0,200})</arg_value>",
    re.IGNORECASE,
)
_MARKS = re.compile(r"</?(?:box|bbox|point)>|<\|(?:box|point)_(?:start|end)\|>", re.IGNORECASE)
_KEYS = r"bbox(?:_2d)?|box(?:_2d)?|bounding_?box|point(?:_2d)?|coordinates?|start_box"
_KEYED = re.compile(  # in JSON that is broken
    rf"[\"'](?:{_KEYS})[\"']\s*+:\s*+(?:[\"']?(?:({NESTED}|{SPAN}|{GROUP})|({_NOTHING})(?=\s*+(?:[\"',}}\]]|$)))"
    rf"|[\"']({BARE})[\"'])",
    re.IGNORECASE,
)
_NOTHING_LINE = re.compile(rf"^[\W_]*?{_NOTHING}[\W_]*?$", re.IGNORECASE | re.MULTILINE)
_NOTHING_OPENS = re.compile(r"^[ \t*_`>-]*+none[*_`]*+(?:[.:;,]|\s*+[-–—(])", re.IGNORECASE | re.MULTILINE)
_POINTING = (  # what calls that point at a location are named
    r"(?:\w{0,20}?(?:click|single|double|tap|touch|press|hover|select|point)\w{0,20}+|move_?to|mouse(?:down|up|_move))"
)
_CALL = re.compile(
    rf"\b{_POINTING}\(\s*+(?:"
    r"(?:(?:point|box|start_box|start_point|position|coordinates?)\s*+=\s*+)?"
    rf"(?:(?P<quote>['\"])(?P<text>[^'\"\n]{{0,200}})(?P=quote)|(?P<group>{GROUP}))"
    rf"|(?P<named>x\s*+=\s*+)?(?P<x>{ITEM})\s*+,\s*+(?(named)y\s*+=\s*+)(?P<y>{ITEM})\s*+[,)])"
    r"|\b(?P<absent>call_user\(|computer\.terminate\(\s*+(?:status\s*+=\s*+)?['\"]fail)"
    r"|\b(?P<drag>(?:drag|swipe)\w{0,20}+)\(",
    re.IGNORECASE,
)
_ACT = r"(?:scroll|swipe|drag|type|write|input_text|keys?|key_?down|key_?up|hot_?key|send_?keys|zoom|pan)"
_OTHER_CALL = re.compile(  # what a model types, or how far it scrolls, is no location
    rf"\b(?:pyautogui\.move(?:rel)?|[hv]scroll|scroll_?(?:up|down)|type_?(?:write|text)|drag_?(?:to|rel)|{_ACT})"
    r"\((?:[^()'\"\n]|'[^'\n]*'|\"[^\"\n]*\"|\([^()\n]*\))*+\)(?!\s*,\s*\()",  # no name before two corners
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"(?<![\w=(:])\"(?=\S)([^\"\n]{1,300})(?<=\S)\"(?!\w)|[“„]([^”“\n]{1,300})[”“]|「([^」\n]{1,300})」"
)
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]{3}")

_BOX_KEYS = ("bbox2d", "box2d", "bbox", "box", "bboxes", "boxes", "boundingbox", "boundingboxes", "rect", "bounds")
_POINT_KEYS = ("point2d", "point", "points", "coordinate", "coordinates", "startbox", "position", "location", "center")
_CALL_KEYS = ("arguments", "parameters", "args", "input")  # next to the name of the tool that is called
_ANSWER_KEYS = frozenset({"answer", "finalanswer", "result", "response", "output"})
_OTHER_ACTION = re.compile(rf"{_ACT}\w*|answer|navigate|open|press_?(?:key|back|enter)", re.IGNORECASE)
_DRAG_ACTION = re.compile(r"(?:\w+_)?(?:drag|swipe)\w*", re.IGNORECASE)
_ABSENT_ACTION = re.compile(r"wait|call_?user", re.IGNORECASE)
_CORNER_KEYS = (
    ("x1", "xmin", "left", "x"),
    ("y1", "ymin", "top", "y"),
    ("x2", "xmax", "right", "xend"),
    ("y2", "ymax", "bottom", "yend"),
)
_SIZE_KEYS = (("x", "left"), ("y", "top"), ("width", "w"), ("height", "h"))
_FAULT = re.compile(r"error|fault|exception|timeout", re.IGNORECASE)


def find_labelled(text: str) -> Iterator[Candidate]:
    """`Box: [1, 2, 3, 4]` or `Box: none`."""
    for match in _LABELLED.finditer(_prose(text)):
        group, nothing, bare = match.groups()
        end = match.end()
        if nothing:
            yield _marked_candidate(ABSENT, match)
        elif _is_other_point(value := parse_numbers(group or bare), match):
            yield _marked_candidate(Unparsed("points, none of which is marked as the answer"), match)
        elif has_alternative(match.string, end):
            yield _marked_candidate(AMBIGUOUS, match)
        elif not describes_something_else(match.string, end):
            yield _marked_candidate(value, match)


def find_box_marks(text: str) -> Iterator[Candidate]:
    """`<|begin_of_box|>[1, 2, 3, 4]<|end_of_box|>`."""
    return _contents(_BOX_MARKS, text)


def find_tagged(text: str) -> Iterator[Candidate]:
    """`<box>1 2 3 4</box>`, `<point>1 2</point>`, `<|box_start|>(1,2),(3,4)<|box_end|>` and the like."""
    return _contents(_TAGGED, text)


def find_corners(text: str) -> Iterator[Candidate]:
    """`close button(744,381),(756,400)`, with or without marks around it."""
    for match in _CORNERS.finditer(_prose(text)):
        yield _marked_candidate(parse_numbers(match[0]), match)


def find_call(text: str) -> Iterator[Candidate]:
    """`click(point='<point>1 2</point>')`, `pyautogui.click(x=1, y=2)`, `Click(1, 2)`, `call_user()`."""
    for match in _CALL.finditer(blank_spans(text, _json_spans(text))):
        if match["absent"]:
            yield _marked_candidate(ABSENT, match)
        elif match["drag"]:
            yield _marked_candidate(_DRAG, match)
        elif match["x"] is not None:
            yield _marked_candidate(collect_numbers([match["x"], match["y"]], named=match["named"] is not None), match)
        elif (value := _content(match["group"] or match["text"] or "")) is not None:
            yield _marked_candidate(value, match)


def find_ordered_call(text: str) -> Iterator[Candidate]:
    """`pyautogui.click(x=1, y=2)`, with x and y in the dialect's order."""
    return map(_without_names, find_call(text))


def find_json(text: str, first_counts: bool = False) -> Iterator[Candidate]:
    """Locations in JSON: under a key such as `bbox_2d`, as named numbers, or as the argument of a tool call. In a list
    the first one counts, or all must be the same."""
    for found in json_values(text):
        values = list(_json_locations(found.value))
        if not values or describes_something_else(text, found.end):
            continue
        source = text[found.start : found.end]
        for group in _GROUP.findall(source):
            if isinstance(ill_formed := parse_numbers(group), Unparsed) and "comma" in ill_formed.reason:
                values = [ill_formed]
        value = values[0] if first_counts or len(set(values)) == 1 else AMBIGUOUS
        yield AnswerCandidate(value, found.start, Strength.MARKED)
    for match in _KEYED.finditer(blank_spans(text, _json_spans(text))):
        group, nothing, bare = match.groups()
        yield _marked_candidate(ABSENT if nothing else parse_numbers(group or bare), match)


def find_first_json(text: str) -> Iterator[Candidate]:
    """`[{"point_2d": [1, 2]}, ...]`: the best one first."""
    return find_json(text, first_counts=True)


def find_ordered_json(text: str) -> Iterator[Candidate]:
    """`{"action": "click_absolute", "x": 1, "y": 2}`, with x and y in the dialect's order."""
    return map(_without_names, find_json(text))


def find_other_label(text: str) -> Iterator[Candidate]:
    """`Coordinates: (1, 2)`, `point:1,2`."""
    for match in _OTHER_LABEL.finditer(_prose(text)):
        if has_alternative(match.string, match.end()):
            yield _marked_candidate(AMBIGUOUS, match)
        elif not describes_something_else(match.string, match.end()):
            yield _marked_candidate(parse_numbers(match[1] or match[2]), match)


def find_named(text: str) -> Iterator[Candidate]:
    """`x1=1, y1=2, x2=3, y2=4`, `x: 1, y: 2`."""
    prose = _prose(text)
    for pattern, order in _NAMED_CORNERS:
        if matches := [match for match in pattern.finditer(prose) if not _is_cut(match)]:
            yield from (_marked_candidate(_in_order(match, order), match) for match in matches)
            return
    if matches := [match for match in _NAMED_SIZE.finditer(prose) if not _is_cut(match)]:
        yield from (_marked_candidate(_with_size(match), match) for match in matches)
        return
    for match in _NAMED_POINT.finditer(prose):
        if _NAMED_MORE.match(prose, match.end()):
            yield _marked_candidate(_HALF_NAMED, match)
        elif not _is_cut(match):
            yield _marked_candidate(_in_order(match, (0, 1)), match)


def find_boxes(text: str) -> Iterator[Candidate]:
    """Brackets around four numbers, as the requested form where they are a line of their own."""
    return (one for one in _groups(text, Strength.MARKED) if _count(one.value) in (0, 4))


def find_points(text: str) -> Iterator[Candidate]:
    """Brackets around two numbers, as the requested form where they are a line of their own."""
    return (one for one in _groups(text, Strength.MARKED) if _count(one.value) in (0, 2))


def find_any_group(text: str) -> Iterator[Candidate]:
    """Brackets around two or four numbers, in any response."""
    return _groups(text, Strength.LINE)


def find_nothing(text: str) -> Iterator[Candidate]:
    """A line with nothing but `none`, or an empty list."""
    for match in _NOTHING_LINE.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end in _json_spans(text)):
            yield _marked_candidate(ABSENT, match)


def find_nothing_line(text: str) -> Iterator[Candidate]:
    """The same where it is not the requested form, or opens a line: `none - there is no such element`."""
    for one in find_nothing(text):
        yield AnswerCandidate(one.value, one.start, Strength.LINE)
    for match in _NOTHING_OPENS.finditer(_prose(text)):
        yield AnswerCandidate(ABSENT, match.start(), Strength.LINE)


ANY_FORM: tuple[Finder, ...] = (
    find_box_marks,
    find_labelled,
    find_tagged,
    find_json,
    find_call,
    find_named,
    find_other_label,
    find_any_group,
    find_nothing_line,
)


def _sequence(*names: str) -> re.Pattern[str]:
    """Numbers with these names, one right after the other."""
    each = [rf"(?<![\w.])[\"']?(?:{name})[\"']?\s*+[=:]\s*+[\"']?({ITEM})" for name in names]
    return re.compile(r"[\"']?\s*+[,;]?\s*+(?:[-*•]\s++)?+".join(each) + r"(?=[\s\"',;.)}\]>/]|$)", re.IGNORECASE)


_GROUP = re.compile(GROUP, re.IGNORECASE)
_NAMED_CORNERS = (
    (_sequence("x_?1?|x_?min|left", "y_?1?|y_?min|top", "x_?2|x_?max|right", "y_?2|y_?max|bottom"), (0, 1, 2, 3)),
    (_sequence("y_?1|y_?min|top", "x_?1|x_?min|left", "y_?2|y_?max|bottom", "x_?2|x_?max|right"), (1, 0, 3, 2)),
)
_NAMED_SIZE = _sequence("x", "y", "w|width", "h|height")
_NAMED_POINT = _sequence("x", "y")
_NAMED_MORE = re.compile(
    r"[^{}\n]{0,80}?\b(?:\w{1,20}_[xy]|[xy]_?(?:2|max|end)|right|bottom|w|h|width|height)[\"']?\s*+[=:]", re.IGNORECASE
)


def _marked_candidate(value: _Value, match: re.Match[str]) -> Candidate:
    return AnswerCandidate(value, match.start(), Strength.MARKED)


def _without_names(candidate: Candidate) -> Candidate:
    if isinstance(candidate.value, NumberGroup) and candidate.value.named:
        value = NumberGroup(candidate.value.values, unit=candidate.value.unit)
        return AnswerCandidate(value, candidate.start, candidate.strength)
    return candidate


def _count(value: _Value) -> int:
    return len(value.values) if isinstance(value, NumberGroup) else 0


def _groups(text: str, whole_line: Strength) -> Iterator[Candidate]:
    untagged = blank_spans(_prose(text), (match.span() for match in _TAGGED.finditer(text)))
    for one in find_groups(untagged, whole_line):
        yield AnswerCandidate(one.value, one.start, one.strength)


def _contents(pattern: re.Pattern[str], text: str) -> Iterator[Candidate]:
    for match in pattern.finditer(_without_other_calls(text)):
        inside = next((group for group in reversed(match.groups()) if group), "")
        if (value := _content(inside)) is not None:
            yield _marked_candidate(value, match)


def _content(text: str) -> _Value | None:
    """What stands inside of marks or quotes; None where that is no number and no denial."""
    plain = _MARKS.sub(" ", text)
    if _NOTHING_LINE.fullmatch(plain.strip()):
        return ABSENT
    for found in (*find_labelled(plain), *find_json(plain)):
        return found.value
    return parse_numbers(plain) if _DIGIT.search(plain) and not _LETTERS.search(plain) else None


def _is_other_point(value: _Value, match: re.Match[str]) -> bool:
    return _count(value) == 2 and _ANOTHER.match(match.string, match.end()) is not None


@lru_cache(maxsize=8)
def _json_spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((found.start, found.end) for found in json_values(text))


@lru_cache(maxsize=8)
def _prose(text: str) -> str:
    """The text with spaces for JSON, for what a model types, and for quotations of anything but numbers."""
    spans: list[tuple[int, int]] = []
    for match in _QUOTED.finditer(text):
        quoted = next(group for group in match.groups() if group)
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.end() + 1]
        if _LETTERS.search(quoted) and line.strip() != match[0]:
            spans.append(match.span())
    return blank_spans(_without_other_calls(text), spans)


@lru_cache(maxsize=8)
def _without_other_calls(text: str) -> str:
    return blank_spans(text, [*_json_spans(text), *(match.span() for match in _OTHER_CALL.finditer(text))])


def _json_locations(value: Any) -> Iterator[_Value]:
    """The locations of a parsed value."""
    if isinstance(value, list):
        for one in value:
            yield from _json_locations(one)
    elif isinstance(value, dict):
        yield from _object_locations({re.sub(r"[^a-z0-9]", "", key.lower()): part for key, part in value.items()})


def _object_locations(fields: Mapping[str, Any]) -> Iterator[_Value]:
    """The locations of an object: of its action, its boxes, its named numbers or its points; else of what is in it."""
    if _is_error(fields):
        return
    called = next((fields[key] for key in _CALL_KEYS if isinstance(fields.get(key), dict)), None)
    boxes = [fields[key] for key in _BOX_KEYS if key in fields]
    action = fields.get("action", fields.get("actiontype"))
    if action is None and called is not None:
        action = fields.get("name")
    if action is None and not boxes:
        action = fields.get("type")
    if isinstance(action, str):
        if _DRAG_ACTION.fullmatch(action):
            yield _DRAG
            return
        if _OTHER_ACTION.fullmatch(action):
            return
        if _ABSENT_ACTION.fullmatch(action) or (action == "terminate" and str(fields.get("status")).startswith("fail")):
            yield ABSENT
            return
    if boxes:
        yield from _key_locations(boxes)
    elif (named := _named_numbers(fields)) is not None:
        yield named
    elif points := [fields[key] for key in _POINT_KEYS if key in fields]:
        yield from _key_locations(points)
    else:
        for key, part in fields.items():
            if isinstance(part, dict | list):
                yield from _json_locations(part)
            elif key in _ANSWER_KEYS and isinstance(part, str) and (found := _content(part)) is not None:
                yield found


def _is_error(fields: Mapping[str, Any]) -> bool:
    """Whether an object is a server's error message."""
    if any(fields.get(key) for key in ("error", "errors", "fault")):
        return True
    if any(str(fields.get(key)).lower() == "error" for key in ("object", "type", "status")):
        return True
    if any(re.fullmatch(r"[45]\d\d", str(fields.get(key))) for key in ("code", "status", "statuscode")):
        return True
    return isinstance(message := fields.get("message"), str) and _FAULT.search(message) is not None


def _key_locations(parts: list[Any]) -> Iterator[_Value]:
    for part in parts:
        if (value := _location_of(part)) is not None:
            yield value


def _location_of(part: Any) -> _Value | None:
    """What stands under the key of a location; None where it is a template or something else."""
    if part is None or part == "" or part == []:
        return ABSENT
    if part is CONFLICTING_VALUES:
        return AMBIGUOUS
    if isinstance(part, str):
        return _content(part)
    if isinstance(part, dict):
        return next(_json_locations(part), None)
    if not isinstance(part, list):
        return None
    if all(isinstance(one, list) for one in part):
        groups = [_location_of(one) for one in part]
        if len(groups) == 2 and all(_count(one) == 2 for one in groups if one):
            return _location_of([number for one in part for number in one])
        return groups[0] if len(set(groups)) == 1 else AMBIGUOUS
    if all(isinstance(one, dict) for one in part):
        values = set(_json_locations(part))
        return values.pop() if len(values) == 1 else AMBIGUOUS
    numbers = [_number(one) for one in part]
    if all(number is None for number in numbers):
        return None
    if None in numbers:
        return Unparsed("expected two or four numbers, found other text")
    return collect_numbers([number for number in numbers if number is not None])


def _number(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    return text if _ITEM.fullmatch(text) else None


_ITEM = re.compile(ITEM, re.IGNORECASE)


def _named_numbers(fields: Mapping[str, Any]) -> _Value | None:
    """A box or a point whose numbers have names."""
    corners, size = _by_names(fields, _CORNER_KEYS), _by_names(fields, _SIZE_KEYS)
    if all(number is not None for number in corners):
        return collect_numbers([number for number in corners if number is not None], named=True)
    if all(number is not None for number in size):
        return _box_of_size(collect_numbers([number for number in size if number is not None], named=True))
    x, y = (_number(fields.get(key)) for key in ("x", "y"))
    if x is None or y is None:
        return None
    others = (*corners[2:], *size[2:])
    return _HALF_NAMED if any(number is not None for number in others) else collect_numbers([x, y], named=True)


def _by_names(fields: Mapping[str, Any], names: tuple[tuple[str, ...], ...]) -> list[str | None]:
    return [next((_number(fields[key]) for key in keys if key in fields), None) for keys in names]


def _in_order(match: re.Match[str], order: tuple[int, ...]) -> _Value:
    return collect_numbers([match[1 + place] for place in order], named=True)


def _with_size(match: re.Match[str]) -> _Value:
    return _box_of_size(collect_numbers([match[place] for place in (1, 2, 3, 4)], named=True))


def _box_of_size(found: NumberGroup | Unparsed) -> _Value:
    if isinstance(found, Unparsed):
        return found
    x, y, width, height = found.values
    return number_group((x, y, x + width, y + height), True, found.unit)


def _is_cut(match: re.Match[str]) -> bool:
    """Whether the text ends with the last number of something that was opened before: it may have more digits."""
    before = match.string[match.start() - 1] if match.start() else ""
    return match.end() == len(match.string) and (match[0][0] in "\"'" or before in ("{", "("))
