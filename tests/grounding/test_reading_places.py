"""What replies are read as. The picture is 1000x500, so that per mille are pixels across and twice the pixels down."""

import itertools
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.geometry import Box, Point
from affordance.core.question import LocationFormat
from affordance.grounding.dialects import DIALECTS, get_dialect, sent_size
from affordance.grounding.location_parser import parse_location
from affordance.grounding.locations import ABSENT, ParsedLocation

SIZE = (1000, 500)
LEVELS = ("element", "region")


def read(dialect: str, text: str, level: str = "element") -> ParsedLocation:
    return parse_location(text, LocationFormat(dialect, level, SIZE, sent_size(get_dialect(dialect), SIZE)))


def values(reading: ParsedLocation) -> tuple[float, ...] | str:
    match reading.location:
        case Box() as box:
            return tuple(round(value, 1) for value in box.xyxy)
        case Point(_, x, y):
            return round(x, 1), round(y, 1)
        case None:
            return "unread"
        case _:
            return "absent"


OWN = {
    "box": ("default", "Box: [100, 200, 300, 400]", (100, 100, 300, 200)),
    "box, thinking before": (
        "default",
        "<think>Box: [1, 2, 3, 4]?</think>\nBox: [100, 200, 300, 400]",
        (100, 100, 300, 200),
    ),
    "box, markdown": ("gpt", "**Box:** `[100, 200, 300, 400]`", (100, 100, 300, 200)),
    "box, prose around": (
        "gpt",
        "It is the 3rd of 12.\n\nBox: [100, 200, 300, 400]\n\nHope (2) it helps.",
        (100, 100, 300, 200),
    ),
    "box, restated": ("step", "Box: [xmin, ymin, xmax, ymax]\nBox: [100, 200, 300, 400]", (100, 100, 300, 200)),
    "box, last counts": ("step", "Box: [1, 2, 3, 4]\nNo, wrong.\nBox: [100, 200, 300, 400]", (100, 100, 300, 200)),
    "box, corrected to none": ("step", "Box: [1, 2, 3, 4]\nNo, it is not there.\nBox: none", "absent"),
    "box, bare numbers": ("default", "Box: 100, 200, 300, 400", (100, 100, 300, 200)),
    "box, next line": ("default", "Box:\n[100, 200, 300, 400]", (100, 100, 300, 200)),
    "box, lower case": ("default", "bounding box = (100, 200, 300, 400)", (100, 100, 300, 200)),
    "box, nested": ("default", "Box: [[100, 200], [300, 400]]", (100, 100, 300, 200)),
    "box, decimals": ("default", "Box: [100.5, 200., .5, 4e2]", (0.5, 100, 100.5, 200)),
    "box, a point": ("default", "Box: [100, 200]", (100, 100)),
    "box, wide characters": ("default", "Box：［100，200，300，400］", (100, 100, 300, 200)),
    "box, corners reversed": ("default", "Box: [300, 400, 100, 200]", (100, 100, 300, 200)),
    "box, outside": ("default", "Box: [2000, 4000, 3000, 5000]", (2000, 2000, 3000, 2500)),
    "box, partly negative": ("default", "Box: [-10, -20, 30, 40]", (-10, -10, 30, 20)),
    "box, none": ("default", "There is no such button.\nBox: None.", "absent"),
    "box, empty list": ("default", "Box: []", "absent"),
    "box, all negative": ("default", "Box: [-1, -1, -1, -1]", "absent"),
    "box, real minus": ("default", "Box: [−1, −1, −1, −1]", "absent"),
    "box, at the origin": ("default", "Box: [0, 0, 0, 0]", (0, 0, 0, 0)),
    "gemini": ("gemini", "[100, 200, 300, 400]", (200, 50, 400, 150)),
    "gemini, json": ("gemini", '```json\n[{"box_2d": [100, 200, 300, 400], "label": "x"}]\n```', (200, 50, 400, 150)),
    "gemini, label": ("gemini", "From [1, 2, 3, 4].\nBox: [100, 200, 300, 400]", (200, 50, 400, 150)),
    "gemini, nothing": ("gemini", "```json\n[]\n```", "absent"),
    "gemini, none": ("gemini", "None.", "absent"),
    "glm": ("glm", "It is <|begin_of_box|>[[100, 200, 300, 400]]<|end_of_box|>", (100, 100, 300, 200)),
    "glm, marks left out": ("glm", "[100,200,300,400]", (100, 100, 300, 200)),
    "glm, none": ("glm", "<|begin_of_box|>none<|end_of_box|>", "absent"),
    "qwen2-vl": ("qwen2-vl", "<|box_start|>(100,200),(300,400)<|box_end|>", (100, 100, 300, 200)),
    "qwen2.5-vl": (
        "qwen2.5-vl",
        '```json\n[\n\t{"bbox_2d": [101, 126, 201, 252], "label": "b"}\n]\n```',
        (100.2, 125, 199.4, 250),
    ),
    "qwen2.5-vl, pixels": ("qwen2.5-vl", "Box: [101px, 126px, 201px, 252px]", (100.2, 125, 199.4, 250)),
    "qwen3-vl": ("qwen3-vl", '{"bbox_2d": [100, 200, 300, 400]}', (100, 100, 300, 200)),
    "ui-tars": ("ui-tars-1.0", "Thought: there.\nAction: click(point='<point>100 200</point>')", (100, 100)),
    "ui-tars, start box": ("ui-tars-1.0", "Action: click(start_box='(100,200)')", (100, 100)),
    "ui-tars, marks": ("ui-tars-1.0", "click(start_box='<|box_start|>(100,200)<|box_end|>')", (100, 100)),
    "ui-tars, last action": (
        "ui-tars-1.0",
        "click(point='<point>1 2</point>')\nclick(point='<point>100 200</point>')",
        (100, 100),
    ),
    "ui-tars, gives up": ("ui-tars", "Action: call_user()", "absent"),
    "os-atlas": ("os-atlas", "close button(100,200),(300,400)", (100, 100, 300, 200)),
    "os-atlas, marks": (
        "os-atlas",
        "<|object_ref_start|>close<|object_ref_end|><|box_start|>(100,200),(300,400)<|box_end|><|im_end|>",
        (100, 100, 300, 200),
    ),
    "os-atlas, an error dialog": ("os-atlas", "Error dialog (100,200),(300,400)", (100, 100, 300, 200)),
    "os-atlas, an error's button": ("os-atlas", "Network error retry button(100,200),(300,400)", (100, 100, 300, 200)),
    "os-atlas, a word for an act": ("os-atlas", "Type(100,200),(300,400)", (100, 100, 300, 200)),
    "os-atlas, a word like an act": ("os-atlas", "side panel(100,200),(300,400)", (100, 100, 300, 200)),
    "os-atlas, 4B": ("os-atlas", "<ref>close</ref><box>[[100, 200, 300, 400]]</box>", (100, 100, 300, 200)),
    "uground": ("uground", "(100, 200)", (100, 100)),
    "uground, and the range": ("uground", "Normalized to [0, 1000], it is [100, 200]", (100, 100)),
    "uground, absent": ("uground", "(-1, -1)", "absent"),
    "jedi": (
        "jedi",
        '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [504, 252]}}',
        (500, 250),
    ),
    "jedi, waits": (
        "jedi",
        '<tool_call>{"name": "computer_use", "arguments": {"action": "wait", "time": 2}}</tool_call>',
        "absent",
    ),
    "holo": ("holo2", '{"action": "click_absolute", "x": 100, "y": 200}', (100, 100)),
    "holo, call": ("holo2", "Click(100, 200)", (100, 100)),
    "opencua": (
        "opencua",
        "## Action:\nClick it.\n\n## Code:\n```python\npyautogui.click(x=504, y=252)\n```",
        (500, 250),
    ),
    "opencua, without names": ("opencua", "pyautogui.click(504, 252, clicks=1)", (500, 250)),
    "opencua, last call": ("opencua", "pyautogui.moveTo(x=1, y=2)\npyautogui.click(x=504, y=252)", (500, 250)),
    "opencua, gives up": ("opencua", "computer.terminate(status='failure')", "absent"),
    "infigui": ("infigui", '<think>hm</think>```json\n[{"point_2d": [504, 252], "label": "a"}]\n```', (500, 250)),
    "infigui, the first counts": ("infigui", '[{"point_2d": [504, 252]}, {"point_2d": [1, 2]}]', (500, 250)),
    "infigui, nothing": ("infigui", "<think>hm</think>[]", "absent"),
    "gui-r1": ("gui-r1", "<answer>[{'action': 'click', 'point': [504, 252], 'input_text': 'no'}]</answer>", (500, 250)),
    "ui-venus": ("ui-venus", "[504,252,1008,504]", (500, 250, 1000, 500)),
    "ui-venus, corrected to none": (
        "ui-venus",
        "Box: [100,200,300,400]\nWait, correction: Box: none",
        "absent",
    ),
    "box, two corners and a dash": ("default", "Box: (100, 200) - (300, 400)", (100, 100, 300, 200)),
    "box, from corner to corner": ("default", "Box: (100, 200) to (300, 400)", (100, 100, 300, 200)),
    "box, corners side by side": ("default", "Box: [100, 200] [300, 400]", (100, 100, 300, 200)),
    "box, corners and an arrow": ("default", "**Box:** (100, 200) → (300, 400)", (100, 100, 300, 200)),
    "box, corners and an and": ("default", "The bounding box: (100, 200) and (300, 400)", (100, 100, 300, 200)),
    "box, an error on the screen": (
        "default",
        "It is the page that says an error occurred.\nBox: [100, 200, 300, 400]",
        (100, 100, 300, 200),
    ),
    "box, no label": ("default", "Box: [100, 200, 300, 400]\nThere is no text on the icon.", (100, 100, 300, 200)),
    "box, doubts before": ("default", "I see no match at first.\nBox: [100, 200, 300, 400]", (100, 100, 300, 200)),
    "qwen3-vl, absence in a label": (
        "qwen3-vl",
        '[{"bbox_2d": [100, 200, 300, 400], "label": "No match found"}]',
        (100, 100, 300, 200),
    ),
    "opencua, types after": ("opencua", "pyautogui.click(x=504, y=252)\npyautogui.write('(1, 2)')", (500, 250)),
    "uground, last line": ("uground", "The search field in the header fits.\n(100, 200)", (100, 100)),
    "ui-venus, refuses": ("ui-venus", "[-1,-1]", "absent"),
}


