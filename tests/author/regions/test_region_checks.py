"""What is wrong with regions by their boxes, and the order in which they are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affordance.author.regions.checks import duplicates, inside, problems, reading_order, too_small
from affordance.core.box import Box
from author_stage import box

PARENT = box(0, 0, 100, 100)

PROBLEMS = {
    "side by side": ([(0, 0, 50, 100), (50, 0, 100, 100)], []),
    "touching corners": ([(0, 0, 50, 50), (50, 50, 100, 100)], []),
    "a hand's breadth": ([(0, 0, 51, 100), (50, 0, 100, 100)], []),
    "overlap": ([(0, 0, 60, 100), (50, 0, 100, 100)], ["a and b overlap by 20% of the smaller one"]),
    "the same": ([(0, 0, 50, 100), (0, 0, 45, 100)], ["a and b are nearly the same region (IoU 0.90)"]),
    "nested": ([(10, 10, 30, 30), (0, 0, 50, 100)], ["a lies inside of b, and not beside it"]),
    "outside": ([(50, 0, 150, 100), (0, 0, 50, 100)], ["a lies outside of its parent with 50% of its area"]),
    "all": ([(0, 0, 100, 100)], ["a is all of its parent"]),
    "tiny": ([(0, 0, 9, 50), (10, 0, 100, 100)], ["a is 9x50 pixels, smaller than 10"]),
    "none": ([], ["there are no regions in it"]),
    "many": ([(0, y * 9, 99, y * 9 + 9) for y in range(11)], ["there are 11 regions, more than 10"]),
}


@pytest.mark.parametrize(("children", "told"), PROBLEMS.values(), ids=PROBLEMS)
def test_what_is_wrong_with_children(children: list[tuple[float, ...]], told: list[str]) -> None:
    found = problems(PARENT, {"abcdefghijk"[n]: box(*one) for n, one in enumerate(children)})
    assert [one for one in found if told == [] or "pixels" not in one or one in told] == told


def test_a_line_has_no_area_to_be_outside_with() -> None:
    assert problems(PARENT, {"a": box(120, 0, 120, 50)})[0] == "a lies outside of its parent with 100% of its area"


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


@given(some)
def test_every_box_is_in_the_order_once(boxes: list[Box]) -> None:
    assert sorted(reading_order(boxes)) == list(range(len(boxes)))


@given(some)
def test_what_is_left_without_duplicates_has_none(boxes: list[Box]) -> None:
    found = duplicates(boxes)
    left = [one for number, one in enumerate(boxes) if number not in found]
    assert not duplicates(left)
    assert all(first < later and first not in found for later, first in found.items())


@given(some)
def test_problems_are_told_of_any_boxes(boxes: list[Box]) -> None:
    told = problems(PARENT, {str(number): one for number, one in enumerate(boxes)})
    assert told or (boxes and all(inside(one, PARENT) for one in boxes))


@given(some, st.integers(0, 40))
def test_the_first_problems_and_how_many_more(boxes: list[Box], most: int) -> None:
    children = {str(number): one for number, one in enumerate(boxes)}
    all_of_them = problems(PARENT, children)
    left = len(all_of_them) - most
    assert problems(PARENT, children, most) == all_of_them[:most] + ([f"and {left} more"] if left > 0 else [])


def test_the_same_pairs_are_told_of_among_many_boxes_as_of_two() -> None:
    boxes = {f"{n}": box(n * 7 % 90, n * 13 % 80, n * 7 % 90 + 9, n * 13 % 80 + 9) for n in range(700)}
    names = list(boxes)
    pairs = [(one, other) for at, one in enumerate(names) for other in names[at + 1 :]]
    alone = [line for one, other in pairs[:2000] for line in problems(PARENT, {one: boxes[one], other: boxes[other]})]
    together = set(problems(PARENT, boxes))
    assert {line for line in alone if " and " in line} <= together
    overlapping = sum(boxes[one].common(boxes[other]) / 81 > 0.02 for one, other in pairs)
    assert sum(" and " in line for line in together) == overlapping
