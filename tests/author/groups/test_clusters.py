"""Sets of things that are alike in pairs."""

import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray

from affordance.author.groups.clusters import complete_link, kept_apart, most_alike, sharing


def matrix(size: int, **pairs: int) -> NDArray[np.int64]:
    """`ab=70` says how alike the first and the second are."""
    found = np.eye(size, dtype=np.int64) * 100
    for pair, value in pairs.items():
        one, other = (ord(letter) - ord("a") for letter in pair)
        found[one, other] = found[other, one] = value
    return found


@pytest.mark.parametrize(
    ("likeness", "apart", "expected"),
    [
        (matrix(0), [], []),
        (matrix(1), [], []),
        (matrix(2, ab=59), [], []),
        (matrix(2, ab=60), [], [[0, 1]]),
        (matrix(3, ab=80, bc=70), [], [[0, 1]]),  # a chain is no group: a and c are not alike
        (matrix(3, ab=80, bc=70, ac=60), [], [[0, 1, 2]]),
        (matrix(3, ab=80, bc=70, ac=60), [(0, 2)], [[0, 1]]),
        (matrix(3, ab=80, bc=80), [], [[0, 1]]),  # the first of equals
        (matrix(4, ab=90, bc=70, cd=90), [], [[0, 1], [2, 3]]),
        (matrix(4, ad=90, bc=90), [], [[0, 3], [1, 2]]),
    ],
)
def test_complete_link(likeness: NDArray[np.int64], apart: list[tuple[int, int]], expected: list[list[int]]) -> None:
    assert complete_link(likeness, 60, apart) == expected


@settings(max_examples=40)
@given(
    npst.arrays(np.int64, (9, 9), elements=st.integers(0, 100)),
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=6),
)
def test_all_pairs_of_a_set_are_alike_and_none_is_kept_apart(
    numbers: NDArray[np.int64], apart: list[tuple[int, int]]
) -> None:
    likeness = np.maximum(numbers, numbers.T)
    before = likeness.copy()
    sets = complete_link(likeness, 60, apart)
    assert (likeness == before).all()
    members = [one for each in sets for one in each]
    assert len(members) == len(set(members))
    forbidden = {frozenset(pair) for pair in apart}
    for each in sets:
        for one, other in combinations(each, 2):
            assert likeness[one, other] >= 60
            assert frozenset((one, other)) not in forbidden


def test_hundreds_take_no_time() -> None:
    rng = np.random.default_rng(0)
    numbers = rng.integers(0, 100, (400, 400))
    begun = time.process_time()
    complete_link(np.maximum(numbers, numbers.T), 90)
    assert time.process_time() - begun < 20


@pytest.mark.parametrize(
    ("sets", "expected"),
    [
        ([], []),
        (["ab", "cd"], [[0], [1]]),
        (["ab", "bc"], [[0], [1]]),  # one in common is not enough
        (["abc", "bcd"], [[0, 1]]),
        (["abx", "cdx", "abcd"], [[0, 1, 2]]),
        (["ab", "xy", "abx", "xyz"], [[0, 2], [1, 3]]),
        (["abc", "def", "bcde"], [[0, 1, 2]]),
    ],
)
def test_sets_that_are_one(sets: list[str], expected: list[list[int]]) -> None:
    assert sharing(sets) == expected


@settings(max_examples=40)
@given(st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=2, max_size=4), max_size=7))
def test_what_is_joined_shares_no_two_with_the_rest(sets: list[set[str]]) -> None:
    joined = sharing(sets)
    assert sorted(index for indices in joined for index in indices) == list(range(len(sets)))
    unions = [set().union(*(sets[index] for index in indices)) for indices in joined]
    assert all(len(one & other) < 2 for one, other in combinations(unions, 2))


def test_the_most_alike() -> None:
    places = {"a": 0.0, "b": 5.0, "c": 6.0, "d": 6.5, "e": 20.0}

    def near(one: str, other: str) -> float:
        return -abs(places[one] - places[other])

    assert most_alike("abcde", near, 5) == list("abcde")
    assert most_alike("abcde", near, 3) == ["b", "c", "d"]
    assert most_alike("edcba", near, 2) == ["d", "c"]
    assert most_alike("abcd", lambda one, other: 1.0, 2) == ["a", "b"]


def test_relatives_of_those_that_stay_do_not() -> None:
    def inside(one: str, other: str) -> bool:
        return one.startswith(other) or other.startswith(one)

    assert kept_apart(["ab", "a", "abc", "c"], inside) == ["ab", "c"]
