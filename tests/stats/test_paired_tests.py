"""Tests of a difference: by hand, by going through all that could have happened, and against scipy."""

import itertools
import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from affordance.stats import holm_adjust, mann_whitney_test, mcnemar_test, wilcoxon_test
from errors import raises

Midranks = list[Fraction]


def normal_p(z: float) -> float:
    return 2 * (1 - NormalDist().cdf(z))


def ranked(values: Sequence[float]) -> Midranks:
    """A value's rank is the number of those below it and half of those equal to it, itself among them, plus a half."""
    return [sum((Fraction(b < a) + Fraction(b == a, 2) for b in values), Fraction(1, 2)) for a in values]


# Twice the chance of at most the smaller count among b + c tosses of a coin.
MCNEMAR = {
    "none differ": (0, 0, 1, None),
    "one": (1, 0, 1, 1),
    "all to one side: 2 x 1 / 32": (5, 0, 1 / 16, 1),
    "2 x (1 + 9) / 512": (8, 1, 20 / 512, 8 / 9),
    "the other way": (1, 8, 20 / 512, 1 / 9),
    "2 x (1 + 11 + 55) / 2048": (9, 2, 134 / 2048, 9 / 11),
    "as many: 2 x 42 / 64 is above 1": (3, 3, 1, 1 / 2),
}


@pytest.mark.parametrize(("b", "c", "p", "effect"), MCNEMAR.values(), ids=MCNEMAR.keys())
def test_mcnemar_by_hand(b: int, c: int, p: float, effect: float | None) -> None:
    found = mcnemar_test(b, c)
    assert (found.statistic, found.n, found.exact, found.effect) == (b, b + c, True, effect)
    assert found.p == pytest.approx(p, rel=1e-12)


@settings(max_examples=40)
@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_is_the_exact_binomial_test(b: int, c: int) -> None:
    p = mcnemar_test(b, c).p
    assert p == pytest.approx(
        min(Fraction(1), Fraction(2 * sum_of_binomials(b + c, min(b, c)), 2 ** (b + c))), rel=1e-9
    )
    if b + c:
        assert p == pytest.approx(stats.binomtest(b, b + c).pvalue, rel=1e-9)


def sum_of_binomials(n: int, limit: int) -> int:
    return sum(math.comb(n, hits) for hits in range(limit + 1))


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_mcnemar_does_not_care_which_is_the_first(b: int, c: int) -> None:
    assert mcnemar_test(b, c).p == mcnemar_test(c, b).p


# Twice the share of the sign assignments whose sum of positive ranks is at most the smaller of both sums.
WILCOXON = {
    # Of 8 assignments only the empty one.
    "all positive": ([1, 2, 3], 6, 3, 2 / 8),
    "all negative": ([-1, -2, -3], 0, 3, 2 / 8),
    # Negative sum 2. At most 2: none, 1, 2.
    "no ties": ([1, -2, 3, 4], 8, 4, 2 * 3 / 16),
    # Ranks 2 2 2 4, negative sum 2. At most 2: none, and either 2.
    "ties": ([1, 1, -1, 2], 8, 4, 2 * 4 / 16),
    # Ranks 3 4 5 6 behind those of the zeros, negative sum 6. At most 6: none, 3, 4, 5, 6. Without the zeros in the
    # ranking it would be a sum of 4 in 1 2 3 4: none, 1, 2, 3, 4, 1 + 2, 1 + 3, that is 14 / 16.
    "zeros are ranked, then left out": ([0, 0, 1, 2, 3, -4], 12, 4, 2 * 5 / 16),
    # Ranks 3.5 four times and 6, negative sum 6. At most 6: none, any 3.5, 6.
    "zeros and ties": ([0, 1, 1, 1, 1, -2], 14, 5, 2 * 6 / 32),
    # Ranks 1.5 1.5, sums 1.5 and 1.5. At most 1.5: three of four, twice that is above 1.
    "balanced": ([1, -1], 1.5, 2, 1),
    "one": ([2], 1, 1, 1),
    "all zero": ([0, 0, 0], 0, 0, 1),
    # On paper 0, 0.1, 0.1, -0.1, 0.2: ranks 3 3 3 5, negative sum 3. At most 3: none, and either 3.
    "equal on paper": ([0.1 + 0.2 - 0.3, 3.7 - 3.6, 2.4 - 2.3, 1.1 - 1.2, 0.2], 11, 4, 2 * 4 / 16),
}


@pytest.mark.parametrize(("differences", "statistic", "n", "p"), WILCOXON.values(), ids=WILCOXON.keys())
def test_wilcoxon_by_hand(differences: list[float], statistic: float, n: int, p: float) -> None:
    found = wilcoxon_test(differences)
    assert (found.statistic, found.n, found.exact) == (statistic, n, True)
    assert found.p == pytest.approx(p, rel=1e-12)
    assert (found.effect is None) == (n == 0)