def test_a_reply_in_the_dialects_own_form() -> None:
    for name, (dialect, text, expected) in OWN.items():
        reading = read(dialect, text)
        assert (values(reading), reading.fallback) == (expected, False), name


OTHER = {
    "brackets": ("default", "The button is at [100, 200, 300, 400].", (100, 100, 300, 200)),
    "parentheses": ("default", "(100, 200, 300, 400)", (100, 100, 300, 200)),
    "said twice": ("default", "[100, 200, 300, 400], that is (100, 200, 300, 400)", (100, 100, 300, 200)),
    "corners in brackets": ("default", "[[100, 200], [300, 400]]", (100, 100, 300, 200)),
    "a point": ("default", "I would click (100, 200).", (100, 100)),
    "box and its centre": ("default", "[100, 200, 300, 400], centre (200, 300)", (100, 100, 300, 200)),
    "the range it runs over": ("default", "In [0, 1000]: [100, 200, 300, 400]", (100, 100, 300, 200)),
    "box tags": ("default", "<box>100 200 300 400</box>", (100, 100, 300, 200)),
    "point tags": ("default", "<point>100 200</point>", (100, 100)),
    "code fence": ("default", "```json\n{'bbox': [100, 200, 300, 400]}\n```", (100, 100, 300, 200)),
    "glm marks": ("gpt", "<|begin_of_box|>[100, 200, 300, 400]<|end_of_box|>", (100, 100, 300, 200)),
    "numbers as a string": ("default", '{"bbox": "100, 200, 300, 400"}', (100, 100, 300, 200)),
    "coordinates key": ("default", '{"coordinates": [100, 200]}', (100, 100)),
    "box and point keys": (
        "default",
        '{"bbox_2d": [100, 200, 300, 400], "point_2d": [200, 300]}',
        (100, 100, 300, 200),
    ),
    "x and y": ("default", '{"x": 100, "y": 200}', (100, 100)),
    "x and y, no JSON": ("default", "x: 100, y: 200", (100, 100)),
    "x and y where y goes first": ("gemini", '{"x": 100, "y": 200}', (100, 100)),
    "corners by name": ("default", '{"x1": 100, "y1": 200, "x2": 300, "y2": 400}', (100, 100, 300, 200)),
    "corners by name, y first": ("gemini", "ymin=200, xmin=100, ymax=400, xmax=300", (100, 100, 300, 200)),
    "size by name": ("default", '{"x": 100, "y": 200, "width": 200, "height": 200}', (100, 100, 300, 200)),
    "a box where points are said": ("uground", "[100, 200, 300, 400]", (100, 100, 300, 200)),
    "here it is": ("default", "Here it is: [100, 200, 300, 400].", (100, 100, 300, 200)),
    "located at": ("default", "The target is located at (100, 200)", (100, 100)),
    "would click at": ("default", "I would click at (100, 200).", (100, 100)),
    "bold": ("default", "**[100, 200, 300, 400]**", (100, 100, 300, 200)),
    "list in a fence": ("default", "```json\n[100,200,300,400]\n```", (100, 100, 300, 200)),
    "explained after": ("default", "[100, 200, 300, 400] is the box of the Save button.", (100, 100, 300, 200)),
    "answer": ("default", "Answer: [100,200,300,400]", (100, 100, 300, 200)),
    "answer tags": ("default", "<answer>[100,200,300,400]</answer>", (100, 100, 300, 200)),
    "in a sentence": (
        "default",
        "The bounding box of the search button is [100, 200, 300, 400], which is in the header.",
        (100, 100, 300, 200),
    ),
    "a thing and a colon": ("default", "Search bar: [100, 200, 300, 400]", (100, 100, 300, 200)),
    "end of the turn": ("default", "[100, 200, 300, 400]<|im_end|>", (100, 100, 300, 200)),
    "answer as a string": ("default", '{"answer": "[100, 200, 300, 400]"}', (100, 100, 300, 200)),
    "an error's icon": ("default", "The error icon is at [100, 200, 300, 400].", (100, 100, 300, 200)),
    "an error in quotes": ("default", 'The "Try again later" text is at [100, 200, 300, 400].', (100, 100, 300, 200)),
    "the size too": ("default", "The image size is (1920, 1080). Click at (100, 200).", (100, 100)),
    "not there but here": ("default", "It is not at (1, 2) but at (100, 200).", (100, 100)),
    "corners by name, x first": ("default", '{"x": 100, "y": 200, "x2": 300, "y2": 400}', (100, 100, 300, 200)),
    "null": ("gpt", '{"bbox_2d": null}', "absent"),
    "nothing": ("gpt", "No such element.", "absent"),
    "nothing, with a reason": ("gemini", "**none** - there is no such button.", "absent"),
    "nothing that matches": ("gpt", "There are no elements that match the description.", "absent"),
    "none as a word": (
        "gpt",
        "None of the icons has a label.\n[100, 200, 300, 400] - the printer",
        (100, 100, 300, 200),
    ),
    "minus one": ("gpt", "(-1, -1)", "absent"),
}


