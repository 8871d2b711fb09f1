"""Forms: how a family of models is asked for a place, and how it says one. Data; a family adds a row here only where
no other family speaks like it."""

from collections.abc import Callable
from dataclasses import dataclass

from affordance.grounding import answers
from affordance.grounding.groups import Found

Reader = Callable[[str], Found]


@dataclass(frozen=True, slots=True)
class Form:
    """`frame` and `system` name files of `frames/`; a form of another package may have names of its own, with the words
    beside. `readers` are tried in this order on a reply's text. `template` is what an ideal model answers, with %s for
    each number; `absent` is how it says that nothing matches, and `told` the sentence that tells it so. A form that
    `points` has two numbers, any other four."""

    frame: str  # by name: the words around the task's
    readers: tuple[Reader, ...]  # tried in this order on the text of a reply
    template: str  # what an ideal model answers, with %s for each number
    absent: str  # and where nothing matches
    told: str  # the sentence that tells it so
    system: str = ""  # by name: the system message, if any
    words: str = ""  # of the frame, where it is no file here
    system_words: str = ""  # of that, where it is no file here

    @property
    def points(self) -> bool:
        return self.template.count("%s") == 2


_BOX_NONE = " If nothing in the screenshot matches, write this line instead: Box: none"
_MINUS_ONE = " If nothing in the screenshot matches, every number is -1."

MILLE_BOX = Form("mille-box", (answers.labelled,), "Box: [%s, %s, %s, %s]", "Box: none", _BOX_NONE)
PIXEL_BOX = Form("pixel-box", (answers.labelled,), "Box: [%s, %s, %s, %s]", "Box: none", _BOX_NONE)
GEMINI = Form(
    "gemini",
    (answers.labelled, answers.keyed, answers.four, answers.nothing_at_all),
    "[%s, %s, %s, %s]",
    "none",
    " If nothing in the screenshot matches, answer with the word none.",
)
GLM = Form(
    "mille-box",
    (answers.begin_of_box, answers.labelled, answers.four),  # servers often leave the marks out
    "<|begin_of_box|>[%s, %s, %s, %s]<|end_of_box|>",
    "<|begin_of_box|>none<|end_of_box|>",
    _BOX_NONE,
)
QWEN2 = Form("mille-box", (answers.labelled, answers.corners), "Box: [%s, %s, %s, %s]", "Box: none", _BOX_NONE)
QWEN2_5 = Form("pixel-box", (answers.labelled, answers.keyed), "Box: [%s, %s, %s, %s]", "Box: none", _BOX_NONE)
QWEN3 = Form("mille-box", (answers.labelled, answers.keyed), "Box: [%s, %s, %s, %s]", "Box: none", _BOX_NONE)
UI_TARS = Form(
    "ui-tars",
    (answers.tars_action,),
    "Action: click(point='<point>%s %s</point>')",
    "Action: call_user()",
    "\ncall_user()  # nothing in the screenshot matches",
)
OS_ATLAS = Form("os-atlas", (answers.corners, answers.tagged), "(%s,%s),(%s,%s)", "(-1,-1),(-1,-1)", _MINUS_ONE)
UGROUND = Form("uground", (answers.two,), "(%s, %s)", "(-1, -1)", _MINUS_ONE)
_CALL = '<tool_call>\n{"name": "computer_use", "arguments": {"action": %s}}\n</tool_call>'
JEDI = Form(
    "jedi",
    (answers.computer_use,),
    _CALL % '"left_click", "coordinate": [%s, %s]',
    _CALL % '"wait", "time": 1',
    " If nothing in the screenshot matches, wait.",
)
_HOLO = '{"action": "click_absolute", "x": %s, "y": %s}'
HOLO = Form("holo", (answers.click,), _HOLO, _HOLO % (-1, -1), _MINUS_ONE)
HOLO2 = Form("holo2", (answers.click,), _HOLO, _HOLO % (-1, -1), _MINUS_ONE)
OPENCUA = Form(
    "opencua",
    (answers.pyautogui_call,),
    "pyautogui.click(x=%s, y=%s)",
    "computer.terminate(status='failure')",
    " If nothing in the screenshot matches, the action is computer.terminate(status='failure').",
    "opencua-system",
)
INFIGUI = Form(
    "infigui",
    (answers.first_point_2d,),
    '[{"point_2d": [%s, %s]}]',
    "[]",
    " If nothing in the screenshot matches, the list is empty: []",
    "infigui-system",
)
_GUI_R1 = "<answer>[{'action': 'click', 'point': [%s, %s], 'input_text': 'no input text'}]</answer>"
GUI_R1 = Form(
    "gui-r1",
    (answers.action_list,),
    _GUI_R1,
    _GUI_R1 % (-1, -1),
    " If nothing in the screenshot matches, the point is [-1, -1].",
)
UI_VENUS = Form(
    "ui-venus",
    (answers.labelled, answers.four, answers.two),
    "[%s,%s,%s,%s]",
    "[-1,-1,-1,-1]",
    _MINUS_ONE,
)
