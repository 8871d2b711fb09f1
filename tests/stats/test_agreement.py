"""Krippendorff's alpha: the published example, by hand, against its definition couple by couple, and
against another implementation."""

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.stats import krippendorff_alpha
from affordance.stats.agreement import Label, MeasurementLevel
from errors import raises

LEVELS: tuple[MeasurementLevel, ...] = ("nominal", "ordinal", "interval")

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section E: four observers, twelve units.
OBSERVERS = [
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
]
UNITS = [
    [None if value == "." else int(value) for value in unit]
    for unit in zip(*(row.split() for row in OBSERVERS), strict=True)
]


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_published_example(level: MeasurementLevel, alpha: float) -> None:
    assert krippendorff_alpha(UNITS, level) == pytest.approx(alpha, abs=5e-4)
    assert krippendorff_alpha({f"unit {at}": unit for at, unit in enumerate(UNITS)}, level) == krippendorff_alpha(
        UNITS, level
    )


# 1 - observed / expected. Observed: over items, the disagreement in ordered couples over (labels - 1). Expected: the
# disagreement in ordered couples of all n labels over (n - 1).
BY_HAND = {
    # One item differs: 2 / 1. Three a and three b: 18 / 5.
    "one of three items": ([["a", "a"], ["a", "b"], ["b", "b"]], "nominal", 1 - 2 / (18 / 5)),
    "all agree": ([["a", "a"], ["b", "b", "b"]], "nominal", 1.0),
    # 2 + 2 against 8 / 3.
    "never agree": ([["a", "b"], ["b", "a"]], "nominal", 1 - 4 / (8 / 3)),
    # Three labels a a b: 4 / 2. Pool of three a and two b: 12 / 4.
    "three raters, one missing": ([["a", "a", "b"], ["a", None, "b"]], "nominal", 1 - (4 / 2 + 2) / (12 / 4)),
    "items with one label do not count": (
        [["a", "a"], ["a", "b"], ["b", "b"], ["c", None], [], [None]],
        "nominal",
        4 / 9,
    ),
    # Labels 1 2 3 3: ten of the ordered couples differ.
    "nominal numbers": ([[1, 2], [3, 3]], "nominal", 1 - 2 / (10 / 3)),
    # Squared distances 1 in the item; 1 + 2 x 4 + 2 x 1 in the pool, each couple in both orders.
    "interval": ([[1, 2], [3, 3]], "interval", 1 - 2 / (22 / 3)),
    # Ranks 1 2 3.5 3.5: 1 in the item; 1 + 2 x 6.25 + 2 x 2.25 in the pool.
    "ordinal": ([[1, 2], [3, 3]], "ordinal", 1 - 2 / (36 / 3)),
    # The ranks are those of the row above.
    "ordinal does not see the distance": ([[1, 200], [3000, 3000]], "ordinal", 1 - 2 / (36 / 3)),
}


@pytest.mark.parametrize(("ratings", "level", "alpha"), BY_HAND.values(), ids=BY_HAND.keys())
def test_by_hand(ratings: list[list[Label | None]], level: MeasurementLevel, alpha: float) -> None:
    assert krippendorff_alpha(ratings, level) == pytest.approx(alpha)


UNDEFINED: dict[str, list[list[Label | None]]] = {
    "no items": [],
    "no labels": [[], [None, None]],
    "no item with two labels": [[1], [2, None]],
    "one label": [[1]],
    "all labels equal": [[1, 1], [1, 1, 1]],
    "all comparable labels equal": [[1, 1], [1, 1], [2]],
    "all labels equal, with a mean that is not": [[0.1, 0.1, 0.1]],
}


@pytest.mark.parametrize("ratings", UNDEFINED.values(), ids=UNDEFINED.keys())
def test_none_where_nothing_could_disagree(ratings: list[list[Label | None]]) -> None:
    assert [krippendorff_alpha(ratings, level) for level in LEVELS] == [None] * 3


