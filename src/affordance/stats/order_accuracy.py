"""Accuracies of choices in both orders, and the shares of pairs that they are made of."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affordance.stats.intervals import CONFIDENCE_LEVEL, IntervalEstimate, clustered_mean
from affordance.stats.position_bias import FIRST, MISSING, NONE, SECOND, ChoiceArray, OrderedChoice, choice_array

ROUNDING = 1.5e-4  # of sums of shares published in percent with two digits


@dataclass(frozen=True, slots=True)
class OrderAccuracy:
    """Over trials: the mean share with its interval over groups of pairs, the mean count, and the sample deviations of
    both over trials, which are None for a single one."""

    share: IntervalEstimate
    deviation: float | None
    count: float
    count_deviation: float | None


@dataclass(frozen=True, slots=True)
class OrderAccuracies:
    """With the winner first, with the winner second, over both, and of pairs that are right in both orders."""

    first: OrderAccuracy
    second: OrderAccuracy
    average: OrderAccuracy
    consistent: OrderAccuracy
    pairs: int
    trials: int


@dataclass(frozen=True, slots=True)
class PairPatterns:
    """How pairs are answered in their two orders, as shares that sum to one: the winner twice, the loser twice, the
    first place twice, the second place twice, or with at least one reply that cannot be read."""

    both_correct: IntervalEstimate
    both_wrong: IntervalEstimate
    first: IntervalEstimate
    second: IntervalEstimate
    unparsed: IntervalEstimate
    pairs: int

    @property
    def inconsistent(self) -> float:
        return self.first.value + self.second.value


@dataclass(frozen=True, slots=True)
class PublishedPatterns:
    """What follows from three published accuracies. `wrong` and the places include replies that could not be read,
    which are not published apart."""

    both_correct: float
    both_wrong: float
    first: float
    second: float

    @property
    def inconsistent(self) -> float:
        return self.first + self.second

    @property
    def consistent(self) -> float:
        return self.both_correct + self.both_wrong

    @property
    def first_share(self) -> float:
        """The share of choices that fall on the first place; 0.5 is no preference."""
        return 0.5 + (self.first - self.second) / 2

    @property
    def chance(self) -> float:
        return consistent_accuracy_by_chance(self.first_share)


def patterns_from_published(first: float, second: float, consistent: float) -> PublishedPatterns:
    """The shares of pairs behind the accuracies with the winner first, with the winner second, and in both orders, all
    between 0 and 1. Holds for a mean over runs too, each of the shares being linear in the three."""
    raw = (consistent, 1 - first - second + consistent, first - consistent, second - consistent)
    if min(raw) < -ROUNDING or max(first, second, consistent) > 1:
        raise ValueError(
            "expected accuracies from 0 to 1 with the consistent one at most the smaller and at least their sum less "
            f"one, found first {first}, second {second}, consistent {consistent}"
        )
    return PublishedPatterns(*(min(1.0, max(0.0, share)) for share in raw))


def consistent_accuracy_by_chance(first_share: float) -> float:
    """The consistent accuracy of a model that picks the first design with this probability and never looks: it must
    pick the first one in one order and the second one in the other. 0.25 at most."""
    return first_share * (1 - first_share)


def order_accuracies(
    choices: Iterable[OrderedChoice] | ChoiceArray, level: float = CONFIDENCE_LEVEL
) -> OrderAccuracies:
    """Each trial over the pairs that have both orders in it, joined by pair; a reply that cannot be read is wrong. The
    counts of `average` are out of two for each pair."""
    chosen, groups = _complete_pairs(choices)
    first, second = chosen[:, 0] == FIRST, chosen[:, 1] == SECOND
    there = chosen[:, 0] != MISSING

    def over_trials(values: NDArray[np.float64], orders: int = 1) -> OrderAccuracy:
        pairs = np.maximum(there.sum(axis=0), 1)
        counts = (values * there).sum(axis=0)
        several = len(counts) > 1
        return OrderAccuracy(
            clustered_mean(_mean_by_pair(values, there), groups, level),
            deviation=float((counts / pairs).std(ddof=1)) if several else None,
            count=float(counts.mean()) * orders,
            count_deviation=float(counts.std(ddof=1)) * orders if several else None,
        )

    return OrderAccuracies(
        over_trials(first.astype(float)),
        over_trials(second.astype(float)),
        over_trials((first.astype(float) + second) / 2, orders=2),
        over_trials((first & second).astype(float)),
        pairs=len(chosen),
        trials=int(there.any(axis=0).sum()),
    )


def pair_patterns(choices: Iterable[OrderedChoice] | ChoiceArray, level: float = CONFIDENCE_LEVEL) -> PairPatterns:
    """Each pair in each trial that has both orders is of one kind; a pair's trials are averaged, then the pairs. So
    `right` is the consistent accuracy, and noise between trials does not hide the kinds."""
    chosen, groups = _complete_pairs(choices)
    one, other = chosen[:, 0], chosen[:, 1]
    there = one != MISSING
    kinds = (
        (one == FIRST) & (other == SECOND),
        (one == SECOND) & (other == FIRST),
        (one == FIRST) & (other == FIRST),
        (one == SECOND) & (other == SECOND),
        (one == NONE) | (other == NONE),
    )
    right, wrong, first, second, unread = (
        clustered_mean(_mean_by_pair(kind.astype(float), there), groups, level) for kind in kinds
    )
    return PairPatterns(right, wrong, first, second, unread, pairs=len(chosen))


def _complete_pairs(answers: Iterable[OrderedChoice] | ChoiceArray) -> tuple[NDArray[np.int8], NDArray[np.intp]]:
    """The pairs with both orders in at least one trial; where one order is missing in a trial, the other goes too."""
    table = answers if isinstance(answers, ChoiceArray) else choice_array(answers)
    both = (table.chosen != MISSING).all(axis=1)
    kept = both.any(axis=1)
    if not kept.any():
        raise ValueError("expected at least one pair with replies in both orders of a trial, found none")
    chosen = np.where(both[:, None, :], table.chosen, np.int8(MISSING))
    return chosen[kept][:, :, both.any(axis=0)], table.groups[kept]


def _mean_by_pair(values: NDArray[np.float64], there: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.asarray((values * there).sum(axis=1) / there.sum(axis=1), dtype=np.float64)
