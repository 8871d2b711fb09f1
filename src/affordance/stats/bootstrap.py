"""Cluster bootstrap, and the interval of macro F1 that uses it."""

import math
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from affordance.core.deferred import special
from affordance.stats.intervals import CONFIDENCE_LEVEL, Interval, cluster_indices

Values = NDArray[np.float64]
Weights = NDArray[np.float32]

N_RESAMPLES = 2000
# More clusters than these are merged at random into as many, which are as independent: memory stays bounded.
MAX_CLUSTERS = 5000
# Of the resamples, how many must have a value; a class that was seen once or twice is missing from many.
MIN_DEFINED_SHARE = 0.95


@lru_cache(maxsize=2)
def bootstrap_weights(clusters: int, seed: int, n_resamples: int = N_RESAMPLES) -> Weights:
    """How often each cluster is drawn, in each of `times` resamples (rows) of as many clusters as there are. Kept for
    the next metric over the same clusters, hence not to be written to."""
    draw = np.random.default_rng([seed, clusters])
    drawn = draw.integers(0, clusters, (n_resamples, clusters), dtype=np.intp)
    drawn += np.arange(n_resamples)[:, None] * clusters
    weights = (
        np.bincount(drawn.ravel(), minlength=n_resamples * clusters).reshape(n_resamples, clusters).astype(np.float32)
    )
    weights.setflags(write=False)
    return weights


def bootstrap_sums(parts: Values, seed: int, n_resamples: int = N_RESAMPLES) -> Values:
    """The sums of the parts of clusters (the first axis) in each resample."""
    merged = merge_clusters(parts, seed)
    flat = merged.reshape(len(merged), -1)
    sums = bootstrap_weights(len(merged), seed, n_resamples) @ flat.astype(np.float32)
    return np.asarray(sums, dtype=np.float64).reshape(n_resamples, *parts.shape[1:])


def merge_clusters(parts: Values, seed: int) -> Values:
    """At most `MOST_CLUSTERS` sums of parts."""
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
    """The interval of `statistic`, a function of sums over clusters: `parts` has what each cluster adds to them (first
    axis), the statistic takes sums of the same form with the resamples in front, and gives a value for each.

    Of the values of resamples it takes the quantiles of `percentiles`. None with fewer than two clusters, where all
    resamples have the same value, which tells nothing about how much it varies, and where more than a few have none
    (not a number)."""
    if len(parts) < 2:
        return None
    found = statistic(bootstrap_sums(np.asarray(parts, dtype=np.float64), seed, n_resamples))
    return percentile_interval(found, len(parts), level)


def percentile_interval(values: Values, clusters: float, level: float = CONFIDENCE_LEVEL) -> Interval | None:
    """The percentile interval, expanded for few clusters as Hesterberg (2015) does: resamples vary less than samples do
    by (k - 1) / k, and their quantiles are near the normal ones, not Student's. So the share that is cut off at either
    end is that of the normal distribution beyond Student's quantile times the root of k / (k - 1)."""
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
    """Of the mean of F1 over the classes that occur as truth, by resampling clusters; an answer that cannot be read
    (None) is none of the classes. Where a class is missing from a resample, that one has the mean over the others.

    Resamples of a class that was seen a few times, and always right, know nothing of its errors. So the interval is
    made twice, with and without a third of a cluster of right and one of wrong answers imagined for each class, and
    reaches from the lowest end to the highest. None with fewer than two clusters."""
    if not len(truths) == len(answers) == len(clusters):
        raise ValueError(
            f"expected an answer and a cluster for each truth, found {len(truths)}, {len(answers)}, {len(clusters)}"
        )
    labels = {label: number for number, label in enumerate(sorted(set(truths)))}
    index = cluster_indices(clusters)
    parts = np.zeros((len(set(clusters)), 3, len(labels)))
    # By label: how often it is right, said, and true.
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
    """For each label, a third of a cluster in which it is right, and one in which the next is said instead."""
    one = np.eye(labels)
    right = np.stack([one, one, one], axis=1)
    wrong = np.stack([0 * one, np.roll(one, 1, axis=1) * (labels > 1), one], axis=1)
    return size / 3 * np.concatenate([right, wrong])


def _macro_f1(sums: Values) -> Values:
    right, said, there = sums[:, 0], sums[:, 1], sums[:, 2]
    scores = 2 * right / np.maximum(said + there, 1)
    return np.asarray((scores * (there > 0)).sum(axis=1) / np.maximum((there > 0).sum(axis=1), 1))