def test_a_reply_in_another_form_is_read_and_flagged() -> None:
    for name, (dialect, text, expected) in OTHER.items():
        reading = read(dialect, text)
        assert (values(reading), reading.fallback) == (expected, True), name


# The second is the cause, in our words: all of one cause have the same reason, and no others have it.
NONE = {
    "empty": ("", "empty"),
    "blank": (" \n\t", "empty"),
    "only thinking": ("<think>Box: [100, 200, 300, 400]", "empty"),
    "prose": ("I see 3 buttons at 10 of 20, and 4 rows.", "no coordinates"),
    "numbers without brackets": ("100 200 300 400", "no coordinates"),
    "one number": ("[100]", "no coordinates"),
    "three numbers": ("[100, 200, 300]", "no coordinates"),
    "five numbers": ("[1, 2, 3, 4, 5]", "no coordinates"),
    "three in the box": ("Box: [100, 200, 300]", "found 3"),
    "two boxes": ("[100, 200, 300, 400] or [500, 600, 700, 800]", "different"),
    "two points": ("(100, 200) and (300, 400)", "different"),
    "two points side by side": ("(100, 200), (300, 400)", "different"),
    "two under a key without _2d": ('[{"bbox": [1, 2, 3, 4]}, {"bbox": [5, 6, 7, 8]}]', "different"),
    "two in JSON": ('[{"bbox_2d": [1, 2, 3, 4]}, {"bbox_2d": [5, 6, 7, 8]}]', "different"),
    "box and none": ('[{"point": [1, 2]}, {"point": null}]', "different"),
    "cut JSON": ('{"bbox_2d": [100, 200, 300, 4', "no coordinates"),
    "cut names": ('{"action": "click", "x": 100, "y": 20', "no coordinates"),
    "cut list": ("Box: [100, 200, 300", "no coordinates"),
    "template": ("Box: [xmin, ymin, xmax, ymax]", "no coordinates"),
    "percent": ("Box: [10%, 20%, 30%, 40%]", "percent"),
    "pixels of what": ("Box: [10px, 20px, 30px, 40px]", "pixels"),
    "not a number": ("Box: [NaN, 1, 2, 3]", "cannot be"),
    "infinite": ("Box: [inf, 1, 2, 3]", "cannot be"),
    "huge": ("Box: [1e400, 1, 2, 3]", "cannot be"),
    "many digits": (f"Box: [{'9' * 5000}, 1, 2, 3]", "cannot be"),
    "the range only": ("Coordinates run over [0, 1000].", "no coordinates"),
    "code": ("__import__('os').system('x')", "no coordinates"),
    "a text box": ("The search box: none of the others has one", "no coordinates"),
    "size": ("The image size is [1920, 1080]", "no coordinates"),
    "the screen": ("Screen: [0, 0, 1920, 1080]", "no coordinates"),
    "raised": ("Box: [10², 200, 300, 400]", "no coordinates"),
    "typed": ("pyautogui.write('(1, 2)')", "no coordinates"),
    "typed words": ("pyautogui.write('click at (1, 2)')", "no coordinates"),
    "typed, named": ("Action: type(content='(1,2)')", "no coordinates"),
    "scrolled": ("pyautogui.scroll(0, 5)", "no coordinates"),
    "scrolled, JSON": ('{"action": "scroll", "x": 3, "y": 4}', "no coordinates"),
    "dragged": ("drag(start_box='(1,2)', end_box='(3,4)')", "drag"),
    "box, points": ("Box: (100, 200) or (300, 400)", "found points"),
    "in a message": ('{"id": "r", "msg": "at (1, 2)"}', "no coordinates"),
    "not found": ('{"box": [1, 2, 3, 4]} not found', "no coordinates"),
    "half a size": ('{"x": 5, "y": 6, "label": "a", "width": 7}', "neither"),
    "refusal": ("I'm sorry, I can't help with that.", "no coordinates"),
}


