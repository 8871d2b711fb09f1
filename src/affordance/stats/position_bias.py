"""Choices between two designs that were shown in both orders: what is skill, what is position, what is noise.

Every question is a pair of designs in one order: its winner is first or second. It is asked in several trials, and each
reply chose the first design, the second, or none that could be read. Trials are near copies of each other and pairs may
share a picture, so what counts as independent is the group of pairs, whatever the number of replies."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affordance.core.deferred import special
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
    """One reply that is scored; an attempt that failed has none. `group` holds pairs that are not independent."""

    pair: str
    group: str
    winner_position: Position
    trial: int
    chosen_position: Position | None


@dataclass(frozen=True, slots=True)
class ChoiceArray:
    """Codes of what was chosen, by pair, place of the winner and trial; and the number of each pair's group."""

    chosen: NDArray[np.int8]
    groups: NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class PositionBias:
    """What `decompose` found. `left_out` pairs had no reply at all in one of the orders."""

    skill: IntervalEstimate
    first_share: IntervalEstimate | None
    noise: IntervalEstimate | None
    pairs: int
    groups: int
    excluded_pairs: int


@dataclass(frozen=True, slots=True)
class PairPreference:
    """Which of two designs a model prefers: `probability` that it is A rather than B; and, as means of the posterior
    averaged over the orders, the `share` of replies that A gets and the share that the `first` place gets."""

    probability: float
    share: float
    first_share: float


def position_bias(choices: Iterable[OrderedChoice] | ChoiceArray, level: float = CONFIDENCE_LEVEL) -> PositionBias:
    """Skill, position preference and noise of one model. For a pair and an order, p is the probability of a reply:

    - skill: p(the winner), averaged over both orders, then over pairs. A reply that cannot be read is wrong. A model
      that looks at the position only has a skill of 0.5. It is the average accuracy.
    - preference: p(first) among replies that chose at all, over pairs for each order, then averaged over both orders;
      0.5 is no preference. The orders are averaged last, so that neither skill nor an order in which more replies
      cannot be read moves it. None where an order has no readable reply.
    - noise: p(two trials of one question end differently), a reply that cannot be read being a way to end; averaged
      over questions with two trials or more, and not dependent on their number. None where there is no such question.

    Pairs count equally, and only those with replies in both orders. Intervals are those of `clustered_mean`."""
    table = choices if isinstance(choices, ChoiceArray) else choice_array(choices)
    there = np.asarray((table.chosen != MISSING).any(axis=2).all(axis=1))
    chosen, groups = table.chosen[there], table.groups[there]
    if not len(chosen):
        raise ValueError("expected at least one pair with replies in both orders, found none")
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
    """The position preference on pairs of two equal pictures, where there is nothing else to choose by. Which of the
    two is called the winner does not matter. None where no reply can be read."""
    table = choices if isinstance(choices, ChoiceArray) else choice_array(choices)
    chosen = table.chosen.reshape(len(table.chosen), 1, -1)
    return _first_share(chosen, table.groups, level)


def pair_preference(first_order: tuple[int, int], second_order: tuple[int, int]) -> PairPreference:
    """For one pair of designs, (replies for A, replies for B) with A shown first, and with A shown second; replies that
    chose neither are left out. The position preference is removed by averaging both orders: A is preferred when
    p(A | A first) + p(A | A second) > 1, that is, when A in first place is chosen more often than B in first place.
    Each p has a uniform prior, so that few trials never make certain; always the same place makes exactly one half.

    This is confidence in what the model prefers, not in how people will act."""
    for wins in (first_order, second_order):
        if min(wins) < 0:
            raise ValueError(f"expected counts of replies for A and for B, found {wins}")
    a_first, b_second = first_order[0] + 1, first_order[1] + 1
    a_second, b_first = second_order[0] + 1, second_order[1] + 1
    shown_first, shown_second = a_first / (a_first + b_second), a_second / (a_second + b_first)
    return PairPreference(
        _probability_beta_exceeds(a_first, b_second, b_first, a_second),
        share=(shown_first + shown_second) / 2,
        first_share=(shown_first + 1 - shown_second) / 2,
    )


def choice_array(choices: Iterable[OrderedChoice]) -> ChoiceArray:
    """Joined by pair, order and trial, never by where in the list an answer stands. Pairs are sorted by name."""
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
    """A ratio for each order, so the residuals are those of the linearised ratios."""
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
    """Of all couples of trials of a question, the share that differ: unbiased for any number of trials."""
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
    """The share of the trials that are there."""
    there = (chosen != MISSING).sum(axis=2)
    return np.asarray((events & (chosen != MISSING)).sum(axis=2) / np.maximum(there, 1), dtype=np.float64)


def _probability_beta_exceeds(a: int, b: int, c: int, d: int) -> float:
    """P(X > Y) for independent X ~ Beta(a, b) and Y ~ Beta(c, d) with whole parameters: Y's distribution function is a
    finite sum for a whole c, integrated against X's density term by term, and subtracted from one."""
    i = np.arange(c)
    terms = special.betaln(a + i, b + d) - np.log(d + i) - special.betaln(1 + i, d) - special.betaln(a, b)
    return round(1 - float(np.exp(terms).sum()), 12)  # so that a tie is a tie
