"""Look-alike sets: by role, size and looks, without members that overlap."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affordance.core.box import Box, Space
from affordance.grounding.alike import descriptor, likeness, look_alike_groups, without_overlaps

ICON = 32


def box(x: float, y: float, wide: float = ICON, high: float = ICON) -> Box:
    return Box(Space.PIXEL, x, y, x + wide, y + high)


def screen(width: int = 800, height: int = 600) -> np.ndarray:
    return np.full((height, width, 3), 245, np.uint8)


def star(image: np.ndarray, at: Box) -> None:
    cv2.drawMarker(image, _middle(at), (60, 60, 60), cv2.MARKER_STAR, 16, 2)


def cross(image: np.ndarray, at: Box) -> None:
    cv2.drawMarker(image, _middle(at), (60, 60, 60), cv2.MARKER_TILTED_CROSS, 16, 2)


def filled(image: np.ndarray, at: Box) -> None:
    cv2.rectangle(image, (int(at.x1), int(at.y1)), (int(at.x2), int(at.y2)), (160, 60, 40), -1)


def _middle(at: Box) -> tuple[int, int]:
    return int(at.centre.x), int(at.centre.y)


@pytest.mark.parametrize(
    ("boxes", "kept"),
    [
        pytest.param([], [], id="none"),
        pytest.param([(0, 0, 10, 10), (10, 0, 20, 10)], [0, 1], id="touching edges stay"),
        pytest.param([(0, 0, 10, 10), (10, 10, 20, 20)], [0, 1], id="touching corners stay"),
        pytest.param([(0, 0, 100, 100), (10, 10, 20, 20)], [1], id="of nested ones the larger goes"),
        pytest.param([(0, 0, 10, 10), (5, 5, 25, 25)], [0], id="of overlapping ones the larger goes"),
        pytest.param([(0, 0, 10, 10), (0, 0, 10, 10)], [0], id="of equal ones the later goes"),
        pytest.param(
            [(0, 0, 100, 100), (10, 10, 20, 20), (30, 30, 40, 40)], [1, 2], id="one container goes for all its content"
        ),
        pytest.param([(0, 0, 10, 10), (9, 0, 29, 10), (28, 0, 58, 10)], [0], id="the largest first, then again"),
        pytest.param([(5, 5, 5, 5), (0, 0, 10, 10)], [0, 1], id="a point overlaps nothing"),
    ],
)
def test_overlaps(boxes: list[tuple[float, ...]], kept: list[int]) -> None:
    assert without_overlaps([Box(Space.PIXEL, *corners) for corners in boxes]) == kept


@given(st.lists(st.tuples(*[st.integers(0, 30)] * 2, *[st.integers(1, 20)] * 2), max_size=12))
def test_what_stays_does_not_overlap_and_what_is_alone_stays(found: list[tuple[int, int, int, int]]) -> None:
    boxes = [box(*numbers) for numbers in found]
    kept = without_overlaps(boxes)
    assert all(boxes[a].iou(boxes[b]) == 0 for a in kept for b in kept if a != b)
    alone = [a for a in range(len(boxes)) if all(a == b or boxes[a].iou(boxes[b]) == 0 for b in range(len(boxes)))]
    assert set(alone) <= set(kept)


@pytest.mark.parametrize(
    ("elements", "groups"),
    [
        pytest.param([("a", "button", box(0, 0)), ("b", "button", box(50, 0))], [("a", "b")], id="role and size"),
        pytest.param([("a", "button", box(0, 0)), ("b", "link", box(50, 0))], [], id="other role"),
        pytest.param(
            [("a", "button", box(0, 0, 100)), ("b", "button", box(0, 50, 86))], [("a", "b")], id="14% smaller"
        ),
        pytest.param([("a", "button", box(0, 0, 100)), ("b", "button", box(0, 50, 84))], [], id="16% smaller"),
        pytest.param(
            [("a", "button", box(0, 0, 8, 8)), ("b", "button", box(0, 50, 10, 10))], [("a", "b")], id="two px"
        ),
        pytest.param(
            [("a", "button", box(0, 0)), ("b", "button", box(5, 5, 30, 30)), ("c", "button", box(90, 0))],
            [("b", "c")],
            id="the larger of two that overlap is left out",
        ),
        pytest.param([("a", "button", box(0, 0)), ("b", "button", box(5, 5))], [], id="nobody left to be alike"),
        pytest.param(
            [("z", "tab", box(0, 0)), ("b", "link", box(50, 0)), ("a", "tab", box(0, 50)), ("c", "link", box(50, 50))],
            [("z", "a"), ("b", "c")],
            id="in the order of the elements",
        ),
        pytest.param([], [], id="nothing"),
    ],
)
def test_without_pixels(elements: list[tuple[str, str, Box]], groups: list[tuple[str, ...]]) -> None:
    assert look_alike_groups(elements, None) == groups


def test_icons_of_one_toolbar_are_alike_and_a_filled_button_is_not() -> None:
    image, boxes = screen(), [box(40 + 50 * i, 20) for i in range(5)]
    for draw, at in zip((star, cross, star, cross, filled), boxes, strict=True):
        draw(image, at)
    elements = [(str(i), "button", at) for i, at in enumerate(boxes)]
    assert look_alike_groups(elements, image) == [("0", "1", "2", "3")]


def test_many_icons_are_divided_by_their_glyphs() -> None:
    image, elements = screen(), []
    for row in range(8):
        for column, draw in enumerate((star, cross)):
            at = box(40 + 60 * column, 20 + 60 * row)
            draw(image, at)
            elements.append((f"{draw.__name__}{row}", "button", at))
    groups = look_alike_groups(elements, image)
    assert groups == [tuple(f"{kind}{row}" for row in range(8)) for kind in ("star", "cross")]


def test_likeness_of_a_crop() -> None:
    image, a, b, c = screen(), box(0, 0), box(100, 0), box(200, 0)
    star(image, a)
    star(image, b)
    filled(image, c)
    looks = [descriptor(image, at) for at in (a, b, c)]
    assert likeness(looks[0], looks[0]) == pytest.approx(1)
    assert likeness(looks[0], looks[1]) == pytest.approx(1)
    assert likeness(looks[0], looks[2]) < 0.3
    assert likeness(looks[0], looks[2]) == likeness(looks[2], looks[0])


@given(*[st.floats(-500, 1500)] * 2, *[st.floats(0, 900)] * 2)
def test_any_box_has_looks(x: float, y: float, wide: float, high: float) -> None:
    looks = descriptor(screen(300, 200), box(x, y, wide, high))
    assert np.isfinite(looks).all()
