"""The layout of a screen: which kinds of parts are found, and where."""

import numpy as np
from drawn_screens import PLACES, drawn_screen
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.geometry import Box, CoordinateSpace
from affordance.media.screen_layout import PartKind, find_layout

LOOKS = {
    "field": PartKind.FIELD,
    "link": PartKind.TEXT,
    "button": PartKind.BUTTON,
    "switch": PartKind.SWITCH,
    "tick": PartKind.TICK,
    "track": PartKind.TRACK,
    "icon": PartKind.ICON,
}


def test_each_kind_of_control_is_seen_where_it_is() -> None:
    parts = find_layout(drawn_screen()).parts
    for name, look in LOOKS.items():
        place = Box(CoordinateSpace.PIXEL, *PLACES[name])
        best = max(parts, key=lambda part: part.box.iou(place))
        assert best.kind == look, name
        assert best.box.iou(place) > (0.3 if name == "link" else 0.75), name


def test_a_sharper_picture_of_the_same_screen_has_the_same_parts() -> None:
    once, twice = find_layout(drawn_screen()), find_layout(drawn_screen(2))
    assert twice.pixel_ratio > once.pixel_ratio
    for name in ("field", "button", "switch"):
        place = Box(CoordinateSpace.PIXEL, *(2 * value for value in PLACES[name]))
        best = max(twice.parts, key=lambda part: part.box.iou(place))
        assert (best.kind, best.box.iou(place) > 0.75) == (LOOKS[name], True)


@settings(max_examples=10)
@given(width=st.integers(1, 90), height=st.integers(1, 90), seed=st.integers(0, 99), grain=st.sampled_from([0, 3, 255]))
def test_any_picture_has_a_layout_inside_it(width: int, height: int, seed: int, grain: int) -> None:
    noise = np.random.default_rng(seed).integers(0, grain + 1, (height, width, 3), dtype=np.uint8)
    layout = find_layout(noise)
    for box in [part.box for part in layout.parts]:
        assert 0 <= box.x1 <= box.x2 <= width
        assert 0 <= box.y1 <= box.y2 <= height


def test_an_even_picture_has_no_parts() -> None:
    assert find_layout(np.full((800, 1280, 3), 200, np.uint8)).parts == ()
