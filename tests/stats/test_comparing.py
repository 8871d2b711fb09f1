"""A against B on the same questions: published examples, other implementations, and what must not change it."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from affordance.stats import PairedComparison, compare_paired, mcnemar_test, wilcoxon_test
from affordance.stats.paired_comparison import MCNEMAR_NAME, WILCOXON_NAME
from affordance.stats.significance_tests import N_DRAWS, RandomSigns, sign_flip_test
from errors import raises

# Darwin's fifteen pairs of maize, crossed less self-fertilised, in eighths of an inch.
MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_sign_flip_of_darwins_maize() -> None:
    """Fisher (1935, The Design of Experiments, section 21) counts 863 of 2^15 signs with as large a sum."""
    found = compare_paired(MAIZE, [0] * 15, range(15))
    assert found.sign_flip == pytest.approx(2 * 863 / 2**15, abs=1e-12)
    assert found.difference == pytest.approx(314 / 15)


def no_draws() -> np.ndarray:
    raise AssertionError("expected the exact distribution")


def by_all_signs(sums: list[float]) -> float:
    total = abs(sum(sums))
    signs = list(itertools.product((-1, 1), repeat=len(sums)))
    return sum(abs(np.dot(one, sums)) >= total - 1e-9 for one in signs) / len(signs)


@settings(max_examples=40)
@given(
    st.one_of(
        st.lists(st.sampled_from([-2.0, -1.0, 0.0, 1.0, 3.0]), max_size=9),
        st.lists(st.integers(-12, 12).map(lambda n: n / 6), max_size=9),
        st.lists(st.floats(-1, 1).map(lambda x: round(x, 5)), max_size=9),
    )
)
def test_sign_flip_is_exact_over_all_signs(sums: list[float]) -> None:
    assert sign_flip_test(np.array(sums), no_draws) == pytest.approx(by_all_signs(sums))


def test_draws_come_near_the_exact_p() -> None:
    """Sums that are whole, taken through the draws."""
    sums = np.random.default_rng(1).integers(-4, 6, 200).astype(float)
    exact = sign_flip_test(sums, no_draws)
    flips = RandomSigns(200, seed=3)
    drawn = (np.abs(flips.totals(sums)) >= abs(sums.sum())).mean()
    assert drawn == pytest.approx(exact, abs=4 * (exact * (1 - exact) / N_DRAWS) ** 0.5)
    irrational = sign_flip_test(sums + 1e-4 * np.sqrt(np.arange(200)), lambda: flips.totals(sums))
    assert irrational == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("clusters", [14, 6000])
def test_signs_are_fair(clusters: int) -> None:
    """Totals of ones have mean 0 and the number of clusters as variance, also where clusters are merged."""
    totals = RandomSigns(clusters, seed=1).totals(np.ones(clusters))
    assert len(totals) == N_DRAWS
    assert totals.mean() == pytest.approx(0, abs=4 * (clusters / N_DRAWS) ** 0.5)
    share = totals.var() / (np.bincount(np.arange(clusters) % 5000) ** 2).sum()
    assert share == pytest.approx(1, abs=0.08)


outcomes = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40)


@settings(max_examples=40)
@given(outcomes)
def test_single_outcomes(pairs: list[tuple[bool, bool]]) -> None:
    """McNemar's test and the paired t interval; the sign flip of single outcomes is McNemar's test too."""
    first, second = ([float(one) for one in side] for side in zip(*pairs, strict=True))
    found = compare_paired(first, second, range(len(pairs)))
    b, c = sum(one > other for one, other in pairs), sum(one < other for one, other in pairs)
    assert (found.wins, found.losses, found.ties, found.n, found.clusters) == (
        b,
        c,
        len(pairs) - b - c,
        *2 * [len(pairs)],
    )
    assert found.test == MCNEMAR_NAME
    assert found.p == mcnemar_test(b, c).p
    assert found.sign_flip == pytest.approx(found.p)
    if len({one - other for one, other in zip(first, second, strict=True)}) > 1:
        theirs = stats.ttest_rel(first, second)
        assert found.interval == pytest.approx(tuple(theirs.confidence_interval(0.95)))
        assert found.error == pytest.approx(stats.sem(np.subtract(first, second)))
    else:
        assert (found.interval, found.error) == (None, None)


def test_clusters_by_hand() -> None:
    """Three screens: mean differences 1/2, 0 and -1. Their sums are 1, 0 and -1, so that half of all signs of the two
    that differ give 0, which is what was found, and p is 1."""
    found = compare_paired([1, 1, 0, 1, 0], [0, 1, 0, 1, 1], ["a", "a", "b", "b", "c"])
    assert (found.difference, found.wins, found.losses, found.ties) == (0.0, 1, 1, 3)
    assert found.test == WILCOXON_NAME
    assert found.p == wilcoxon_test([0.5, 0.0, -1.0]).p
    assert found.sign_flip == 1.0


def test_screens_that_agree_with_themselves_are_outcomes() -> None:
    """Where each screen was right throughout or wrong throughout, it is one outcome, whatever the number of trials."""
    found = compare_paired(
        [1] * 6 + [0] * 3 + [1] * 3, [0] * 6 + [1] * 3 + [1] * 3, np.repeat(np.arange(4), 3).tolist()
    )
    assert found.test == MCNEMAR_NAME
    assert found.p == mcnemar_test(2, 1).p


graded = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 4)), min_size=2, max_size=30)


@settings(max_examples=15)
@given(graded, st.randoms(use_true_random=False))
def test_order_sides_and_repetition(rows: list[tuple[int, int, int]], shuffle: random.Random) -> None:
    def compared(rows: list[tuple[int, int, int]], turned: bool = False) -> tuple[object, ...]:
        one, other, clusters = zip(*rows, strict=True)
        found = compare_paired(other, one, clusters) if turned else compare_paired(one, other, clusters)
        sign = -1 if turned else 1
        ends = found.interval or ()
        flat = [-end for end in reversed(ends)] if turned else list(ends)
        return pytest.approx([sign * found.difference, found.p, found.sign_flip, *flat], abs=1e-6), found.test

    expected = compared(rows)
    mixed = list(rows)
    shuffle.shuffle(mixed)
    for other in (compared(mixed), compared(rows * 3), compared(rows, turned=True)):
        assert other[0].expected == expected[0]
        assert other[1] == expected[1]


def test_a_pairing_is_the_same_as_each_by_itself() -> None:
    draw = np.random.default_rng(2)
    clusters = [f"screen {number // 4}" for number in range(120)]
    models = [draw.random(120) for _ in range(4)]
    pairing = PairedComparison(clusters, seed=5)
    for one, other in itertools.combinations(models, 2):
        assert pairing.compare(one, other) == compare_paired(one.tolist(), other.tolist(), clusters, seed=5)


def test_a_lower_level_gives_a_narrower_interval() -> None:
    draw = np.random.default_rng(3)
    clusters = np.repeat(np.arange(400), 3).tolist()
    values = draw.random(1200), draw.random(1200)
    found, again = compare_paired(*values, clusters), compare_paired(*values, clusters, level=0.5)
    assert found.interval is not None
    assert again.interval is not None
    assert again.interval[1] - again.interval[0] < 0.5 * (found.interval[1] - found.interval[0])


EDGES = {
    "one pair": ([1.0], [0.0], ["a"], 1.0),
    "one cluster": ([1.0, 0.0], [0.0, 0.0], ["a", "a"], 0.5),
    "all equal": ([1.0, 0.0, 1.0], [1.0, 0.0, 1.0], ["a", "b", "c"], 0.0),
    "all won": ([1.0, 1.0, 1.0], [0.0, 0.0, 0.0], ["a", "b", "c"], 1.0),
}


@pytest.mark.parametrize(("first", "second", "clusters", "difference"), EDGES.values(), ids=EDGES.keys())
def test_nothing_to_tell_how_much_it_varies(
    first: list[float], second: list[float], clusters: list[str], difference: float
) -> None:
    found = compare_paired(first, second, clusters)
    assert (found.difference, found.interval, found.error) == (difference, None, None)
    assert 0 < found.p <= 1
    assert 0 < found.sign_flip <= 1


BAD = {
    "nothing": ([], [], [], ()),
    "a value too many": ([1.0, 0.0], [1.0], ["a"], ("1", "2")),
    "not a number": ([float("nan")], [1.0], ["a"], ("nan",)),
}


@pytest.mark.parametrize(("first", "second", "clusters", "data"), BAD.values(), ids=BAD.keys())
def test_what_does_not_fit(first: list[float], second: list[float], clusters: list[str], data: tuple[str, ...]) -> None:
    with raises(ValueError, *data):
        compare_paired(first, second, clusters)


def test_no_interval_leaves_the_span_of_differences() -> None:
    """Of three pairs: 0.67 with an error of 0.33, and a quantile of 4.3."""
    free, held = (compare_paired([1, 1, 1], [0, 0, 1], range(3), value_range=span) for span in (math.inf, 1.0))
    assert free.interval is not None
    assert free.interval[1] > 1
    assert held.interval == (free.interval[0], 1.0)
    assert (held.difference, held.p, held.error) == (free.difference, free.p, free.error)