def sentence(reason: str) -> str:
    """A reason without the data in it."""
    return re.sub(r"\d+", "#", reason)


def test_what_is_no_answer_has_a_reason() -> None:
    reasons: dict[str, set[str]] = {}
    for name, (text, cause) in NONE.items():
        reading = read("default", text)
        assert reading.location is None, name
        assert len(reading.reason.splitlines()) == 1, name
        reasons.setdefault(cause, set()).add(sentence(reading.reason))
    assert {cause: len(found) for cause, found in reasons.items()} == dict.fromkeys(reasons, 1), reasons
    assert len(set.union(*reasons.values())) == len(reasons), reasons
    assert "3" in read("default", "Box: [100, 200, 300]").reason
    assert "mille" in read("default", "Box: [10%, 20%, 30%, 40%]").reason


def test_numbers_beyond_any_screen_are_no_coordinates() -> None:
    assert values(read("default", "Box: [0, 0, 999999999, 400]")) == (0, 0, 999999999, 200)
    for number in ("1000000000", "-1000000000"):
        reading = read("default", f"Box: [0, 0, {number}, 400]")
        assert reading.location is None
        assert reading.numbers == (0, 0, float(number), 400)


def test_only_the_end_of_a_long_reply_is_read() -> None:
    answer = "Box: [100, 200, 300, 400]\n"
    assert values(read("default", answer + " " * (20_000 - len(answer)))) == (100, 100, 300, 200)
    assert values(read("default", answer + "." * 20_000)) == "unread"


