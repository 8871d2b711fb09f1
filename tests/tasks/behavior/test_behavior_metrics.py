"""Metrics of choices: joined by pair, whatever the order of the outcomes."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.tasks.behavior.choice import CHOICE
from affordance.tasks.metrics import ResultSet
from affordance.tasks.pair_metrics import (
    CONTROL_TAG,
    PATTERNS,
    UX_LAW_TAG,
    UX_LAWS_TAG,
    laws_tag,
    one_result_per_law,
)
from behavior_data import outcome, picked
from task_numbers import intervals_of, metrics_of, present, published_of, section_of, trials_of

# The answers with the winner first and with the winner second, and what follows: first, second, average and consistent
# accuracy, and the preference for the first place.
TABLES = {
    "always right": ([("First", "Second")] * 2, (1, 1, 1, 1, 0.5)),
    "always wrong": ([("Second", "First")] * 2, (0, 0, 0, 0, 0.5)),
    "always first": ([("First", "First")] * 2, (1, 0, 0.5, 0, 1)),
    "always second": ([("Second", "Second")] * 2, (0, 1, 0.5, 0, 0)),
    "one pair right, one by place": ([("First", "Second"), ("First", "First")], (1, 0.5, 0.75, 0.5, 0.75)),
    "right in one order each": ([("First", "First"), ("Second", "Second")], (0.5, 0.5, 0.5, 0, 0.5)),
    "unread is wrong and no preference": ([("First", None), ("First", "Second")], (1, 0.5, 0.75, 0.5, 0.5)),
}
NAMES = ("first_accuracy", "second_accuracy", "average_accuracy", "consistent_accuracy", "position_preference")


def patterns_of(results: list[AttemptResult]) -> dict[str, float]:
    return present(section_of(CHOICE, PATTERNS, results))


def table(answers: list[tuple[str | None, str | None]]) -> list[AttemptResult]:
    return [
        picked(f"p{number}", truth, answer)
        for number, both in enumerate(answers)
        for truth, answer in zip(("First", "Second"), both, strict=True)
    ]


@pytest.mark.parametrize(("answers", "expected"), TABLES.values(), ids=TABLES.keys())
def test_by_hand(answers: list[tuple[str | None, str | None]], expected: tuple[float, ...]) -> None:
    metrics = metrics_of(CHOICE, table(answers))
    assert tuple(metrics[name] for name in NAMES) == pytest.approx(expected)
    assert metrics["accuracy"] == pytest.approx(metrics["average_accuracy"])


def test_pairs_are_joined_by_name_and_not_by_place_in_the_list() -> None:
    """The released evaluator joins by place: here that would make every pair consistent."""
    ones = [picked("a", "First", "First"), picked("b", "First", "Second")]
    others = [picked("b", "Second", "Second"), picked("a", "Second", "First")]
    assert metrics_of(CHOICE, [*ones, *others])["consistent_accuracy"] == 0
    assert metrics_of(CHOICE, [*ones, *others])["average_accuracy"] == 0.5


ANSWERS = st.lists(st.tuples(*[st.sampled_from(["First", "Second", None])] * 2), min_size=1, max_size=6)


@settings(max_examples=40)
@given(ANSWERS, st.randoms(use_true_random=False))
def test_the_order_of_outcomes_does_not_matter(
    answers: list[tuple[str | None, str | None]], chance: random.Random
) -> None:
    outcomes = table(answers)
    shuffled = chance.sample(outcomes, len(outcomes))
    assert metrics_of(CHOICE, shuffled) == pytest.approx(metrics_of(CHOICE, outcomes))


@settings(max_examples=40)
@given(ANSWERS)
def test_relations_between_accuracies(answers: list[tuple[str | None, str | None]]) -> None:
    metrics = metrics_of(CHOICE, table(answers))
    first, second, average, consistent = (metrics[name] or 0 for name in NAMES[:4])
    assert average == pytest.approx((first + second) / 2)
    assert consistent <= min(first, second) + 1e-9
    assert consistent >= first + second - 1 - 1e-9


def test_trials_are_joined_each_with_its_own() -> None:
    """Right in one order in one trial and in the other order in the next is never consistent."""
    outcomes = [
        picked("a", "First", "First", 0),
        picked("a", "Second", "First", 0),
        picked("a", "First", "Second", 1),
        picked("a", "Second", "Second", 1),
    ]
    assert metrics_of(CHOICE, outcomes)["consistent_accuracy"] == 0
    assert metrics_of(CHOICE, outcomes)["average_accuracy"] == 0.5


def test_a_pair_that_failed_in_one_order_is_no_pair() -> None:
    whole = table([("First", "Second"), ("First", "First")])
    failed = [picked("late", "First", "Second"), outcome("late", Verdict(AttemptStatus.FAILED), "Second")]
    pending = [picked("open", "First", "Second"), outcome("open", None, "Second")]
    found, expected = metrics_of(CHOICE, [*whole, *failed, *pending]), metrics_of(CHOICE, whole)
    assert {name: found[name] for name in NAMES} == {name: expected[name] for name in NAMES}
    assert found["accuracy"] == 0.5, "which counts every answer: three of six"


def test_a_run_that_ended_between_the_orders_of_every_trial() -> None:
    """A pair has both orders, but in no trial."""
    found = [picked("a", "First", "First", trial=0), picked("a", "Second", "First", trial=1)]
    assert metrics_of(CHOICE, found)["accuracy"] == 0.5
    assert (patterns_of(found), trials_of(CHOICE, found), present(published_of(CHOICE, found))) == ({}, {}, {})
    assert set(intervals_of(CHOICE, found)) >= {"accuracy"}


def test_of_nothing() -> None:
    assert metrics_of(CHOICE, [])["accuracy"] is None
    assert patterns_of([]) == {}
    assert present(published_of(CHOICE, [])) == {}


def test_shares_of_pairs_sum_to_one() -> None:
    found = patterns_of(table([("First", "Second"), ("Second", "First"), ("First", "First"), (None, "Second")]))
    shares = {name: found[name] for name in found if "_in_" in name}
    assert shares == {
        "right_in_both": 0.25, "wrong_in_both": 0.25, "first_in_both": 0.25, "second_in_both": 0.0,
        "unparsed_in_one": 0.25,
    }  # fmt: skip


def test_over_trials_the_deviation_is_that_of_counts_and_of_shares() -> None:
    """Two pairs; in the first trial both are right in both orders, in the second one of them."""
    second = [picked("p0", "First", "First", 1), picked("p0", "Second", "Second", 1)]
    second += [picked("p1", "First", "First", 1), picked("p1", "Second", "First", 1)]
    found = trials_of(CHOICE, [*table([("First", "Second")] * 2), *second])
    deviation = 2**-0.5
    assert found["consistent_accuracy"] == pytest.approx(
        {"mean": 0.75, "sd": deviation / 2, "mean_count": 1.5, "sd_count": deviation}
    )
    assert found["average_accuracy"] == pytest.approx(
        {"mean": 0.875, "sd": deviation / 4, "mean_count": 3.5, "sd_count": deviation}
    )
    assert trials_of(CHOICE, table([("First", "Second")]))["first_accuracy"] == {
        "mean": 1.0, "sd": None, "mean_count": 1.0, "sd_count": None,
    }  # fmt: skip
    assert trials_of(CHOICE, []) == {}


def test_accuracy_has_the_interval_of_the_average() -> None:
    """It is the same number, and must not stand on one page with two intervals."""
    found = intervals_of(CHOICE, table([("First", "Second"), ("First", "First"), ("Second", "First")]))
    assert found["accuracy"] == found["average_accuracy"]
    torn = intervals_of(CHOICE, [*table([("First", "Second"), ("First", "First")]), picked("late", "First", "First")])
    assert torn["accuracy"] != torn["average_accuracy"], "where an order is missing it is another number"
    assert "average_accuracy" in torn


def test_of_equal_pictures_only_the_preference_is_told() -> None:
    control = [replace(one, tags={CONTROL_TAG: "identical"}) for one in table([("First", "First"), ("First", "First")])]
    assert patterns_of(control) == {}
    assert present(metrics_of(CHOICE, control)) == {"position_preference": 1}


def test_a_pair_counts_for_each_of_its_laws() -> None:
    tags = {"device": "web", **laws_tag(["Hick’s Law", None, "Fitts’s Law", "Hick’s Law"])}
    found = one_result_per_law(ResultSet([replace(picked("a", "First", "First"), tags=tags)]))
    assert [one.tags for one in found] == [{UX_LAW_TAG: "Hick’s Law"}, {UX_LAW_TAG: "Fitts’s Law"}]
    assert laws_tag([None]) == {}
    assert one_result_per_law(ResultSet([picked("a", "First", "First")])) == []
    assert tags[UX_LAWS_TAG] == "Hick’s Law; Fitts’s Law"


def test_as_published_what_is_read_otherwise_counts_as_that() -> None:
    right, wrong = picked("a", "First", "First"), picked("a", "Second", "First")

    def strict(*outcomes: AttemptResult) -> tuple[float | None, ...]:
        found = published_of(CHOICE, outcomes)
        return tuple(found[f"{name}_accuracy_strict"] for name in ("first", "second", "average", "consistent"))

    assert strict(right, wrong) == (1, 0, 0.5, 0)
    unread = Verdict(AttemptStatus.ANSWERED, "First", 1.0, detail={"strict": None})
    assert strict(replace(right, verdict=unread), wrong) == (0, 0, 0, 0)
    changed = Verdict(AttemptStatus.ANSWERED, "First", 0.0, detail={"strict": "Second"})
    assert strict(right, replace(wrong, verdict=changed)) == (1, 1, 1, 1)
    assert strict(right, picked("a", "Second", None)) == (1, 0, 0.5, 0)
    assert present(published_of(CHOICE, [right])) == {}, "without the other order"
