"""How families of models write an answer: one function for each form, from a reply's text to what it says.

Each finds its own form or nothing (None). A form that may stand in a reply several times says which one counts;
otherwise all of them must agree."""

import re
from collections.abc import Iterator
from dataclasses import replace

from affordance.grounding.groups import (
    BARE,
    CORNERS,
    GROUP,
    ITEM,
    NESTED,
    PAIR,
    SPAN,
    THING,
    Answer,
    Found,
    Numbers,
    Trouble,
    agreed,
    collected,
    last,
    numbers_in,
    stated,
)
from affordance.grounding.places import ABSENT

_NOTHING = r"(?:none|null|n/a|absent|not\s+found|no\s+match|nothing|\[\s*(?:none|null)?\s*\]|\(\s*\))(?!\w)"
_SOFT = r"[\s*_`\"'“”]*+"  # what Markdown and quotes put around a label
_LABELLED = re.compile(
    rf"(?<![\"'])\b(?:box|bbox){_SOFT}[:=]{_SOFT}(?:({NESTED}|{SPAN}|{GROUP})"
    rf"|(?:({_NOTHING})|({BARE}))(?=[\s*_`\"'.,]*+$))",
    re.IGNORECASE | re.MULTILINE,
)
_MORE = re.compile(rf"[^\n]{{0,80}}?{PAIR}", re.IGNORECASE)
_BEGIN_OF_BOX = re.compile(r"<\|begin_of_box\|>(.{0,2000}?)<\|end_of_box\|>", re.DOTALL)
_CORNERS = re.compile(CORNERS, re.IGNORECASE)
_TAGGED = re.compile(
    r"<(box|bbox|point)>([^<]{0,200})</\1>|<\|(box|point)_start\|>([^<]{0,200})<\|\3_end\|>", re.IGNORECASE
)
_KEYS = r"bbox(?:_2d)?|box(?:_2d)?|bounding_?box|point(?:_2d)?|coordinates?|start_box"
_KEYED = re.compile(
    rf"[\"'](?:{_KEYS})[\"']\s*+:\s*+(?:[\"']?(?:({NESTED}|{SPAN}|{GROUP})|({_NOTHING})(?=\s*+(?:[\"',}}\]]|$)))"
    rf"|[\"']({BARE})[\"'])",
    re.IGNORECASE,
)
_NO_ITEMS = re.compile(r"\s*+(?:```(?:json)?\s*+)?\[\s*+\]\s*+(?:```\s*+)?", re.IGNORECASE)
_KINDS = r"(?:such|matching|corresponding|requested|described|specified|visible|suitable|ui|single)\s+"
_REST = (
    r"(?:[\s,]+(?:in|on|here|that|which|matching|matches|match|for|exists?|found|present|visible|there|to|the|this|it"
    r"|screen(?:shot)?|image|picture|page|description|instruction|question|given|provided|shown|at|all))*+"
)
_ONLY_NOTHING = re.compile(
    rf"\W*(?:(?:answer|box|point)\W+)?(?:{_NOTHING}|(?:sorry\W+)?(?:"
    rf"(?:there(?:\s+is|\s+are|'s)\s+|i\s+(?:see|find|found)\s+)?no\s+(?:(?:{_KINDS})+(?:{THING}|thing)s?|match){_REST}"
    rf"|(?:the|this|such\s+an?)\s+(?:{_KINDS})*{THING}\s+(?:is\s+absent|(?:is\s+not|isn't)\s+(?:present|there|visible"
    rf"|shown|on|in)|does\s+not\s+(?:exist|appear)|doesn't\s+(?:exist|appear))\b{_REST}"
    rf"|nothing{_REST}))\W*",
    re.IGNORECASE,
)
_POINTS = (  # what calls that point at a place are named
    r"(?:\w{0,20}?(?:click|single|double|tap|touch|press|hover|select|point)\w{0,20}+|move_?to|mouse(?:down|up|_move))"
)
_UI_TARS = re.compile(
    rf"\b(?:(call_user)\(|{_POINTS}\(\s*+(?:point|start_box)\s*+=\s*+(['\"])([^'\"\n]{{0,200}})\2)", re.IGNORECASE
)
_MARKS = re.compile(r"</?(?:box|bbox|point)>|<\|(?:box|point)_(?:start|end)\|>", re.IGNORECASE)
_PYAUTOGUI = re.compile(
    rf"\b(?:pyautogui|computer)\.{_POINTS}\(\s*+(?:x\s*+=\s*+)?({ITEM})\s*+,\s*+(?:y\s*+=\s*+)?({ITEM})\s*+[,)]"
    r"|\bcomputer\.terminate\(\s*+(?:status\s*+=\s*+)?['\"](fail)",
    re.IGNORECASE,
)
_COMPUTER_USE = re.compile(
    rf"[\"']coordinate[\"']\s*+:\s*+({GROUP})"
    r"|[\"']action[\"']\s*+:\s*+[\"'](?:(wait)[\"']|terminate[\"'][^{}]{0,80}?[\"'](fail))",
    re.IGNORECASE,
)
_POINT_2D = re.compile(rf"[\"']point_2d[\"']\s*+:\s*+({GROUP})", re.IGNORECASE)
_POINT = re.compile(rf"[\"']point[\"']\s*+:\s*+({GROUP})", re.IGNORECASE)
_CLICK = re.compile(rf"\bclick\w*+({GROUP})", re.IGNORECASE)


