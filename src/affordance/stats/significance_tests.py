"""Significance tests, all two-sided: McNemar, Wilcoxon, Mann-Whitney, sign flip, Spearman; Holm's adjustment."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from affordance.stats.bootstrap import MAX_CLUSTERS, merge_clusters

Values = NDArray[np.float64]
Whole = NDArray[np.int64]

TOLERANCE = 1e-9  # closer values are ties: means of equal scores differ in the last bits
# Up to these sizes the exact distribution takes some hundredths of a second. It matters for few different scores: rank
# sums are far apart then, and the normal distribution gives too small a p.
MAX_EXACT_STEPS = 10_000_000  # additions of one rank to one sum: 200 differences without zeros
MAX_EXACT_PAIRS = 2500
MAX_EXACT_RANKS = 8  # 8! are 40,320 orders
N_DRAWS = 9999  # of random signs
MAX_PARTS = 60  # sums of halves, thirds, fifths... are whole multiples of one of these parts
MAX_EXACT_SUM = 5000  # of whole parts, for which the exact distribution takes a hundredth of a second
MAX_EXACT_CLUSTERS = 13  # that differ: all combinations of signs are fewer than the draws
ROUNDING_TOLERANCE = 1e-9  # relative, between two totals
SIGNS_PER_BYTE = 8


@dataclass(frozen=True, slots=True)
class TestResult:
    """The result of a two-sided test.

    Attributes:
        n: The pairs that differ, or all values of two samples.
        effect: The common language effect size, from 0 to 1: 0.5 for no difference, 1 if all favour the first. None if
            nothing differs.
        exact: Whether `p` is from the exact distribution and not from the normal approximation.
    """

    statistic: float
    p: float
    n: int
    effect: float | None
    exact: bool


def mcnemar_test(b: int, c: int) -> TestResult:
    """McNemar's exact test (McNemar 1947) of `b` pairs in which only the first is correct and `c` in which only the
    second is. The statistic is b, the effect b / (b + c); p is 1 if no pairs differ."""
    from scipy import special

    if not (isinstance(b, Integral) and isinstance(c, Integral) and min(b, c) >= 0):
        raise ValueError(f"expected two counts of pairs that differ, found {b} and {c}")
    b, c = int(b), int(c)
    n = b + c
    if n == 0:
        return TestResult(0.0, 1.0, 0, effect=None, exact=True)
    return TestResult(float(b), min(1.0, 2 * float(special.bdtr(min(b, c), n, 0.5))), n, effect=b / n, exact=True)


def wilcoxon_test(differences: Sequence[float] | Values) -> TestResult:
    """Wilcoxon's signed-rank test of paired differences with Pratt's treatment of zeros (Pratt 1959): they are ranked
    with the others and then left out.

    The statistic is the sum of the ranks of positive differences, the effect its share of the sum of all ranks that are
    left; p is 1 if all differences are zero. Up to `MAX_EXACT_STEPS`, p is exact with ties too; `scipy.stats.wilcoxon`
    ignores them in its exact distribution. Beyond, it is from the normal distribution, corrected for ties and
    continuity."""
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
    """Mann and Whitney's U test of two independent samples (Mann and Whitney 1947).

    The statistic is the number of pairs, one value of each sample, in which that of the first is higher; ties count
    one half. The effect is their share. Without ties and up to `MAX_EXACT_PAIRS` pairs p is exact; else it is from the
    normal distribution, corrected for ties and continuity. It is 1 if all values are equal."""
    from scipy.stats import mannwhitneyu

    one, other = finite_array(first, "values of the first sample"), finite_array(second, "values of the second sample")
    m, k = len(one), len(other)
    ranks = midranks(np.concatenate([one, other]))  # with our tolerance of ties
    distinct = len(np.unique(ranks))
    exact = m * k <= MAX_EXACT_PAIRS and distinct == m + k
    if distinct == 1:
        return TestResult(m * k / 2, 1.0, m + k, effect=0.5, exact=exact)
    found = mannwhitneyu(ranks[:m], ranks[m:], method="exact" if exact else "asymptotic")
    u = float(found.statistic)
    return TestResult(u, float(found.pvalue), m + k, effect=u / (m * k), exact=exact)


def holm_adjust(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values in the given order (Holm 1979). Compared to a level, they keep the probability of any
    false positive in the family below it. The family is all planned tests, not those that are shown."""
    for p in p_values:
        if not 0 <= p <= 1:
            raise ValueError(f"expected p-values between 0 and 1, found {p}")
    adjusted, largest = [0.0] * len(p_values), 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        largest = max(largest, (len(p_values) - place) * p_values[index])
        adjusted[index] = min(1.0, largest)
    return adjusted


def midranks(values: Values) -> Values:
    """Ranks from 1; values that tie (see `TOLERANCE`) get the mean of their ranks, a multiple of one half."""
    order = np.argsort(values, kind="stable")
    apart = np.diff(values[order], prepend=-np.inf) > TOLERANCE
    group = np.cumsum(apart) - 1
    sizes = np.bincount(group)
    ranks = np.empty(len(values))
    ranks[order] = (np.cumsum(sizes) - (sizes - 1) / 2)[group]
    return ranks


def finite_array(values: Sequence[float] | Values, what: str) -> Values:
    """The values as a new array; ValueError if they are empty or not finite."""
    found = np.array(values, dtype=np.float64)
    if not found.size or found.ndim != 1:
        raise ValueError(f"expected a list of {what} and at least one, found the shape {found.shape}")
    if not np.isfinite(found).all():
        raise ValueError(f"expected finite {what}, found {found[~np.isfinite(found)][0]}")
    return found


