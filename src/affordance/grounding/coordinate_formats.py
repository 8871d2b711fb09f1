"""Coordinate formats: how a model family is asked for a location, and how it writes one.

A family adds a row only where no other family writes like it."""

from dataclasses import dataclass

from affordance.grounding import location_forms as find
from affordance.grounding.location_forms import Finder


@dataclass(frozen=True, slots=True)
class CoordinateFormat:
    """`frame` and `system` name files of `frames/`; a form of another package may have names of its own, with the words
    beside. `finders` find the requested form in a response. `template` is what an ideal model answers, with %s for
    each number; `absent` is how it says that nothing matches, and `told` the sentence that tells it so. A form that
    `points` has two numbers, any other four."""

    prompt: str  # by name: the words around the task's
    finders: tuple[Finder, ...]  # of the requested form
    answer_template: str  # what an ideal model answers, with %s for each number
    absent_answer: str  # and where nothing matches
    absent_instruction: str  # the sentence that tells it so
    system_prompt: str = ""  # by name: the system message, if any
    prompt_text: str = ""  # of the frame, where it is no file here
    system_prompt_text: str = ""  # of that, where it is no file here

    @property
    def points(self) -> bool:
        return self.answer_template.count("%s") == 2


_BOX_NONE = " If nothing in the screenshot matches, write this line instead: Box: none"
_MINUS_ONE = " If nothing in the screenshot matches, every number is -1."

MILLE_BOX = CoordinateFormat("mille-box", (find.find_labelled,), "Box: [%s, %s, %s, %s]", "Box: none", _BOX_NONE)
PIXEL_BOX = CoordinateFormat("pixel-box", (find.find_labelled,), "Box: [%s, %s, %s, %s]", "Box: none", _BOX_NONE)
GEMINI = CoordinateFormat(
    "gemini",
    (find.find_labelled, find.find_json, find.find_boxes, find.find_nothing),
    "[%s, %s, %s, %s]",
    "none",
    " If nothing in the screenshot matches, answer with the word none.",
)
GLM = CoordinateFormat(
    "mille-box",
    (find.find_box_marks, find.find_labelled, find.find_boxes),  # servers often leave the marks out
    "<|begin_of_box|>[%s, %s, %s, %s]<|end_of_box|>",
    "<|begin_of_box|>none<|end_of_box|>",
    _BOX_NONE,
)
QWEN2 = CoordinateFormat(
    "mille-box", (find.find_labelled, find.find_corners), "Box: [%s, %s, %s, %s]", "Box: none", _BOX_NONE
)
QWEN2_5 = CoordinateFormat(
    "pixel-box", (find.find_labelled, find.find_json), "Box: [%s, %s, %s, %s]", "Box: none", _BOX_NONE
)
QWEN3 = CoordinateFormat(
    "mille-box", (find.find_labelled, find.find_json), "Box: [%s, %s, %s, %s]", "Box: none", _BOX_NONE
)
UI_TARS = CoordinateFormat(
    "ui-tars",
    (find.find_call,),
    "Action: click(point='<point>%s %s</point>')",
    "Action: call_user()",
    "\ncall_user()  # nothing in the screenshot matches",
)
OS_ATLAS = CoordinateFormat(
    "os-atlas", (find.find_corners, find.find_tagged), "(%s,%s),(%s,%s)", "(-1,-1),(-1,-1)", _MINUS_ONE
)
UGROUND = CoordinateFormat("uground", (find.find_points,), "(%s, %s)", "(-1, -1)", _MINUS_ONE)
_CALL = '<tool_call>\n{"name": "computer_use", "arguments": {"action": %s}}\n</tool_call>'
JEDI = CoordinateFormat(
    "jedi",
    (find.find_json,),
    _CALL % '"left_click", "coordinate": [%s, %s]',
    _CALL % '"wait", "time": 1',
    " If nothing in the screenshot matches, wait.",
)
_HOLO = '{"action": "click_absolute", "x": %s, "y": %s}'
HOLO = CoordinateFormat("holo", (find.find_ordered_json, find.find_ordered_call), _HOLO, _HOLO % (-1, -1), _MINUS_ONE)
HOLO2 = CoordinateFormat("holo2", (find.find_ordered_json, find.find_ordered_call), _HOLO, _HOLO % (-1, -1), _MINUS_ONE)
OPENCUA = CoordinateFormat(
    "opencua",
    (find.find_ordered_call,),
    "pyautogui.click(x=%s, y=%s)",
    "computer.terminate(status='failure')",
    " If nothing in the screenshot matches, the action is computer.terminate(status='failure').",
    "opencua-system",
)
INFIGUI = CoordinateFormat(
    "infigui",
    (find.find_first_json, find.find_nothing),
    '[{"point_2d": [%s, %s]}]',
    "[]",
    " If nothing in the screenshot matches, the list is empty: []",
    "infigui-system",
)
_GUI_R1 = "<answer>[{'action': 'click', 'point': [%s, %s], 'input_text': 'no input text'}]</answer>"
GUI_R1 = CoordinateFormat(
    "gui-r1",
    (find.find_json,),
    _GUI_R1,
    _GUI_R1 % (-1, -1),
    " If nothing in the screenshot matches, the point is [-1, -1].",
)
UI_VENUS = CoordinateFormat(
    "ui-venus",
    (find.find_labelled, find.find_boxes, find.find_points),
    "[%s,%s,%s,%s]",
    "[-1,-1,-1,-1]",
    _MINUS_ONE,
)
