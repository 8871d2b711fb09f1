"""How targets, actions and outcomes of captured screens are put into words."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.datasets import Element, Outcome, Region
from affordance.suites.function.captured import View


@dataclass(frozen=True, slots=True)
class Verb:
    do: str  # what one is told to do
    does: str  # what somebody does
    done: str  # what is done to an element


_VERBS = {
    "click": Verb("click on", "clicks on", "clicked"),
    "double click": Verb("double-click on", "double-clicks on", "double-clicked"),
    "right click": Verb("right-click on", "right-clicks on", "right-clicked"),
    "long press": Verb("press and hold", "presses and holds", "pressed and held"),
    "hover": Verb("move the pointer over", "moves the pointer over", "pointed at"),
    "drag": Verb("drag", "drags", "dragged"),
    "type": Verb("type into", "types into", "typed into"),
    "scroll": Verb("scroll", "scrolls", "scrolled"),
    "middle click": Verb("middle-click on", "middle-clicks on", "middle-clicked"),
    "select": Verb("select", "selects", "selected"),
    "swipe": Verb("swipe over", "swipes over", "swiped over"),
    "press key": Verb("press a key on", "presses a key on", "acted on with a key"),
}
_KINDS = {
    "complementary": "side panel", "contentinfo": "footer", "banner": "header", "region": "section",
    "status": "status line", "tabpanel": "tab panel", "combobox": "drop-down list", "textbox": "text field",
    "searchbox": "search field", "clickable": "control", "menuitem": "menu entry", "tablist": "row of tabs",
    "radiogroup": "group of radio buttons", "container": "area", "main": "main area", "article": "card",
}  # fmt: skip


def verb(action: str) -> Verb:
    return _VERBS.get(action) or Verb(f"do “{action}” on", f"does “{action}” on", f"acted on by “{action}”")


def kind_word(role: str) -> str:
    """What people call a thing of this role."""
    return _KINDS.get(role, role)


def does(outcome: Outcome) -> str:
    """`clicks on`; with what was typed, where that is known."""
    typed = outcome.steps[0].typed if outcome.steps else None
    return f"types “{typed}” into" if typed else verb(outcome.action).does


def then(outcome: Outcome) -> str:
    """The further steps of an outcome that took several."""
    return "".join(f", then {verb(step.action).does} “{step.element}”" for step in outcome.steps[1:])


def effect_question(outcome: Outcome) -> str:
    return f"Which element has this effect when it is {verb(outcome.action).done}? {outcome.sentence}"


def effect_intent(outcome: Outcome) -> str:
    return f"{_capital(verb(outcome.action).do)} something so that this happens: {outcome.sentence}"


def effects_question(outcomes: Sequence[Outcome]) -> str:
    """What one can bring about in a region."""
    return f"Which is the smallest region in which one can do all of this? {effects(outcomes)}"


def effects(outcomes: Sequence[Outcome]) -> str:
    lines = (f"{_capital(verb(outcome.action).do)} something: {outcome.sentence}" for outcome in outcomes)
    return " ".join(f"({place}) {line}" for place, line in enumerate(lines, 1))


def described(view: View, element: Element) -> str | None:
    """An element by kind, name and where it is; None where that does not tell it from another."""

    def said(one: Element, name: str) -> str:
        home = view.home(one.id)
        where = None if home is None else _named(home)
        return f"{name}, in {where}" if where else name

    named = _named(element)
    if named is None:
        return None
    text = said(element, named)
    names = ((other, _named(other)) for other in view.elements.values())
    if sum(said(other, name) == text for other, name in names if name and text.startswith(name)) > 1:
        return None
    return f"{_capital(text)}."


def described_region(view: View, region: Region) -> str | None:
    text = _named(region)
    if text is None or sum(_named(other) == text for other in view.regions.values()) > 1:
        return None
    return f"{_capital(text)}."


def _named(part: Element | Region) -> str | None:
    """`the button “Send”`; None for what has no name."""
    kind, name = (part.role, part.name) if isinstance(part, Element) else (part.type, part.description)
    return f"the {kind_word(kind)} “{name}”" if name and kind else None


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
