"""Actions on elements: one name for each, whatever publishers call it."""

from enum import StrEnum


class Action(StrEnum):
    CLICK = "click"
    DOUBLE_CLICK = "double click"
    RIGHT_CLICK = "right click"
    MIDDLE_CLICK = "middle click"
    LONG_PRESS = "long press"
    HOVER = "hover"
    DRAG = "drag"
    SCROLL = "scroll"
    TYPE = "type"
    SELECT = "select"
    SWIPE = "swipe"
    PRESS_KEY = "press key"


# Whole names only: "click and hold" begins with a click and is none.
ALIASES = {
    "left click": Action.CLICK,
    "single click": Action.CLICK,
    "clicking": Action.CLICK,
    "left clicking": Action.CLICK,
    "tap": Action.CLICK,
    "tapping": Action.CLICK,
    "doubleclick": Action.DOUBLE_CLICK,
    "dblclick": Action.DOUBLE_CLICK,
    "double clicking": Action.DOUBLE_CLICK,
    "double tap": Action.DOUBLE_CLICK,
    "double tapping": Action.DOUBLE_CLICK,
    "rightclick": Action.RIGHT_CLICK,
    "right clicking": Action.RIGHT_CLICK,
    "context click": Action.RIGHT_CLICK,
    "middle clicking": Action.MIDDLE_CLICK,
    "long pressing": Action.LONG_PRESS,
    "longpress": Action.LONG_PRESS,
    "press and hold": Action.LONG_PRESS,
    "pressing and holding": Action.LONG_PRESS,
    "click and hold": Action.LONG_PRESS,
    "clicking and holding": Action.LONG_PRESS,
    "tap and hold": Action.LONG_PRESS,
    "touch and hold": Action.LONG_PRESS,
    "hovering": Action.HOVER,
    "hover over": Action.HOVER,
    "hovering over": Action.HOVER,
    "mouse over": Action.HOVER,
    "dragging": Action.DRAG,
    "drag and drop": Action.DRAG,
    "dragging and dropping": Action.DRAG,
    "scrolling": Action.SCROLL,
    "scroll up": Action.SCROLL,
    "scroll down": Action.SCROLL,
    "typing": Action.TYPE,
    "type text": Action.TYPE,
    "input text": Action.TYPE,
    "enter text": Action.TYPE,
    "selecting": Action.SELECT,
    "select text": Action.SELECT,
    "swiping": Action.SWIPE,
    "pressing key": Action.PRESS_KEY,
    "press keys": Action.PRESS_KEY,
    "key press": Action.PRESS_KEY,
    "keypress": Action.PRESS_KEY,
    "pressing a key": Action.PRESS_KEY,
    "hotkey": Action.PRESS_KEY,
}


def canonical_action(name: str) -> str:
    """The one name of an action; one that is not known stays as it is, in lower case with single spaces."""
    plain = " ".join(name.replace("-", " ").replace("_", " ").lower().split())
    return str(ALIASES.get(plain, plain))
