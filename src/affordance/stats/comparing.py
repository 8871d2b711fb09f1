"""Is A better than B on the same questions, by how much, and how sure is that."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from affordance.stats.bootstrap import percentiles, resampled
from affordance.stats.intervals import LEVEL, Interval, independent_clusters, numbered
from affordance.stats.paired import clustered_error, student_interval
from affordance.stats.paired_tests import TOLERANCE, Test, finite, mcnemar, wilcoxon
from affordance.stats.sign_flip import Flips, sign_flip

Values = NDArray[np.float64]

MCNEMAR = "McNemar's exact test"
WILCOXON = "Wilcoxon's signed-rank test, Pratt's zeros"
SPAN_OF_SCORES = 1.0  # they lie between 0 and 1


@dataclass(frozen=True, slots=True)
class Paired:
    """The first less the second, over `n` pairs of values in `clusters` clusters, whose values are not independent.

    `interval` is Student's over clusters with the standard `error`, `bootstrap` the one by resampling clusters; all
    three are None with one cluster, and where all differences are equal. Where the span of values is known, intervals
    end at the largest difference that there can be, which few clusters would have them exceed. `p` is that of the
    `test` named, `sign_flip` that of the permutation test of the mean difference. `wins`, `losses` and `ties` of the
    first count pairs."""

    difference: float
    interval: Interval | None
    bootstrap: Interval | None
    p: float
    test: str
    sign_flip: float
    error: float | None
    n: int
    clusters: int
    effect: float | None  # of the test: above 0.5 where it favours the first; None where nothing differs
    wins: int
    losses: int
    ties: int


def compare_paired(
    first: Sequence[float],
    second: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    seed: int = 0,
    level: float = LEVEL,
    span: float = math.inf,
) -> Paired:
    """Two lists of values of the same things, in the same order, with what each was sampled with: trials of an item and
    items of a screen share a cluster. No two values are further apart than `span`. For many comparisons over the same
    clusters `Pairing` is quicker."""
    return Pairing(clusters, seed=seed, level=level, span=span).compare(first, second)


class Pairing:
    """What all comparisons over the same things have in common: their clusters, the resamples and the random signs.
    The values of a side are resampled once, whomever it is compared with."""

    def __init__(
        self, clusters: Sequence[Hashable], *, seed: int = 0, level: float = LEVEL, span: float = math.inf
    ) -> None:
        if not len(clusters):
            raise ValueError("expected the cluster of each pair, and at least one, found none")
        self._index = numbered(clusters)
        self._sizes = self._sums(np.ones(len(clusters)))
        self._independent = independent_clusters(self._sizes)
        self._seed = seed
        self._level = level
        self._span = span
        self._resampled: dict[bytes, Values] = {}
        self._flipped: dict[bytes, Values] = {}

    def compare(self, first: Sequence[float] | Values, second: Sequence[float] | Values) -> Paired:
        one, other = self._checked(first), self._checked(second)
        differences = one - other
        differences[np.abs(differences) <= TOLERANCE] = 0.0
        mean, error = float(differences.mean()), clustered_error(differences, self._index)
        sums = self._sums(differences)
        test, name = _test(sums / self._sizes)
        wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
        return Paired(
            difference=mean,
            interval=self._within(student_interval(mean, error, self._independent, self._level)),
            bootstrap=None if error is None else self._within(self._bootstrap(one, other)),
            p=test.p,
            test=name,
            sign_flip=sign_flip(sums, lambda: self._flip(one) - self._flip(other)),
            error=error,
            n=len(differences),
            clusters=len(sums),
            effect=test.effect,
            wins=wins,
            losses=losses,
            ties=len(differences) - wins - losses,
        )

    def _within(self, interval: Interval | None) -> Interval | None:
        return None if interval is None else (max(-self._span, interval[0]), min(self._span, interval[1]))

    def _bootstrap(self, one: Values, other: Values) -> Interval | None:
        sizes = self._resample(np.ones(len(self._index)))
        return percentiles((self._resample(one) - self._resample(other)) / sizes, self._independent, self._level)

    def _resample(self, values: Values) -> Values:
        key = values.tobytes()
        if key not in self._resampled:
            self._resampled[key] = resampled(self._sums(values), self._seed)
        return self._resampled[key]

    def _flip(self, values: Values) -> Values:
        key = values.tobytes()
        if key not in self._flipped:
            self._flipped[key] = self._flips.totals(self._sums(values))
        return self._flipped[key]

    @cached_property
    def _flips(self) -> Flips:
        return Flips(len(self._sizes), self._seed)

    def _sums(self, values: Values) -> Values:
        return np.asarray(np.bincount(self._index, weights=values), dtype=np.float64)

    def _checked(self, values: Sequence[float] | Values) -> Values:
        found = finite(values, "values")
        if len(found) != len(self._index):
            raise ValueError(f"expected a value for each of {len(self._index)} pairs, found {len(found)}")
        return found


def _test(means: Values) -> tuple[Test, str]:
    """Of the mean differences of clusters, which are independent."""
    if np.isin(means, (-1.0, 0.0, 1.0)).all():
        return mcnemar(int((means == 1).sum()), int((means == -1).sum())), MCNEMAR
    return wilcoxon(means), WILCOXON