ELSEWHERE = [
    "The image size is [1920, 1080]",
    "Screen: [0, 0, 1920, 1080]",
    "pyautogui.write('(1, 2)')",
    "pyautogui.scroll(0, 5)",
    "pyautogui.scroll(x=0, y=5)",
    "Action: type(content='(1,2)')",
    "Action: scroll(point='<point>1 2</point>', direction='down')",
    '{"action": "scroll", "x": 3, "y": 4}',
    '{"action": "scroll", "coordinate": [3, 4]}',
    "Box: [10², 200, 300, 400]",
    "The element is absent. The closest is [10,20,30,40] but it is different.",
    "It is not at [100, 200, 300, 400]; I cannot find it.",
    "It is not at [100, 200, 300, 400].",
    "No match: the closest one is at (1, 2).",
    "Box: [1,2,3,4] is the sidebar, not the target. There is no match.",
]


def test_a_place_that_is_denied_or_of_something_else_is_none() -> None:
    for dialect, text, level in itertools.product(DIALECTS, ELSEWHERE, LEVELS):
        assert read(dialect, text, level).location is None, (dialect, text)


CORNERS = [
    "Box: (100, 200) - (300, 400)",
    "Box: (100, 200) to (300, 400)",
    "Box: [100, 200] [300, 400]",
    "**Box:** (100, 200) → (300, 400)",
    "The bounding box: (100, 200) and (300, 400)",
    '{"x":5,"y":6,"x2":7,"y2":8}',
]


