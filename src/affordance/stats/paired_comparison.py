"""Is A better than B on the same questions, by how much, and how sure is that."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from affordance.stats.bootstrap import bootstrap_sums, percentile_interval
from affordance.stats.intervals import (
    CONFIDENCE_LEVEL,
    Interval,
    cluster_indices,
    clustered_standard_error,
    effective_count,
    t_interval,
)
from affordance.stats.significance_tests import (
    TOLERANCE,
    RandomSigns,
    TestResult,
    finite_array,
    mcnemar_test,
    sign_flip_test,
    wilcoxon_test,
)

Values = NDArray[np.float64]

MCNEMAR_NAME = "McNemar's exact test"
WILCOXON_NAME = "Wilcoxon's signed-rank test, Pratt's zeros"
SCORE_RANGE = 1.0  # they lie between 0 and 1


@dataclass(frozen=True, slots=True)
class PairedDifference:
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
    level: float = CONFIDENCE_LEVEL,
    value_range: float = math.inf,
) -> PairedDifference:
    """Two lists of values of the same things, in the same order, with what each was sampled with: trials of an item and
    items of a screen share a cluster. No two values are further apart than `span`. For many comparisons over the same
    clusters `Pairing` is quicker."""
    return PairedComparison(clusters, seed=seed, level=level, value_range=value_range).compare(first, second)


class PairedComparison:
    """What all comparisons over the same things have in common: their clusters, the resamples and the random signs.
    The values of a side are resampled once, whomever it is compared with."""

    def __init__(
        self,
        clusters: Sequence[Hashable],
        *,
        seed: int = 0,
        level: float = CONFIDENCE_LEVEL,
        value_range: float = math.inf,
    ) -> None:
        if not len(clusters):
            raise ValueError("expected the cluster of each pair, and at least one, found none")
        self._index = cluster_indices(clusters)
        self._sizes = self._cluster_sums(np.ones(len(clusters)))
        self._effective_clusters = effective_count(self._sizes)
        self._seed = seed
        self._level = level
        self._value_range = value_range
        self._resampled_sums: dict[bytes, Values] = {}
        self._sign_totals: dict[bytes, Values] = {}

    def compare(self, first: Sequence[float] | Values, second: Sequence[float] | Values) -> PairedDifference:
        one, other = self._check_values(first), self._check_values(second)
        differences = one - other
        differences[np.abs(differences) <= TOLERANCE] = 0.0
        mean, error = float(differences.mean()), clustered_standard_error(differences, self._index)
        sums = self._cluster_sums(differences)
        test, name = _paired_test(sums / self._sizes)
        wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
        return PairedDifference(
            difference=mean,
            interval=self._limit_to_range(t_interval(mean, error, self._effective_clusters, self._level)),
            bootstrap=None if error is None else self._limit_to_range(self._bootstrap_interval(one, other)),
            p=test.p,
            test=name,
            sign_flip=sign_flip_test(sums, lambda: self._total_with_signs(one) - self._total_with_signs(other)),
            error=error,
            n=len(differences),
            clusters=len(sums),
            effect=test.effect,
            wins=wins,
            losses=losses,
            ties=len(differences) - wins - losses,
        )

    def _limit_to_range(self, interval: Interval | None) -> Interval | None:
        return None if interval is None else (max(-self._value_range, interval[0]), min(self._value_range, interval[1]))

    def _bootstrap_interval(self, one: Values, other: Values) -> Interval | None:
        sizes = self._resample(np.ones(len(self._index)))
        return percentile_interval(
            (self._resample(one) - self._resample(other)) / sizes, self._effective_clusters, self._level
        )

    def _resample(self, values: Values) -> Values:
        key = values.tobytes()
        if key not in self._resampled_sums:
            self._resampled_sums[key] = bootstrap_sums(self._cluster_sums(values), self._seed)
        return self._resampled_sums[key]

    def _total_with_signs(self, values: Values) -> Values:
        key = values.tobytes()
        if key not in self._sign_totals:
            self._sign_totals[key] = self._random_signs.totals(self._cluster_sums(values))
        return self._sign_totals[key]

    @cached_property
    def _random_signs(self) -> RandomSigns:
        return RandomSigns(len(self._sizes), self._seed)

    def _cluster_sums(self, values: Values) -> Values:
        return np.asarray(np.bincount(self._index, weights=values), dtype=np.float64)

    def _check_values(self, values: Sequence[float] | Values) -> Values:
        found = finite_array(values, "values")
        if len(found) != len(self._index):
            raise ValueError(f"expected a value for each of {len(self._index)} pairs, found {len(found)}")
        return found


def _paired_test(means: Values) -> tuple[TestResult, str]:
    """Of the mean differences of clusters, which are independent."""
    if np.isin(means, (-1.0, 0.0, 1.0)).all():
        return mcnemar_test(int((means == 1).sum()), int((means == -1).sum())), MCNEMAR_NAME
    return wilcoxon_test(means), WILCOXON_NAME
