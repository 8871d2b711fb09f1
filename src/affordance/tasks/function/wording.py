"""How targets, actions and outcomes of captured screens are put into words."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.datasets import ActionOutcome, Element, Region
from affordance.tasks.function.captured_screens import CapturedScreen


@dataclass(frozen=True, slots=True)
class ActionWords:
    imperative: str  # in an instruction: click on
    present: str  # of a person: clicks on
    passive: str  # of an element: clicked


_ACTION_WORDS = {
    "click": ActionWords("click on", "clicks on", "clicked"),
    "double click": ActionWords("double-click on", "double-clicks on", "double-clicked"),
    "right click": ActionWords("right-click on", "right-clicks on", "right-clicked"),
    "long press": ActionWords("press and hold", "presses and holds", "pressed and held"),
    "hover": ActionWords("move the pointer over", "moves the pointer over", "pointed at"),
    "drag": ActionWords("drag", "drags", "dragged"),
    "type": ActionWords("type into", "types into", "typed into"),
    "scroll": ActionWords("scroll", "scrolls", "scrolled"),
    "middle click": ActionWords("middle-click on", "middle-clicks on", "middle-clicked"),
    "select": ActionWords("select", "selects", "selected"),
    "swipe": ActionWords("swipe over", "swipes over", "swiped over"),
    "press key": ActionWords("press a key on", "presses a key on", "acted on with a key"),
}
_ROLE_NAMES = {
    "complementary": "side panel", "contentinfo": "footer", "banner": "header", "region": "section",
    "status": "status line", "tabpanel": "tab panel", "combobox": "drop-down list", "textbox": "text field",
    "searchbox": "search field", "clickable": "control", "menuitem": "menu entry", "tablist": "row of tabs",
    "radiogroup": "group of radio buttons", "container": "area", "main": "main area", "article": "card",
}  # fmt: skip


def action_words(action: str) -> ActionWords:
    return _ACTION_WORDS.get(action) or ActionWords(
        f"do “{action}” on", f"does “{action}” on", f"acted on by “{action}”"
    )


def role_name(role: str) -> str:
    """What people call a thing of this role."""
    return _ROLE_NAMES.get(role, role)


def action_phrase(outcome: ActionOutcome) -> str:
    """`clicks on`; with what was typed, where that is known."""
    typed = outcome.steps[0].typed if outcome.steps else None
    return f"types “{typed}” into" if typed else action_words(outcome.action).present


def later_steps(outcome: ActionOutcome) -> str:
    """The further steps of an outcome that took several."""
    return "".join(f", then {action_words(step.action).present} “{step.element}”" for step in outcome.steps[1:])


def outcome_question(outcome: ActionOutcome) -> str:
    return f"Which element has this effect when it is {action_words(outcome.action).passive}? {outcome.sentence}"


def outcome_intent(outcome: ActionOutcome) -> str:
    return f"{_capitalize(action_words(outcome.action).imperative)} something so that this happens: {outcome.sentence}"


def region_question(outcomes: Sequence[ActionOutcome]) -> str:
    """What one can bring about in a region."""
    return f"Which is the smallest region in which one can do all of this? {numbered_outcomes(outcomes)}"


def numbered_outcomes(outcomes: Sequence[ActionOutcome]) -> str:
    lines = (
        f"{_capitalize(action_words(outcome.action).imperative)} something: {outcome.sentence}" for outcome in outcomes
    )
    return " ".join(f"({place}) {line}" for place, line in enumerate(lines, 1))


def describe_element(screen: CapturedScreen, element: Element) -> str | None:
    """An element by kind, name and where it is; None where that fits another one too."""

    def phrase(one: Element, name: str) -> str:
        home = screen.smallest_region(one.id)
        where = None if home is None else _name_phrase(home)
        return f"{name}, in {where}" if where else name

    named = _name_phrase(element)
    if named is None:
        return None
    text = phrase(element, named)
    names = ((other, _name_phrase(other)) for other in screen.elements.values())
    if sum(phrase(other, name) == text for other, name in names if name and text.startswith(name)) > 1:
        return None
    return f"{_capitalize(text)}."


def describe_region(screen: CapturedScreen, region: Region) -> str | None:
    text = _name_phrase(region)
    if text is None or sum(_name_phrase(other) == text for other in screen.regions.values()) > 1:
        return None
    return f"{_capitalize(text)}."


def _name_phrase(part: Element | Region) -> str | None:
    """`the button “Send”`; None for what has no name."""
    kind, name = (part.role, part.name) if isinstance(part, Element) else (part.type, part.description)
    return f"the {role_name(kind)} “{name}”" if name and kind else None


def _capitalize(text: str) -> str:
    return text[0].upper() + text[1:]
