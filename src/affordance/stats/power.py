"""How large a difference the data can tell, and how much more data a decision would need.

Both take the difference as normal with the standard error given, which shrinks with the root of the number of items:
new items are to be like those that are there, in clusters of the same sizes, asked as often.
"""

import math
from statistics import NormalDist

from affordance.core.deferred import special
from affordance.stats.intervals import CONFIDENCE_LEVEL

POWER = 0.8
# A difference below this is none: beyond all numbers of items that anybody has.
MIN_DIFFERENCE = 1e-9


def minimum_detectable_difference(
    error: float, power: float = POWER, level: float = CONFIDENCE_LEVEL, clusters: int | None = None
) -> float:
    """The smallest true difference that a two-sided test at the level finds with this power. With the number of
    clusters that the error is from, quantiles are Student's. For one of many comparisons give the level that correction
    leaves."""
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
    """How many items in all, where `n` gave this difference with this standard error, a test would need to find it with
    this power, if the true difference is the one that was found. It may be less than n. None for no difference: no
    number is enough. It is as unsure as the difference is, so it is a size to plan with and not a promise."""
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