def test_the_effect_of_wilcoxon_is_the_positive_share_of_the_ranks() -> None:
    assert [wilcoxon_test(d).effect for d in ([1, 2], [-1, -2], [1, -1], [0, 1, -2])] == [1, 0, 1 / 2, 2 / 5]


def all_signs(differences: Sequence[float]) -> Fraction:
    """p of Wilcoxon's test with Pratt's zeros, as the share of assignments at least as far from the mean."""
    ranks = [r for r, d in zip(ranked([abs(d) for d in differences]), differences, strict=True) if d != 0]
    signs = [1 if d > 0 else -1 for d in differences if d != 0]

    def distance(assigned: Sequence[int]) -> Fraction:
        return abs(sum((s * r for s, r in zip(assigned, ranks, strict=True)), Fraction(0)))

    as_far = [distance(assigned) >= distance(signs) for assigned in itertools.product((-1, 1), repeat=len(ranks))]
    return Fraction(sum(as_far), len(as_far))


scores = st.integers(-5, 5).map(float)


@settings(max_examples=40)
@given(st.lists(scores, min_size=1, max_size=9))
def test_wilcoxon_is_exact_over_all_signs(differences: list[float]) -> None:
    assert wilcoxon_test(differences).p == pytest.approx(all_signs(differences), rel=1e-12)


@pytest.mark.parametrize("differences", [[0, 0, 1, 2, 3, -4], [0, 1, 1, 1, 1, -2], [2, -1, 2, 5, 0, 3, -1, 1]], ids=str)
def test_wilcoxon_agrees_with_all_signs_by_scipy(differences: list[float]) -> None:
    theirs = stats.wilcoxon(differences, zero_method="pratt", method=stats.PermutationMethod(n_resamples=256))
    assert wilcoxon_test(differences).p == pytest.approx(theirs.pvalue, rel=1e-9)


@settings(max_examples=40)
@given(st.lists(st.integers(-(10**6), 10**6).filter(bool), min_size=1, max_size=40, unique_by=abs))
def test_wilcoxon_without_ties_agrees_with_the_exact_one_of_scipy(differences: list[int]) -> None:
    found = wilcoxon_test(differences)
    theirs = stats.wilcoxon(differences, method="exact")
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert min(found.statistic, found.n * (found.n + 1) / 2 - found.statistic) == theirs.statistic


def rounded_differences(n: int, shift: float, spread: float) -> list[float]:
    draw = random.Random(7)
    return [float(round(draw.gauss(shift * spread, spread))) for _ in range(n)]


def normal_by_scipy(differences: list[float]) -> float:
    found = stats.wilcoxon(differences, zero_method="pratt", correction=True, method="asymptotic")
    return float(found.pvalue)


@pytest.mark.parametrize("shift", [0, 0.1, 0.3])
@pytest.mark.parametrize("spread", [0.4, 1, 3])
def test_more_differences_have_the_normal_distribution(spread: float, shift: float) -> None:
    """With ties, and zeros from nearly four fifths to an eighth."""
    differences = rounded_differences(1000, shift, spread)
    found = wilcoxon_test(differences)
    assert not found.exact
    assert found.p == pytest.approx(normal_by_scipy(differences), rel=1e-9)


@pytest.mark.parametrize("shift", [0, 0.1, 0.3])
@pytest.mark.parametrize("spread", [1, 3])
def test_the_exact_distribution_is_near_the_normal_one_before(spread: float, shift: float) -> None:
    differences = rounded_differences(200, shift, spread)
    found = wilcoxon_test(differences)
    assert found.exact
    assert found.p == pytest.approx(normal_by_scipy(differences), abs=0.004, rel=0.1)


def test_with_one_rank_only_it_is_the_sign_test_which_the_normal_one_is_not_near() -> None:
    """All that differ tie, so only their number counts: sums are far apart, and a correction by one half is little."""
    differences = [1.0] * 20 + [-1.0] * 12 + [0.0] * 200
    assert wilcoxon_test(differences).p == pytest.approx(mcnemar_test(20, 12).p, rel=1e-9)
    assert normal_by_scipy(differences) < mcnemar_test(20, 12).p - 0.04


@settings(max_examples=40)
@given(st.lists(scores, min_size=1, max_size=60), st.randoms(use_true_random=False))
def test_wilcoxon_does_not_care_for_order_scale_and_which_is_the_first(
    differences: list[float], shuffle: random.Random
) -> None:
    found = wilcoxon_test(differences)
    mixed = [-3 * d for d in differences]
    shuffle.shuffle(mixed)
    turned = wilcoxon_test(mixed)
    assert (turned.n, turned.p) == (found.n, pytest.approx(found.p, rel=1e-12))
    assert 0 < found.p <= 1
    if found.effect is not None:
        assert turned.effect == pytest.approx(1 - found.effect)


