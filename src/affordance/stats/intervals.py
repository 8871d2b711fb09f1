"""Intervals for proportions. Attempts on one clip or screen are not independent, so they are counted for less."""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from statistics import NormalDist

from scipy.special import stdtrit

Interval = tuple[float, float]

LEVEL = 0.95


def wilson(share: float, n: float, level: float = LEVEL) -> Interval:
    """Wilson's score interval for a share among n."""
    return _score_interval(share, n, NormalDist().inv_cdf((1 + level) / 2))


def _score_interval(share: float, n: float, z: float) -> Interval:
    if n <= 0:
        raise ValueError(f"expected n above 0, found {n}")
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def clustered_proportion(values: Sequence[float], clusters: Sequence[Hashable], level: float = LEVEL) -> Interval:
    """Wilson's interval at the effective sample size: n over the design effect 1 + (m - 1) * ICC, with the intraclass
    correlation ICC from a one-way analysis of variance and m the mean cluster size weighted for unequal ones.

    Where all values are equal nothing can be learned about the correlation; it is then taken as 1, that is, each
    cluster counts once. The correlation is itself an estimate from k clusters, so where there are several values to a
    cluster the quantile is Student's with k - 1 degrees of freedom: the normal one covers too little with few."""
    if not values or len(values) != len(clusters):
        raise ValueError(
            f"expected as many clusters as values and at least one, found {len(clusters)} and {len(values)}"
        )
    groups: dict[Hashable, list[float]] = defaultdict(list)
    for value, cluster in zip(values, clusters, strict=True):
        groups[cluster].append(value)
    n = len(values)
    m = sum(len(group) ** 2 for group in groups.values()) / n
    effect = 1 + (m - 1) * intraclass_correlation(list(groups.values()))
    if len(groups) in (1, n):
        return wilson(sum(values) / n, n / effect, level)
    quantile = float(stdtrit(len(groups) - 1, (1 + level) / 2))
    return _score_interval(sum(values) / n, n / effect, quantile)


def intraclass_correlation(groups: Sequence[Sequence[float]]) -> float:
    """ICC(1) by one-way analysis of variance, kept within 0 and 1; 1 where the values do not vary."""
    n, k = sum(len(group) for group in groups), len(groups)
    if k == n:
        return 0.0
    mean = sum(map(sum, groups)) / n
    between = sum(len(group) * (sum(group) / len(group) - mean) ** 2 for group in groups)
    within = sum((value - sum(group) / len(group)) ** 2 for group in groups for value in group)
    if between + within == 0 or k == 1:
        return 1.0
    m0 = (n - sum(len(group) ** 2 for group in groups) / n) / (k - 1)
    ms_between, ms_within = between / (k - 1), within / (n - k)
    return min(1.0, max(0.0, (ms_between - ms_within) / (ms_between + (m0 - 1) * ms_within)))
