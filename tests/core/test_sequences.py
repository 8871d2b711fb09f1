"""Evenly spaced elements and chunks."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affordance.core.sequences import chunked, evenly_spaced

CASES = {
    "all, where there are few": (3, 5, [0, 1, 2]),
    "just as many": (3, 3, [0, 1, 2]),
    "none": (0, 4, []),
    "one of many": (9, 1, [0]),
    "both ends": (9, 2, [0, 8]),
    "and the middle": (9, 3, [0, 4, 8]),
    "36 frames as 8": (36, 8, [0, 5, 10, 15, 20, 25, 30, 35]),
    "uneven": (10, 4, [0, 3, 6, 9]),
    "uneven by one": (8, 4, [0, 2, 5, 7]),
}


@pytest.mark.parametrize(("total", "most", "places"), CASES.values(), ids=CASES.keys())
def test_spread(total: int, most: int, places: list[int]) -> None:
    assert evenly_spaced(total, most) == places


@given(st.integers(1, 5000), st.integers(2, 300))
def test_first_and_last_and_evenly_between(total: int, most: int) -> None:
    places = evenly_spaced(total, most)
    gaps = {after - before for before, after in pairwise(places)}
    assert len(places) == min(total, most)
    assert places[0] == 0
    assert places[-1] == total - 1
    assert all(gap >= 1 for gap in gaps)
    assert max(gaps, default=1) - min(gaps, default=1) <= 1


def test_chunks() -> None:
    assert list(chunked([1, 2, 3, 4, 5], 2)) == [[1, 2], [3, 4], [5]]
    assert list(chunked("", 3)) == []
