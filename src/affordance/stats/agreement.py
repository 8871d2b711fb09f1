"""Agreement of several raters on the same items."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from affordance.stats.paired_tests import midranks

Label = str | float
Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    ratings: Mapping[Any, Sequence[Label | None]] | Sequence[Sequence[Label | None]], level: Level = "nominal"
) -> float | None:
    """Krippendorff's alpha: 1 is perfect agreement, 0 that of chance, below 0 systematic disagreement.

    `ratings` has the labels of each item, from any number of raters in any order; None is a rating that is missing.
    An item with fewer than two labels has nothing to compare and is left out. Labels that differ are all equally far
    apart (`nominal`), as far as the ranks of all labels (`ordinal`), or as far as their values (`interval`); the last
    two want numbers. Alpha is undefined, and None, where no item has two labels, and where all labels are equal:
    raters who only ever used one label have not shown that they can tell items apart."""
    if level not in _DISAGREEMENTS:
        raise ValueError(f"expected a level among {', '.join(_DISAGREEMENTS)}, found {level!r}")
    items = [_labels(row, level) for row in (ratings.values() if isinstance(ratings, Mapping) else ratings)]
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


def _labels(row: Sequence[Label | None], level: Level) -> list[Label]:
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


def _unequal_couples(labels: Sequence[Label]) -> float:
    """Of all ordered couples, those that differ."""
    return len(labels) ** 2 - sum(count**2 for count in Counter(labels).values())


def _squared_distances(labels: Sequence[Label]) -> float:
    """The sum over all ordered couples, which is 2 m times the sum of squared distances from the mean of m labels."""
    numbers = [float(label) for label in labels]
    mean = math.fsum(numbers) / len(numbers)
    return 2 * len(numbers) * math.fsum((number - mean) ** 2 for number in numbers)


_DISAGREEMENTS: dict[Level, Callable[[Sequence[Label]], float]] = {
    "nominal": _unequal_couples,
    "ordinal": _squared_distances,
    "interval": _squared_distances,
}
