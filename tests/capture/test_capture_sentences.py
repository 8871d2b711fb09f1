"""One sentence for every kind of change: what a person would say happened."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.capture.changes import has_effect
from affordance.capture.sentences import LONGEST_QUOTE, MOST_CLAUSES, sentence
from affordance.datasets import AccessibleNode, BrowserDialog, PageChange, StateChange


def state(role: str, name: str, state: str, before: str | None, after: str | None) -> PageChange:
    return PageChange(states=[StateChange(role=role, name=name, state=state, before=before, after=after)])


# Each change with what its sentence quotes of it.
GISTS: dict[str, tuple[PageChange, list[str]]] = {
    "alert": (PageChange(dialogs=[BrowserDialog(kind="alert", message="Saved")]), ["Saved"]),
    "confirm": (PageChange(dialogs=[BrowserDialog(kind="confirm", message="Delete?")]), ["Delete?"]),
    "prompt without words": (PageChange(dialogs=[BrowserDialog(kind="prompt")]), []),
    "window": (PageChange(windows=["https://example.org/help"]), ["https://example.org/help"]),
    "download": (PageChange(downloads=["report.pdf"]), ["report.pdf"]),
    "print": (PageChange(printed=True), []),
    "other page": (PageChange(url="http://x/b", title="Basket"), ["Basket"]),
    "other page with a heading": (PageChange(url="http://x/b", title="Shop", heading="Your basket"), ["Your basket"]),
    "other page without a title": (PageChange(url="http://x/b", title=""), ["http://x/b"]),
    "place in the page": (PageChange(url="http://x/a#part"), ["#part"]),
    "dialog with a name": (PageChange(appeared=[AccessibleNode(role="dialog", name="Settings")]), ["Settings"]),
    "dialog without a name": (
        PageChange(appeared=[AccessibleNode(role="dialog")], added=["Are you sure?"]),
        ["Are you sure?"],
    ),
    "list without a name": (PageChange(appeared=[AccessibleNode(role="list")], added=["Apples"]), ["Apples"]),
    "menu that goes": (PageChange(disappeared=[AccessibleNode(role="menu", name="File")]), ["File"]),
    "list without a name that "
    "goes": (PageChange(disappeared=[AccessibleNode(role="list")], removed=["Pears"]), ["Pears"]),
    "a state without words": (
        state("button", "Pay", "unheard-of", None, "true").model_copy(update={"added": ["Paid"]}),
        ["Paid"],
    ),
    "switch on": (state("switch", "Wireless", "checked", "false", "true"), ["Wireless"]),
    "switch off": (state("switch", "Wireless", "checked", "true", "false"), ["Wireless"]),
    "tick": (state("checkbox", "Gift", "checked", "false", "true"), ["Gift"]),
    "untick": (state("checkbox", "Gift", "checked", "true", "false"), ["Gift"]),
    "partly": (state("checkbox", "All", "checked", "false", "mixed"), ["All"]),
    "radio": (state("radio", "Small", "checked", "false", "true"), ["Small"]),
    "pressed": (state("button", "Bold", "pressed", "false", "true"), ["Bold"]),
    "expanded": (state("button", "Menu", "expanded", "false", "true"), ["Menu"]),
    "collapsed": (state("button", "Menu", "expanded", "true", "false"), ["Menu"]),
    "selected": (state("tab", "Sizes", "selected", "false", "true"), ["Sizes"]),
    "disabled": (state("button", "Pay", "disabled", None, "true"), ["Pay"]),
    "enabled": (state("button", "Pay", "disabled", "true", None), ["Pay"]),
    "opened": (state("dialog", "Help", "open", "false", "true"), ["Help"]),
    "busy": (state("main", "", "busy", None, "true"), []),
    "invalid": (state("textbox", "Email", "invalid", None, "true"), ["Email"]),
    "value": (state("textbox", "Name", "value", "", "hello"), ["Name", "hello"]),
    "emptied": (state("textbox", "Name", "value", "hello", ""), ["Name"]),
    "slider": (state("slider", "Volume", "valuenow", "3", "7"), ["Volume", "7"]),
    "sorted": (state("columnheader", "Price", "sort", "none", "ascending"), ["Price"]),
    "no longer sorted": (state("columnheader", "Price", "sort", "ascending", "none"), ["Price"]),
    "current": (state("link", "Page 2", "current", None, "page"), ["Page 2"]),
    "one text for another": (PageChange(added=["2 in the basket"], removed=["Empty"]), ["Empty", "2 in the basket"]),
    "text that comes": (PageChange(added=["Thank you"]), ["Thank you"]),
    "text that goes": (PageChange(removed=["Old news"]), ["Old news"]),
    "words before numbers": (PageChange(added=["17", "Well done"]), ["Well done"]),
    "page scrolls": (PageChange(scrolled=[AccessibleNode(role="area")]), []),
    "area scrolls": (PageChange(scrolled=[AccessibleNode(role="area", name="Messages")]), ["Messages"]),
    "focus": (PageChange(focus=AccessibleNode(role="textbox", name="Search")), ["Search"]),
    "only pixels": (PageChange(pixels=0.2), []),
    "nothing": (PageChange(), []),
}  # fmt: skip


def test_a_sentence_quotes_what_changed_and_differs_for_every_kind_of_change() -> None:
    sentences = {name: sentence(change) for name, (change, _) in GISTS.items()}
    for name, (_, quoted) in GISTS.items():
        assert all(word in sentences[name] for word in quoted), sentences[name]
    assert sentences.pop("nothing") == sentences["only pixels"]
    assert len(set(sentences.values())) == len(sentences)


# Changes of which one is the opposite of the other.
OPPOSITES = {
    "switch": (state("switch", "A", "checked", "false", "true"), state("switch", "A", "checked", "true", "false")),
    "panel": (
        PageChange(appeared=[AccessibleNode(role="dialog", name="A")]),
        PageChange(disappeared=[AccessibleNode(role="dialog", name="A")]),
    ),
    "message": (PageChange(dialogs=[BrowserDialog(kind="alert")]), PageChange(dialogs=[BrowserDialog(kind="confirm")])),
    "hidden": (state("menu", "A", "hidden", "true", "false"), state("menu", "A", "hidden", "false", "true")),
    "text": (PageChange(added=["Words"]), PageChange(removed=["Words"])),
}  # fmt: skip


def test_opposites_have_different_sentences() -> None:
    for name, (one, other) in OPPOSITES.items():
        assert sentence(one) != sentence(other), name


def test_the_most_telling_comes_first_and_no_more_than_a_few() -> None:
    found = sentence(
        PageChange(
            dialogs=[BrowserDialog(kind="alert", message="Saved")],
            appeared=[AccessibleNode(role="dialog", name="Done")],
            states=[StateChange(role="button", name=f"B{n}", state="pressed", after="true") for n in range(9)],
            added=["Unheard"],
            scrolled=[AccessibleNode(role="area", name="Unseen")],
        )
    )
    assert found.index("Saved") < found.index("Done")
    assert "Unheard" not in found
    assert "Unseen" not in found
    assert found.count("“") == MOST_CLAUSES


def test_the_same_is_not_said_twice() -> None:
    assert sentence(PageChange(windows=["http://x/", "http://x/"])).count("http://x/") == 1


LONG = 400 * "word "
LONG_ONES = {
    "message": PageChange(dialogs=[BrowserDialog(kind="alert", message=LONG)]),
    "title": PageChange(url="http://x/", title=LONG, heading=LONG),
    "address": PageChange(url="http://x/" + LONG.replace(" ", "-")),
    "window": PageChange(windows=["http://x/" + LONG.replace(" ", "-")]),
    "name": state("button", LONG, "pressed", "false", "true"),
    "value": state("textbox", "Name", "value", "", LONG),
    "text": PageChange(added=[LONG]),
    "texts": PageChange(added=[LONG, f"a {LONG}"], removed=[f"b {LONG}", f"c {LONG}"]),
    "file": PageChange(downloads=[LONG]),
    "region": PageChange(appeared=[AccessibleNode(role="dialog")], added=[LONG, f"a {LONG}"]),
}


def test_long_texts_are_cut() -> None:
    for name, change in LONG_ONES.items():
        found = sentence(change)
        assert "…" in found, name
        assert len(found) < (LONGEST_QUOTE + 40) * MOST_CLAUSES * 2, name


def test_a_sentence_is_one_line() -> None:
    for text in ("two\nlines", "tab\tstop", "  space  "):
        found = sentence(PageChange(added=[text], dialogs=[BrowserDialog(kind="alert", message=text)]))
        assert "\n" not in found
        assert "  " not in found


WORDS = st.text(max_size=80)
ROLES = st.sampled_from(["button", "list", "dialog", "textbox", "switch", "status", "unheard-of"])
STATES = st.sampled_from(["checked", "value", "sort", "current", "hidden", "unheard-of"])
NAMED = st.builds(AccessibleNode, role=ROLES, name=WORDS)
CHANGES: dict[str, Any] = {
    "url": st.none() | WORDS,
    "title": st.none() | WORDS,
    "heading": st.none() | WORDS,
    "windows": st.lists(WORDS, max_size=2),
    "dialogs": st.lists(
        st.builds(BrowserDialog, kind=st.sampled_from(["alert", "confirm"]), message=WORDS), max_size=2
    ),
    "downloads": st.lists(WORDS, max_size=2),
    "printed": st.booleans(),
    "focus": st.none() | NAMED,
    "states": st.lists(
        st.builds(StateChange, role=ROLES, name=WORDS, state=STATES, before=st.none() | WORDS, after=st.none() | WORDS),
        max_size=3,
    ),
    "added": st.lists(WORDS, max_size=3),
    "removed": st.lists(WORDS, max_size=3),
    "appeared": st.lists(NAMED, max_size=2),
    "disappeared": st.lists(NAMED, max_size=2),
    "scrolled": st.lists(NAMED, max_size=2),
}


@settings(max_examples=50)
@given(st.fixed_dictionaries({}, optional=CHANGES))
def test_there_is_always_one_sentence(fields: dict[str, Any]) -> None:
    found = sentence(PageChange(**fields))
    assert len(found) > 5
    assert found.endswith(".")
    assert found == found.strip()
    assert "\n" not in found


FOCUSED = AccessibleNode(role="button", name="Show or hide")
FIELD = AccessibleNode(role="textbox", name="Search")
EFFECTS = {
    "nothing": (PageChange(), False),
    "the control looks pressed": (PageChange(focus=FOCUSED, pixels=0.02), False),
    "something else looks different": (PageChange(focus=FOCUSED, pixels=0.02, elsewhere=0.004), True),
    "one could type now": (PageChange(focus=FIELD, pixels=0.002), True),
    "a message box": (PageChange(dialogs=[BrowserDialog(kind="alert", message="Saved")]), True),
    "a window": (PageChange(windows=["https://example.org/help"]), True),
    "a download": (PageChange(downloads=["report.pdf"]), True),
    "printing": (PageChange(printed=True), True),
    "a state": (PageChange(states=[StateChange(role="switch", name="Wi-Fi", state="checked", after="true")]), True),
}


def test_a_control_s_own_look_is_no_effect() -> None:
    for name, (change, expected) in EFFECTS.items():
        assert has_effect(change) is expected, name


def test_the_focus_counts_only_where_nothing_else_changed() -> None:
    only_look = sentence(PageChange(pixels=0.2))
    assert FIELD.name in sentence(PageChange(focus=FIELD, pixels=0.002))
    assert sentence(PageChange(focus=FIELD, pixels=0.02, elsewhere=0.004)) == only_look
    assert sentence(PageChange(focus=FOCUSED, pixels=0.02, elsewhere=0.004)) == only_look
