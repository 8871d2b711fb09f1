"""Which elements can be in no group, with the reason."""

import numpy as np
import pytest
from element_screens import blank, box, star

from affordance.author.elements.validity import invalid, rejections
from affordance.author.records import Detected
from affordance.core.geometry import Box
from errors import assert_carries

ICON = box(100, 100)


@pytest.mark.parametrize(
    ("size", "at", "changes", "data"),
    [
        pytest.param((800, 600), ICON, {}, None, id="an icon"),
        pytest.param((800, 600), ICON, {"interactive": False}, (), id="not interactive"),
        pytest.param((800, 600), ICON, {"text": "xM0,0L9,0z"}, (), id="a path for a text"),
        pytest.param((800, 600), box(100, 100, 4, 32), {}, ("0.5%",), id="narrow, at the limit"),
        pytest.param((800, 600), box(100, 100, 5, 32), {}, None, id="just wide enough"),
        pytest.param((800, 600), box(100, 100, 32, 3), {}, ("0.5%",), id="flat"),
        pytest.param((800, 600), box(0, 0, 400, 300), {}, ("25%",), id="a quarter of the screen"),
        pytest.param((800, 600), box(0, 0, 400, 299), {}, None, id="less than that"),
        pytest.param((600, 800), box(100, 0, 32, 43), {}, (), id="in the status bar"),
        pytest.param((600, 800), box(100, 0, 32, 44), {}, None, id="reaching out of it"),
        pytest.param((800, 600), box(100, 0, 32, 20), {}, None, id="a wide screen has none"),
    ],
)
def test_reasons(size: tuple[int, int], at: Box, changes: dict[str, object], data: tuple[str, ...] | None) -> None:
    image = np.random.default_rng(0).integers(0, 255, (size[1], size[0], 3), np.uint8)
    found = invalid([Detected(id="a", box=at, **changes)], image)
    assert bool(found) == (data is not None)
    if data is not None:
        assert_carries(found[0], *data)


@pytest.mark.parametrize("colour", [(255, 255, 255), (200, 0, 0), (10, 120, 250)])
def test_one_colour_is_blank_whichever_it_is(colour: tuple[int, int, int]) -> None:
    image = blank()
    image[:] = colour
    assert list(invalid([Detected(id="a", box=ICON)], image)) == [0]
    star(image, ICON)
    assert invalid([Detected(id="a", box=ICON)], image) == {}


def test_a_faint_pattern_is_one_colour_and_a_clear_one_is_not() -> None:
    image = blank()
    image[::2] = 249  # a deviation of two
    assert list(invalid([Detected(id="a", box=ICON)], image)) == [0]
    image[::2] = 233  # of six
    assert invalid([Detected(id="a", box=ICON)], image) == {}


def test_one_rejection_for_each_reason() -> None:
    elements = [
        Detected(id="a", box=ICON, interactive=False),
        Detected(id="b", box=box(0, 0, 800, 600)),
        Detected(id="c", box=ICON, interactive=False),
    ]
    found = rejections(elements, invalid(elements, blank()))
    assert [(one.members, one.stage) for one in found] == [(["a", "c"], "validity"), (["b"], "validity")]
