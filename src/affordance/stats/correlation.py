"""Whether two rankings of the same things go together."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from affordance.core.deferred import special
from affordance.stats.paired_tests import TOLERANCE, Values, finite_array, midranks

# 8! are 40,320 orders; one more would be nine times as many.
MAX_EXACT_RANKS = 8


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """From -1 to 1, and the two-sided p of no correlation; both None where there is nothing to rank. `exact` says that
    p is from all orders, not from Student's distribution."""

    rho: float | None
    p: float | None
    n: int
    exact: bool


def spearman(first: Sequence[float], second: Sequence[float]) -> RankCorrelation:
    """Spearman's rank correlation: Pearson's, of the ranks, where values that tie share the mean of theirs. Undefined
    with fewer than three couples, and where all values of one side tie."""
    if len(first) != len(second):
        raise ValueError(f"expected as many values on either side, found {len(first)} and {len(second)}")
    n = len(first)
    exact = n <= MAX_EXACT_RANKS
    if n < 3:
        return RankCorrelation(None, None, n, exact)
    one, other = (midranks(finite_array(side, "values")) - (n + 1) / 2 for side in (first, second))
    size = math.sqrt(float(one @ one) * float(other @ other))
    if size == 0:
        return RankCorrelation(None, None, n, exact)
    rho = max(-1.0, min(1.0, float(one @ other) / size))
    return RankCorrelation(rho, _exact_p(one, other, rho * size) if exact else _t_distribution_p(rho, n), n, exact)


def _exact_p(one: Values, other: Values, product: float) -> float:
    """Of all orders of one side, the share with a correlation at least as strong."""
    return float((np.abs(one[_permutations(len(one))] @ other) >= abs(product) - TOLERANCE).mean())


def _t_distribution_p(rho: float, n: int) -> float:
    if abs(rho) == 1:
        return 0.0
    return 2 * float(special.stdtr(n - 2, -abs(rho) * math.sqrt((n - 2) / (1 - rho * rho))))


@lru_cache(maxsize=MAX_EXACT_RANKS)
def _permutations(n: int) -> NDArray[np.intp]:
    return np.array(list(itertools.permutations(range(n))), dtype=np.intp)