def test_one_corner_is_never_the_answer() -> None:
    for dialect, text, level in itertools.product(DIALECTS, CORNERS, LEVELS):
        assert not isinstance(read(dialect, text, level).location, Point), (dialect, text)


NOTHING = ["There is no such element.", "No match.", "The target is not visible in the screenshot."]


def test_a_plain_statement_of_absence_is_absent() -> None:
    correction = "Box: [100,200,300,400]\nWait, correction: Box: none"
    for dialect in DIALECTS:
        for text, level in itertools.product(NOTHING, LEVELS):
            assert read(dialect, text, level).location is ABSENT, (dialect, text)
        assert not isinstance(read(dialect, correction).location, Box | Point), dialect


def test_percent_is_read_where_the_grid_is_percent() -> None:
    assert values(read("default@percent/xyxy", "Box: [10%, 20%, 30%, 40%]")) == (100, 100, 300, 200)


def test_width_and_height_are_read_only_where_the_convention_says_so() -> None:
    assert values(read("default@mille/xywh", "Box: [100, 200, 300, 400]")) == (100, 100, 400, 300)
    assert values(read("default@mille/xywh", "x1=100, y1=200, x2=300, y2=400")) == (100, 100, 300, 200)


ERRORS = [
    '{"error": {"code": 429, "message": "Rate limit: [100, 200]"}}',
    '{"error": "at (100, 200)"}',
    '{"type": "error", "error": {"type": "overloaded_error", "message": "(529, 1)"}}',
    '{"id": "x", "choices": [], "error": {"message": "box [1, 2, 3, 4]"}}',
    '{"object": "error", "message": "max [100, 200]", "code": 400}',
    '{"code": 400, "message": "expected [1, 2]"}',
    '{"detail": [{"loc": ["body", 0], "msg": "in (1, 2)"}]}',
    '{"message": "limit (60, 1)", "type": "rate_limit"}',
    "Error code: 429 - {'error': {'message': 'Rate limit [60, 60]'}}",
    "Error: connection to 10.0.0.1 (10, 20) failed",
    "openai.RateLimitError: (429, 500)",
    "APITimeoutError('Request timed out (60, 60)')",
    "HTTP/1.1 502 Bad Gateway (1, 2)",
    "HTTP 500: [1, 2, 3, 4]",
    "429 Too Many Requests (60, 60)",
    "404 Not Found (1, 2)",
    "Internal Server Error [1, 2]",
    "upstream connect error or disconnect (111, 2)",
    "Rate limit reached: (60, 60)",
    "Traceback (most recent call last):\n  File x, line (1, 2)",
    "<!DOCTYPE html><html><body>(1, 2)</body></html>",
    "```\n<html>(1, 2)</html>\n```",
    "The model is currently overloaded. Please try again later (1, 2).",
    "Service temporarily unavailable [1, 2]",
    "An error occurred while processing your request. ID (123, 456)",
    "Error (1, 2)",
    "ERROR [1, 2]",
    "[ERROR] (1, 2)",
    "Error 1: (1,2)",
    "APIStatusError [400, 1]",
    '{"message":"Internal error","bbox":[1,2,3,4]}',
    "<Error><Code>500</Code>[1, 2]</Error>",
    "You exceeded your current quota (100, 100)",
    "Insufficient balance [402, 1113]",
    "[500, 503] Internal Server Error",
    "Sorry, an error occurred: [10, 20, 30, 40]",
    "The request failed with status 503 (0, 0)",
    "An error occurred while locating the target at (1, 2)",
    'The server returned an error: {"code": 500, "coordinates": [0, 0]}',
    'The server returned an error:\n{\n"code": 500,\n"coordinates": [0, 0]\n}',
    '{"status": 500, "bbox":[0,0,0,0]}',
]
NO_NEWS = ['{"detail": "Not Found [1,2]"}', '{"message":"Internal error","request":[1,2,3,4]}', "Request: [1, 2, 3, 4]"]


