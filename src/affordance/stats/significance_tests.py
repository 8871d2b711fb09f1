"""Significance tests, all two-sided: McNemar, Wilcoxon, Mann-Whitney, sign flip, Spearman; Holm's adjustment."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from affordance.core.deferred import special
from affordance.stats.bootstrap import MAX_CLUSTERS, merge_clusters

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


Whole = NDArray[np.int64]

N_DRAWS = 9999
# Sums of right and wrong, of halves, thirds, fifths... are whole in one of these parts.
MAX_PARTS = 60
# Up to this sum of whole parts the exact distribution costs a hundredth of a second.
MAX_EXACT_SUM = 5000
# Up to this number of clusters that differ, all combinations of signs are fewer than the draws.
MAX_EXACT_CLUSTERS = 13
# Totals are compared with each other, beyond their rounding.
ROUNDING_TOLERANCE = 1e-9
SIGNS_PER_BYTE = 8


def sign_flip_test(sums: Values, draws: Callable[[], Values]) -> float:
    """The two-sided p of sums of differences, one to each cluster: how often their total is at least as far from 0 when
    the sign of each is drawn. It is exact where the sums are whole in a common unit, as those of right and wrong are,
    and where few differ from 0; else from the totals in `DRAWS` draws (those of `Flips`), what was found being one
    more of them."""
    sums = sums[np.abs(sums) > TOLERANCE]
    whole = _whole_multiples(sums)
    if whole is not None:
        return _whole_p(np.abs(whole), abs(int(whole.sum())))
    total, slack = abs(float(sums.sum())), ROUNDING_TOLERANCE * float(np.abs(sums).sum())
    if len(sums) <= MAX_EXACT_CLUSTERS:
        return float((np.abs(_signs(len(sums)) @ sums) >= total - slack).mean())
    return (int((np.abs(draws()) >= total - slack).sum()) + 1) / (N_DRAWS + 1)


class RandomSigns:
    """Random signs for a number of clusters, drawn once for all comparisons over them. Eight signs are one byte, and
    what each byte adds up to is looked up: a float for each sign would need a hundred times the memory."""

    def __init__(self, clusters: int, seed: int) -> None:
        self._seed = seed
        self._blocks = math.ceil(min(clusters, MAX_CLUSTERS) / SIGNS_PER_BYTE)
        draw = np.random.default_rng([seed, clusters, N_DRAWS])
        self._bytes = draw.integers(0, 2**SIGNS_PER_BYTE, (N_DRAWS, self._blocks), dtype=np.uint8)

    def totals(self, sums: Values) -> Values:
        """Of the sums of clusters, in each draw. Linear: the totals of differences are the differences of totals."""
        merged = merge_clusters(sums, self._seed)
        padded = np.zeros(self._blocks * SIGNS_PER_BYTE)
        padded[: len(merged)] = merged
        table = _signs(SIGNS_PER_BYTE) @ padded.reshape(self._blocks, SIGNS_PER_BYTE).T
        return np.asarray(table[self._bytes, np.arange(self._blocks)].sum(axis=1))


def _whole_multiples(sums: Values) -> Whole | None:
    """In the largest unit of which all are multiples; None where there is none among the parts of 1, or the sum is too
    large for the exact distribution."""
    for parts in range(1, MAX_PARTS + 1):
        whole = np.rint(sums * parts)
        if np.abs(sums * parts - whole).max(initial=0.0) <= TOLERANCE * parts:
            found = whole.astype(np.int64)
            found //= max(1, int(np.gcd.reduce(found)))
            return found if np.abs(found).sum() <= MAX_EXACT_SUM else None
    return None


def _whole_p(sizes: Whole, total: int) -> float:
    """P(|total with random signs| >= total). The sizes that get a plus then sum up to at most (all - total) / 2, or to
    at least as much as is left; those of one size that do are binomial. Sums beyond the limit never come back."""
    limit = (int(sizes.sum()) - total) // 2
    chances = np.ones(1)
    for size, count in zip(*np.unique(sizes, return_counts=True), strict=True):
        pluses = np.arange(min(count, limit // size) + 1)
        ways = special.gammaln(count + 1) - special.gammaln(pluses + 1) - special.gammaln(count - pluses + 1)
        kernel = np.zeros(int(pluses[-1] * size) + 1)
        kernel[::size] = np.exp(ways - count * math.log(2))
        chances = np.convolve(chances, kernel)[: limit + 1]
    return min(1.0, 2 * float(chances.sum()))


@lru_cache(maxsize=MAX_EXACT_CLUSTERS + 1)
def _signs(number: int) -> Values:
    """All combinations of so many signs, one to a row."""
    bits = np.arange(2**number)[:, None] >> np.arange(number) & 1
    return np.asarray(1.0 - 2.0 * bits)


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
