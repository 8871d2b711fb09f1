"""Intervals of means between 0 and 1, against published values, by hand, and by simulation."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from affordance.stats import clustered_interval, clustered_mean, wilson_interval
from affordance.stats.intervals import PRIOR_CLUSTERS, cluster_indices, cluster_sum_variance, intraclass_correlation
from errors import raises

# Wilson's score interval without continuity correction. The middle rows are Newcombe's (1998) examples.
PUBLISHED = [
    (0, 10, 0.0000, 0.2775),
    (1, 10, 0.0179, 0.4042),
    (5, 10, 0.2366, 0.7634),
    (10, 10, 0.7225, 1.0000),
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
    (0, 1, 0.0000, 0.7935),
    (50, 100, 0.4038, 0.5962),
]


@pytest.mark.parametrize(("hits", "n", "low", "high"), PUBLISHED)
def test_wilson(hits: int, n: int, low: float, high: float) -> None:
    assert wilson_interval(hits / n, n) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_wilson_at_another_level() -> None:
    """By hand for 5 of 10 and z = 1.644854: middle 0.5, half = z sqrt(0.025 + z²/400) / (1 + z²/10)."""
    assert wilson_interval(0.5, 10, level=0.90) == (pytest.approx(0.2693, abs=5e-5), pytest.approx(0.7307, abs=5e-5))


shares = st.floats(0, 1)
sizes = st.floats(0.5, 1e6)


@settings(max_examples=40)
@given(shares, sizes)
def test_wilson_holds_the_share_and_stays_within_0_and_1(share: float, n: float) -> None:
    low, high = wilson_interval(share, n)
    assert 0 <= low <= share <= high <= 1
    mirrored = wilson_interval(1 - share, n)
    assert (1 - high, 1 - low) == (pytest.approx(mirrored[0]), pytest.approx(mirrored[1]))


@settings(max_examples=40)
@given(shares, sizes, st.floats(1.1, 100))
def test_more_observations_make_it_narrower(share: float, n: float, times: float) -> None:
    few, many = wilson_interval(share, n), wilson_interval(share, n * times)
    assert many[1] - many[0] < few[1] - few[0]


@pytest.mark.parametrize("n", [0, -1, -0.5])
def test_wilson_of_nothing(n: float) -> None:
    with raises(ValueError, n):
        wilson_interval(0.5, n)


scores = st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=40)


def near(interval: tuple[float, float]) -> tuple[object, object]:
    return pytest.approx(interval[0], abs=1e-9), pytest.approx(interval[1], abs=1e-9)


def of_clusters(share: float, n: float, clusters: int) -> tuple[float, float]:
    """The shares p for which |share - p| is at most Student's quantile times the standard error at p: between the roots
    of a quadratic."""
    squared = stats.t.ppf(0.975, clusters - 1) ** 2
    low, high = sorted(np.roots([n + squared, -2 * n * share - squared, n * share**2]).real)
    return max(0.0, low), min(1.0, high)


@settings(max_examples=40)
@given(scores)
def test_clusters_of_one_are_plain_wilson(values: list[float]) -> None:
    assert clustered_interval(values, range(len(values))) == near(
        wilson_interval(sum(values) / len(values), len(values))
    )


@settings(max_examples=40)
@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=2, max_size=40), st.integers(2, 8))
def test_clusters_that_never_vary_inside_count_once_each(firsts: list[float], size: int) -> None:
    values = [value for value in firsts for _ in range(size)]
    clusters = [number for number in range(len(firsts)) for _ in range(size)]
    expected = of_clusters(sum(firsts) / len(firsts), len(firsts), len(firsts))
    assert clustered_interval(values, clusters) == near(expected)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from([0.0, 1.0]), st.integers(0, 5)), min_size=1, max_size=60), st.randoms())
def test_the_interval_is_never_narrower_than_for_independent_attempts(
    pairs: list[tuple[float, int]], order: random.Random
) -> None:
    values, clusters = zip(*pairs, strict=True)
    low, high = clustered_interval(values, clusters)
    share, n = sum(values) / len(values), len(values)
    assert 0 <= low <= share <= high <= 1
    plain = wilson_interval(share, n)
    assert high - low >= plain[1] - plain[0] - 1e-9
    mixed = list(pairs)
    order.shuffle(mixed)
    assert clustered_interval(*zip(*mixed, strict=True)) == near((low, high))


def correlation(groups: list[list[float]]) -> float:
    values = np.array([value for group in groups for value in group], dtype=float)
    index = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    return intraclass_correlation(values - values.mean(), index)


def test_by_hand() -> None:
    """Two clusters of two, (1, 1) and (1, 0): mean squares 1/4 between and 1/4 within, so no correlation: n stays 4.
    Two clusters of three, (1, 1, 1) and (0, 0, 1): mean 2/3, between 2/3 over 1, within 2/3 over 4, so the
    correlation is (2/3 - 1/6) / (2/3 + 2/6) = 1/2, the design effect 1 + 2/2 = 2, and 6 count as 3."""
    assert clustered_interval([1, 1, 1, 0], "aabb") == near(of_clusters(0.75, 4, 2))
    assert correlation([[1, 1, 1], [0, 0, 1]]) == pytest.approx(0.5)
    assert clustered_interval([1, 1, 1, 0, 0, 1], "aaabbb") == near(of_clusters(2 / 3, 3, 2))


def test_unequal_clusters_by_hand() -> None:
    """(1, 1, 1) and (0): the correlation is 1, the weighted mean size (9 + 1) / 4 = 2.5, so 4 count as 4 / 2.5 = 1.6 by
    the design effect. By sums, which are 3/4 and -3/4, of residuals that keep 1 - 2 * 28 / 40 + 10 / 16 = 0.225 of
    their variance: 1.125 / 0.225 / 16 * (1 - 2.5 / 4) = 0.1171875, and 0.1875 over it is 1.6 too."""
    assert clustered_interval([1, 1, 1, 0], "aaab") == near(of_clusters(0.75, 1.6, 2))


def test_graded_values_by_hand() -> None:
    """One value to each of four clusters, 0.25, 0.5, 0.5 and 0.75: their variance is 1/32, an eighth of that of right
    and wrong with the same mean; with four imagined clusters of those (4 / 8 + 4) / 8 of it. Normal quantile."""
    assert PRIOR_CLUSTERS == 4
    assert clustered_mean([0.25, 0.5, 0.5, 0.75], "abcd").interval == near(wilson_interval(0.5, 4 * 8 / 4.5))


def test_large_clusters_that_differ_from_small_ones_by_hand() -> None:
    """Of three clusters with ten values each half are right, of thirty with one all: within the large ones values
    differ, so that the correlation is low, and the sums over clusters vary more than it says."""
    values = [1.0, 0.0] * 15 + [1.0] * 30
    clusters = [*np.repeat(np.arange(3), 10), *range(3, 33)]
    index, residuals = np.array(clusters), np.array(values) - 0.75
    independent = 60**2 / (3 * 100 + 30)
    variance = cluster_sum_variance(residuals, index) / 60**2 * (1 - 1 / independent)
    assert 0.75 * 0.25 / variance < 60 / (1 + (60 / independent - 1) * intraclass_correlation(residuals, index))
    assert clustered_interval(values, clusters) == near(of_clusters(0.75, 0.75 * 0.25 / variance, 33))


@pytest.mark.parametrize("sizes", [(1, 1, 1), (3, 3), (1, 2, 5), (9, 1)], ids=str)
def test_the_variance_of_a_sum_is_right_on_average(sizes: tuple[int, ...]) -> None:
    """Where all values of a cluster are equal and of variance one, the sum has the sum of squared sizes."""
    draw, index = np.random.default_rng(1), np.repeat(np.arange(len(sizes)), sizes)
    found = [
        cluster_sum_variance(values - values.mean(), index)
        for values in (draw.normal(0, 1, len(sizes))[index] for _ in range(1000))
    ]
    assert np.mean(found) == pytest.approx(sum(size**2 for size in sizes), rel=0.15)


def test_one_cluster_counts_as_one_observation() -> None:
    assert clustered_mean([1, 0, 1], "aaa").interval is None
    assert clustered_interval([1, 0, 1, 1], "aaaa") == near(wilson_interval(0.75, 1))


def test_clusters_are_numbered_in_any_order() -> None:
    assert cluster_indices(["b", "a", "b"]).tolist() == [1, 0, 1]
    assert cluster_indices(np.array([7, 3, 7])).tolist() == [1, 0, 1]
    assert cluster_indices([("x", 1), None, ("x", 1)]).tolist() in ([0, 1, 0], [1, 0, 1])


CORRELATIONS = {
    "each alone": ([[1], [0], [1]], 0.0),
    "all equal": ([[1, 1], [1, 1]], 1.0),
    "one cluster": ([[1, 0, 1]], 1.0),
    "constant clusters": ([[1, 1], [0, 0]], 1.0),
    "less alike than chance": ([[1, 0], [1, 0]], 0.0),
}


@pytest.mark.parametrize(("groups", "expected"), CORRELATIONS.values(), ids=CORRELATIONS.keys())
def test_intraclass_correlation(groups: list[list[float]], expected: float) -> None:
    assert correlation(groups) == pytest.approx(expected)


@pytest.mark.parametrize(("values", "clusters"), [([], []), ([1.0], []), ([1.0], ["a", "b"])])
def test_unequal_lengths_and_nothing(values: list[float], clusters: list[str]) -> None:
    with raises(ValueError, len(clusters), len(values)):
        clustered_interval(values, clusters)


def simulated(
    generator: random.Random, clusters: int, size: int, mean: float, spread: float
) -> list[tuple[float, int]]:
    """Each cluster has a share of its own, drawn from a beta distribution: the larger the spread, the more alike."""
    found = []
    for cluster in range(clusters):
        share = generator.betavariate(mean / spread, (1 - mean) / spread)
        found += [(float(generator.random() < share), cluster) for _ in range(size)]
    return found


@pytest.mark.parametrize(
    ("clusters", "size", "mean", "spread"),
    [(7, 10, 0.5, 0.5), (40, 10, 0.8, 1.0), (100, 3, 0.3, 2.0)],
)
def test_coverage_where_attempts_are_clustered(clusters: int, size: int, mean: float, spread: float) -> None:
    """Of 95 % intervals about 95 % hold the truth; those that take attempts for independent hold it far less often."""
    generator = random.Random(7)
    rounds, held, held_plainly = 150, 0, 0
    for _ in range(rounds):
        values, names = zip(*simulated(generator, clusters, size, mean, spread), strict=True)
        low, high = clustered_interval(values, names)
        held += low <= mean <= high
        plain_low, plain_high = wilson_interval(sum(values) / len(values), len(values))
        held_plainly += plain_low <= mean <= plain_high
    assert 0.90 <= held / rounds <= 0.99
    assert held_plainly < held


def test_coverage_where_they_are_not() -> None:
    generator = random.Random(7)
    rounds, held = 150, 0
    for _ in range(rounds):
        values = [float(generator.random() < 0.6) for _ in range(200)]
        low, high = clustered_interval(values, [number // 10 for number in range(200)])
        held += low <= 0.6 <= high
    assert 0.90 <= held / rounds <= 0.99
