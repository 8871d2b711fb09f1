"""Intervals of means and shares over clusters: Wilson, Student's t, intraclass correlation."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from affordance.core.deferred import special

Interval = tuple[float, float]
Values = NDArray[np.float64]
Index = NDArray[np.intp]

CONFIDENCE_LEVEL = 0.95
# How many clusters of right and wrong are imagined, when it is estimated how much less than those the values vary.
PRIOR_CLUSTERS = 4.0
NEGLIGIBLE = 1e-12


@dataclass(frozen=True, slots=True)
class IntervalEstimate:
    """A value between 0 and 1, with the interval where there are at least two clusters."""

    value: float
    interval: Interval | None


def wilson_interval(proportion: float, n: float, level: float = CONFIDENCE_LEVEL) -> Interval:
    """Wilson's score interval for a share among n. It covers at the level on average over shares (at worst 0.90 with
    n = 10 and 0.93 with 100, where 0.95 is asked for). Clopper and Pearson's covers so much at worst, and is therefore
    too wide on average: 0.98 with n = 10, 0.96 with 100."""
    return _score_interval(proportion, n, NormalDist().inv_cdf((1 + level) / 2))


def clustered_mean(
    values: Sequence[float] | Values, clusters: Sequence[Hashable] | Index, level: float = CONFIDENCE_LEVEL
) -> IntervalEstimate:
    """The mean of values between 0 and 1, and its interval when those of one cluster are not independent: that of
    `residual_interval`."""
    if not len(values) or len(values) != len(clusters):
        raise ValueError(
            f"expected as many clusters as values and at least one, found {len(clusters)} and {len(values)}"
        )
    found = np.asarray(values, dtype=np.float64)
    mean = float(found.mean())
    return IntervalEstimate(mean, interval_from_residuals(mean, found - mean, cluster_indices(clusters), level))


def clustered_interval(
    values: Sequence[float], clusters: Sequence[Hashable], level: float = CONFIDENCE_LEVEL
) -> Interval:
    """The interval of `clustered_mean`; a single cluster counts as one observation."""
    found = clustered_mean(values, clusters, level)
    return found.interval or wilson_interval(min(1.0, max(0.0, found.value)), 1, level)


def interval_from_residuals(
    mean: float, residuals: Values, index: Index, level: float = CONFIDENCE_LEVEL
) -> Interval | None:
    """Wilson's interval for a mean between 0 and 1 whose residuals are given (of a ratio the linearised ones), at the
    effective sample size: that at which a share would have the variance of the mean. None with fewer than two clusters.

    The variance is the larger of two estimates. One is that of independent values times the design effect
    1 + (m - 1) * ICC, with the intraclass correlation from a one-way analysis of variance and m the mean cluster size
    weighted for unequal ones; it is steady with few clusters. The other is that of the sums over clusters, which holds
    too where large clusters differ from small ones.

    Graded values vary less than right and wrong with the same mean. How much less is itself estimated, and badly from
    few clusters, so that `IMAGINED` clusters of right and wrong are added to the estimate. Where all values are equal
    each cluster counts once. With one 0 or 1 to each cluster this is exactly Wilson's interval; with several the
    quantile is Student's with k - 1 degrees of freedom, since the correlation is an estimate from k clusters."""
    sizes = np.bincount(index)
    n, k = len(residuals), len(sizes)
    if k < 2:
        return None
    spread = mean * (1 - mean)
    independent = effective_count(sizes)
    effect = 1 + (n / independent - 1) * intraclass_correlation(residuals, index)
    ratio = float(residuals @ residuals) / n / spread if spread > NEGLIGIBLE else 1.0
    ratio = (independent * ratio + PRIOR_CLUSTERS) / (independent + PRIOR_CLUSTERS)
    effective = n / effect / ratio
    if k == n:
        return wilson_interval(mean, effective, level)
    # Wilson's variance is not that of a sample, which is larger by n / (n - 1): neither is this one.
    of_sums = cluster_sum_variance(residuals, index) / n**2 * (1 - 1 / independent)
    if of_sums * effective > spread > NEGLIGIBLE:
        effective = spread / of_sums
    return _score_interval(mean, effective, float(special.stdtrit(k - 1, (1 + level) / 2)))


def intraclass_correlation(residuals: Values, index: Index) -> float:
    """ICC(1) by one-way analysis of variance, kept within 0 and 1; 1 where the values do not vary, 0 where each is a
    cluster of its own."""
    sizes = np.bincount(index)
    n, k = len(residuals), len(sizes)
    if k == n:
        return 0.0
    sums = np.bincount(index, weights=residuals)
    between = float(sums @ (sums / sizes))
    total = float(residuals @ residuals)
    if k == 1 or total <= NEGLIGIBLE * n:
        return 1.0
    m0 = (n - float(sizes @ sizes) / n) / (k - 1)
    ms_between, ms_within = between / (k - 1), max(0.0, total - between) / (n - k)
    return min(1.0, max(0.0, (ms_between - ms_within) / (ms_between + (m0 - 1) * ms_within)))


def cluster_sum_variance(residuals: Values, index: Index) -> float:
    """The variance of the sum of values, from their residuals about the mean, by the sums over clusters. Residuals vary
    less than the values do, since the mean is theirs, by (k - 1) / k with k equal clusters; with unequal ones by as
    much as it is where all values of a cluster are equal, which is the most."""
    sums, sizes = np.bincount(index, weights=residuals), np.bincount(index).astype(np.float64)
    n, squares = float(sizes.sum()), float(sizes @ sizes)
    kept = 1 - 2 * float(sizes @ sizes**2) / (n * squares) + squares / n**2
    return float(sums @ sums) / kept


def effective_count(sizes: NDArray[Any]) -> float:
    """How many clusters of equal size would tell as much about a mean as these do."""
    return float(sizes.sum()) ** 2 / float(sizes @ sizes)


def cluster_indices(clusters: Sequence[Hashable] | Index) -> Index:
    """The number of each one's cluster, from 0. Numbers do not depend on the order of what is given."""
    if isinstance(clusters, np.ndarray):
        return np.asarray(np.unique(clusters, return_inverse=True)[1], dtype=np.intp)
    numbers = {cluster: number for number, cluster in enumerate(sorted(set(clusters), key=repr))}
    return np.fromiter((numbers[cluster] for cluster in clusters), dtype=np.intp, count=len(clusters))


def _score_interval(share: float, n: float, z: float) -> Interval:
    if n <= 0:
        raise ValueError(f"expected n above 0, found {n}")
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def clustered_standard_error(values: Values, index: Index) -> float | None:
    """The standard error of the mean of values in clusters, from the variance of the sums over clusters, for values of
    one cluster are not independent. None with fewer than two clusters, and where all values are equal or the clusters
    cancel out: that tells nothing about how much they vary."""
    if index.max() < 1 or values.max() == values.min():
        return None
    variance = cluster_sum_variance(values - values.mean(), index)
    return math.sqrt(variance) / len(values) if variance > NEGLIGIBLE else None


def t_interval(mean: float, error: float | None, clusters: float, level: float = CONFIDENCE_LEVEL) -> Interval | None:
    """With one degree of freedom less than there are clusters, of which unequal ones count as the number of equal ones
    that would tell as much."""
    if error is None:
        return None
    half = float(special.stdtrit(max(1.0, clusters - 1), (1 + level) / 2)) * error
    return mean - half, mean + half
