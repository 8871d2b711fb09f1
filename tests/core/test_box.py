import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.geometry import Box, CoordinateSpace, bounding_box, union_area
from errors import raises

CASES = [
    # from, to, width, height, expected
    (Box(CoordinateSpace.UNIT, 0, 0, 1, 1), CoordinateSpace.PIXEL, 1280, 720, (0, 0, 1280, 720)),
    (Box(CoordinateSpace.MILLE, 500, 250, 1000, 1000), CoordinateSpace.PIXEL, 200, 400, (100, 100, 200, 400)),
    (Box(CoordinateSpace.PIXEL, 20, 30, 40, 60), CoordinateSpace.UNIT, 200, 300, (0.1, 0.1, 0.2, 0.2)),
    (Box(CoordinateSpace.PIXEL, 20, 30, 40, 60), CoordinateSpace.MILLE, 200, 300, (100, 100, 200, 200)),
    (Box(CoordinateSpace.PIXEL, 1, 2, 3, 4), CoordinateSpace.PIXEL, 10, 10, (1, 2, 3, 4)),
]


@pytest.mark.parametrize(("box", "space", "width", "height", "expected"), CASES)
def test_converts(box: Box, space: CoordinateSpace, width: int, height: int, expected: tuple[float, ...]) -> None:
    converted = box.to_space(space, width, height)
    assert converted.space is space
    assert converted.xyxy == pytest.approx(expected)


@settings(max_examples=40)
@given(
    st.sampled_from(list(CoordinateSpace)),
    st.sampled_from(list(CoordinateSpace)),
    st.lists(st.floats(-1e4, 1e4), min_size=4, max_size=4),
    st.integers(1, 10000),
    st.integers(1, 10000),
)
def test_there_and_back(
    start: CoordinateSpace, other: CoordinateSpace, numbers: list[float], width: int, height: int
) -> None:
    (x1, x2), (y1, y2) = sorted(numbers[:2]), sorted(numbers[2:])
    box = Box(start, x1, y1, x2, y2)
    assert box.to_space(other, width, height).to_space(start, width, height).xyxy == pytest.approx(box.xyxy, abs=1e-6)


@pytest.mark.parametrize(
    "numbers", [(2, 0, 1, 1), (0, 2, 1, 1), (0, 0, float("nan"), 1), (0, 0, float("inf"), 1)], ids=str
)
def test_refuses_what_is_no_box(numbers: tuple[float, ...]) -> None:
    with raises(ValueError, numbers):
        Box(CoordinateSpace.PIXEL, *numbers)


def test_a_box_without_area_is_one() -> None:
    assert Box(CoordinateSpace.PIXEL, 1, 1, 1, 1).xyxy == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("x", "y", "inside"),
    [(10, 10, True), (20, 20, True), (10, 20, True), (15, 15, True), (9.999, 15, False), (15, 20.001, False)],
)
def test_edges_are_inside(x: float, y: float, inside: bool) -> None:
    assert Box(CoordinateSpace.PIXEL, 10, 10, 20, 20).contains(x, y) is inside


def pixels(*xyxy: float) -> Box:
    return Box(CoordinateSpace.PIXEL, *xyxy)


UNIONS: dict[str, tuple[list[Box], float]] = {
    "none": ([], 0),
    "one": ([pixels(0, 0, 4, 5)], 20),
    "apart": ([pixels(0, 0, 1, 1), pixels(5, 5, 7, 7)], 5),
    "touching": ([pixels(0, 0, 2, 2), pixels(2, 0, 4, 2)], 8),
    "overlapping": ([pixels(0, 0, 4, 4), pixels(2, 2, 6, 6)], 28),
    "one inside of another": ([pixels(0, 0, 9, 9), pixels(3, 3, 4, 4)], 81),
    "the same twice": ([pixels(0, 0, 3, 3), pixels(0, 0, 3, 3)], 9),
    "a cross": ([pixels(0, 4, 9, 5), pixels(4, 0, 5, 9)], 17),
    "a line": ([pixels(0, 0, 9, 0)], 0),
}


@pytest.mark.parametrize(("boxes", "expected"), UNIONS.values(), ids=UNIONS.keys())
def test_the_area_of_a_union(boxes: list[Box], expected: float) -> None:
    assert union_area(boxes) == pytest.approx(expected)


CORNERS = st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12), st.integers(0, 12))


@settings(max_examples=40)
@given(st.lists(CORNERS.map(lambda c: pixels(*map(min, c[:2], c[2:]), *map(max, c[:2], c[2:]))), max_size=7))
def test_a_union_is_counted_square_by_square(boxes: list[Box]) -> None:
    squares = [(x, y) for x in range(12) for y in range(12)]
    covered = sum(any(box.contains(x + 0.5, y + 0.5) for box in boxes) for x, y in squares)
    assert union_area(boxes) == pytest.approx(covered)
    assert union_area(reversed(boxes)) == pytest.approx(union_area(boxes))


def test_boxes_of_two_spaces_have_no_union() -> None:
    with raises(ValueError, "pixel", "unit"):
        union_area([pixels(0, 0, 1, 1), Box(CoordinateSpace.UNIT, 0, 0, 1, 1)])


def test_the_box_around_boxes() -> None:
    boxes = [Box(CoordinateSpace.UNIT, 0.2, 0.3, 0.4, 0.5), Box(CoordinateSpace.UNIT, 0.1, 0.4, 0.2, 0.9)]
    assert bounding_box(boxes) == Box(CoordinateSpace.UNIT, 0.1, 0.3, 0.4, 0.9)
    assert bounding_box(boxes[:1]) == boxes[0]
