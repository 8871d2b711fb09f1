"""Agreement of raters of the same items beyond chance: Krippendorff's alpha, Cohen's and Fleiss' kappa.

Kappa depends on how frequent the labels are: at a base rate near 0 or 1 a high agreement has a low kappa (Feinstein and
Cicchetti 1990). So `KappaResult` has the base rates.
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
    """Cohen's kappa with the shares it is made of.

    Attributes:
        observed: The share of equal labels.
        expected: The same for independent raters with these base rates.
        base_rates: The shares of labels of the second rater, the truth.
        interval: By cluster bootstrap; None with one row and without disagreement.
    """

    kappa: float
    observed: float
    expected: float
    n: int
    base_rates: dict[Label, float]
    interval: Interval | None


def krippendorff_alpha(ratings: Ratings, level: MeasurementLevel = "nominal") -> float | None:
    """Krippendorff's alpha: 1 for perfect agreement, 0 for that of chance, below 0 for systematic disagreement
    (Krippendorff 2004).

    Args:
        ratings: The labels of each item from any number of raters, in any order; None is missing. Items with fewer than
            two labels are left out.
        level: How far two labels are apart: `nominal`, all equally; `ordinal`, by the ranks of all labels; `interval`,
            by their values. The last two need numbers.

    Returns:
        None if no item has two labels, and if all labels are equal: then nothing shows that raters distinguish items.
    """
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
    """Cohen's kappa of two raters of the same rows (Cohen 1960).

    Args:
        weights: How many rows each row of a stratified sample stands for.
        clusters: Rows of one cluster are dependent; the bootstrap draws clusters.

    Returns:
        None without rows, and if both raters used one and the same label only.
    """
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
    # The last column holds the weights of agreeing rows, and of all.
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
    """Fleiss' kappa of any number of raters, who need not be the same for each item (Fleiss 1971).

    Args:
        ratings: As for `krippendorff_alpha`. If items have different numbers of labels, each item counts once in the
            agreement, and each label in the base rates.

    Returns:
        None if no item has two labels, and if all labels are equal.
    """
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


def kappa_for_raters(
    rows: Sequence[Mapping[str, Label]], weights: Sequence[float] | None = None
) -> tuple[float | None, Literal["Cohen", "Fleiss", ""]]:
    """Cohen's kappa if the same two raters labelled all items, else Fleiss'; with its name, which is empty if it is
    undefined.

    Args:
        rows: The labels of each item by rater.
        weights: Of the items, for Cohen's kappa.
    """
    raters = sorted({rater for row in rows for rater in row})
    if len(raters) == 2 and all(len(row) == 2 for row in rows):
        first, second = ([row[rater] for row in rows] for rater in raters)
        found = cohen_kappa(first, second, weights)
        return (None, "") if found is None else (found.kappa, "Cohen")
    kappa = fleiss_kappa([list(row.values()) for row in rows])
    return (None, "") if kappa is None else (kappa, "Fleiss")


def _present_labels(row: Sequence[Label | None], level: MeasurementLevel = "nominal") -> list[Label]:
    """The labels that are not missing, checked."""
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
    """The number of ordered pairs that differ."""
    return len(labels) ** 2 - sum(count**2 for count in Counter(labels).values())


def _squared_distances(labels: Sequence[Label]) -> float:
    """The sum over all ordered pairs: 2 m times the sum of squared distances from the mean of m labels."""
    numbers = [float(label) for label in labels]
    mean = math.fsum(numbers) / len(numbers)
    return 2 * len(numbers) * math.fsum((number - mean) ** 2 for number in numbers)


def _agreement_shares(sums: Values) -> tuple[Values, Values]:
    """The shares of observed and of expected agreement."""
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