# Without ties twice the share of the orders with at most the smaller U; with ties the normal distribution.
MANN_WHITNEY = {
    # 6 orders of two and two.
    "all below": ([1, 2], [3, 4], 0, 2 / 6, True),
    "all above": ([3, 4], [1, 2], 4, 2 / 6, True),
    "one against four": ([5], [1, 2, 3, 4], 4, 2 / 5, True),
    # U in the 6 orders: 0 1 2 2 3 4. Four of them are at most 2.
    "balanced": ([1, 4], [2, 3], 2, 1, True),
    # 4 and 5 are above both, 2 above one. Of 10 orders one has U = 0 and one U = 1.
    "in between": ([4, 5, 2], [1, 3], 5, 2 * 2 / 10, True),
    # Both 2 of the first tie with that of the second: U = 2 x 1/2, mean 3, variance 6 / 12 (6 - 24 / 20) = 2.4.
    "ties": ([1, 2, 2], [2, 3], 1, normal_p((2 - 0.5) / math.sqrt(2.4)), False),
    "ties within a sample": ([1, 1], [2], 0, normal_p((1 - 0.5) / math.sqrt(2 / 12 * (4 - 6 / 6))), False),
    "all equal": ([1, 1], [1], 1, 1, False),
    "equal on paper": ([0.1 + 0.2], [0.3], 0.5, 1, False),
}


@pytest.mark.parametrize(("first", "second", "u", "p", "exact"), MANN_WHITNEY.values(), ids=MANN_WHITNEY.keys())
def test_mann_whitney_by_hand(first: list[float], second: list[float], u: float, p: float, exact: bool) -> None:
    found = mann_whitney_test(first, second)
    assert (found.statistic, found.n, found.exact) == (u, len(first) + len(second), exact)
    assert found.p == pytest.approx(p, rel=1e-9)
    assert found.effect == pytest.approx(u / (len(first) * len(second)))


def couples_won(first: Sequence[float], second: Sequence[float]) -> Fraction:
    return sum((Fraction(a > b) + Fraction(a == b, 2) for a in first for b in second), Fraction(0))


@settings(max_examples=40)
@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=9, unique=True), st.data())
def test_mann_whitney_is_exact_over_all_orders(values: list[int], data: st.DataObject) -> None:
    m = data.draw(st.integers(1, len(values) - 1))

    def distance(chosen: Sequence[int]) -> Fraction:
        first = [values[at] for at in chosen]
        second = [value for at, value in enumerate(values) if at not in chosen]
        return abs(couples_won(first, second) - Fraction(m * (len(values) - m), 2))

    as_far = [distance(chosen) >= distance(range(m)) for chosen in itertools.combinations(range(len(values)), m)]
    found = mann_whitney_test(values[:m], values[m:])
    assert found.p == pytest.approx(Fraction(sum(as_far), len(as_far)), rel=1e-12)


@settings(max_examples=40)
@given(st.lists(scores, min_size=1, max_size=40), st.lists(scores, min_size=1, max_size=40))
def test_mann_whitney_agrees_with_scipy(first: list[float], second: list[float]) -> None:
    found = mann_whitney_test(first, second)
    assert found.statistic == couples_won(first, second)
    if len({*first, *second}) == 1:
        assert found.p == 1
        return
    theirs = stats.mannwhitneyu(first, second, method="exact" if found.exact else "asymptotic")
    assert (found.statistic, found.p) == (theirs.statistic, pytest.approx(theirs.pvalue, rel=1e-9))


@pytest.mark.parametrize(("m", "k"), [(50, 50), (3, 800), (800, 3), (50, 51), (400, 90)])
def test_mann_whitney_of_larger_samples(m: int, k: int) -> None:
    draw = random.Random(7)
    first, second = [draw.gauss(0.3, 1) for _ in range(m)], [draw.gauss(0, 1) for _ in range(k)]
    found = mann_whitney_test(first, second)
    assert found.exact == (m * k <= 2500)
    theirs = stats.mannwhitneyu(first, second, method="exact" if found.exact else "asymptotic")
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert found.p == pytest.approx(stats.mannwhitneyu(first, second, method="asymptotic").pvalue, abs=0.03)


@settings(max_examples=40)
@given(st.lists(scores, min_size=1, max_size=20), st.lists(scores, min_size=1, max_size=20))
def test_mann_whitney_does_not_care_for_order_scale_and_which_is_the_first(
    first: list[float], second: list[float]
) -> None:
    found = mann_whitney_test(first, second)
    turned = mann_whitney_test([math.exp(value) for value in reversed(second)], [math.exp(value) for value in first])
    assert turned.p == pytest.approx(found.p, rel=1e-12)
    assert found.effect is not None
    assert turned.effect == pytest.approx(1 - found.effect)


