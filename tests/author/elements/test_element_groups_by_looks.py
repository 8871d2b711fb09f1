"""Look-alike elements: who is alike, who is refused and why, and that groups are of a size to be asked about."""

from collections.abc import Sequence

import numpy as np
import pytest
from element_screens import Image, blank, box, cross, labelled, star
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.elements.alike import LARGEST, SMALLEST, Candidate, group_elements
from affordance.author.elements.looks import Sight, look
from affordance.author.records import Detected, Groups, Member
from affordance.core.geometry import Box
from author_notes import assert_notes
from errors import assert_carries


def grouped(image: Image, found: Sequence[tuple[str, Box]], seed: int = 0, roles: list[str] | None = None) -> Groups:
    """The groups of elements with these texts and boxes; their ids are their places."""
    elements = [Detected(id=str(place), box=at, text=text) for place, (text, at) in enumerate(found)]
    candidates = [Candidate(one, one.text, Member(id=one.id, box=one.box)) for one in elements]
    return group_elements(
        candidates, look(image, [at for _, at in found], [text for text, _ in found], roles), "screen", seed
    )


def ids(groups: Groups) -> list[list[str]]:
    return [[member.id for member in group.members] for group in groups.groups]


def icons(number: int, kinds: Sequence[object] = (star,)) -> tuple[Image, list[tuple[str, Box]]]:
    image, boxes = blank(), [box(20 + 60 * (n % 12), 20 + 60 * (n // 12)) for n in range(number)]
    for place, at in enumerate(boxes):
        kinds[place % len(kinds)](image, at)  # type: ignore[operator]
    return image, [("", at) for at in boxes]


def buttons(*texts: str) -> tuple[Image, list[tuple[str, Box]]]:
    image, boxes = blank(), [box(20, 20 + 50 * n, 120, 32) for n in range(len(texts))]
    for text, at in zip(texts, boxes, strict=True):
        labelled(image, at, text)
    return image, list(zip(texts, boxes, strict=True))


def test_icons_without_text_are_alike_by_looks_alone() -> None:
    image, found = icons(4, (star, cross))
    assert ids(grouped(image, found)) == [["0", "1", "2", "3"]]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(("Reply", "Reply all", "Archive"), [["0", "1"]], id="much the same text"),
        pytest.param(("Reply", "Forward", "Archive"), [], id="other texts"),
        pytest.param(("Delete 1", "Delete 2", "Delete 3"), [["0", "1", "2"]], id="the same but for a number"),
        pytest.param(("Reply",), [], id="alone"),
    ],
)
def test_what_is_written_on_both_must_be_much_the_same(texts: tuple[str, ...], expected: list[list[str]]) -> None:
    assert ids(grouped(*buttons(*texts))) == expected


def test_only_one_role_where_roles_are_known() -> None:
    image, found = icons(4)
    assert ids(grouped(image, found, roles=["button", "link", "button", "link"])) == [["0", "2"], ["1", "3"]]


def test_numbers_make_no_group_and_are_rejected() -> None:
    groups = grouped(*buttons("11", "11", "11"))
    assert ids(groups) == []
    (refused,) = groups.rejected
    assert (refused.members, refused.stage) == (["0", "1", "2"], "numbers")
    assert "70%" in refused.reason


def test_more_than_ten_of_one_picture_are_refused_together() -> None:
    groups = grouped(*icons(14))
    assert ids(groups) == []
    (refused,) = groups.rejected
    assert (refused.members, refused.stage) == ([str(n) for n in range(14)], "neighbours")


def test_of_many_icons_those_of_one_picture_are_a_group() -> None:
    image, found = icons(13, (cross,))
    for place in (2, 7, 9):
        at = found[place][1]
        image[int(at.y1) : int(at.y2), int(at.x1) : int(at.x2)] = 245
        star(image, at)
    groups = grouped(image, found)
    assert ids(groups) == [["0", "1", "3", "4", "5"], ["2", "7", "9"], ["6", "8", "10", "11", "12"]]
    assert groups.rejected == []


def test_a_large_group_is_divided_by_picture_and_evenly() -> None:
    image, found = icons(11, (star, cross))
    groups = grouped(image, found)
    assert sorted(len(members) for members in ids(groups)) == [3, 3, 5]
    assert sorted(member for members in ids(groups) for member in members) == sorted(str(n) for n in range(11))
    for members in ids(groups):
        assert len({int(member) % 2 for member in members}) == 1  # one picture each
    assert all("11" in group.history[-1] for group in groups.groups)


def test_division_depends_on_the_seed_and_on_nothing_else() -> None:
    image, found = icons(9)
    drawn = {seed: ids(grouped(image, found, seed)) for seed in range(6)}
    assert drawn == {seed: ids(grouped(image, found, seed)) for seed in range(6)}
    assert all(sorted(map(len, members)) == [4, 5] for members in drawn.values())


def test_of_those_that_overlap_the_larger_is_left_out() -> None:
    image, found = icons(3)
    groups = grouped(image, [*found, ("", box(found[0][1].x1 - 1, found[0][1].y1 - 1, 34, 34))])
    assert ids(groups) == [["0", "1", "2"]]
    assert_notes(groups.groups[0].history, ("3",))


def test_a_group_of_which_nothing_is_left() -> None:
    image, found = icons(1)
    groups = grouped(image, [*found, ("", box(found[0][1].x1 + 1, found[0][1].y1 + 1))])
    assert ids(groups) == []
    assert [(one.stage, one.members) for one in groups.rejected] == [("overlap", ["0", "1"])]


def test_cosines_of_a_model_with_a_stricter_look_where_there_are_many() -> None:
    rows = np.zeros((14, 3), np.float32)
    rows[:, 0] = 1
    rows[:12, 1], rows[12:, 1] = np.linspace(0, 1.3, 12), -0.1
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    near = rows @ rows.T > 0.58
    sight = Sight("model", "alike", rows, np.argwhere(np.triu(near, 1)), unit=True)
    found = [Detected(id=str(n), box=box(40 * n, 0)) for n in range(14)]
    groups = group_elements([Candidate(one, "", Member(id=one.id, box=one.box)) for one in found], sight, "s", 0)
    assert groups.groups
    assert all(SMALLEST <= len(group.members) <= LARGEST for group in groups.groups)


def test_nothing() -> None:
    found = grouped(blank(), [])
    assert found == Groups(by=found.by)
    assert_carries(found.by, "0.8", 60)


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "Reply", "Reply all", "Archive", "7", "12"]),
            st.tuples(st.integers(0, 20), st.integers(0, 12)),
            st.sampled_from([(32, 32), (30, 32), (80, 28), (120, 30)]),
        ),
        max_size=30,
    )
)
def test_what_always_holds(found: list[tuple[str, tuple[int, int], tuple[int, int]]]) -> None:
    image = blank()
    placed = [(text, box(36 * x, 40 * y, *size)) for text, (x, y), size in found]
    for text, at in placed:
        labelled(image, at, text)
    groups = grouped(image, placed)
    members = [member for one in ids(groups) for member in one]
    assert len(members) == len(set(members))
    assert all(SMALLEST <= len(one) <= LARGEST for one in ids(groups))
    assert [group.id for group in groups.groups] == [f"g{n}" for n in range(1, len(groups.groups) + 1)]
    assert all(
        a.box.intersection_area(b.box) == 0
        for group in groups.groups
        for a in group.members
        for b in group.members
        if a is not b
    )
    assert not set(members) & {
        one for refused in groups.rejected if refused.stage != "overlap" for one in refused.members
    }
    assert groups == grouped(image, placed)
