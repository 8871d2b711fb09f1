"""Proposals out of replies: what becomes of boxes and texts, what is refused at first and used at last."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.records import Proposal
from affordance.author.regions.checks import inside
from affordance.author.regions.proposals import in_thousandths, read_proposal
from author_notes import assert_noted, assert_notes
from author_stage import box
from errors import assert_carries

WITHIN = box(100, 50, 740, 450)  # 640x400 at (100, 50)


def item(*bbox: Any, **changes: Any) -> dict[str, Any]:
    return {
        "id": "1/1",
        "bbox": list(bbox),
        "dividable": False,
        "type": "bar",
        "description": "a bar",
        "functionality": "opens things",
        **changes,
    }


WHOLE = item(0, 0, 1000, 1000, type="window", dividable=True)


def read(*items: Any, lenient: bool = False) -> Proposal:
    found = read_proposal(json.dumps(items), WITHIN, lenient)
    assert isinstance(found, Proposal), found
    return found


def boxes(proposal: Proposal) -> list[tuple[float, ...]]:
    return [child.box.xyxy for child in proposal.children]


def test_the_first_item_is_the_picture_and_the_others_are_its_parts() -> None:
    found = read(WHOLE, item(0, 0, 500, 1000, description="a\n column "), item(500, 0, 1000, 1000, dividable=True))
    assert found.whole is not None
    assert (found.whole.type, found.whole.box) == ("window", WITHIN)
    assert boxes(found) == [(100, 50, 420, 450), (420, 50, 740, 450)]
    assert [child.dividable for child in found.children] == [False, True]
    assert found.children[0].description == "a column"
    assert (found.repairs, found.problems) == ([], [])


@pytest.mark.parametrize("text", ["[]", json.dumps([WHOLE])])
def test_nothing_to_divide_is_an_answer(text: str) -> None:
    found = read_proposal(text, WITHIN)
    assert isinstance(found, Proposal)
    assert found.children == []


def test_pixels_are_whole_and_cut_off() -> None:
    assert boxes(read(WHOLE, item(1, 1, 333, 777))) == [(100, 50, 313, 360)]  # 213.12 wide, 310.8 high


@pytest.mark.parametrize(
    ("bbox", "pixels", "noted"),
    [
        ((-5, 0, 500, 1010), (100, 50, 420, 450), True),
        ((500, 1000, 0, 0), (100, 50, 420, 450), True),
        (("0", "0", "500", 1000), (100, 50, 420, 450), False),
        ((0.0, 0.0, 500.0, 999.9), (100, 50, 420, 449), False),
        ((10, 10, 10, 500), None, True),
        ((11, 10, 12, 500), None, True),  # less than a pixel
        ((0, 0, 1000, 998), None, True),
    ],
)
def test_boxes_are_put_right(bbox: tuple[Any, ...], pixels: tuple[float, ...] | None, noted: bool) -> None:
    found = read(WHOLE, item(*bbox))
    assert boxes(found) == ([] if pixels is None else [pixels])
    assert bool(found.repairs) == noted


def test_shares_of_the_picture_are_not_taken_for_thousandths() -> None:
    found = read(item(0, 0, 1, 1), item(0, 0, 0.5, 1))
    assert boxes(found) == [(100, 50, 420, 450)]
    assert found.repairs


def test_a_region_that_is_there_twice_is_left_out_once() -> None:
    found = read(WHOLE, item(0, 0, 500, 1000, type="first"), item(0, 0, 520, 900), item(600, 0, 1000, 1000))
    assert [child.type for child in found.children] == ["first", "bar"]
    assert_noted(found.repairs, 2, 1, "0.87")


def test_children_are_in_reading_order() -> None:
    parts = [(500, 300, 1000, 1000), (0, 312, 480, 1000), (0, 0, 1000, 300)]
    found = read(WHOLE, *(item(*one) for one in parts))
    assert [child.box.y1 for child in found.children] == [50, 174, 170]


def test_what_is_wrong_with_boxes_is_noted() -> None:
    found = read(WHOLE, item(0, 0, 600, 500), item(500, 0, 1000, 500), item(0, 600, 1000, 1000), item(10, 700, 90, 900))
    assert_notes(found.problems, ("1", "2", "20%"), ("4", "3"))


MANY = [item(number * 80, 0, number * 80 + 70, 1000) for number in range(12)]
REFUSED: dict[str, tuple[list[Any], tuple[object, ...], int]] = {  # what the reason names, and how many are used
    "too many": ([WHOLE, *MANY], (10, 13), 12),
    "no box": ([WHOLE, item(0, 0, 500, 1000), item(bbox=None)], ("bbox", 2), 1),
    "three numbers": ([WHOLE, item(1, 2, 3)], ("[1, 2, 3]",), 0),
    "words": ([WHOLE, item("a", 0, 500, 500)], ("bbox", 1), 0),
    "true": ([WHOLE, item(True, 0, 500, 500)], ("bbox", 1), 0),
    "huge": ([WHOLE, item(0, 0, 1e300, 500)], ("bbox", 1), 0),
    "pixels": ([WHOLE, item(0, 0, 1280, 500)], (0, 1000, "[0, 0, 1280, 500]"), 1),
    "no functionality": ([WHOLE, item(0, 0, 500, 1000, functionality=None)], ("functionality", 1), 1),
    "a number for a text": ([WHOLE, item(0, 0, 500, 1000, type=3)], ("type", 1, 3), 1),
    "perhaps": ([WHOLE, item(0, 0, 500, 1000, dividable="perhaps")], ("'perhaps'",), 1),
    "not an object": ([WHOLE, "a bar", item(0, 0, 500, 1000)], (1, "'a bar'"), 1),
    "no whole picture": ([item(0, 0, 400, 1000), item(400, 0, 1000, 1000)], ("[0, 0, 400, 1000]",), 2),
}


@pytest.mark.parametrize(("items", "data", "children"), REFUSED.values(), ids=REFUSED)
def test_what_is_better_asked_again_is_refused_and_used_at_last(
    items: list[Any], data: tuple[object, ...], children: int
) -> None:
    refused = read_proposal(json.dumps(items), WITHIN)
    assert isinstance(refused, str)
    assert_carries(refused, *data)
    found = read(*items, lenient=True)
    assert len(found.children) == children
    assert_noted(found.problems, *data)


def test_a_reply_that_was_cut_is_asked_again_and_its_whole_items_are_used_at_last() -> None:
    text = json.dumps([WHOLE, item(0, 0, 500, 1000), item(500, 0, 1000, 1000)])[:-30]
    refused = read_proposal(text, WITHIN)
    assert isinstance(refused, str)
    assert_carries(refused, 2)
    found = read_proposal(text, WITHIN, lenient=True)
    assert isinstance(found, Proposal)
    assert boxes(found) == [(100, 50, 420, 450)]
    assert_carries(found.repairs[0], 2)


def test_texts_that_mean_yes_or_no_are_taken_for_it() -> None:
    assert [one.dividable for one in read(WHOLE, item(0, 0, 500, 900, dividable="True")).children] == [True]


def test_no_json_is_a_reason() -> None:
    found = read_proposal("I see a window.", WITHIN)
    assert isinstance(found, str)
    assert_carries(found, "'I see a window.'")


def test_a_box_in_the_numbers_it_was_given_in() -> None:
    (child,) = read(WHOLE, item(250, 500, 750, 1000)).children
    assert in_thousandths(child.box, WITHIN) == [250, 500, 750, 1000]


numbers = st.integers(-200, 1200) | st.floats(-10, 1010) | st.none() | st.booleans() | st.text(max_size=3)
items = st.builds(lambda bbox, flag: item(*bbox, dividable=flag), st.lists(numbers, max_size=5), numbers)


@settings(max_examples=50)
@given(st.lists(items | st.just(WHOLE) | numbers, max_size=14))
def test_whatever_is_read_lies_in_the_picture_and_is_no_other_again(given: list[Any]) -> None:
    found = read_proposal(json.dumps(given), WITHIN, lenient=True)
    assert isinstance(found, Proposal), found
    children = [child.box for child in found.children]
    assert all(inside(one, WITHIN) and one.area > 0 and all(n == int(n) for n in one.xyxy) for one in children)
    assert all(one.iou(other) <= 0.3 for place, one in enumerate(children) for other in children[:place])