def couple_by_couple(ratings: Sequence[Sequence[int | None]], level: MeasurementLevel) -> float | None:
    """The definition, with the distances as Krippendorff writes them."""
    items = [[label for label in row if label is not None] for row in ratings]
    items = [labels for labels in items if len(labels) > 1]
    counts = Counter(label for labels in items for label in labels)

    def ordinal(a: int, b: int) -> float:
        low, high = min(a, b), max(a, b)
        between = sum(count for label, count in counts.items() if low <= label <= high)
        return float((between - (counts[low] + counts[high]) / 2) ** 2)

    distances: dict[MeasurementLevel, Callable[[int, int], float]] = {
        "nominal": lambda a, b: float(a != b),
        "ordinal": ordinal,
        "interval": lambda a, b: float((a - b) ** 2),
    }
    distance, n = distances[level], counts.total()
    coincidences: Counter[tuple[int, int]] = Counter()
    for labels in items:
        for i, a in enumerate(labels):
            for j, b in enumerate(labels):
                if i != j:
                    coincidences[a, b] += 1 / (len(labels) - 1)  # type: ignore[assignment]
    expected = sum(counts[a] * counts[b] * distance(a, b) for a in counts for b in counts)
    if expected == 0:
        return None
    return 1 - (n - 1) * sum(times * distance(a, b) for (a, b), times in coincidences.items()) / expected


tables = st.lists(st.lists(st.none() | st.integers(0, 5), max_size=6), max_size=12)
levels = st.sampled_from(LEVELS)


@settings(max_examples=50)
@given(tables, levels)
def test_as_defined(ratings: list[list[int | None]], level: MeasurementLevel) -> None:
    expected = couple_by_couple(ratings, level)
    found = krippendorff_alpha(ratings, level)
    assert (found is None) == (expected is None)
    assert found is None or found == pytest.approx(expected, abs=1e-9)
    assert found is None or found <= 1


@settings(max_examples=50)
@given(tables, levels, st.randoms(use_true_random=False))
def test_the_order_of_items_and_raters_does_not_matter(
    ratings: list[list[int | None]], level: MeasurementLevel, shuffle: random.Random
) -> None:
    mixed = [list(row) for row in ratings]
    shuffle.shuffle(mixed)
    for row in mixed:
        shuffle.shuffle(row)
    assert krippendorff_alpha(mixed, level) == krippendorff_alpha(ratings, level)


RELABELLED: dict[MeasurementLevel, Callable[[int], Label]] = {
    "nominal": ["feedback", "hint", "alert", "mood", "guide", "brand"].__getitem__,
    "ordinal": math.exp,
    "interval": lambda label: 7.0 - 2.0 * label,
}


@settings(max_examples=50)
@given(tables, levels)
def test_only_what_the_level_says_counts(ratings: list[list[int | None]], level: MeasurementLevel) -> None:
    """Other names, other numbers in the same order, or another unit and origin."""
    renamed = [[None if label is None else RELABELLED[level](label) for label in row] for row in ratings]
    found = krippendorff_alpha(ratings, level)
    expected = None if found is None else pytest.approx(found, abs=1e-9)
    assert krippendorff_alpha(renamed, level) == expected


def test_raters_who_guess_agree_as_chance_has_it() -> None:
    draw = random.Random(7)
    ratings = [[draw.randrange(7) for _ in range(3)] for _ in range(3000)]
    for level in LEVELS:
        assert krippendorff_alpha(ratings, level) == pytest.approx(0, abs=0.04)


MISTAKES: dict[str, tuple[Callable[[], object], tuple[str, ...]]] = {
    "unknown level": (lambda: krippendorff_alpha([[1, 2]], "ratio"), ("nominal", "ordinal", "interval", "'ratio'")),  # type: ignore[arg-type]
    "text at a level of numbers": (lambda: krippendorff_alpha([["a", "b"]], "ordinal"), ("ordinal", "'a'")),
    "not a number": (lambda: krippendorff_alpha([[1.0, math.nan]]), ("nan",)),
    "a label instead of a list": (lambda: krippendorff_alpha({"clip": "hint"}), ("'hint'",)),
}


@pytest.mark.parametrize(("call", "data"), MISTAKES.values(), ids=MISTAKES.keys())
def test_what_does_not_fit(call: Callable[[], object], data: tuple[str, ...]) -> None:
    with raises(ValueError, *data):
        call()


@settings(max_examples=40)
@given(levels, st.lists(st.lists(st.integers(1, 5) | st.none(), min_size=4, max_size=4), min_size=3, max_size=12))
def test_as_the_package_of_that_name_has_it(level: MeasurementLevel, ratings: list[list[int | None]]) -> None:
    found = krippendorff_alpha(ratings, level)
    if found is not None:
        table = np.array(ratings, dtype=float).T
        assert found == pytest.approx(krippendorff.alpha(table, level_of_measurement=level))
