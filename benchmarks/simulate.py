"""Whether the statistics keep what they promise, on simulated models whose truth is planted.

    python benchmarks/simulate.py [--quick] [--rounds N] [--json]

Under the null, tests at 0.05 are to reject in 5% of samples or less; intervals at 0.95 are to hold the truth in 95% or
more; a difference that can be detected with a power of 0.8 is to be found in 80%. In all worlds values of one cluster
are not independent. Each rate stands beside its Monte Carlo error. Always exits 0: a rate is a finding, not a test.
"""

import argparse
import itertools
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from affordance.stats import (
    CorrectedScore,
    PairedComparison,
    clustered_mean,
    cohen_kappa,
    compare_paired,
    macro_f1_interval,
    minimum_detectable_difference,
    prediction_powered_mean,
    wilson_interval,
)

Values = NDArray[np.float64]
Index = NDArray[np.intp]
Draw = np.random.Generator

ALPHA = 0.05
LIMIT = 4.0
BLOCK = 25  # rounds that share the resamples


@dataclass(frozen=True)
class Rate:
    """Of `rounds` samples of a world, the share in which it happened: `kind` is what it is, `nominal` what it should
    be, `wide` how wide intervals are, as a multiple of what the true spread of the estimate asks for."""

    kind: str
    world: str
    what: str
    rate: float
    nominal: float
    rounds: int
    wide: float | None = None

    @property
    def error(self) -> float:
        return math.sqrt(self.nominal * (1 - self.nominal) / self.rounds)


@dataclass(frozen=True)
class World:
    """Values in clusters. Each cluster has a mean of its own, from a beta distribution with the intraclass correlation
    `alike`; each of its items has three trials, which repeat one hidden reply with the probability `copies`. `scale` is
    what values are: right and wrong, sixths from 0 to 1, or an overlap, which is 0 for a miss."""

    clusters: int
    mean: float = 0.5
    alike: float = 0.3
    copies: float = 0.9
    items: tuple[int, ...] = (1,)
    scale: str = "right"
    trials: int = 3

    @property
    def name(self) -> str:
        items = "/".join(map(str, self.items))
        return f"{self.scale}, {self.clusters} x {items} items, mean {self.mean}, alike {self.alike}"

    def index(self) -> Index:
        """The cluster of each value. The numbers of items come in turn."""
        sizes = np.resize(np.array(self.items), self.clusters) * self.trials
        return np.repeat(np.arange(self.clusters), sizes)

    def values(self, draw: Draw, index: Index, mean: float | None = None) -> Values:
        mean = self.mean if mean is None else mean
        known = (1 - self.alike) / self.alike if self.alike else 0.0
        shares = (
            draw.beta(mean * known, (1 - mean) * known, self.clusters)[index] if known else np.full(len(index), mean)
        )
        fresh = _scaled(draw, shares, self.scale)
        hidden = np.repeat(fresh[:: self.trials], self.trials)
        return np.where(draw.random(len(index)) < self.copies, hidden, fresh)

    @property
    def truth(self) -> float:
        return self.mean * (OVERLAP if self.scale == "overlap" else 1)


OVERLAP = 0.75
PAIRED = (
    World(12),
    World(12, items=(1, 2, 5)),
    World(60, mean=0.8),
    World(60, items=(1, 1, 8), scale="sixths"),
    World(250, trials=1),
    World(250, mean=0.7, copies=0.95),
    World(320, items=(1, 3), scale="overlap"),
)
MEANS = (
    *(World(12, mean=mean, items=(1, 2, 5)) for mean in (0.2, 0.5, 0.9)),
    *(World(60, mean=mean, alike=alike) for mean in (0.1, 0.5) for alike in (0.0, 0.3, 0.9)),
    World(60, mean=0.8, items=(1, 1, 8), alike=0.1),
    World(12, mean=0.6, scale="sixths"),
    World(60, mean=0.85, items=(1, 3), scale="sixths"),
    World(60, mean=0.6, scale="overlap"),
    World(250, mean=0.95),
    World(250, mean=0.4, items=(1, 1, 8), scale="overlap"),
    World(250, mean=0.7, trials=1),
)


def _scaled(draw: Draw, shares: Values, scale: str) -> Values:
    if scale == "sixths":
        return draw.binomial(6, shares) / 6
    hits = (draw.random(len(shares)) < shares).astype(float)
    return hits * draw.beta(6, 2, len(shares)) if scale == "overlap" else hits


def null_rates(world: World, rounds: int) -> Iterator[Rate]:
    """Two models that are equally good, though each better on clusters of its own."""
    draw, index = np.random.default_rng(1), world.index()
    rejected = {"test": 0, "sign flip": 0, "interval": 0, "as if independent": 0}
    for number in range(rounds):
        if number % BLOCK == 0:
            pairing = PairedComparison(index.tolist(), seed=number)
        first, second = world.values(draw, index), world.values(draw, index)
        found = pairing.compare(first, second)
        rejected["test"] += found.p <= ALPHA
        rejected["sign flip"] += found.sign_flip <= ALPHA
        rejected["interval"] += _excludes(found.interval, 0)
        rejected["as if independent"] += _excludes(compare_paired(first, second, range(len(first))).interval, 0)
    for what, number in rejected.items():
        yield Rate("rejects under the null", world.name, what, number / rounds, ALPHA, rounds)


