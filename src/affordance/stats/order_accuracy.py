"""Accuracy by option order, and the answer patterns of pairs behind it."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affordance.stats.intervals import CONFIDENCE_LEVEL, IntervalEstimate, clustered_mean
from affordance.stats.position_bias import FIRST, MISSING, NONE, SECOND, ChoiceArray, OrderedChoice, choice_array

ROUNDING = 1.5e-4  # of sums of shares that are published in percent with two decimals


@dataclass(frozen=True, slots=True)
class OrderAccuracy:
    """The mean share over trials with its interval over groups of pairs, the mean count, and the sample deviations of
    both over trials, which are None for a single trial."""

    share: IntervalEstimate
    deviation: float | None
    count: float
    count_deviation: float | None


@dataclass(frozen=True, slots=True)
class OrderAccuracies:
    """Accuracy with the winner first, with the winner second, over both, and of pairs correct in both orders."""

    first: OrderAccuracy
    second: OrderAccuracy
    average: OrderAccuracy
    consistent: OrderAccuracy
    pairs: int
    trials: int


@dataclass(frozen=True, slots=True)
class PairPatterns:
    """Shares of the ways to answer a pair in its two orders, which sum to one: the winner twice, the loser twice, the
    first position twice, the second position twice, or with at least one unparsed response."""

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
    """Answer patterns derived from three published accuracies. Unparsed responses, which are not published, are among
    the other patterns."""

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
        """The share of choices of the first position; 0.5 is no bias."""
        return 0.5 + (self.first - self.second) / 2

    @property
    def chance(self) -> float:
        return consistent_accuracy_by_chance(self.first_share)


def patterns_from_published(first: float, second: float, consistent: float) -> PublishedPatterns:
    """The answer patterns behind the accuracies with the winner first, with the winner second, and in both orders. They
    are linear in the three, so means over runs may be given."""
    raw = (consistent, 1 - first - second + consistent, first - consistent, second - consistent)
    if min(raw) < -ROUNDING or max(first, second, consistent) > 1:
        raise ValueError(
            "expected accuracies from 0 to 1 with the consistent one at most the smaller and at least their sum less "
            f"one, found first {first}, second {second}, consistent {consistent}"
        )
    return PublishedPatterns(*(min(1.0, max(0.0, share)) for share in raw))


def consistent_accuracy_by_chance(first_share: float) -> float:
    """The consistent accuracy of a model that chooses the first position at random with this probability: it must
    choose the first in one order and the second in the other. It is at most 0.25."""
    return first_share * (1 - first_share)


def order_accuracies(
    choices: Iterable[OrderedChoice] | ChoiceArray, level: float = CONFIDENCE_LEVEL
) -> OrderAccuracies:
    """The accuracies over the pairs with both orders in a trial; unparsed responses are wrong. The counts of `average`
    are out of two for each pair."""
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
    """The shares of answer patterns: each pair has one in each trial with both orders; trials are averaged, then pairs.
    So `both_correct` is the consistent accuracy."""
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
    """The pairs with both orders in at least one trial, without the trials that lack an order."""
    table = answers if isinstance(answers, ChoiceArray) else choice_array(answers)
    both = (table.chosen != MISSING).all(axis=1)
    kept = both.any(axis=1)
    if not kept.any():
        raise ValueError("expected at least one pair with responses in both orders of a trial, found none")
    chosen = np.where(both[:, None, :], table.chosen, np.int8(MISSING))
    return chosen[kept][:, :, both.any(axis=0)], table.groups[kept]


def _mean_by_pair(values: NDArray[np.float64], there: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.asarray((values * there).sum(axis=1) / there.sum(axis=1), dtype=np.float64)
