"""The intervals of skill, position preference and noise, on simulated models whose truth is planted."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from affordance.stats import position_bias
from affordance.stats.position_bias import FIRST, NONE, SECOND, ChoiceArray


@dataclass(frozen=True)
class Kind:
    """A kind of pair: how frequent, p(first) and p(unreadable) with the winner first and with the winner second."""

    weight: float
    first: tuple[float, float]
    unread: tuple[float, float] = (0.0, 0.0)

    def ends(self) -> NDArray[np.float64]:
        """p(first), p(second), p(unreadable) for each order."""
        rows = [(p * (1 - u), (1 - p) * (1 - u), u) for p, u in zip(self.first, self.unread, strict=True)]
        return np.array(rows)


@dataclass(frozen=True)
class World:
    """A population of pairs. The kind is drawn for a whole group with the probability `alike`, else for each pair;
    and each trial repeats one hidden reply with the probability `copies`, else it is drawn anew."""

    kinds: tuple[Kind, ...]
    copies: float = 0.0
    alike: float = 0.0
    sizes: tuple[int, ...] = (1,)

    def truth(self) -> tuple[float, float, float]:
        weights = np.array([kind.weight for kind in self.kinds])
        ends = np.stack([kind.ends() for kind in self.kinds])
        mean = (weights[:, None, None] * ends).sum(axis=0)
        skill = (mean[0, 0] + mean[1, 1]) / 2
        preference = (mean[:, 0] / mean[:, :2].sum(axis=1)).mean()
        differ = (weights[:, None] * (1 - (ends**2).sum(axis=2))).sum(axis=0).mean()
        return float(skill), float(preference), float((1 - self.copies**2) * differ)

    def sample(self, draw: np.random.Generator, groups: int, trials: int = 3) -> ChoiceArray:
        index = np.repeat(np.arange(groups), draw.choice(self.sizes, groups))
        weights = [kind.weight for kind in self.kinds]
        kinds = np.where(
            draw.random(groups)[index] < self.alike,
            draw.choice(len(weights), groups, p=weights)[index],
            draw.choice(len(weights), len(index), p=weights),
        )
        limits = np.stack([kind.ends() for kind in self.kinds])[kinds].cumsum(axis=2)

        def replies(number: int) -> NDArray[np.int8]:
            at = draw.random((len(index), 2, number))
            codes = np.where(at < limits[:, :, :1], FIRST, np.where(at < limits[:, :, 1:2], SECOND, NONE))
            return codes.astype(np.int8)

        hidden, fresh = replies(1), replies(trials)
        return ChoiceArray(np.where(draw.random(fresh.shape) < self.copies, hidden, fresh), index)


SEES = Kind(0.5, (0.95, 0.05))
WORLDS = {
    "skill without bias": World((replace(SEES, weight=0.4), Kind(0.6, (0.5, 0.5)))),
    "strong bias": World((Kind(0.15, (0.9, 0.02)), Kind(0.85, (0.03, 0.03))), copies=0.9),
    "bias that varies by pair": World(
        (Kind(0.3, (0.9, 0.7)), Kind(0.3, (0.3, 0.1)), Kind(0.2, (0.98, 0.02)), Kind(0.2, (0.4, 0.6))), copies=0.5
    ),
    "bias opposite to skill in half of the pairs": World((Kind(0.5, (1.0, 0.9)), Kind(0.5, (0.1, 0.0)))),
    "trials that are copies": World((SEES, Kind(0.5, (0.5, 0.5))), copies=1.0),
    "unreadable more often in one order": World(
        (Kind(0.6, (0.9, 0.3), (0.02, 0.4)), Kind(0.4, (0.6, 0.6), (0.3, 0.05))), copies=0.8
    ),
    "groups of several alike": World(
        (Kind(0.5, (0.9, 0.3), (0.05, 0.1)), Kind(0.5, (0.4, 0.5), (0.0, 0.2))),
        0.8,
        alike=0.8,
        sizes=(1, 1, 1, 2, 3, 6),
    ),
    "nearly always right": World((Kind(0.97, (0.99, 0.01)), Kind(0.03, (0.5, 0.5))), copies=0.7),
    "looks at the place only": World((Kind(1.0, (0.96, 0.96)),), copies=0.9),
}


def share_of_intervals_that_hold(world: World, groups: int, rounds: int) -> NDArray[np.float64]:
    """Of the planted skill, preference and noise."""
    draw = np.random.default_rng(6)
    held = np.zeros(3)
    truth = world.truth()
    for _ in range(rounds):
        found = position_bias(world.sample(draw, groups))
        for place, estimate in enumerate((found.skill, found.first_share, found.noise)):
            assert estimate is not None
            assert estimate.interval is not None
            held[place] += estimate.interval[0] <= truth[place] <= estimate.interval[1]
    return held / rounds


def test_intervals_hold_the_planted_truth() -> None:
    """Of 60 rounds with a fixed seed: 0.88 is 2.5 standard errors below 0.95."""
    for name, world in WORLDS.items():
        held = share_of_intervals_that_hold(world, 12, rounds=60)
        assert (held >= 0.88).all(), (name, held)


@pytest.mark.long
@pytest.mark.parametrize("groups", [12, 254])
@pytest.mark.parametrize("world", WORLDS.values(), ids=[name.replace(" ", "-") for name in WORLDS])
def test_intervals_hold_the_planted_truth_as_often_as_promised(world: World, groups: int) -> None:
    held = share_of_intervals_that_hold(world, groups, rounds=400)
    assert (held >= 0.93).all(), held


def test_intervals_are_not_wide_for_nothing() -> None:
    """With many groups they are as wide as 3.92 standard deviations of the value over samples."""
    draw = np.random.default_rng(6)
    found = [position_bias(WORLDS["bias that varies by pair"].sample(draw, 254)) for _ in range(120)]
    for estimates in ([d.skill for d in found], [d.first_share for d in found], [d.noise for d in found]):
        values = [e.value for e in estimates if e is not None]
        widths = [e.interval[1] - e.interval[0] for e in estimates if e is not None and e.interval is not None]
        assert np.mean(widths) == pytest.approx(3.92 * np.std(values), rel=0.18)


def test_taking_replies_for_independent_would_cover_too_little() -> None:
    """The same intervals with each trial as a pair of its own: why there are groups."""
    draw = np.random.default_rng(6)
    world, rounds, held = WORLDS["trials that are copies"], 80, 0
    for _ in range(rounds):
        table = world.sample(draw, 60)
        split = table.chosen.transpose(0, 2, 1).reshape(-1, 2, 1)
        interval = position_bias(ChoiceArray(split, np.arange(len(split)))).skill.interval
        assert interval is not None
        held += interval[0] <= world.truth()[0] <= interval[1]
    assert held / rounds < 0.85
