"""Cluster bootstrap for functions of sums over clusters (ratios, kappa, macro F1), and the interval of macro F1."""

import math
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from affordance.stats.intervals import CONFIDENCE_LEVEL, Interval, cluster_indices

Values = NDArray[np.float64]
Weights = NDArray[np.float32]

N_RESAMPLES = 2000
MAX_CLUSTERS = 5000  # more are merged at random into as many, which are also independent: memory stays bounded
MIN_DEFINED_SHARE = 0.95  # of the resamples must have a value: a rare class is missing from many


@lru_cache(maxsize=2)
def bootstrap_weights(clusters: int, seed: int, n_resamples: int = N_RESAMPLES) -> Weights:
    """How often each resample (row) draws each cluster. The array is cached for other metrics of the same clusters, so
    it is read-only."""
    draw = np.random.default_rng([seed, clusters])
    drawn = draw.integers(0, clusters, (n_resamples, clusters), dtype=np.intp)
    drawn += np.arange(n_resamples)[:, None] * clusters
    weights = (
        np.bincount(drawn.ravel(), minlength=n_resamples * clusters).reshape(n_resamples, clusters).astype(np.float32)
    )
    weights.setflags(write=False)
    return weights


def bootstrap_sums(parts: Values, seed: int, n_resamples: int = N_RESAMPLES) -> Values:
    """The sums over the drawn clusters in each resample; the first axis of `parts` is the clusters."""
    merged = merge_clusters(parts, seed)
    flat = merged.reshape(len(merged), -1)
    sums = bootstrap_weights(len(merged), seed, n_resamples) @ flat.astype(np.float32)
    return np.asarray(sums, dtype=np.float64).reshape(n_resamples, *parts.shape[1:])


def merge_clusters(parts: Values, seed: int) -> Values:
    """The parts of clusters, merged at random into at most `MAX_CLUSTERS`."""
    if len(parts) <= MAX_CLUSTERS:
        return parts
    order = np.random.default_rng([seed, len(parts)]).permutation(len(parts))
    padded = np.zeros((math.ceil(len(parts) / MAX_CLUSTERS) * MAX_CLUSTERS, *parts.shape[1:]))
    padded[: len(parts)] = parts[order]
    return np.asarray(padded.reshape(-1, MAX_CLUSTERS, *parts.shape[1:]).sum(axis=0))


def bootstrap_interval(
    parts: Values,
    statistic: Callable[[Values], Values],
    *,
    seed: int = 0,
    n_resamples: int = N_RESAMPLES,
    level: float = CONFIDENCE_LEVEL,
) -> Interval | None:
    """The percentile interval of a statistic that is a function of sums over clusters (see `percentile_interval`).

    Args:
        parts: What each cluster (first axis) adds to the sums.
        statistic: Takes sums with the resamples as first axis and returns a value for each; NaN if it is undefined.

    Returns:
        None with fewer than two clusters, if all resamples have one value, or if too many are undefined.
    """
    if len(parts) < 2:
        return None
    found = statistic(bootstrap_sums(np.asarray(parts, dtype=np.float64), seed, n_resamples))
    return percentile_interval(found, len(parts), level)


def percentile_interval(values: Values, clusters: float, level: float = CONFIDENCE_LEVEL) -> Interval | None:
    """The expanded percentile interval of Hesterberg (2015) for few clusters: resamples vary less than samples by (k -
    1) / k, and their quantiles are close to normal ones, not Student's. So the share that is cut off at either end is
    that of the normal distribution beyond Student's quantile times the root of k / (k - 1)."""
    from scipy import special

    defined = values[np.isfinite(values)]
    if len(defined) < MIN_DEFINED_SHARE * len(values) or np.ptp(defined) == 0:
        return None
    clusters = max(2.0, clusters)
    wider = math.sqrt(clusters / (clusters - 1)) * float(special.stdtrit(clusters - 1, (1 + level) / 2))
    cut = NormalDist().cdf(-wider)
    low, high = np.quantile(defined, [cut, 1 - cut])
    return float(low), float(high)


def macro_f1_interval(
    truths: Sequence[str],
    answers: Sequence[str | None],
    clusters: Sequence[Hashable],
    *,
    seed: int = 0,
    level: float = CONFIDENCE_LEVEL,
) -> Interval | None:
    """The cluster bootstrap interval of macro F1, the mean of F1 over the classes that occur as truth.

    An unparsed answer (None) belongs to no class. A resample without a class takes the mean over the others. Resamples
    of a rare class without errors do not vary. So the interval is computed twice, with and without a third of a prior
    cluster of correct and one of wrong answers for each class, and spans both.

    Returns:
        None with fewer than two clusters.
    """
    if not len(truths) == len(answers) == len(clusters):
        raise ValueError(
            f"expected an answer and a cluster for each truth, found {len(truths)}, {len(answers)}, {len(clusters)}"
        )
    labels = {label: number for number, label in enumerate(sorted(set(truths)))}
    index = cluster_indices(clusters)
    parts = np.zeros((len(set(clusters)), 3, len(labels)))
    # By label: the number of correct answers, of answers, and of truths.
    for cluster, truth, answer in zip(index, truths, answers, strict=True):
        parts[cluster, 2, labels[truth]] += 1
        if answer in labels:
            parts[cluster, 1, labels[answer]] += 1
            parts[cluster, 0, labels[truth]] += truth == answer
    if len(parts) < 2:
        return None
    value = float(_macro_f1(parts.sum(axis=0)[None])[0])
    found = (
        bootstrap_interval(one, _macro_f1, seed=seed, level=level)
        for one in (parts, np.concatenate([parts, _prior_clusters(len(labels), len(truths) / len(parts))]))
    )
    ends = [value, *(end for interval in found if interval is not None for end in interval)]
    return min(ends), max(ends)


def _prior_clusters(labels: int, size: float) -> Values:
    """For each label, a third of a cluster with correct answers, and one with the next label as answer."""
    one = np.eye(labels)
    right = np.stack([one, one, one], axis=1)
    wrong = np.stack([0 * one, np.roll(one, 1, axis=1) * (labels > 1), one], axis=1)
    return size / 3 * np.concatenate([right, wrong])


def _macro_f1(sums: Values) -> Values:
    correct, answered, true = sums[:, 0], sums[:, 1], sums[:, 2]
    # At least 1, which understates F1 a little for the fractional prior clusters: recorded intervals rest on it.
    scores = 2 * correct / np.maximum(answered + true, 1)
    return np.asarray((scores * (true > 0)).sum(axis=1) / np.maximum((true > 0).sum(axis=1), 1))