def difference_rates(world: World, rounds: int) -> Iterator[Rate]:
    """Two models of which one is better, by a tenth of the scale."""
    draw, index = np.random.default_rng(2), world.index()
    better = min(1.0, world.mean + 0.1)
    truth = (better - world.mean) * world.truth / world.mean
    intervals, values = [], []
    for number in range(rounds):
        if number % BLOCK == 0:
            pairing = PairedComparison(index.tolist(), seed=number)
        found = pairing.compare(world.values(draw, index, better), world.values(draw, index))
        intervals.append(found.interval)
        values.append(found.difference)
    yield _coverage(world.name, "difference", intervals, truth, values)


def mean_rates(world: World, rounds: int) -> Iterator[Rate]:
    draw, index = np.random.default_rng(3), world.index()
    found, plain = [], []
    for _ in range(rounds):
        values = world.values(draw, index)
        found.append(clustered_mean(values, index))
        plain.append(wilson_interval(float(values.mean()), len(values)))
    values_found = [one.value for one in found]
    yield _coverage(world.name, "mean", [one.interval for one in found], world.truth, values_found)
    yield _coverage(world.name, "mean, as if independent", plain, world.truth, values_found)


def f1_rates(clusters: int, good: bool, rounds: int) -> Iterator[Rate]:
    """Six classes, the rarest a tenth as frequent as the most frequent; a model that knows some better than others and
    falls back on the first, or knows nearly all; three trials that are near copies, and two items of one class to a
    cluster."""
    draw = np.random.default_rng(4)
    frequent = np.array([10, 6, 4, 3, 2, 1]) / 26
    answered = (
        np.diag([0.63, 0.56, 0.56, 0.42, 0.35, 0.49]) if not good else np.diag([0.97, 0.95, 0.93, 0.95, 0.9, 0.9])
    )
    answered[:, 0] += 0.6 * (1 - answered.sum(axis=1))
    answered += ((1 - answered.sum(axis=1)) / 6)[:, None]
    joint = frequent[:, None] * answered
    truth = float((2 * np.diag(joint) / (joint.sum(axis=0) + joint.sum(axis=1))).mean())
    index = np.repeat(np.arange(clusters), 6)
    intervals, values = [], []
    for number in range(rounds):
        truths = draw.choice(6, clusters, p=frequent)[index]
        fresh = (draw.random(len(index))[:, None] > answered.cumsum(axis=1)[truths]).sum(axis=1).clip(max=5)
        said = np.where(draw.random(len(index)) < 0.9, np.repeat(fresh[::3], 3), fresh)
        seen = np.zeros((6, 6))
        np.add.at(seen, (truths, said), 1)
        there = seen.sum(axis=1) > 0
        scores = 2 * np.diag(seen)[there] / (seen.sum(axis=0) + seen.sum(axis=1))[there]
        values.append(float(scores.mean()))
        seed = number // BLOCK
        intervals.append(macro_f1_interval(_words(truths), _words(said), index.tolist(), seed=seed))
    yield _coverage(
        f"six classes, {clusters} x 2 items" + ", nearly all right" * good, "macro F1", intervals, truth, values
    )