def _signed_ranks_tail(ranks: Values, limit: float) -> float:
    """P(sum of positive ranks <= limit). Ranks are doubled, since midranks are multiples of one half. Sums above the
    limit are not kept, as they never return below it."""
    chances = np.zeros(round(2 * limit) + 1)
    chances[0] = 1.0
    for rank in np.rint(2 * ranks).astype(int):
        moved = chances[: max(0, len(chances) - rank)].copy()
        chances[rank:] += moved
        chances /= 2
    return float(chances.sum())


def _normal_p(distance: float, variance: float) -> float:
    """The two-sided p with a continuity correction of one half."""
    if variance == 0:
        return 1.0
    return math.erfc(max(0.0, abs(distance) - 0.5) / math.sqrt(2 * variance))


def sign_flip_test(sums: Values, draws: Callable[[], Values]) -> float:
    """The two-sided p of the sign-flip permutation test (Fisher 1935): how often the total of sums over clusters is at
    least as far from 0 if the sign of each is random.

    It is exact if the sums are whole multiples of a common unit, as those of correct and wrong answers are, and if few
    clusters differ; else it is from `N_DRAWS` random draws (see `RandomSigns`), with the observed total as one more."""
    sums = sums[np.abs(sums) > TOLERANCE]
    whole = _whole_multiples(sums)
    if whole is not None:
        return _whole_p(np.abs(whole), abs(int(whole.sum())))
    total, slack = abs(float(sums.sum())), ROUNDING_TOLERANCE * float(np.abs(sums).sum())
    if len(sums) <= MAX_EXACT_CLUSTERS:
        return float((np.abs(_signs(len(sums)) @ sums) >= total - slack).mean())
    return (int((np.abs(draws()) >= total - slack).sum()) + 1) / (N_DRAWS + 1)


class RandomSigns:
    """Random signs of clusters, drawn once for all comparisons of them. One byte holds eight signs and a table their
    sum: an array of floats would need a hundred times the memory."""

    def __init__(self, clusters: int, seed: int) -> None:
        self._seed = seed
        self._blocks = math.ceil(min(clusters, MAX_CLUSTERS) / SIGNS_PER_BYTE)
        draw = np.random.default_rng([seed, clusters, N_DRAWS])
        self._bytes = draw.integers(0, 2**SIGNS_PER_BYTE, (N_DRAWS, self._blocks), dtype=np.uint8)

    def totals(self, sums: Values) -> Values:
        """The total of the sums over clusters in each draw. It is linear in the sums."""
        merged = merge_clusters(sums, self._seed)
        padded = np.zeros(self._blocks * SIGNS_PER_BYTE)
        padded[: len(merged)] = merged
        table = _signs(SIGNS_PER_BYTE) @ padded.reshape(self._blocks, SIGNS_PER_BYTE).T
        return np.asarray(table[self._bytes, np.arange(self._blocks)].sum(axis=1))


def _whole_multiples(sums: Values) -> Whole | None:
    """The sums in their largest common unit; None if no part of 1 is one, or if their total is too large for the exact
    distribution."""
    for parts in range(1, MAX_PARTS + 1):
        whole = np.rint(sums * parts)
        if np.abs(sums * parts - whole).max(initial=0.0) <= TOLERANCE * parts:
            found = whole.astype(np.int64)
            found //= max(1, int(np.gcd.reduce(found)))
            return found if np.abs(found).sum() <= MAX_EXACT_SUM else None
    return None


def _whole_p(sizes: Whole, total: int) -> float:
    """P(|total with random signs| >= total). The sizes with a plus then sum to at most (sum - total) / 2, or to at
    least the rest; the number of pluses among equal sizes is binomial. Sums above the limit are not kept."""
    from scipy import special

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
    """All combinations of signs, one in each row."""
    bits = np.arange(2**number)[:, None] >> np.arange(number) & 1
    return np.asarray(1.0 - 2.0 * bits)


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Spearman's rho from -1 to 1 and its two-sided p; both None if there is nothing to rank. `exact` says that p is
    from all permutations, not from Student's distribution."""

    rho: float | None
    p: float | None
    n: int
    exact: bool


def spearman(first: Sequence[float], second: Sequence[float]) -> RankCorrelation:
    """Spearman's rank correlation: Pearson's correlation of the midranks (Spearman 1904). It is undefined with fewer
    than three pairs and if all values of one side tie. Up to `MAX_EXACT_RANKS` pairs, p is from all permutations."""
    if len(first) != len(second):
        raise ValueError(f"expected as many values on either side, found {len(first)} and {len(second)}")
    n = len(first)
    exact = n <= MAX_EXACT_RANKS
    if n < 3:
        return RankCorrelation(None, None, n, exact)
    # Centred midranks, with our tolerance of ties.
    one, other = (midranks(finite_array(side, "values")) - (n + 1) / 2 for side in (first, second))
    size = math.sqrt(float(one @ one) * float(other @ other))
    if size == 0:
        return RankCorrelation(None, None, n, exact)
    rho = max(-1.0, min(1.0, float(one @ other) / size))
    from scipy.stats import permutation_test, spearmanr

    if exact:

        def strength(permuted: Values, axis: int) -> Values:
            return np.asarray(np.abs((permuted * other).sum(axis=axis)))

        options = {"permutation_type": "pairings", "alternative": "greater", "n_resamples": np.inf}
        p = permutation_test((one,), strength, vectorized=True, **options).pvalue
    else:
        p = spearmanr(one, other).pvalue
    return RankCorrelation(rho, float(p), n, exact)
