"""Skill, position preference and noise: by hand and as properties. Simulations are in test_position_coverage."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.stats import (
    IntervalEstimate,
    OrderedChoice,
    Position,
    consistent_accuracy_by_chance,
    identical_pair_control,
    order_accuracies,
    pair_patterns,
    pair_preference,
    patterns_from_published,
    position_bias,
)
from errors import raises

CODES: dict[str, Position | None] = {"1": "first", "2": "second", "-": None}
TURNED: dict[str | None, Position | None] = {"first": "second", "second": "first", None: None}


def answers_to(replies: dict[str, tuple[str, str]], group: dict[str, str] | None = None) -> list[OrderedChoice]:
    """For each pair a letter for each trial with the winner first, and with the winner second; a blank is missing."""
    places: tuple[Position, Position] = ("first", "second")
    return [
        OrderedChoice(pair, (group or {}).get(pair, pair), place, trial, CODES[letter])
        for pair, orders in replies.items()
        for place, letters in zip(places, orders, strict=True)
        for trial, letter in enumerate(letters)
        if letter != " "
    ]


ANSWERERS = {
    "always right": ({"a": ("111", "222"), "b": ("111", "222")}, 1.0, 0.5, 0.0),
    "always wrong": ({"a": ("222", "111"), "b": ("222", "111")}, 0.0, 0.5, 0.0),
    "always the first": ({"a": ("111", "111"), "b": ("111", "111")}, 0.5, 1.0, 0.0),
    "always the second": ({"a": ("222", "222"), "b": ("222", "222")}, 0.5, 0.0, 0.0),
    "one pair right, one flipping": ({"a": ("111", "222"), "b": ("222", "222")}, 0.75, 0.25, 0.0),
    "never readable": ({"a": ("---", "---"), "b": ("---", "---")}, 0.0, None, 0.0),
    "one order never readable": ({"a": ("---", "222"), "b": ("---", "222")}, 0.5, None, 0.0),
    # Two of three trials are alike: of the three couples two differ.
    "one trial apart": ({"a": ("112", "222"), "b": ("111", "222")}, 11 / 12, 5 / 12, 1 / 6),
    "unreadable is wrong and an end of its own": ({"a": ("11-", "222"), "b": ("111", "222")}, 11 / 12, 0.5, 1 / 6),
    "all three ends": ({"a": ("12-", "222"), "b": ("111", "222")}, 5 / 6, 0.4, 1 / 4),
    "one trial": ({"a": ("1", "2"), "b": ("1", "1")}, 0.75, 0.75, None),
    "trials that are missing": ({"a": ("1 2", "22 "), "b": ("1  ", "  2")}, 7 / 8, 3 / 8, 1 / 2),
    "skill where one order is hard to read": ({"a": ("1---", "2222"), "b": ("1---", "2222")}, 0.625, 0.5, 0.25),
}


@pytest.mark.parametrize(
    ("replies", "skill", "preference", "noise"), ANSWERERS.values(), ids=[name.replace(" ", "-") for name in ANSWERERS]
)
def test_values(
    replies: dict[str, tuple[str, str]], skill: float, preference: float | None, noise: float | None
) -> None:
    found = position_bias(answers_to(replies))
    assert found.skill.value == pytest.approx(skill)
    for estimate, expected in ((found.first_share, preference), (found.noise, noise)):
        assert (estimate is None) == (expected is None)
        assert estimate is None or estimate.value == pytest.approx(expected)
    assert (found.pairs, found.groups, found.excluded_pairs) == (2, 2, 0)


def test_a_pair_without_one_of_the_orders_is_left_out() -> None:
    found = position_bias(answers_to({"a": ("1", "2"), "b": ("2", " "), "c": ("1", "2")}))
    assert (found.skill.value, found.pairs, found.excluded_pairs) == (1.0, 2, 1)


def test_one_group_has_no_interval() -> None:
    found = position_bias(answers_to({"a": ("11", "21"), "b": ("11", "22")}, {"a": "same", "b": "same"}))
    assert found.groups == 1
    assert found.first_share is not None
    assert found.skill.interval is found.first_share.interval is None


MISTAKES = {
    "two to one": ([OrderedChoice("a", "a", "first", 0, "first")] * 2, "('a', 'first', 0)"),
    "two groups": ([OrderedChoice("a", "a", "first", 0, None), OrderedChoice("a", "b", "second", 0, None)], "'a'"),
    "one order": ([OrderedChoice("a", "a", "first", 0, None)], ""),
    "nothing": ([], ""),
}


@pytest.mark.parametrize(("answers", "data"), MISTAKES.values(), ids=MISTAKES.keys())
def test_what_does_not_fit(answers: list[OrderedChoice], data: str) -> None:
    with raises(ValueError, data) as caught:
        position_bias(answers)
    assert caught.traceback[-1].name in ("position_bias", "choice_array"), "found before anything is computed"


letters = st.text("12-", min_size=3, max_size=3)
pairs_of_replies = st.lists(st.tuples(letters, letters), min_size=2, max_size=8).map(
    lambda rows: {f"pair {number}": row for number, row in enumerate(rows)}
)


def near(estimate: IntervalEstimate | None) -> object:
    if estimate is None or estimate.interval is None:
        return estimate
    return pytest.approx((estimate.value, *estimate.interval), abs=1e-9)


def flat(estimate: IntervalEstimate | None) -> object:
    return estimate if estimate is None or estimate.interval is None else (estimate.value, *estimate.interval)


@settings(max_examples=40)
@given(pairs_of_replies, st.randoms(use_true_random=False))
def test_the_order_of_the_list_does_not_matter(replies: dict[str, tuple[str, str]], shuffle: random.Random) -> None:
    answers = answers_to(replies)
    mixed = list(answers)
    shuffle.shuffle(mixed)
    assert position_bias(mixed) == position_bias(answers)
    assert order_accuracies(mixed) == order_accuracies(answers)
    assert pair_patterns(mixed) == pair_patterns(answers)


@settings(max_examples=40)
@given(pairs_of_replies)
def test_calling_the_places_the_other_way_turns_the_preference_only(replies: dict[str, tuple[str, str]]) -> None:
    answers = answers_to(replies)
    turned = [
        replace(a, winner_position=TURNED[a.winner_position] or "first", chosen_position=TURNED[a.chosen_position])
        for a in answers
    ]
    one, other = position_bias(answers), position_bias(turned)
    assert flat(other.skill) == near(one.skill)
    assert flat(other.noise) == near(one.noise)
    if one.first_share is None or one.first_share.interval is None:
        assert other.first_share is None
    else:
        low, high = one.first_share.interval
        assert flat(other.first_share) == pytest.approx((1 - one.first_share.value, 1 - high, 1 - low), abs=1e-9)


@settings(max_examples=40)
@given(pairs_of_replies)
def test_more_copies_of_the_trials_make_skill_and_preference_no_surer(replies: dict[str, tuple[str, str]]) -> None:
    once = position_bias(answers_to(replies))
    thrice = position_bias(answers_to({pair: (one * 3, other * 3) for pair, (one, other) in replies.items()}))
    assert flat(thrice.skill) == near(once.skill)
    assert flat(thrice.first_share) == near(once.first_share)


@settings(max_examples=40)
@given(pairs_of_replies)
def test_the_interval_holds_the_value_and_stays_within_0_and_1(replies: dict[str, tuple[str, str]]) -> None:
    found, shares = position_bias(answers_to(replies)), pair_patterns(answers_to(replies))
    for estimate in (found.skill, found.first_share, found.noise, shares.both_correct, shares.first, shares.unparsed):
        if estimate is not None and estimate.interval is not None:
            low, high = estimate.interval
            assert 0 <= low <= estimate.value + 1e-12
            assert estimate.value - 1e-12 <= high <= 1


@settings(max_examples=40)
@given(pairs_of_replies)
def test_shares_accuracies_and_skill_agree(replies: dict[str, tuple[str, str]]) -> None:
    answers = answers_to(replies)
    shares, scores, found = pair_patterns(answers), order_accuracies(answers), position_bias(answers)
    parts = (shares.both_correct, shares.both_wrong, shares.first, shares.second, shares.unparsed)
    assert sum(part.value for part in parts) == pytest.approx(1)
    assert scores.consistent.share.value == pytest.approx(shares.both_correct.value)
    assert scores.average.share.value == pytest.approx(found.skill.value)
    assert scores.average.share.value == pytest.approx((scores.first.share.value + scores.second.share.value) / 2)
    derived = patterns_from_published(
        scores.first.share.value, scores.second.share.value, scores.consistent.share.value
    )
    assert derived.both_correct == pytest.approx(shares.both_correct.value)
    if not shares.unparsed.value:
        assert derived.both_wrong == pytest.approx(shares.both_wrong.value)
        assert (derived.first, derived.second) == (
            pytest.approx(shares.first.value),
            pytest.approx(shares.second.value),
        )
        assert found.first_share is not None
        assert derived.first_share == pytest.approx(found.first_share.value)


def test_accuracies_over_trials_in_shares_and_counts() -> None:
    """Trial by trial 2, 1, 2 of 2 pairs are right with the winner first, and 1, 1, 1 with the winner second."""
    found = order_accuracies(answers_to({"a": ("111", "222"), "b": ("121", "1-1")}))
    assert (found.pairs, found.trials) == (2, 3)
    assert (found.first.count, found.second.count, found.average.count) == pytest.approx((5 / 3, 1, 8 / 3))
    assert found.first.share.value == pytest.approx(5 / 6)
    assert found.first.count_deviation == pytest.approx(math.sqrt(1 / 3))  # 0.577, as three whole numbers give
    assert found.first.deviation == pytest.approx(math.sqrt(1 / 3) / 2)
    assert found.second.count_deviation == 0
    assert found.average.count_deviation == pytest.approx(math.sqrt(1 / 3))
    assert found.average.deviation == pytest.approx(math.sqrt(1 / 3) / 4)
    assert found.consistent.count == 1


def test_one_trial_has_no_deviation() -> None:
    found = order_accuracies(answers_to({"a": ("1", "2"), "b": ("1", "1")}))
    assert (found.first.deviation, found.first.count_deviation, found.trials) == (None, None, 1)


def test_a_trial_counts_where_both_orders_are_there() -> None:
    found = order_accuracies(answers_to({"a": ("1 1", "22 "), "b": ("22 ", "1  ")}))
    assert (found.pairs, found.trials) == (2, 1)
    assert found.consistent.share.value == 0.5
    with pytest.raises(ValueError):
        order_accuracies(answers_to({"a": ("1 ", " 2")}))


def test_kinds_of_pairs() -> None:
    found = pair_patterns(
        answers_to({"a": ("11", "22"), "b": ("22", "11"), "c": ("11", "11"), "d": ("22", "22"), "e": ("1-", "-2")})
    )
    kinds = (found.both_correct, found.both_wrong, found.first, found.second, found.unparsed)
    assert [kind.value for kind in kinds] == pytest.approx([0.2] * 5)
    assert found.inconsistent == pytest.approx(0.4)


@pytest.mark.parametrize(("preference", "chance"), [(0.5, 0.25), (1.0, 0.0), (0.0, 0.0), (0.1, 0.09)])
def test_chance_of_consistency(preference: float, chance: float) -> None:
    assert consistent_accuracy_by_chance(preference) == pytest.approx(chance)


IMPOSSIBLE = {
    "consistent above the smaller": (0.3, 0.8, 0.4),
    "more than there is": (0.9, 0.9, 0.7),
    "percent": (16.56, 97.78, 15.56),
    "negative": (0.1, 0.1, -0.1),
}


@pytest.mark.parametrize(("first", "second", "consistent"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_accuracies_that_cannot_be(first: float, second: float, consistent: float) -> None:
    with raises(ValueError, first, second, consistent):
        patterns_from_published(first, second, consistent)


def test_shares_that_are_derived() -> None:
    """Of ten pairs: nine right with the winner first, three with the winner second, three of them with both."""
    found = patterns_from_published(0.9, 0.3, 0.3)
    assert (found.both_correct, found.both_wrong, found.first, found.second) == pytest.approx((0.3, 0.1, 0.6, 0.0))
    assert (found.inconsistent, found.consistent, found.first_share) == pytest.approx((0.6, 0.4, 0.8))
    assert found.chance == pytest.approx(0.16)


def test_equal_pictures_show_the_preference_alone() -> None:
    found = identical_pair_control(answers_to({"a": ("112", "111"), "b": ("1-1", "222")}))
    assert found is not None
    assert found.value == pytest.approx((5 / 6 + 2 / 6) / (1 + 5 / 6))
    assert identical_pair_control(answers_to({"a": ("-", "-")})) is None


CHOICES = {
    "nothing asked": ((0, 0), (0, 0), 0.5, 0.5, 0.5),
    "always the first place": ((3, 0), (0, 3), 0.5, 0.5, 0.8),
    "always the second place": ((0, 3), (3, 0), 0.5, 0.5, 0.2),
    "always A": ((3, 0), (3, 0), 69 / 70, 0.8, 0.5),
    "always B": ((0, 3), (0, 3), 1 / 70, 0.2, 0.5),
    "one order only": ((1, 0), (0, 0), 2 / 3, 7 / 12, 7 / 12),
}


@pytest.mark.parametrize(("first", "second", "probability", "share", "place"), CHOICES.values(), ids=CHOICES.keys())
def test_which_is_preferred(
    first: tuple[int, int], second: tuple[int, int], probability: float, share: float, place: float
) -> None:
    found = pair_preference(first, second)
    assert (found.probability, found.share, found.first_share) == (
        pytest.approx(probability, abs=1e-11),
        pytest.approx(share),
        pytest.approx(place),
    )
    if probability == 0.5:
        assert found.probability == 0.5


counts = st.tuples(st.integers(0, 30), st.integers(0, 30))


@settings(max_examples=40)
@given(counts, counts)
def test_the_other_design_has_the_rest_of_the_probability(first: tuple[int, int], second: tuple[int, int]) -> None:
    found, other = pair_preference(first, second), pair_preference(second[::-1], first[::-1])
    assert 0 <= found.probability <= 1
    assert other.probability == pytest.approx(1 - found.probability, abs=1e-9)
    assert other.share == pytest.approx(1 - found.share)


def test_the_posterior_by_drawing_from_it() -> None:
    draw = np.random.default_rng(3)
    shown_first, shown_second = draw.beta(1 + 4, 1 + 2, 40_000), draw.beta(1 + 1, 1 + 4, 40_000)
    expected = float(((shown_first + shown_second) / 2 > 0.5).mean())
    assert pair_preference((4, 2), (1, 4)).probability == pytest.approx(expected, abs=0.01)


def test_counts_below_zero() -> None:
    with raises(ValueError, "(-1, 2)"):
        pair_preference((-1, 2), (0, 0))
    with raises(ValueError, "(0, -1)"):
        pair_preference((0, 0), (0, -1))