def test_a_providers_error_is_never_a_place() -> None:
    for dialect, text, level in itertools.product(DIALECTS, ERRORS, LEVELS):
        assert read(dialect, text, level).location is None, (dialect, text)


def test_numbers_that_nothing_says_are_a_place_are_none() -> None:
    for dialect, text, level in itertools.product(DIALECTS, NO_NEWS, LEVELS):
        assert read(dialect, text, level).location is None, (dialect, text)


PIECES = [
    "Box: ",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ", ",
    " ",
    "\n",
    "1",
    "23",
    "456",
    "-7",
    "0.5",
    "1e400",
    "nan",
    "%",
    "px",
]
PIECES += ["none", "<think>", "</think>", "<point>", "</point>", "<|begin_of_box|>", "<|end_of_box|>", '"x": ', '"y": ']
PIECES += [
    '"bbox_2d": ',
    "'point': ",
    "click(point='",
    "pyautogui.click(x=",
    "y=",
    "```json",
    "<|box_start|>",
    "−",
    "１",
]
PIECES += ["<answer>", "</answer>", "◁think▷", "[THINK]", "<|channel|>final<|message|>", "drag(", "“", "or ", "{'x': "]
PIECES += ["at ", "the box is ", "error ", "no such ", "none", "scroll(", '{"action": "type", ', "size ", "²", "→", "'"]
TEXTS = st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


@settings(max_examples=60)
@given(
    text=TEXTS,
    name=st.sampled_from([*DIALECTS, "default@percent/xywh", "gemini@unit/yxyx"]),
    level=st.sampled_from(LEVELS),
)
def test_any_text_is_a_place_or_has_a_reason(text: str, name: str, level: str) -> None:
    reading = read(name, text, level)
    assert (reading.location is None) == bool(reading.reason)
    if isinstance(reading.location, Box | Point):
        assert len(reading.numbers) == (4 if isinstance(reading.location, Box) else 2)
        assert any(digit.isdigit() for digit in text)