HOLM = {
    "none": ([], []),
    "one": ([0.04], [0.04]),
    # In order: 4 x 0.005, 3 x 0.01, 2 x 0.03, and 1 x 0.04, which may not be below the one before.
    "four": ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
    "at most 1": ([0.5, 0.6, 1.0], [1.0, 1.0, 1.0]),
    "equal ones": ([0.02, 0.02], [0.04, 0.04]),
}


@pytest.mark.parametrize(("p_values", "adjusted"), HOLM.values(), ids=HOLM.keys())
def test_holm_by_hand(p_values: list[float], adjusted: list[float]) -> None:
    assert holm_adjust(p_values) == pytest.approx(adjusted)


chances = st.floats(0, 1)


@settings(max_examples=40)
@given(st.lists(chances, max_size=7))
def test_holm_is_bonferroni_on_every_part_of_the_family(p_values: list[float]) -> None:
    """Closed testing: a test is rejected when every set of tests that holds it is, each by Bonferroni."""
    places = range(len(p_values))
    parts = [part for size in range(1, len(p_values) + 1) for part in itertools.combinations(places, size)]
    for place, adjusted in zip(places, holm_adjust(p_values), strict=True):
        expected = max(min(1.0, len(part) * min(p_values[at] for at in part)) for part in parts if place in part)
        assert adjusted == pytest.approx(expected, rel=1e-12)


@settings(max_examples=40)
@given(st.lists(chances, min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_holm_keeps_the_order_and_only_raises(p_values: list[float], shuffle: random.Random) -> None:
    adjusted = dict(zip(p_values, holm_adjust(p_values), strict=True))
    assert all(p <= adjusted[p] <= 1 for p in p_values)
    ordered = [adjusted[p] for p in sorted(p_values)]
    assert ordered == sorted(ordered)
    mixed = list(p_values)
    shuffle.shuffle(mixed)
    assert holm_adjust(mixed) == [adjusted[p] for p in mixed]


MISTAKES: dict[str, tuple[Callable[[], object], tuple[str, ...]]] = {
    "negative count": (lambda: mcnemar_test(-1, 3), ("-1", "3")),
    "count that is not whole": (lambda: mcnemar_test(1.5, 3), ("1.5", "3")),  # type: ignore[arg-type]
    "count that is no number": (lambda: mcnemar_test(math.nan, 3), ("nan", "3")),  # type: ignore[arg-type]
    "no differences": (lambda: wilcoxon_test([]), ("(0,)",)),
    "differences in a table": (lambda: wilcoxon_test([[1.0], [2.0]]), ("(2, 1)",)),  # type: ignore[list-item]
    "difference that is no number": (lambda: wilcoxon_test([1.0, math.nan]), ("nan",)),
    "endless difference": (lambda: wilcoxon_test([1.0, -math.inf]), ("-inf",)),
    "empty first sample": (lambda: mann_whitney_test([], [1.0]), ("(0,)",)),
    "empty second sample": (lambda: mann_whitney_test([1.0], []), ("(0,)",)),
    "value that is no number": (lambda: mann_whitney_test([1.0], [math.nan]), ("nan",)),
    "p that is no number": (lambda: holm_adjust([0.5, math.nan]), ("nan",)),
    "p below 0": (lambda: holm_adjust([-0.1]), ("-0.1",)),
    "p above 1": (lambda: holm_adjust([1.5]), ("1.5",)),
}


@pytest.mark.parametrize(("call", "data"), MISTAKES.values(), ids=MISTAKES.keys())
def test_what_does_not_fit(call: Callable[[], object], data: tuple[str, ...]) -> None:
    with raises(ValueError, *data):
        call()


def test_the_input_is_left_as_it_was() -> None:
    differences = np.array([1e-12, 1.0, -2.0])
    before = differences.copy()
    wilcoxon_test(differences)  # type: ignore[arg-type]
    assert (differences == before).all()


def test_false_alarms_are_as_rare_as_they_should_be() -> None:
    """On scores of 0 to 5 with many ties and no true difference, p is below 0.05 in at most about 5% of samples."""
    draw = np.random.default_rng(7)
    rounds, alarms = 200, np.zeros(2)
    for _ in range(rounds):
        first, second = draw.integers(0, 6, (2, 30)).astype(float)
        alarms += [wilcoxon_test(list(first - second)).p < 0.05, mann_whitney_test(list(first), list(second)).p < 0.05]
    assert (alarms / rounds >= 0.02).all(), alarms
    assert (alarms / rounds <= 0.08).all(), alarms
