"""Look-alike sets: by role, size and looks, without members that overlap."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.geometry import Box, CoordinateSpace
from affordance.grounding.look_alikes import (
    connected_groups,
    crop_similarity,
    descriptor,
    descriptors,
    filter_similar,
    look_alike_groups,
    similar_pairs,
    without_overlaps,
)

ICON = 32


def box(x: float, y: float, wide: float = ICON, high: float = ICON) -> Box:
    return Box(CoordinateSpace.PIXEL, x, y, x + wide, y + high)


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
    assert without_overlaps([Box(CoordinateSpace.PIXEL, *corners) for corners in boxes]) == kept


@settings(max_examples=40)
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
    assert crop_similarity(looks[0], looks[0]) == pytest.approx(1)
    assert crop_similarity(looks[0], looks[1]) == pytest.approx(1)
    assert crop_similarity(looks[0], looks[2]) < 0.3
    assert crop_similarity(looks[0], looks[2]) == crop_similarity(looks[2], looks[0])


@settings(max_examples=40)
@given(*[st.floats(-500, 1500)] * 2, *[st.floats(0, 900)] * 2)
def test_any_box_has_looks(x: float, y: float, wide: float, high: float) -> None:
    looks = descriptor(screen(300, 200), box(x, y, wide, high))
    assert np.isfinite(looks).all()


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 14), st.sampled_from([8, 24, 32, 40])), max_size=30),
    st.sampled_from([0.3, 0.8, 0.97]),
)
def test_all_pairs_at_once_are_as_one_by_one(found: list[tuple[int, int, int]], least: float) -> None:
    image = np.random.default_rng(0).integers(0, 255, (600, 800, 3), np.uint8)
    image[:300] = screen()[:300]
    for x, y in ((5, 2), (9, 2), (3, 5)):
        star(image, box(36 * x, 40 * y))
    boxes = [box(36 * x, 40 * y, wide, 32) for x, y, wide in found]
    looks = descriptors(image, boxes)
    pairs = similar_pairs(boxes, looks, min_similarity=least)
    expected = [
        [a, b]
        for a in range(len(boxes))
        for b in range(a + 1, len(boxes))
        if abs(found[a][2] - found[b][2]) <= max(2, 0.15 * max(found[a][2], found[b][2]))
        and crop_similarity(looks[a], looks[b]) >= least
    ]
    assert pairs.tolist() == expected
    assert filter_similar(looks, similar_pairs(boxes, looks, min_similarity=0.0), 0.97).tolist() == [
        [a, b]
        for a, b in similar_pairs(boxes, looks, min_similarity=0.0).tolist()
        if crop_similarity(looks[a], looks[b]) >= 0.97
    ]


def test_the_same_grey_with_fewer_tones_in_common_is_as_like_as_its_tones() -> None:
    looks = descriptors(screen(), [box(0, 0), box(100, 0)])
    shares = looks[1, -8:]
    shares[np.argmax(shares)], shares[np.argmin(shares)] = 0.7, 0.3  # of one of three colours
    found = crop_similarity(looks[0], looks[1])
    assert found == pytest.approx(0.9)
    boxes = [box(0, 0), box(100, 0)]
    assert similar_pairs(boxes, looks, min_similarity=found - 0.005).tolist() == [[0, 1]]
    assert similar_pairs(boxes, looks, min_similarity=found + 0.005).tolist() == []


@settings(max_examples=40)
@given(st.integers(0, 30), st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=40))
def test_disjoint_sets(number: int, links: list[tuple[int, int]]) -> None:
    pairs = [(a, b) for a, b in links if a < number and b < number]
    sets = connected_groups(number, np.array(pairs, np.intp).reshape(-1, 2))
    assert sorted(member for one in sets for member in one) == list(range(number))
    assert sets == sorted(sorted(one) for one in sets)
    places = {member: place for place, one in enumerate(sets) for member in one}
    assert all(places[a] == places[b] for a, b in pairs)
    # Nobody is in a set without a link into it.
    linked = {frozenset(pair) for pair in pairs}
    for one in sets:
        if len(one) > 1:
            assert all(any(frozenset((a, b)) in linked for b in one if b != a) for a in one)
