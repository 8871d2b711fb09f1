"""Choices between two designs that are shown in both orders: skill, position bias and trial noise.

A question is a pair of designs in one order, whose winner is first or second. It is asked in several trials, and each
response chooses the first design, the second, or none that can be parsed. Trials are near copies of each other and
pairs may share an image, so the independent unit is the group of pairs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affordance.stats.intervals import (
    CONFIDENCE_LEVEL,
    IntervalEstimate,
    cluster_indices,
    clustered_mean,
    interval_from_residuals,
)

Position = Literal["first", "second"]
Values = NDArray[np.float64]

POSITIONS: tuple[Position, Position] = ("first", "second")
FIRST, SECOND, NONE, MISSING = 1, 2, 0, -1
_CODES = {"first": FIRST, "second": SECOND, None: NONE}


@dataclass(frozen=True, slots=True)
class OrderedChoice:
    """The choice of one scored response; failed attempts have none. Pairs of one `group` are dependent."""

    pair: str
    group: str
    winner_position: Position
    trial: int
    chosen_position: Position | None


@dataclass(frozen=True, slots=True)
class ChoiceArray:
    """Codes of choices by pair, position of the winner and trial, and the number of each pair's group."""

    chosen: NDArray[np.int8]
    groups: NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class PositionBias:
    """The result of `position_bias`. Excluded pairs have no response in one of the orders."""

    skill: IntervalEstimate
    first_share: IntervalEstimate | None
    noise: IntervalEstimate | None
    pairs: int
    groups: int
    excluded_pairs: int


@dataclass(frozen=True, slots=True)
class PairPreference:
    """Which of two designs a model prefers: the probability that it is A, and posterior means, averaged over the
    orders, of the share of responses that choose A and of those that choose the first position."""

    probability: float
    share: float
    first_share: float


def position_bias(choices: Iterable[OrderedChoice] | ChoiceArray, level: float = CONFIDENCE_LEVEL) -> PositionBias:
    """Skill, position bias and trial noise of one model. For a pair and an order, p is the probability of a response:

    - `skill`: p(winner), averaged over both orders, then over pairs. Unparsed responses are wrong. It is the average
      accuracy, and 0.5 for a model that chooses by position only.
    - `first_share`: p(first) among parsed responses, over pairs for each order, then averaged over both orders; 0.5 is
      no bias. As orders are averaged last, neither skill nor more unparsed responses in one order change it. None if
      an order has no parsed response.
    - `noise`: p(two trials of a question end differently), where unparsed is one way to end; averaged over questions
      with two or more trials, and independent of their number. None without such questions.

    Pairs count equally, and only those with responses in both orders. Intervals are those of `clustered_mean`."""
    table = choices if isinstance(choices, ChoiceArray) else choice_array(choices)
    there = np.asarray((table.chosen != MISSING).any(axis=2).all(axis=1))
    chosen, groups = table.chosen[there], table.groups[there]
    if not len(chosen):
        raise ValueError("expected at least one pair with responses in both orders, found none")
    right = np.stack([chosen[:, 0] == FIRST, chosen[:, 1] == SECOND], axis=1)
    skill = _share_of_trials(right, chosen).mean(axis=1)
    return PositionBias(
        clustered_mean(skill, groups, level),
        _first_share(chosen, groups, level),
        _trial_noise(chosen, groups, level),
        pairs=len(chosen),
        groups=len(np.unique(groups)),
        excluded_pairs=len(there) - len(chosen),
    )


def identical_pair_control(
    choices: Iterable[OrderedChoice] | ChoiceArray, level: float = CONFIDENCE_LEVEL
) -> IntervalEstimate | None:
    """The share of the first position on pairs of two identical images, where nothing else distinguishes them. Which of
    the two is called the winner does not matter. None without a parsed response."""
    table = choices if isinstance(choices, ChoiceArray) else choice_array(choices)
    chosen = table.chosen.reshape(len(table.chosen), 1, -1)
    return _first_share(chosen, table.groups, level)


