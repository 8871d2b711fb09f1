"""Power analysis: the smallest difference that the data can detect, and the items that a decision needs.

Both treat the difference as normal with the given standard error, which shrinks with the root of the number of items:
new items are assumed to be like the existing ones, in clusters of the same sizes and with as many trials.
"""

import math
from statistics import NormalDist

from affordance.stats.intervals import CONFIDENCE_LEVEL

POWER = 0.8
MIN_DIFFERENCE = 1e-9  # smaller ones count as none: no dataset is large enough


def minimum_detectable_difference(
    error: float, power: float = POWER, level: float = CONFIDENCE_LEVEL, clusters: int | None = None
) -> float:
    """The smallest true difference that a two-sided test at the level detects with this power (Bloom 1995).

    Args:
        level: For one of many comparisons, the level after correction.
        clusters: The number of clusters that the error is estimated from; quantiles are then Student's.
    """
    from scipy import special

    _check(error, power, level)
    ends = (1 + level) / 2, power
    if clusters is None:
        return sum(NormalDist().inv_cdf(end) for end in ends) * error
    return sum(float(special.stdtrit(max(1, clusters - 1), end)) for end in ends) * error


def required_items(
    difference: float,
    error: float,
    n: int,
    power: float = POWER,
    level: float = CONFIDENCE_LEVEL,
    clusters: int | None = None,
) -> int | None:
    """The number of items that a test needs to detect the observed difference with this power, if it is the true one.
    It is as uncertain as the difference itself, so use it for planning.

    Args:
        error: The standard error of the difference with `n` items.

    Returns:
        The number of all items, which may be less than `n`; None without a difference.
    """
    if n < 1:
        raise ValueError(f"expected at least one item, found {n}")
    smallest = minimum_detectable_difference(error, power, level, clusters)
    if abs(difference) < MIN_DIFFERENCE:
        return None
    return max(1, math.ceil(n * (smallest / difference) ** 2))


def _check(error: float, power: float, level: float) -> None:
    if not (math.isfinite(error) and error >= 0):
        raise ValueError(f"expected a standard error of at least 0, found {error}")
    if not (0.5 <= power < 1 and 0 < level < 1):
        raise ValueError(f"expected a power from 0.5 to 1 and a level from 0 to 1, found {power} and {level}")
