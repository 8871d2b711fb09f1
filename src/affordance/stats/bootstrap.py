"""Intervals by resampling clusters, for metrics that are a function of sums over them: macro F1, ratios, kappa."""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from affordance.core.deferred import special
from affordance.stats.intervals import LEVEL, Interval

Values = NDArray[np.float64]
Weights = NDArray[np.float32]

TIMES = 2000
# More clusters than these are merged at random into as many, which are as independent: memory stays bounded.
MOST_CLUSTERS = 5000
# Of the resamples, how many must have a value; a class that was seen once or twice is missing from many.
DEFINED = 0.95


@lru_cache(maxsize=2)
def resample(clusters: int, seed: int, times: int = TIMES) -> Weights:
    """How often each cluster is drawn, in each of `times` resamples (rows) of as many clusters as there are. Kept for
    the next metric over the same clusters, hence not to be written to."""
    draw = np.random.default_rng([seed, clusters])
    drawn = draw.integers(0, clusters, (times, clusters), dtype=np.intp)
    drawn += np.arange(times)[:, None] * clusters
    weights = np.bincount(drawn.ravel(), minlength=times * clusters).reshape(times, clusters).astype(np.float32)
    weights.setflags(write=False)
    return weights


def resampled(parts: Values, seed: int, times: int = TIMES) -> Values:
    """The sums of the parts of clusters (the first axis) in each resample."""
    merged = merge(parts, seed)
    flat = merged.reshape(len(merged), -1)
    sums = resample(len(merged), seed, times) @ flat.astype(np.float32)
    return np.asarray(sums, dtype=np.float64).reshape(times, *parts.shape[1:])


def merge(parts: Values, seed: int) -> Values:
    """At most `MOST_CLUSTERS` sums of parts."""
    if len(parts) <= MOST_CLUSTERS:
        return parts
    order = np.random.default_rng([seed, len(parts)]).permutation(len(parts))
    padded = np.zeros((math.ceil(len(parts) / MOST_CLUSTERS) * MOST_CLUSTERS, *parts.shape[1:]))
    padded[: len(parts)] = parts[order]
    return np.asarray(padded.reshape(-1, MOST_CLUSTERS, *parts.shape[1:]).sum(axis=0))


def bootstrap_interval(
    parts: Values,
    statistic: Callable[[Values], Values],
    *,
    seed: int = 0,
    times: int = TIMES,
    level: float = LEVEL,
) -> Interval | None:
    """The interval of `statistic`, a function of sums over clusters: `parts` has what each cluster adds to them (first
    axis), the statistic takes sums of the same form with the resamples in front, and gives a value for each.

    Of the values of resamples it takes the quantiles of `percentiles`. None with fewer than two clusters, where all
    resamples have the same value, which tells nothing about how much it varies, and where more than a few have none
    (not a number)."""
    if len(parts) < 2:
        return None
    found = statistic(resampled(np.asarray(parts, dtype=np.float64), seed, times))
    return percentiles(found, len(parts), level)


def percentiles(found: Values, clusters: float, level: float = LEVEL) -> Interval | None:
    """The percentile interval, expanded for few clusters as Hesterberg (2015) does: resamples vary less than samples do
    by (k - 1) / k, and their quantiles are near the normal ones, not Student's. So the share that is cut off at either
    end is that of the normal distribution beyond Student's quantile times the root of k / (k - 1)."""
    defined = found[np.isfinite(found)]
    if len(defined) < DEFINED * len(found) or np.ptp(defined) == 0:
        return None
    clusters = max(2.0, clusters)
    wider = math.sqrt(clusters / (clusters - 1)) * float(special.stdtrit(clusters - 1, (1 + level) / 2))
    cut = NormalDist().cdf(-wider)
    low, high = np.quantile(defined, [cut, 1 - cut])
    return float(low), float(high)
