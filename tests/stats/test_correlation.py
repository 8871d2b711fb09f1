"""Spearman's rank correlation: a textbook example, scipy, and all orders one by one."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from affordance.stats import RankCorrelation, spearman


def test_textbook() -> None:
    """The example of many introductions, hours of television by intelligence quotient: squared differences of ranks sum
    up to 194, so rho is 1 - 6 * 194 / (10 * 99) = -29/165; p is 0.627."""
    quotients, hours = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110], [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
    found = spearman(quotients, hours)
    assert found.rho == pytest.approx(-29 / 165)
    assert found.p == pytest.approx(0.627188, abs=1e-6)
    assert (found.n, found.exact) == (10, False)


def test_by_hand() -> None:
    """Five in the same order: one order of 120 is as strong, and its opposite."""
    assert spearman([1, 2, 3, 4, 5], [10, 20, 30, 40, 500]) == RankCorrelation(1.0, 2 / 120, 5, exact=True)


def ranks(most: int) -> st.SearchStrategy[tuple[list[int], list[int]]]:
    def sides(n: int) -> st.SearchStrategy[tuple[list[int], list[int]]]:
        side = st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(lambda values: len(set(values)) > 1)
        return st.tuples(side, side)

    return st.integers(3, most).flatmap(sides)


@settings(max_examples=60)
@given(ranks(40))
def test_against_scipy(sides: tuple[list[int], list[int]]) -> None:
    found, theirs = spearman(*sides), stats.spearmanr(*sides)
    assert found.rho == pytest.approx(theirs.statistic)
    if not found.exact:
        assert found.p == pytest.approx(theirs.pvalue, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(ranks(6))
def test_exact_over_all_orders(sides: tuple[list[int], list[int]]) -> None:
    one, other = (stats.rankdata(side) for side in sides)
    orders = np.array(list(itertools.permutations(one - one.mean())))
    strength = np.abs(
        orders @ (other - other.mean())
    )  # times a constant: of all orders the first is the one that is there
    assert spearman(*sides).p == pytest.approx(np.mean(strength >= strength[0] - 1e-9))


@pytest.mark.parametrize(
    ("first", "second"), [([], []), ([1, 2], [1, 2]), ([1, 1, 1], [1, 2, 3]), ([1, 2, 3], [5] * 3)]
)
def test_nothing_to_rank(first: list[float], second: list[float]) -> None:
    assert spearman(first, second) == RankCorrelation(None, None, len(first), exact=True)


@pytest.mark.parametrize(("first", "second"), [([1, 2, 3], [1, 2]), ([1, 2, float("nan")], [1, 2, 3])])
def test_what_does_not_fit(first: list[float], second: list[float]) -> None:
    with pytest.raises(ValueError):
        spearman(first, second)
