"""Agreement of several raters on the same items, beyond that of chance.

Kappa depends on how frequent the labels are: at a base rate near 0 or 1 a high agreement has a low kappa. So the base
rates stand beside it.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from affordance.stats.bootstrap import bootstrap_interval
from affordance.stats.intervals import CONFIDENCE_LEVEL, Interval, cluster_indices
from affordance.stats.significance_tests import midranks

Label = str | float
MeasurementLevel = Literal["nominal", "ordinal", "interval"]
Values = NDArray[np.float64]
Ratings = Mapping[Any, Sequence[Label | None]] | Sequence[Sequence[Label | None]]


@dataclass(frozen=True, slots=True)
class KappaResult:
    """`agreement` is the share of equal labels, `expected` that of raters with the same base rates who do not look.
    `base` has the shares of labels of the second rater, the truth. The interval is None where resampling tells nothing:
    one row, or no disagreement."""

    kappa: float
    observed: float
    expected: float
    n: int
    base_rates: dict[Label, float]
    interval: Interval | None


def krippendorff_alpha(ratings: Ratings, level: MeasurementLevel = "nominal") -> float | None:
    """Krippendorff's alpha: 1 is perfect agreement, 0 that of chance, below 0 systematic disagreement.

    `ratings` has the labels of each item, from any number of raters in any order; None is a rating that is missing.
    An item with fewer than two labels has nothing to compare and is left out. Labels that differ are all equally far
    apart (`nominal`), as far as the ranks of all labels (`ordinal`), or as far as their values (`interval`); the last
    two want numbers. Alpha is undefined, and None, where no item has two labels, and where all labels are equal:
    raters who only ever used one label have not shown that they can tell items apart."""
    if level not in _DISAGREEMENTS:
        raise ValueError(f"expected a level among {', '.join(_DISAGREEMENTS)}, found {level!r}")
    items = [_present_labels(row, level) for row in (ratings.values() if isinstance(ratings, Mapping) else ratings)]
    items = [labels for labels in items if len(labels) > 1]
    pool = [label for labels in items for label in labels]
    if level == "ordinal":
        ranks = iter(midranks(np.array(pool, dtype=np.float64)).tolist())
        items = [[next(ranks) for _ in labels] for labels in items]
        pool = [label for labels in items for label in labels]
    if len(set(pool)) < 2:
        return None
    disagreement = _DISAGREEMENTS[level]
    # fsum, so that the order of the items does not matter in the last bit either.
    observed = math.fsum(disagreement(labels) / (len(labels) - 1) for labels in items)
    return 1 - observed / (disagreement(pool) / (len(pool) - 1))


def cohen_kappa(
    first: Sequence[Label],
    second: Sequence[Label],
    weights: Sequence[float] | None = None,
    *,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    level: float = CONFIDENCE_LEVEL,
) -> KappaResult | None:
    """Cohen's kappa of two raters of the same rows. Rows of a stratified sample weigh as many as they stand for. The
    interval is by resampling rows, or clusters of rows that are not independent. Undefined, and None, without rows and
    where both raters only ever used one and the same label."""
    n = len(first)
    if len(second) != n or (weights is not None and len(weights) != n) or (clusters is not None and len(clusters) != n):
        raise ValueError(
            f"expected two labels, a weight and a cluster for each row, found {n} and {len(second)} labels"
        )
    weighs = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64)
    if not (np.isfinite(weighs).all() and (weighs >= 0).all()):
        raise ValueError("expected weights of at least 0, found another")
    labels = sorted({*first, *second}, key=lambda label: (str(type(label)), label))
    numbers = {label: number for number, label in enumerate(labels)}
    rows = np.arange(n)
    parts = np.zeros((n, 2, len(labels) + 1))
    for rater, given in enumerate((first, second)):
        parts[rows, rater, [numbers[label] for label in given]] = weighs
    # The last column holds what agrees, and all.
    parts[:, 0, -1] = weighs * np.array([one == other for one, other in zip(first, second, strict=True)])
    parts[:, 1, -1] = weighs
    whole = parts.sum(axis=0)[None]
    if not whole[0, 1, -1] or len(labels) < 2:
        return None
    agreement, expected = (float(share[0]) for share in _agreement_shares(whole))
    if expected >= 1:
        return None
    by_cluster = parts
    if clusters is not None:
        index = cluster_indices(clusters)
        by_cluster = np.zeros((int(index.max()) + 1, *parts.shape[1:]))
        np.add.at(by_cluster, index, parts)
    return KappaResult(
        kappa=(agreement - expected) / (1 - expected),
        observed=agreement,
        expected=expected,
        n=n,
        base_rates={
            label: float(whole[0, 1, at] / whole[0, 1, -1]) for label, at in numbers.items() if whole[0, 1, at]
        },
        interval=bootstrap_interval(by_cluster, _kappa_values, seed=seed, level=level),
    )


def fleiss_kappa(ratings: Ratings) -> float | None:
    """Fleiss' kappa of any number of raters who need not be the same for each item. `ratings` is that of
    `krippendorff_alpha`: None is missing, an item with fewer than two labels is left out. Where items have different
    numbers of labels, each counts once in the agreement and as often as it was labelled in the base rates. Undefined,
    and None, where no item has two labels and where all labels are equal."""
    items = [_present_labels(row) for row in (ratings.values() if isinstance(ratings, Mapping) else ratings)]
    items = [labels for labels in items if len(labels) > 1]
    numbers = {label: number for number, label in enumerate({label for labels in items for label in labels})}
    if len(numbers) < 2:
        return None
    counts = np.zeros((len(items), len(numbers)))
    for row, labels in enumerate(items):
        np.add.at(counts[row], [numbers[label] for label in labels], 1)
    raters = counts.sum(axis=1)
    agreement = float(((counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))).mean())
    shares = counts.sum(axis=0) / counts.sum()
    expected = float(shares @ shares)
    return (agreement - expected) / (1 - expected)


def _present_labels(row: Sequence[Label | None], level: MeasurementLevel = "nominal") -> list[Label]:
    """Those that are there, checked."""
    if isinstance(row, str):
        raise ValueError(f"expected a list of labels for each item, found the text {row!r}; put it into a list")
    labels = [label for label in row if label is not None]
    for label in labels:
        if isinstance(label, str):
            if level != "nominal":
                raise ValueError(f"expected numbers as labels at the level {level}, found {label!r}")
        elif not math.isfinite(label):
            raise ValueError(f"expected finite numbers, and None for a rating that is missing, found {label!r}")
    return labels


def _count_unequal_pairs(labels: Sequence[Label]) -> float:
    """Of all ordered couples, those that differ."""
    return len(labels) ** 2 - sum(count**2 for count in Counter(labels).values())


def _squared_distances(labels: Sequence[Label]) -> float:
    """The sum over all ordered couples, which is 2 m times the sum of squared distances from the mean of m labels."""
    numbers = [float(label) for label in labels]
    mean = math.fsum(numbers) / len(numbers)
    return 2 * len(numbers) * math.fsum((number - mean) ** 2 for number in numbers)


def _agreement_shares(sums: Values) -> tuple[Values, Values]:
    """Of agreement, and of agreement by chance."""
    with np.errstate(invalid="ignore", divide="ignore"):
        total = sums[:, 1, -1]
        return sums[:, 0, -1] / total, (sums[:, 0, :-1] * sums[:, 1, :-1]).sum(axis=1) / total**2


def _kappa_values(sums: Values) -> Values:
    agreement, expected = _agreement_shares(sums)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected < 1, (agreement - expected) / (1 - expected), np.nan)


_DISAGREEMENTS: dict[MeasurementLevel, Callable[[Sequence[Label]], float]] = {
    "nominal": _count_unequal_pairs,
    "ordinal": _squared_distances,
    "interval": _squared_distances,
}
