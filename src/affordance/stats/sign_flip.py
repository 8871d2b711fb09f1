"""The sign-flip permutation test: if neither side is better, each cluster could as well have come out the other way."""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from affordance.core.deferred import special
from affordance.stats.bootstrap import MAX_CLUSTERS, merge_clusters
from affordance.stats.paired_tests import TOLERANCE

Values = NDArray[np.float64]
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
