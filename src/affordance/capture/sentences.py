"""One sentence about an outcome, by rule. The record stays beside it, so a model may put it better later."""

from collections.abc import Iterator

from affordance.capture.changes import FIELDS, TO_BE_SEEN
from affordance.datasets import AccessibleNode, PageChange, StateChange

MOST_CLAUSES = 3
LONGEST_QUOTE = 70
MORE_THAN_A_RING = 0.01  # share of the picture

_ON_OFF = {
    "checked": {"switch": ("is switched on", "is switched off"), "radio": ("is chosen", "is no longer chosen"),
                "": ("is ticked", "is unticked")},
    "pressed": {"": ("is turned on", "is turned off")},
    "expanded": {"": ("is expanded", "is collapsed")},
    "selected": {"": ("is selected", "is no longer selected")},
    "disabled": {"": ("becomes unavailable", "becomes available")},
    "open": {"": ("opens", "closes")},
    "busy": {"": ("becomes busy", "is no longer busy")},
    "hidden": {"": ("is hidden", "is shown")},
    "invalid": {"": ("is marked as invalid", "is no longer marked as invalid")},
}  # fmt: skip
_KINDS = {
    "alertdialog": "dialog", "complementary": "side panel", "contentinfo": "footer", "banner": "header",
    "region": "section", "status": "message", "alert": "message", "listbox": "list of options", "tabpanel": "tab",
    "navigation": "navigation", "grid": "table", "combobox": "drop-down list", "textbox": "field",
    "searchbox": "search field", "clickable": "control", "menuitem": "menu entry", "treeitem": "entry",
}  # fmt: skip


def sentence(change: PageChange) -> str:
    """What happened, the most telling first. Never empty: where nothing can be told, only the look has changed."""
    clauses = list(dict.fromkeys(_clauses(change)))[:MOST_CLAUSES]
    if not clauses:
        clauses = [_focus(change) or "only the look of the page changes"]
    text = clauses[0] if len(clauses) == 1 else f"{', '.join(clauses[:-1])} and {clauses[-1]}"
    return f"{text[0].upper()}{text[1:]}."


def _focus(change: PageChange) -> str | None:
    """Where that is all: nothing else looks different, or no more than the ring around a field."""
    if change.focus is None:
        return None
    ring = change.focus.role in FIELDS and change.pixels < MORE_THAN_A_RING
    return f"{_the(change.focus)} gets the focus" if ring or change.pixels_outside_target < TO_BE_SEEN else None


def _clauses(change: PageChange) -> Iterator[str]:
    for dialog in change.dialogs:
        verb = "says" if dialog.kind == "alert" else "asks"
        yield f"a message box {verb} {_quote(dialog.message)}" if dialog.message else f"a message box {verb} something"
    for address in change.windows:
        yield f"a new window opens at {_quote(address)}"
    for name in change.downloads:
        yield f"the file {_quote(name)} is offered for download"
    if change.printed:
        yield "the page is sent to the printer"
    if change.url is not None:
        yield _navigation(change)
    elif change.title:
        yield f"the title of the page becomes {_quote(change.title)}"
    for region in change.appeared:
        if region.role != "list" or region.name:
            yield _appears(region, change.added)
    yield from filter(None, map(_state, change.states))
    for region in change.disappeared:
        if region.name or region.role in ("dialog", "menu", "alertdialog", "status", "alert"):
            yield f"{_the(region)} disappears"
    yield from _texts(change)
    for area in change.scrolled:
        yield "the page scrolls" if not area.name else f"the area {_quote(area.name)} scrolls"


def _navigation(change: PageChange) -> str:
    headed = f" with the heading {_quote(change.heading)}" if change.heading else ""
    if change.title:
        return f"the page {_quote(change.title)} opens{headed}"
    if "#" in (change.url or "") and not change.title:
        return f"the address changes to {_quote('#' + (change.url or '').partition('#')[2])}"
    return f"the page at {_quote(change.url or '')} opens{headed}"


def _appears(region: AccessibleNode, added: list[str]) -> str:
    if region.name:
        return f"{_the(region)} appears"
    kind = _KINDS.get(region.role, region.role)
    shown = [text for text in added if len(text) > 1][:2]
    article = "an" if kind[0] in "aeiou" else "a"
    return f"{article} {kind} with {' and '.join(map(_quote, shown))} appears" if shown else f"{article} {kind} appears"


def _state(state: StateChange) -> str | None:
    what = _the(state)
    if state.state in ("value", "valuenow", "valuetext"):
        return f"the value of {what} becomes {_quote(state.after or '')}" if state.after else f"{what} is emptied"
    if state.state == "sort":
        way = state.after if state.after in ("ascending", "descending") else "in another way"
        return f"{what} is sorted {way}" if state.after not in (None, "none") else f"{what} is no longer sorted"
    if state.state == "current":
        return f"{what} becomes the current one" if state.after not in (None, "false") else None
    wordings = _ON_OFF.get(state.state)
    if wordings is None:
        return None
    on, off = wordings.get(state.role, wordings[""])
    if state.after == "mixed":
        return f"{what} is partly ticked"
    return f"{what} {on if state.after not in (None, 'false') else off}"


def _texts(change: PageChange) -> Iterator[str]:
    """The texts that tell most: words before numbers, and what came before what went."""
    added, removed = _telling(change.added), _telling(change.removed)
    if len(added) == len(removed) <= 2:
        for old, new in zip(removed, added, strict=True):
            yield f"{_quote(old)} becomes {_quote(new)}"
        return
    words = [text for text in added if _has_words(text)]
    if words or added:
        yield f"{_quote((words or added)[0])} is shown"
    gone = [text for text in removed if _has_words(text)]
    if gone:
        yield f"{_quote(gone[0])} is gone"


def _telling(texts: list[str]) -> list[str]:
    return [text for text in texts if any(letter.isalnum() for letter in text)]


def _has_words(text: str) -> bool:
    return sum(letter.isalpha() for letter in text) > 2


def _the(named: AccessibleNode) -> str:
    kind = _KINDS.get(named.role, named.role)
    return f"the {kind} {_quote(named.name)}" if named.name else f"the {kind}"


def _quote(text: str) -> str:
    text = " ".join(text.split())
    cut = text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1].rstrip() + "…"
    return f"“{cut}”"
