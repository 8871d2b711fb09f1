"""Resampling clusters, against formulas, scipy, and by hand."""

import numpy as np
import pytest
from scipy import stats

from affordance.stats import macro_f1_interval
from affordance.stats.bootstrap import (
    MAX_CLUSTERS,
    bootstrap_interval,
    bootstrap_sums,
    bootstrap_weights,
    merge_clusters,
    percentile_interval,
)
from errors import raises


def ratio(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / sums[:, 1]


def test_each_resample_has_as_many_clusters() -> None:
    weights = bootstrap_weights(7, seed=1, n_resamples=500)
    assert weights.shape == (500, 7)
    assert (weights.sum(axis=1) == 7).all()
    # Counts of a multinomial: mean 1 and variance 1 - 1/7.
    assert weights.mean(axis=0) == pytest.approx([1] * 7, abs=0.2)
    assert float(weights.var()) == pytest.approx(6 / 7, abs=0.1)
    assert (bootstrap_weights(7, seed=1, n_resamples=500) == weights).all()
    assert (bootstrap_weights(7, seed=2, n_resamples=500) != weights).any()


def test_sums_are_those_of_what_was_drawn() -> None:
    parts = np.arange(12.0).reshape(3, 2, 2)
    expected = np.einsum("tc,cij->tij", bootstrap_weights(3, 0, 2000), parts)
    assert bootstrap_sums(parts, seed=0) == pytest.approx(expected)


@pytest.mark.parametrize("clusters", [2, 10])
def test_quantiles_are_expanded_for_few_clusters(clusters: int) -> None:
    found = np.arange(1, 200_001) / 200_000
    cut = stats.norm.cdf(stats.t.ppf(0.025, clusters - 1) * (clusters / (clusters - 1)) ** 0.5)
    assert percentile_interval(found, clusters) == pytest.approx((cut, 1 - cut), abs=1e-5)
    assert cut < 0.025


def test_the_mean_of_many_is_near_students_interval_and_scipys() -> None:
    values = np.random.default_rng(1).gamma(2, 1, 300)
    parts = np.stack([values, np.ones(300)], axis=1)
    found = bootstrap_interval(parts, ratio, n_resamples=9000)
    theirs = stats.bootstrap((values,), np.mean, method="percentile", n_resamples=9000, rng=1).confidence_interval
    assert found == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_many_clusters_are_merged_and_nothing_is_lost() -> None:
    parts = np.random.default_rng(1).random((5001, 2))
    merged = merge_clusters(parts, seed=1)
    assert len(merged) == MAX_CLUSTERS
    assert merge_clusters(parts[:MAX_CLUSTERS], seed=1) is not parts
    assert (merge_clusters(parts[:MAX_CLUSTERS], seed=1) == parts[:MAX_CLUSTERS]).all(), "as many are not merged"
    assert merged.sum(axis=0) == pytest.approx(parts.sum(axis=0))
    found = bootstrap_interval(np.stack([parts[:, 0], np.ones(len(parts))], axis=1), ratio)
    assert found is not None
    half = 1.96 * parts[:, 0].std() / len(parts) ** 0.5
    assert found == pytest.approx((parts[:, 0].mean() - half, parts[:, 0].mean() + half), abs=half / 4)


NOTHING = {
    "one cluster": np.array([[1.0, 2.0]]),
    "no cluster": np.zeros((0, 2)),
    "all alike": np.array([[1.0, 2.0]] * 5),
    "undefined in many resamples": np.array([[1.0, 1.0], [0.0, 0.0]]),
}


@pytest.mark.parametrize("parts", NOTHING.values(), ids=NOTHING.keys())
def test_no_interval(parts: np.ndarray) -> None:
    with np.errstate(invalid="ignore"):
        assert bootstrap_interval(parts, ratio) is None


def test_macro_f1_by_another_way() -> None:
    """Resample by resample, class by class, with the imagined answers as clusters of their own."""
    draw = np.random.default_rng(4)
    truths, clusters = draw.choice(list("aaabbc"), 60).tolist(), np.repeat(np.arange(10, 30), 3).tolist()
    answers = [truth if draw.random() < 0.6 else draw.choice(list("abcx")) for truth in truths]

    def macro_f1(rows: list[tuple[str, str, float]]) -> float:
        scores = []
        for label in sorted({truth for truth, _, weight in rows if weight}):
            right = sum(w for truth, answer, w in rows if truth == answer == label)
            said, there = (sum(w for *two, w in rows if two[at] == label) for at in (1, 0))
            scores.append(2 * right / (said + there))
        return float(np.mean(scores))

    rows = list(zip(truths, answers, strict=True))
    groups = [
        [(*row, 1.0) for row, at in zip(rows, clusters, strict=True) if at == cluster] for cluster in range(10, 30)
    ]
    imagined = [[(label, label, 1.0)] for label in "abc"] + [[("a", "b", 1.0)], [("b", "c", 1.0)], [("c", "a", 1.0)]]
    ends = []
    for form in (groups, groups + imagined):
        weights = bootstrap_weights(len(form), 7)
        found = [
            macro_f1([(t, a, w * n) for group, n in zip(form, row, strict=True) if n for t, a, w in group])
            for row in weights
        ]
        ends += percentile_interval(np.array(found), len(form)) or ()
    assert macro_f1_interval(truths, answers, clusters, seed=7) == pytest.approx((min(ends), max(ends)), abs=1e-6)


def test_macro_f1_of_all_right_is_not_certain() -> None:
    truths = list("abcabcabcabc")
    interval = macro_f1_interval(truths, truths, range(12))
    assert interval is not None
    assert interval[1] == 1
    assert 0.5 < interval[0] < 0.95


def test_macro_f1_without_an_interval() -> None:
    assert macro_f1_interval([], [], []) is None
    assert macro_f1_interval(["a", "b"], ["a", None], ["screen", "screen"]) is None
    with raises(ValueError, "1, 0, 1"):
        macro_f1_interval(["a"], [], ["x"])
