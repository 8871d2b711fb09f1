"""What an expression says that can be seen."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.media.screen_layout import PartKind
from affordance.models.pixels._cues import read_cues


@pytest.mark.parametrize(
    ("expression", "look"),
    [
        ("The switch “Sound” is switched on.", PartKind.SWITCH),
        ("The checkbox “Remember me”.", PartKind.TICK),
        ("The value of the slider “Volume” becomes “5”.", PartKind.TRACK),
        ("The search field “Search mail” gets the focus.", PartKind.FIELD),
        ("Clicking it has this effect: The page “Inbox” opens with the heading “Drafts”.", PartKind.TEXT),
        ("The button “Send” in the navigation “Main”.", PartKind.BUTTON),
        ("Closes the window.", PartKind.ICON),
        ("", PartKind.BUTTON),
    ],
)
def test_words_speak_for_a_look(expression: str, look: PartKind) -> None:
    looks = read_cues(expression).looks
    assert max(looks, key=lambda name: looks[name]) == look


@pytest.mark.parametrize(
    ("expression", "names", "around"),
    [
        ("The button “Send” in the navigation “Main”.", (("Send", 1.0),), ("Main",)),
        ("The page “Inbox – Wren” opens with the heading “Drafts”.", (("Inbox – Wren", 0.3), ("Drafts", 1.0)), ()),
        ("The value of the slider “Zoom” becomes “5”.", (("Zoom", 1.0), ("5", 0.5)), ()),
        ("“Saved” is shown and “Not saved” is gone.", (("Saved", 0.4), ("Not saved", 0.4)), ()),
        ("Open \"Mail\" or 'News', it's there", (("Mail", 1.0), ("News", 1.0)), ()),
        ("Open the calendar", (), ()),
    ],
    ids=["within", "page", "value", "shown", "other marks", "none"],
)
def test_names_are_told_apart(expression: str, names: tuple[tuple[str, float], ...], around: tuple[str, ...]) -> None:
    cues = read_cues(expression)
    assert (cues.names, cues.context_names) == (names, around)


@pytest.mark.parametrize(
    ("expression", "towards"),
    [("the icon at the top right", (1.0, -1.0)), ("bottom left", (-1.0, 1.0)), ("The button “Left”", (0.0, 0.0))],
)
def test_places_are_read_outside_of_names(expression: str, towards: tuple[float, float]) -> None:
    assert read_cues(expression).towards == towards


@settings(max_examples=40)
@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    assert set(read_cues(text).looks) == set(PartKind)
