"""Comparison of two sides on the same questions: the difference, its interval and its significance."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

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
SCORE_RANGE = 1.0  # scores are between 0 and 1


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The first minus the second, over `n` pairs of values.

    Attributes:
        interval: Student's over clusters. None with one cluster, and if all differences are equal. It ends at the
            largest possible difference if the range of values is known.
        p: Of the test that `test` names: McNemar's if all cluster means are -1, 0 or 1, else Wilcoxon's.
        sign_flip: The p of the permutation test of the mean difference.
        error: The standard error, from the sums over clusters.
        effect: Of the test: above 0.5 if it favours the first; None if nothing differs.
        wins, losses, ties: Pairs, from the view of the first.
    """

    difference: float
    interval: Interval | None
    p: float
    test: str
    sign_flip: float
    error: float | None
    n: int
    clusters: int
    effect: float | None
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
    """Compares two lists of values of the same questions, in the same order. For many comparisons over the same
    clusters `PairedComparison` is faster.

    Args:
        clusters: What each value was sampled with: trials of an item and items of a screen share a cluster.
        value_range: The largest possible difference of two values.
    """
    return PairedComparison(clusters, seed=seed, level=level, value_range=value_range).compare(first, second)


class PairedComparison:
    """Comparisons over the same clusters, which share their random signs."""

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
    """The test of the mean differences of clusters, which are independent, and its name."""
    if np.isin(means, (-1.0, 0.0, 1.0)).all():
        return mcnemar_test(int((means == 1).sum()), int((means == -1).sum())), MCNEMAR_NAME
    return wilcoxon_test(means), WILCOXON_NAME