@dataclass(frozen=True)
class Judge:
    """A judge of right and wrong with these rates of error, of answers of which a share is right."""

    share: float
    misses: float
    invents: float
    replies: int = 300
    labels: int = 60

    @property
    def name(self) -> str:
        return f"{self.labels} of {self.replies}, right {self.share}, judge errs {self.misses} and {self.invents}"

    def sample(self, draw: Draw) -> tuple[Values, Values, Values, Values]:
        """The judge's verdicts on all; and of the labelled, the judge's, people's and the weights. As many of either
        verdict are labelled."""
        human = (draw.random(self.replies) < self.share).astype(float)
        wrong = draw.random(self.replies) < np.where(human > 0, self.misses, self.invents)
        judged = np.where(wrong, 1 - human, human)
        taken: list[Index] = []
        weights: list[Values] = []
        for verdict in (0.0, 1.0):
            there = np.flatnonzero(judged == verdict)
            number = min(len(there), self.labels // 2)
            taken.append(draw.permutation(there)[:number])
            weights.append(np.full(number, len(there) / max(1, number)))
        rows = np.concatenate(taken)
        return judged, judged[rows], human[rows], np.concatenate(weights)

    def kappa(self) -> float:
        yes = self.share * (1 - self.misses) + (1 - self.share) * self.invents
        agreement = self.share * (1 - self.misses) + (1 - self.share) * (1 - self.invents)
        expected = yes * self.share + (1 - yes) * (1 - self.share)
        return (agreement - expected) / (1 - expected)


JUDGES = (
    Judge(0.5, 0.3, 0.28),
    Judge(0.3, 0.1, 0.2),
    Judge(0.6, 0.15, 0.1, labels=30),
    Judge(0.5, 0.2, 0.2, replies=2000, labels=200),
)


def judge_rates(judge: Judge, rounds: int) -> Iterator[Rate]:
    draw = np.random.default_rng(5)
    kappas, kappa_values, intervals, values = [], [], [], []
    for number in range(rounds):
        judged, by_judge, by_human, weights = judge.sample(draw)
        kappa = cohen_kappa(by_judge.tolist(), by_human.tolist(), weights.tolist(), seed=number // BLOCK)
        if kappa is not None:
            kappas.append(kappa.interval)
            kappa_values.append(kappa.kappa)
        found = prediction_powered_mean(judged.tolist(), list(zip(by_judge, by_human, weights, strict=True)))
        if isinstance(found, CorrectedScore):
            intervals.append(found.interval)
            values.append(found.value)
    yield _coverage(judge.name, "Cohen's kappa", kappas, judge.kappa(), kappa_values)
    yield _coverage(judge.name, f"corrected ({len(values) / rounds:.0%} given)", intervals, judge.share, values)


def power_rates(clusters: int, rounds: int) -> Iterator[Rate]:
    """Differences of screens of five that share a shift, with the mean that can just be detected."""
    draw, index = np.random.default_rng(6), np.repeat(np.arange(clusters), 5)
    mean = minimum_detectable_difference(math.sqrt((1 + 1 / 5) / clusters))
    found = 0
    for _ in range(rounds):
        shifts = draw.normal(mean, 1, clusters)
        differences = shifts[index] + draw.normal(0, 1, len(index))
        found += _excludes(compare_paired(differences, np.zeros(len(index)), index.tolist()).interval, 0)
    yield Rate("finds what can be detected", f"{clusters} x 5", "interval", found / rounds, 0.8, rounds)


def _coverage(
    world: str, what: str, intervals: list[tuple[float, float] | None], truth: float, values: list[float]
) -> Rate:
    there = [one for one in intervals if one is not None]
    held = sum(low <= truth <= high for low, high in there)
    wide = float(np.mean([high - low for low, high in there])) / (3.92 * float(np.std(values)))
    return Rate("holds the truth", world, what, held / len(there), 1 - ALPHA, len(there), wide)


def _excludes(interval: tuple[float, float] | None, value: float) -> bool:
    return interval is not None and not interval[0] <= value <= interval[1]


def _words(numbers: NDArray[np.integer]) -> list[str]:
    return [f"class {number}" for number in numbers]


SIMULATIONS: Mapping[str, tuple[Callable[[int], Iterator[Rate]], float]] = {
    **{f"null: {world.name}": (lambda n, w=world: null_rates(w, n), 1.0) for world in PAIRED},
    **{f"difference: {world.name}": (lambda n, w=world: difference_rates(w, n), 1.0) for world in PAIRED},
    **{f"mean: {world.name}": (lambda n, w=world: mean_rates(w, n), 2.0) for world in MEANS},
    **{
        f"macro F1: {number} {good}": (lambda n, k=number, g=good: f1_rates(k, g, n), 0.5)
        for good in (False, True)
        for number in (30, 100, 300)
    },
    **{f"judge: {judge.name}": (lambda n, j=judge: judge_rates(j, n), 1.0) for judge in JUDGES},
    **{f"power: {number}": (lambda n, k=number: power_rates(k, n), 2.0) for number in (20, 200)},
}
"""Each by its name, with how many rounds it gets for one of the others."""


def cost() -> float:
    """Seconds to compare 20 models with each other on 2,753 questions with three trials, in scores that are graded."""
    draw, questions = np.random.default_rng(7), np.repeat(np.arange(2753), 3)
    models = [draw.random(len(questions)) for _ in range(20)]
    clusters = [f"question {number}" for number in questions]
    started = time.process_time()
    pairing = PairedComparison(clusters)
    for one, other in itertools.combinations(models, 2):
        pairing.compare(one, other)
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=4000, metavar="N")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rounds")
    parser.add_argument("--json", action="store_true", help="end with the results as one line of JSON")
    arguments = parser.parse_args()
    rounds = arguments.rounds // (10 if arguments.quick else 1)
    found: list[Rate] = []
    kind = ""
    for simulate, times in SIMULATIONS.values():
        for rate in simulate(max(BLOCK, int(rounds * times))):
            if rate.kind != kind:
                kind = rate.kind
                print(f"\n{kind}, nominal {rate.nominal}\n{'':<80}{'rate':>6}{'error':>7}{'width':>7}")
            wide = "" if rate.wide is None else f"{rate.wide:.2f}"
            print(f"{rate.world:<54}{rate.what:>26}{rate.rate:>6.3f}{rate.error:>7.3f}{wide:>7}", flush=True)
            found.append(rate)
    seconds = cost()
    print(f"\n190 comparisons of 20 models on 2,753 questions: {seconds:.1f} s (limit {LIMIT:.0f} s)")
    if arguments.json:
        rates = [asdict(rate) | {"error": rate.error} for rate in found]
        print(json.dumps({"rates": rates, "seconds": seconds, "limit": LIMIT}))


if __name__ == "__main__":
    main()
