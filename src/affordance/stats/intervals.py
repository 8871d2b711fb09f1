"""Confidence intervals of means and proportions over clusters: Wilson's, Student's, and the intraclass correlation."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]
Values = NDArray[np.float64]
Index = NDArray[np.intp]

CONFIDENCE_LEVEL = 0.95
# Prior clusters of zeros and ones in the estimate of how much less than those the values vary.
PRIOR_CLUSTERS = 4.0
NEGLIGIBLE = 1e-12  # variances below are rounding errors


@dataclass(frozen=True, slots=True)
class IntervalEstimate:
    """A value between 0 and 1 and its interval, which needs at least two clusters."""

    value: float
    interval: Interval | None


def wilson_interval(proportion: float, n: float, level: float = CONFIDENCE_LEVEL) -> Interval:
    """Wilson's score interval of a proportion among `n`, which may be fractional (Wilson 1927).

    Its coverage is the level on average over proportions; at 0.95 it is at worst 0.90 with n = 10 and 0.93 with n =
    100. That of Clopper and Pearson is the level at worst, and on average 0.98 with n = 10 and 0.96 with n = 100
    (Agresti and Coull 1998)."""
    return _score_interval(proportion, n, NormalDist().inv_cdf((1 + level) / 2))


def clustered_mean(
    values: Sequence[float] | Values, clusters: Sequence[Hashable] | Index, level: float = CONFIDENCE_LEVEL
) -> IntervalEstimate:
    """The mean of values between 0 and 1 with its interval, for values that are dependent within clusters (see
    `interval_from_residuals`)."""
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
    """The interval of `clustered_mean`. A single cluster counts as one observation."""
    found = clustered_mean(values, clusters, level)
    return found.interval or wilson_interval(min(1.0, max(0.0, found.value)), 1, level)


def interval_from_residuals(
    mean: float, residuals: Values, index: Index, level: float = CONFIDENCE_LEVEL
) -> Interval | None:
    """Wilson's interval of a mean between 0 and 1 at the effective sample size: the size at which a proportion has the
    variance of the mean (Kish 1965; Korn and Graubard 1998).

    The variance is the larger of two estimates. The first is that of independent values times the design effect 1 + (m
    - 1) * ICC, where the intraclass correlation is from a one-way analysis of variance and m is the mean cluster size,
    weighted for unequal sizes; it is stable with few clusters. The second is that of the sums over clusters, which also
    holds if large clusters differ from small ones.

    Graded values vary less than zeros and ones with the same mean. The ratio is estimated, with `PRIOR_CLUSTERS`
    clusters of zeros and ones added, since few clusters estimate it badly. If all values are equal, each cluster counts
    once. With one 0 or 1 in each cluster this is Wilson's interval; else the quantile is Student's with k - 1 degrees
    of freedom, since the correlation is estimated from k clusters.

    Args:
        residuals: Of the values about the mean; of a ratio, the linearised ones.
        index: The number of each value's cluster.

    Returns:
        None with fewer than two clusters.
    """
    from scipy import special

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
    """ICC(1) by one-way analysis of variance (Shrout and Fleiss 1979), limited to 0 to 1. It is 1 if the values do not
    vary and 0 if each is a cluster of its own."""
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
    """The variance of a sum of values, estimated from the sums of their residuals over clusters (Liang and Zeger 1986).

    Residuals vary less than the values, as the mean is estimated from them: by (k - 1) / k with k equal clusters. With
    unequal ones the correction is that of values which are equal within each cluster, the largest possible."""
    sums, sizes = np.bincount(index, weights=residuals), np.bincount(index).astype(np.float64)
    n, squares = float(sizes.sum()), float(sizes @ sizes)
    kept = 1 - 2 * float(sizes @ sizes**2) / (n * squares) + squares / n**2
    return float(sums @ sums) / kept


def effective_count(sizes: NDArray[Any]) -> float:
    """Kish's effective size: the number of equal clusters, or equal weights, that determine a mean as well as these."""
    return float(sizes.sum()) ** 2 / float(sizes @ sizes)


def cluster_indices(clusters: Sequence[Hashable] | Index) -> Index:
    """The number of each value's cluster, from 0. The numbers do not depend on the order of the values."""
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
    """The standard error of the mean of values that are dependent within clusters (see `cluster_sum_variance`).

    Returns:
        None with fewer than two clusters, or if the values or the sums over clusters do not vary.
    """
    if index.max() < 1 or values.max() == values.min():
        return None
    variance = cluster_sum_variance(values - values.mean(), index)
    return math.sqrt(variance) / len(values) if variance > NEGLIGIBLE else None


def t_interval(mean: float, error: float | None, clusters: float, level: float = CONFIDENCE_LEVEL) -> Interval | None:
    """Student's interval with `clusters - 1` degrees of freedom; `clusters` is the effective number of unequal ones.
    None without a standard error."""
    from scipy import special

    if error is None:
        return None
    half = float(special.stdtrit(max(1.0, clusters - 1), (1 + level) / 2)) * error
    return mean - half, mean + half