def _sequence(*names: str) -> re.Pattern[str]:
    """Numbers with these names, one right after the other."""
    each = [rf"(?<![\w.])[\"']?(?:{name})[\"']?\s*+[=:]\s*+[\"']?({ITEM})" for name in names]
    return re.compile(r"[\"']?\s*+[,;]?\s*+".join(each) + r"(?=[\s\"',;.)}\]>/]|$)", re.IGNORECASE)


_NAMED_CORNERS = (
    (_sequence("x_?1?|x_?min|left", "y_?1?|y_?min|top", "x_?2|x_?max|right", "y_?2|y_?max|bottom"), (0, 1, 2, 3)),
    (_sequence("y_?1|y_?min|top", "x_?1|x_?min|left", "y_?2|y_?max|bottom", "x_?2|x_?max|right"), (1, 0, 3, 2)),
)
_NAMED_SIZE = _sequence("x", "y", "w|width", "h|height")
_NAMED_POINT = _sequence("x", "y")
_NAMED_MORE = re.compile(
    r"[^{}\n]{0,80}?\b(?:\w{1,20}_[xy]|[xy]_?(?:2|max|end)|right|bottom|w|h|width|height)[\"']?\s*+[=:]", re.IGNORECASE
)


def labelled(text: str) -> Found:
    """`Box: [1, 2, 3, 4]` or `Box: none`; the last one counts, as models restate the template before they fill it."""
    return last(_under_label(match) for match in _LABELLED.finditer(text))


def begin_of_box(text: str) -> Found:
    """`<|begin_of_box|>[1, 2, 3, 4]<|end_of_box|>`: these marks say what the final answer is."""
    return last(_content(content) for content in _BEGIN_OF_BOX.findall(text))


def corners(text: str) -> Found:
    """`close button(744,381),(756,400)`, with or without marks around it."""
    return agreed(map(numbers_in, _CORNERS.findall(text)))


def tagged(text: str) -> Found:
    """`<box>1 2 3 4</box>`, `<point>1 2</point>`, `<|box_start|>(1,2),(3,4)<|box_end|>`."""
    return agreed(_content(first or second) for _, first, _, second in _TAGGED.findall(text))


def keyed(text: str) -> Found:
    """JSON, or what a model takes for it, with a key such as `bbox_2d` or `point`."""
    found = [ABSENT if nothing else numbers_in(group or bare) for group, nothing, bare in _KEYED.findall(text)]
    return agreed([answer for answer in found if _is_box(answer)] or found)


def named(text: str) -> Found:
    """`{"x": 1, "y": 2}`, `x1=1, y1=2, x2=3, y2=4`, `{"x": 1, "y": 2, "width": 3, "height": 4}`."""
    for pattern, order in _NAMED_CORNERS:
        if found := agreed(_in_order(match, order) for match in pattern.finditer(text) if not _cut(match)):
            return found
    if found := agreed(_with_size(match) for match in _NAMED_SIZE.finditer(text) if not _cut(match)):
        return found
    return agreed(_named_points(text))