@settings(max_examples=40)
@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=4, max_size=4))
def test_any_four_numbers_are_a_box_or_have_a_reason(numbers: list[float]) -> None:
    reading = read("claude", f"Box: {numbers}")
    assert isinstance(reading.location, Box) or reading.location is ABSENT or reading.reason


@settings(max_examples=40)
@given(st.lists(st.integers(0, 1000), min_size=4, max_size=4, unique=True), st.sampled_from(sorted(DIALECTS)))
def test_four_numbers_are_never_two_points_in_the_middle(numbers: list[int], name: str) -> None:
    a, b, c, d = numbers
    assert read(name, f"Either ({a}, {b}) or ({c}, {d}).").location is None or {(a, b), (c, d)} & {
        (0, 1),
        (0, 100),
        (0, 999),
        (0, 1000),
    }


# One dialect for each set of forms that are read.
FORMS = {(row.format_for("element").finders, row.points_only("element")): name for name, row in DIALECTS.items()}


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "[1,",
        "1 ",
        " ",
        "9",
        '"x": 1,',
        "{",
        "<|begin_of_box|>",
        "[[1,2],",
        "at (1,2) ",
        "error [1,2] ",
        "no such (1,2)\n",
        "scroll('",
        '{"type": "type',
        "{'",
        '{"a": [1,',
        '"a b ',
        "[1, 2, 3, 4] or ",
        "(1,2),(3,4)",
        "Box: [1, 2] ",
        "<answer>",
        "none\n",
    ],
)
def test_a_reply_that_repeats_itself_costs_no_more_than_its_length(piece: str) -> None:
    start = time.process_time()  # of this process alone, whatever else the machine does
    for name in FORMS.values():
        read(name, (piece * 20_000)[:20_000])
    assert time.process_time() - start < 6


BOX = (99.2, 49.6, 297.6, 198.4)
SHAPES = {
    "two corners": ('{"bbox_2d": [[100, 50], [300, 200]]}', BOX),
    "the same box twice": ('{"bbox_2d": [[100, 50, 300, 200], [100, 50, 300, 200]]}', BOX),
    "two boxes": ('{"bbox_2d": [[1, 2, 3, 4], [100, 50, 300, 200]]}', "unread"),
    "null": ('{"bbox_2d": null}', "absent"),
    "named corners": ('{"bbox_2d": {"x1": 100, "y1": 50, "x2": 300, "y2": 200}}', BOX),
    "two points": ('{"bbox_2d": [{"x": 100, "y": 50}, {"x": 300, "y": 200}]}', "unread"),
    "one point": ('{"bbox_2d": [{"point": [100, 50]}]}', (99.2, 49.6)),
    "the template": ('{"bbox_2d": ["x1", "y1", "x2", "y2"]}', "unread"),
    "a word among numbers": ('{"bbox_2d": [100, 50, 300, "bottom"]}', "unread"),
    "no list": ('{"bbox_2d": true}', "unread"),
    "none as text": ('{"bbox_2d": "none"}', "absent"),
    "numbers as text": ('{"bbox_2d": "100, 50, 300, 200"}', BOX),
}


def test_json_of_any_shape_is_a_place_or_none() -> None:
    assert {name: values(read("qwen2.5-vl", text)) for name, (text, _) in SHAPES.items()} == {
        name: expected for name, (_, expected) in SHAPES.items()
    }


NAMED = {
    "x=100, y=200, width=50, height=40": (100, 100, 150, 120),
    "Coordinates: (100, 200) or (300, 400)": "unread",
    "x: 100, y: 200, x2: 300": "unread",
    "<point>Box: [100, 200, 300, 400]</point>": (100, 100, 300, 200),
    "<box>none</box>": "absent",
    '{"note": 1}\nnone': "absent",
}


def test_named_numbers_and_lines_in_any_response() -> None:
    assert {text: values(read("default", text)) for text in NAMED} == NAMED
