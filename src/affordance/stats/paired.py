"""The standard error of a mean difference over clusters, and the interval that it makes."""

import math

import numpy as np
from numpy.typing import NDArray

from affordance.core.deferred import special
from affordance.stats.intervals import CONFIDENCE_LEVEL, NEGLIGIBLE, Index, Interval, cluster_sum_variance

Values = NDArray[np.float64]


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