def grouped(text: str) -> Found:
    """Brackets or parentheses around exactly two or four numbers that are said to be a place."""
    return agreed(stated(text))


def four(text: str) -> Found:
    """Brackets around exactly four numbers, whatever else there is; where nothing else is, an empty list is absent."""
    if _NO_ITEMS.fullmatch(text):
        return ABSENT
    return agreed(filter(_is_box, stated(text)))


def two(text: str) -> Found:
    """Brackets around exactly two numbers, whatever else there is."""
    return agreed(found for found in stated(text) if len(found.values) == 2)


def nothing_at_all(text: str) -> Found:
    """A reply that says nothing else than that there is no such thing."""
    return ABSENT if len(text) < 200 and _ONLY_NOTHING.fullmatch(text) else None


def tars_action(text: str) -> Found:
    """`Action: click(point='<point>1 2</point>')`, `click(start_box='(1,2)')`; the last action counts."""
    return last(ABSENT if user else _content(content) for user, _, content in _UI_TARS.findall(text))


def pyautogui_call(text: str) -> Found:
    """`pyautogui.click(x=1, y=2)`; the last call with coordinates counts, as does giving up after it."""
    return last(ABSENT if fail else collected([x, y]) for x, y, fail in _PYAUTOGUI.findall(text))


def computer_use(text: str) -> Found:
    """A tool call with `"coordinate": [1, 2]`, or one that waits instead; the last one counts."""
    return last(numbers_in(group) if group else ABSENT for group, _, _ in _COMPUTER_USE.findall(text))


def first_point_2d(text: str) -> Found:
    """`[{"point_2d": [1, 2]}, ...]`: candidates, the best one first."""
    if match := _POINT_2D.search(text):
        return numbers_in(match[1])
    return ABSENT if _NO_ITEMS.fullmatch(text) else None


def action_list(text: str) -> Found:
    """`[{'action': 'click', 'point': [1, 2], 'input_text': ...}]`; the last action counts."""
    return last(map(numbers_in, _POINT.findall(text)))


def click(text: str) -> Found:
    """`{"action": "click_absolute", "x": 1, "y": 2}` or `Click(1, 2)`."""
    said = (replace(answer, named=False) if isinstance(answer, Numbers) else answer for answer in _named_points(text))
    return agreed(said) or last(map(numbers_in, _CLICK.findall(text)))


def _content(text: str) -> Answer:
    plain = _MARKS.sub(" ", text)
    return nothing_at_all(plain) or labelled(plain) or keyed(plain) or numbers_in(plain)


def _is_box(answer: Answer) -> bool:
    return isinstance(answer, Numbers) and len(answer.values) == 4


def _under_label(match: re.Match[str]) -> Answer:
    group, nothing, bare = match.groups()
    if nothing:
        return ABSENT
    found = numbers_in(group or bare)
    if isinstance(found, Numbers) and len(found.values) == 2 and _MORE.match(match.string, match.end()):
        return Trouble("expected a box, found points of which none is said to be the answer")
    return found


def _named_points(text: str) -> Iterator[Numbers | Trouble]:
    for match in _NAMED_POINT.finditer(text):
        if _NAMED_MORE.match(text, match.end()):
            yield Trouble("expected a point or a box, found names of neither")
        elif not _cut(match):
            yield _in_order(match, (0, 1))


def _in_order(match: re.Match[str], order: tuple[int, ...]) -> Numbers | Trouble:
    return collected([match[1 + place] for place in order], named=True)


def _with_size(match: re.Match[str]) -> Numbers | Trouble:
    found = collected([match[place] for place in (1, 2, 3, 4)], named=True)
    if isinstance(found, Trouble):
        return found
    x, y, width, height = found.values
    return Numbers((x, y, x + width, y + height), True, found.unit)


def _cut(match: re.Match[str]) -> bool:
    """Whether the text ends with the last number of something that was opened before: it may have more digits."""
    before = match.string[match.start() - 1] if match.start() else ""
    return match.end() == len(match.string) and (match[0][0] in "\"'" or before in ("{", "("))
