"""Tests of a difference, all two-sided: paired outcomes, paired scores, two samples; and many tests at once.

They take what they are given as independent: differences of one clip or screen are to be averaged before.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from affordance.core.deferred import special

Values = NDArray[np.float64]

# Values closer than this are ties: means of scores that are equal on paper differ in the last bits.
TOLERANCE = 1e-9
# Up to these sizes the exact distribution costs some hundredths of a second. With few different scores it is worth it:
# rank sums lie far apart then, and the normal one, corrected by one half, gives too small a p.
MAX_EXACT_STEPS = 10_000_000  # of adding one rank to one sum: 200 differences without zeros
MAX_EXACT_PAIRS = 2500


@dataclass(frozen=True, slots=True)
class TestResult:
    """What a test found. `n` is what it rests on: the pairs that differ, or all values of two samples. `effect` is
    between 0 and 1, with 0.5 for no difference and 1 for all in favour of the first; None where nothing differs.
    `exact` says that `p` is from the exact distribution, not from the normal one."""

    statistic: float
    p: float
    n: int
    effect: float | None
    exact: bool


def mcnemar_test(b: int, c: int) -> TestResult:
    """McNemar's exact test, of the `b` pairs where only the first is right against the `c` where only the second is.
    The statistic is b, the effect its share of the pairs that differ. Where none differ p is 1."""
    if not (isinstance(b, Integral) and isinstance(c, Integral) and min(b, c) >= 0):
        raise ValueError(f"expected two counts of pairs that differ, found {b} and {c}")
    b, c = int(b), int(c)
    n = b + c
    if n == 0:
        return TestResult(0.0, 1.0, 0, effect=None, exact=True)
    return TestResult(float(b), min(1.0, 2 * float(special.bdtr(min(b, c), n, 0.5))), n, effect=b / n, exact=True)


def wilcoxon_test(differences: Sequence[float] | Values) -> TestResult:
    """Wilcoxon's signed-rank test of paired scores, first minus second, with Pratt's way of treating zeros: they are
    ranked with the others, then left out. The statistic is the sum of the ranks of positive differences, the effect
    its share of the sum of all ranks left. Where all are zero p is 1.

    Where that takes at most `EXACT_STEPS` p is exact, with ties too: each rank has either sign with the same chance.
    Beyond, it is from the normal distribution, corrected for ties and continuity."""
    values = finite_array(differences, "differences")
    values[np.abs(values) <= TOLERANCE] = 0.0
    ranks = midranks(np.abs(values))[values != 0]
    if not len(ranks):
        return TestResult(0.0, 1.0, 0, effect=None, exact=True)
    total, positive = float(ranks.sum()), float(ranks[values[values != 0] > 0].sum())
    exact = len(ranks) * 2 * total <= MAX_EXACT_STEPS
    if exact:
        p = 2 * _signed_ranks_tail(ranks, min(positive, total - positive))
    else:
        p = _normal_p(positive - total / 2, float(ranks @ ranks) / 4)
    return TestResult(positive, min(1.0, p), len(ranks), effect=positive / total, exact=exact)


def mann_whitney_test(first: Sequence[float], second: Sequence[float]) -> TestResult:
    """Mann and Whitney's U test of two samples that are not paired. The statistic is the number of couples, one value
    of each sample, in which that of the first is higher, ties counting half; the effect is their share.

    Without ties and up to `EXACT_COUPLES` couples p is exact. Otherwise it is from the normal distribution, corrected
    for ties and continuity. Where all values are equal it is 1."""
    one, other = finite_array(first, "values of the first sample"), finite_array(second, "values of the second sample")
    m, k = len(one), len(other)
    ranks = midranks(np.concatenate([one, other]))
    u = float(ranks[:m].sum()) - m * (m + 1) / 2
    exact = m * k <= MAX_EXACT_PAIRS and len(np.unique(ranks)) == m + k
    if exact:
        p = 2 * sum(_count_orderings(m, k)[: round(min(u, m * k - u)) + 1]) / math.comb(m + k, m)
    else:
        p = _normal_p(u - m * k / 2, m * k / (m + k - 1) * float(ranks.var()))
    return TestResult(u, min(1.0, p), m + k, effect=u / (m * k), exact=exact)


def holm_adjust(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given: compared to a level, they keep the chance of any false alarm in
    the whole family below it. The family is all tests that were planned, not those that are shown."""
    for p in p_values:
        if not 0 <= p <= 1:
            raise ValueError(f"expected p-values between 0 and 1, found {p}")
    adjusted, largest = [0.0] * len(p_values), 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        largest = max(largest, (len(p_values) - place) * p_values[index])
        adjusted[index] = min(1.0, largest)
    return adjusted


def midranks(values: Values) -> Values:
    """Ranks from 1; values that tie share the mean of their ranks, a multiple of one half."""
    order = np.argsort(values, kind="stable")
    apart = np.diff(values[order], prepend=-np.inf) > TOLERANCE
    group = np.cumsum(apart) - 1
    sizes = np.bincount(group)
    ranks = np.empty(len(values))
    ranks[order] = (np.cumsum(sizes) - (sizes - 1) / 2)[group]
    return ranks


def finite_array(values: Sequence[float] | Values, what: str) -> Values:
    found = np.array(values, dtype=np.float64)
    if not found.size or found.ndim != 1:
        raise ValueError(f"expected a list of {what} and at least one, found the shape {found.shape}")
    if not np.isfinite(found).all():
        raise ValueError(f"expected finite {what}, found {found[~np.isfinite(found)][0]}")
    return found


def _signed_ranks_tail(ranks: Values, limit: float) -> float:
    """P(sum of positive ranks <= limit). Ranks are doubled, since midranks are multiples of one half; sums beyond the
    limit never come back below it and are not kept."""
    chances = np.zeros(round(2 * limit) + 1)
    chances[0] = 1.0
    for rank in np.rint(2 * ranks).astype(int):
        moved = chances[: max(0, len(chances) - rank)].copy()
        chances[rank:] += moved
        chances /= 2
    return float(chances.sum())


def _count_orderings(m: int, k: int) -> list[int]:
    """In how many orders of m and k values the first is higher in 0, 1, ... m * k couples: the coefficients of the
    Gaussian binomial, the product of (1 - q^(k + i)) / (1 - q^i) for i up to m. Whole numbers, so nothing cancels."""
    m, k = min(m, k), max(m, k)
    ways = [1] + [0] * (m * k)
    for i in range(1, m + 1):
        for at in range(m * k, k + i - 1, -1):
            ways[at] -= ways[at - k - i]
        for at in range(i, m * k + 1):
            ways[at] += ways[at - i]
    return ways


def _normal_p(distance: float, variance: float) -> float:
    """Two-sided, with the continuity correction of one half."""
    if variance == 0:
        return 1.0
    return math.erfc(max(0.0, abs(distance) - 0.5) / math.sqrt(2 * variance))
