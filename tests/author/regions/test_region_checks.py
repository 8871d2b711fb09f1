"""What is wrong with regions by their boxes, and the order in which they are read."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.regions.checks import duplicates, inside, problems, reading_order, too_small
from affordance.core.geometry import Box
from author_notes import assert_notes
from author_stage import box
from errors import assert_carries

PARENT = box(0, 0, 100, 100)

PROBLEMS: dict[str, tuple[list[tuple[float, ...]], list[tuple[str, ...]]]] = {
    "side by side": ([(0, 0, 50, 100), (50, 0, 100, 100)], []),
    "touching corners": ([(0, 0, 50, 50), (50, 50, 100, 100)], []),
    "a hand's breadth": ([(0, 0, 51, 100), (50, 0, 100, 100)], []),
    "overlap": ([(0, 0, 60, 100), (50, 0, 100, 100)], [("a", "b", "20%")]),
    "the same": ([(0, 0, 50, 100), (0, 0, 45, 100)], [("a", "b", "0.90")]),
    "nested": ([(10, 10, 30, 30), (0, 0, 50, 100)], [("a", "b")]),
    "outside": ([(50, 0, 150, 100), (0, 0, 50, 100)], [("a", "50%")]),
    "all": ([(0, 0, 100, 100)], [("a",)]),
    "tiny": ([(0, 0, 9, 50), (10, 0, 100, 100)], [("a", "9x50", "10")]),
    "none": ([], [()]),
    "many": ([(0, y * 9, 99, y * 9 + 9) for y in range(11)], [("11", "10")]),
}


def test_what_is_wrong_with_children() -> None:
    for children, data in PROBLEMS.values():
        found = problems(PARENT, {"abcdefghijk"[n]: box(*one) for n, one in enumerate(children)})
        # Those of many are also too small each.
        assert_notes([one for one in found if len(children) < 11 or "99x9" not in one], *data)


def test_a_line_has_no_area_to_be_outside_with() -> None:
    assert_carries(problems(PARENT, {"a": box(120, 0, 120, 50)})[0], "a", "100%")


@pytest.mark.parametrize(
    ("xyxy", "small"),
    [((0, 0, 30, 30), False), ((0, 0, 29, 500), True), ((0, 0, 500, 8), True), ((0, 0, 31, 30), False)],
)
def test_one_short_side_makes_a_region_too_small(xyxy: tuple[float, ...], small: bool) -> None:
    assert too_small(box(*xyxy)) is small


ORDERS = {
    "rows": ([(50, 0, 100, 10), (0, 0, 50, 10), (0, 20, 50, 30)], [1, 0, 2]),
    "a row that is not quite level": ([(50, 0, 100, 10), (0, 3, 50, 13)], [1, 0]),
    "steps": ([(50, 0, 100, 10), (0, 8, 50, 18)], [0, 1]),
    "a sidebar beside": ([(30, 0, 100, 10), (0, 2, 30, 100), (30, 10, 100, 100)], [1, 0, 2]),
    "equal": ([(0, 0, 5, 5), (0, 0, 5, 5)], [0, 1]),
    "none": ([], []),
}


@pytest.mark.parametrize(("boxes", "order"), ORDERS.values(), ids=ORDERS)
def test_reading_order(boxes: list[tuple[float, ...]], order: list[int]) -> None:
    assert reading_order([box(*one) for one in boxes]) == order


corners = st.tuples(*[st.integers(0, 60)] * 4)
some = st.lists(corners.map(lambda c: box(*map(min, c[:2], c[2:]), *map(max, c[:2], c[2:]))), max_size=12)


@settings(max_examples=40)
@given(some)
def test_every_box_is_in_the_order_once(boxes: list[Box]) -> None:
    assert sorted(reading_order(boxes)) == list(range(len(boxes)))


@settings(max_examples=40)
@given(some)
def test_what_is_left_without_duplicates_has_none(boxes: list[Box]) -> None:
    found = duplicates(boxes)
    left = [one for number, one in enumerate(boxes) if number not in found]
    assert not duplicates(left)
    assert all(first < later and first not in found for later, first in found.items())


@settings(max_examples=40)
@given(some)
def test_any_boxes_have_problems_or_lie_inside(boxes: list[Box]) -> None:
    found = problems(PARENT, {str(number): one for number, one in enumerate(boxes)})
    assert found or (boxes and all(inside(one, PARENT) for one in boxes))


@settings(max_examples=40)
@given(some, st.integers(0, 40))
def test_the_first_problems_and_how_many_more(boxes: list[Box], most: int) -> None:
    children = {str(number): one for number, one in enumerate(boxes)}
    all_of_them = problems(PARENT, children)
    left = len(all_of_them) - most
    found = problems(PARENT, children, most)
    assert found[:most] == all_of_them[:most]
    assert_notes(found[most:], *([(left,)] if left > 0 else []))


def test_the_same_pairs_are_found_among_many_boxes_as_of_two() -> None:
    boxes = {f"{n}": box(n * 7 % 90, n * 13 % 80, n * 7 % 90 + 9, n * 13 % 80 + 9) for n in range(300)}
    names = list(boxes)
    pairs = [(one, other) for at, one in enumerate(names) for other in names[at + 1 :]]
    small = set(problems(PARENT, boxes)) - {line for one in names for line in problems(PARENT, {one: boxes[one]})}
    alone = set()
    for one, other in pairs[:600]:
        both = problems(PARENT, {one: boxes[one], other: boxes[other]})
        alone |= set(both) - {line for name in (one, other) for line in problems(PARENT, {name: boxes[name]})}
    assert alone <= small
    overlapping = sum(boxes[one].intersection_area(boxes[other]) / 81 > 0.02 for one, other in pairs)
    assert overlapping <= len(small) <= overlapping + 1, "and one line about how many there are"
