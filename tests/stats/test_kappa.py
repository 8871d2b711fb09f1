"""Cohen's and Fleiss' kappa: published tables, the definition couple by couple, and weights."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.stats import cohen_kappa, fleiss_kappa

# Fleiss (1971), table 1: thirty patients, each diagnosed by six psychiatrists, in five categories.
PATIENTS = (
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 "
    "00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
)
# The example of many introductions: ten subjects, fourteen raters, five categories.
SUBJECTS = "0,0,0,0,14 0,2,6,4,2 0,0,3,5,6 0,3,9,2,0 2,2,8,1,1 7,7,0,0,0 3,2,6,3,0 2,5,3,2,2 6,5,2,1,0 0,2,2,3,7"


def spread(counts: list[int]) -> list[str]:
    return [label for label, count in zip("abcde", counts, strict=True) for _ in range(count)]


FLEISS = {
    "Fleiss 1971": ([spread([int(n) for n in row]) for row in PATIENTS.split()], 0.430),
    "ten subjects": ([spread([int(n) for n in row.split(",")]) for row in SUBJECTS.split()], 0.210),
}


@pytest.mark.parametrize(("ratings", "kappa"), FLEISS.values(), ids=FLEISS.keys())
def test_fleiss_published(ratings: list[list[str]], kappa: float) -> None:
    assert fleiss_kappa(ratings) == pytest.approx(kappa, abs=5e-4)
    assert fleiss_kappa(dict(enumerate(ratings))) == fleiss_kappa(ratings)


def test_the_base_rates_of_fleiss_1971() -> None:
    """As printed there: 0.144, 0.144, 0.167, 0.306 and 0.239."""
    counts = Counter(label for row in FLEISS["Fleiss 1971"][0] for label in row)
    assert [round(counts[label] / 180, 3) for label in "abcde"] == [0.144, 0.144, 0.167, 0.306, 0.239]


labels = st.sampled_from(["a", "b", "c"])


@settings(max_examples=40)
@given(st.lists(st.lists(st.one_of(labels, st.none()), max_size=5), max_size=12))
def test_fleiss_couple_by_couple(ratings: list[list[str | None]]) -> None:
    items = [[label for label in row if label is not None] for row in ratings]
    items = [row for row in items if len(row) > 1]
    pool = [label for row in items for label in row]
    found = fleiss_kappa(ratings)
    if len(set(pool)) < 2:
        assert found is None
        return
    agreement = np.mean([np.mean([a == b for a, b in itertools.permutations(row, 2)]) for row in items])
    expected = np.mean([a == b for a, b in itertools.product(pool, repeat=2)])
    assert found == pytest.approx((agreement - expected) / (1 - expected))


def rows_of(table: list[list[int]]) -> tuple[list[str], list[str]]:
    cells = [("abc"[i], "abc"[j]) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [one for one, _ in cells], [other for _, other in cells]


COHEN = {
    # Fleiss, Levin and Paik (2003), table 18.1, out of a hundred patients.
    "Fleiss, Levin and Paik": ([[75, 1, 4], [5, 4, 1], [0, 0, 10]], 0.89, 0.66, 0.676),
    # The example of many introductions: 35 of 50 agree.
    "grant proposals": ([[20, 5], [10, 15]], 0.7, 0.5, 0.4),
    # Feinstein and Cicchetti's paradox: the same agreement, 0.85, at two base rates.
    "balanced": ([[40, 9], [6, 45]], 0.85, 0.5008, 0.6995),
    "unbalanced": ([[80, 10], [5, 5]], 0.85, 0.78, 0.318),
}


@pytest.mark.parametrize(("table", "agreement", "expected", "kappa"), COHEN.values(), ids=COHEN.keys())
def test_cohen_published(table: list[list[int]], agreement: float, expected: float, kappa: float) -> None:
    first, second = rows_of(table)
    found = cohen_kappa(first, second)
    assert found is not None
    assert found.kappa == pytest.approx(kappa, abs=6e-4)
    assert (found.observed, found.expected) == (pytest.approx(agreement), pytest.approx(expected, abs=5e-4))
    assert found.n == len(first)
    assert list(found.base_rates) == sorted(found.base_rates), "in the order of labels"
    assert found.base_rates == pytest.approx({label: count / len(second) for label, count in Counter(second).items()})
    assert found.interval is not None
    assert found.interval[0] < found.kappa < found.interval[1]


@settings(max_examples=40)
@given(st.lists(st.tuples(labels, labels, st.integers(0, 4)), min_size=1, max_size=20))
def test_a_weight_is_as_many_rows(rows: list[tuple[str, str, int]]) -> None:
    first, second, weights = zip(*rows, strict=True)
    weighted = cohen_kappa(first, second, weights)
    repeated = [row for row in rows for _ in range(row[2])]
    plain = cohen_kappa([row[0] for row in repeated], [row[1] for row in repeated])
    assert (weighted is None) == (plain is None)
    if weighted is not None and plain is not None:
        assert weighted.kappa == pytest.approx(plain.kappa)
        assert weighted.base_rates == pytest.approx(plain.base_rates)


def test_the_interval_is_near_the_published_standard_error() -> None:
    """Fleiss, Levin and Paik give 0.087 for their table, by the delta method."""
    found = cohen_kappa(*rows_of(COHEN["Fleiss, Levin and Paik"][0]))
    assert found is not None
    assert found.interval is not None
    assert found.interval[1] - found.interval[0] == pytest.approx(2 * 1.96 * 0.0877, rel=0.12)


def test_rows_of_one_cluster_tell_less() -> None:
    first, second = (side * 4 for side in rows_of([[6, 2], [1, 7]]))
    rows, clusters = cohen_kappa(first, second), cohen_kappa(first, second, clusters=[*range(16)] * 4)
    assert rows is not None
    assert clusters is not None
    assert rows.interval is not None
    assert clusters.interval is not None
    assert clusters.interval[1] - clusters.interval[0] > 1.7 * (rows.interval[1] - rows.interval[0])


UNDEFINED = {
    "nothing": ([], [], None),
    "one label throughout": (["a", "a"], ["a", "a"], None),
    "no weight": (["a", "b"], ["a", "b"], [0.0, 0.0]),
    "one label that weighs anything": (["a", "b"], ["a", "b"], [1.0, 0.0]),
}


@pytest.mark.parametrize(("first", "second", "weights"), UNDEFINED.values(), ids=UNDEFINED.keys())
def test_undefined(first: list[str], second: list[str], weights: list[float] | None) -> None:
    assert cohen_kappa(first, second, weights) is None


def test_perfect_agreement() -> None:
    found = cohen_kappa([0, 1, 1, 0], [0, 1, 1, 0])
    assert found is not None
    assert (found.kappa, found.interval) == (1.0, None)


@pytest.mark.parametrize(("second", "weights"), [(["a"], None), (["a", "b"], [1.0]), (["a", "b"], [1.0, -1.0])])
def test_what_does_not_fit(second: list[str], weights: list[float] | None) -> None:
    with pytest.raises(ValueError):
        cohen_kappa(["a", "b"], second, weights)
