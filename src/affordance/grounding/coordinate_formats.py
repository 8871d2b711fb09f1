"""Coordinate formats: how a model family is asked for a location, and how it writes one.

A family adds a row only where no other family writes like it."""

from dataclasses import dataclass

from affordance.grounding import location_forms as find
from affordance.grounding.location_forms import Finder


@dataclass(frozen=True, slots=True)
class CoordinateFormat:
    """How a model family is asked for a location and how it writes one.

    Attributes:
        prompt: the name of the prompt, of the packaged ones or with its own `prompt_text`.
        finders: finders of the requested form in a response.
        answer_template: what an ideal model answers, with %s for each of two or four numbers.
        absent_answer: what it answers where nothing matches.
        absent_instruction: the sentence of the prompt about that.
        system_prompt: the name of the system prompt, if any.
        prompt_text: the prompt of a format of another package.
        system_prompt_text: its system prompt.
    """

    prompt: str
    finders: tuple[Finder, ...]
    answer_template: str
    absent_answer: str
    absent_instruction: str
    system_prompt: str = ""
    prompt_text: str = ""
    system_prompt_text: str = ""

    @property
    def points(self) -> bool:
        """Whether answers are points; else they are boxes."""
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
