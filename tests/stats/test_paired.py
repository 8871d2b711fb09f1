"""Differences within pairs, with intervals that know what was sampled."""

import math
import random
from collections.abc import Hashable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from affordance.stats import Interval, compare_paired


def paired_difference(differences: Sequence[float], clusters: Sequence[Hashable]) -> tuple[float, Interval | None]:
    """Against nothing: the first less zeros."""
    found = compare_paired(differences, [0.0] * len(differences), clusters)
    return found.difference, found.interval


DIFFERENCES = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=2, max_size=40)


@settings(max_examples=40)
@given(DIFFERENCES)
def test_without_clusters_it_is_the_paired_t_test(differences: list[float]) -> None:
    mean, interval = paired_difference(differences, range(len(differences)))
    assert mean == pytest.approx(sum(differences) / len(differences))
    if len(set(differences)) > 1:
        theirs = stats.ttest_1samp(differences, 0).confidence_interval(0.95)
        assert interval == pytest.approx((theirs.low, theirs.high))
    else:
        assert interval is None


@settings(max_examples=40)
@given(DIFFERENCES)
def test_asking_the_same_again_adds_nothing(differences: list[float]) -> None:
    once = paired_difference(differences, range(len(differences)))
    thrice = paired_difference(differences * 3, [*range(len(differences))] * 3)
    assert thrice[0] == pytest.approx(once[0])
    assert thrice[1] == pytest.approx(once[1])


@settings(max_examples=40)
@given(DIFFERENCES, st.randoms(use_true_random=False))
def test_the_order_does_not_matter_and_the_sign_turns(differences: list[float], shuffle: random.Random) -> None:
    clusters = [place % 3 for place in range(len(differences))]
    pairs = list(zip(differences, clusters, strict=True))
    mean, interval = paired_difference(differences, clusters)
    shuffle.shuffle(pairs)
    turned, other = paired_difference([-one for one, _ in pairs], [cluster for _, cluster in pairs])
    assert turned == pytest.approx(-mean)
    assert (interval is None) == (other is None)
    if interval is not None:
        assert other == pytest.approx((-interval[1], -interval[0]))


def test_one_cluster_has_no_interval() -> None:
    assert paired_difference([1.0, 0.0], ["screen", "screen"]) == (0.5, None)


def test_clusters_that_cancel_out_tell_nothing_about_how_much_they_vary() -> None:
    assert paired_difference([1.0, -1.0, 0.0, 0.0], ["a", "a", "b", "c"]) == (0.0, None)


def test_by_hand() -> None:
    """Two screens whose deviations from the mean of 0.25 sum up to -0.5 and 0.5."""
    mean, interval = paired_difference([0.0, 0.0, 1.0, 0.0], ["a", "a", "b", "b"])
    assert mean == 0.25
    assert interval is not None
    half = float(stats.t.ppf(0.975, 1)) * math.sqrt(2 * (0.5**2 + 0.5**2)) / 4
    assert interval == pytest.approx((0.25 - half, 0.25 + half))


@pytest.mark.parametrize(("differences", "clusters"), [([], []), ([1.0], []), ([1.0], ["a", "b"])])
def test_what_does_not_fit(differences: list[float], clusters: list[str]) -> None:
    with pytest.raises(ValueError):
        paired_difference(differences, clusters)


def test_it_covers_what_it_should() -> None:
    """Of 100 samples of 12 screens with 5 correlated pairs each, about 95% of intervals hold the truth."""
    draw = random.Random(1)
    hits = 0
    for _ in range(100):
        pairs = [(cluster, shift + draw.gauss(0, 1)) for cluster in range(12) for shift in [draw.gauss(0, 1)] * 5]
        _, interval = paired_difference([value for _, value in pairs], [cluster for cluster, _ in pairs])
        assert interval is not None
        hits += interval[0] <= 0 <= interval[1]
    assert 0.90 <= hits / 100 <= 0.99
