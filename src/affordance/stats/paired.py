"""Differences between two measurements on the same things."""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence

from scipy.special import stdtrit

from affordance.stats.intervals import LEVEL, Interval


def paired_difference(
    differences: Sequence[float], clusters: Sequence[Hashable], level: float = LEVEL
) -> tuple[float, Interval | None]:
    """The mean of differences within pairs, and its interval: differences of one cluster are not independent, so the
    variance is that of the sums over clusters, and the quantile Student's with one degree of freedom less than there
    are clusters. None with fewer than two clusters, and where all differences are equal: that tells nothing about how
    much they vary."""
    if not differences or len(differences) != len(clusters):
        raise ValueError(
            f"expected as many clusters as differences and at least one, found {len(clusters)} and {len(differences)}"
        )
    n = len(differences)
    mean = sum(differences) / n
    sums: dict[Hashable, float] = defaultdict(float)
    for difference, cluster in zip(differences, clusters, strict=True):
        sums[cluster] += difference - mean
    k = len(sums)
    if k < 2 or max(differences) == min(differences):
        return mean, None
    error = math.sqrt(k / (k - 1) * sum(total * total for total in sums.values())) / n
    half = float(stdtrit(k - 1, (1 + level) / 2)) * error
    return mean, (mean - half, mean + half)