def pair_preference(first_order: tuple[int, int], second_order: tuple[int, int]) -> PairPreference:
    """Which of two designs a model prefers, with position bias removed by averaging both orders: A is preferred if
    p(A | A first) + p(A | A second) > 1, that is, if A in first position is chosen more often than B in first position.

    Each p has a uniform prior: few trials never give certainty, and choosing one position always gives exactly one
    half. It is confidence in the model's preference, not in how people will act.

    Args:
        first_order: Responses for A and for B with A shown first; unparsed ones are left out.
        second_order: The same with A shown second.
    """
    for wins in (first_order, second_order):
        if min(wins) < 0:
            raise ValueError(f"expected counts of responses for A and for B, found {wins}")
    a_first, b_second = first_order[0] + 1, first_order[1] + 1
    a_second, b_first = second_order[0] + 1, second_order[1] + 1
    shown_first, shown_second = a_first / (a_first + b_second), a_second / (a_second + b_first)
    return PairPreference(
        _probability_beta_exceeds(a_first, b_second, b_first, a_second),
        share=(shown_first + shown_second) / 2,
        first_share=(shown_first + 1 - shown_second) / 2,
    )


def choice_array(choices: Iterable[OrderedChoice]) -> ChoiceArray:
    """Choices as an array, joined by pair, order and trial. Pairs are sorted by name."""
    found: dict[tuple[str, Position, int], int] = {}
    group_of: dict[str, str] = {}
    for answer in choices:
        key = answer.pair, answer.winner_position, answer.trial
        if key in found:
            raise ValueError(f"expected one answer to each pair, order and trial, found two to {key}")
        if group_of.setdefault(answer.pair, answer.group) != answer.group:
            raise ValueError(f"expected each pair in one group, found {answer.pair!r} in two")
        found[key] = _CODES[answer.chosen_position]
    pairs = {name: row for row, name in enumerate(sorted(group_of))}
    trials = {number: place for place, number in enumerate(sorted({trial for _, _, trial in found}))}
    chosen = np.full((len(pairs), 2, len(trials)), MISSING, dtype=np.int8)
    for (pair, winner, trial), code in found.items():
        chosen[pairs[pair], POSITIONS.index(winner), trials[trial]] = code
    numbers = {name: number for number, name in enumerate(sorted(set(group_of.values())))}
    return ChoiceArray(chosen, np.array([numbers[group_of[pair]] for pair in pairs], dtype=np.intp))


def _first_share(chosen: NDArray[np.int8], groups: NDArray[np.intp], level: float) -> IntervalEstimate | None:
    """The mean of the ratios of both orders; the residuals are those of the linearised ratios."""
    first = _share_of_trials(chosen == FIRST, chosen)
    read = _share_of_trials((chosen == FIRST) | (chosen == SECOND), chosen)
    reads = read.mean(axis=0)
    if not reads.all():
        return None
    shares = first.mean(axis=0) / reads
    residuals = ((first - shares * read) / reads).mean(axis=1)
    value = float(shares.mean())
    return IntervalEstimate(value, interval_from_residuals(value, residuals, cluster_indices(groups), level))


def _trial_noise(chosen: NDArray[np.int8], groups: NDArray[np.intp], level: float) -> IntervalEstimate | None:
    """The share of differing pairs among all pairs of trials of a question: unbiased for any number of trials."""
    counts = np.stack([(chosen == code).sum(axis=2) for code in (FIRST, SECOND, NONE)])
    trials = counts.sum(axis=0)
    repeated = trials > 1
    couples = np.where(repeated, trials * (trials - 1), 1)
    differ = 1 - (counts * (counts - 1)).sum(axis=0) / couples
    kept = repeated.any(axis=1)
    if not kept.any():
        return None
    by_pair = np.where(repeated, differ, 0.0).sum(axis=1)[kept] / repeated.sum(axis=1)[kept]
    return clustered_mean(by_pair, groups[kept], level)


def _share_of_trials(events: NDArray[np.bool_], chosen: NDArray[np.int8]) -> Values:
    """The share of the existing trials."""
    there = (chosen != MISSING).sum(axis=2)
    return np.asarray((events & (chosen != MISSING)).sum(axis=2) / np.maximum(there, 1), dtype=np.float64)


def _probability_beta_exceeds(a: int, b: int, c: int, d: int) -> float:
    """P(X > Y) for independent X ~ Beta(a, b) and Y ~ Beta(c, d) with integer parameters (Evans 2005; Miller 2015): the
    distribution function of Y is a finite sum, which is integrated against the density of X term by term."""
    from scipy import special

    i = np.arange(c)
    terms = special.betaln(a + i, b + d) - np.log(d + i) - special.betaln(1 + i, d) - special.betaln(a, b)
    return round(1 - float(np.exp(terms).sum()), 12)  # exactly 0.5 for a tie
