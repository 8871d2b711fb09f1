"""`--limit`: fewer items, from all over the dataset, and always the same ones first."""

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.tasks.question_design import (
    OptionOrder,
    QuestionDesign,
    TaskParams,
    option_orders,
    ranked_subset,
    select_subset,
)

NAMES = st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=30)


@settings(max_examples=40)
@given(NAMES, st.integers(1, 30), st.integers(1, 30))
def test_a_larger_limit_takes_the_same_ones_and_more(names: list[str], one: int, other: int) -> None:
    low, high = sorted((one, other))
    few, many = select_subset(names, low, str), select_subset(names, high, str)
    assert set(few) <= set(many)
    assert len(few) == min(low, len(names))
    assert few == [name for name in names if name in few], "in the order of the dataset"
    assert select_subset(names, None, str) == names


@settings(max_examples=40)
@given(NAMES, st.integers(1, 30))
def test_which_ones_does_not_depend_on_the_order(names: list[str], limit: int) -> None:
    assert set(select_subset(sorted(names), limit, str)) == set(select_subset(names, limit, str))


@settings(max_examples=40)
@given(st.lists(st.integers(0, 8), max_size=40), st.integers(1, 40), st.integers(0, 10))
def test_what_has_one_name_stays_together(names: list[int], limit: int, more: int) -> None:
    """The first ones however many; after that never more than the limit."""
    found, larger = select_subset(names, limit, str), select_subset(names, limit + more, str)
    assert found == [name for name in names if name in found], "all or none"
    assert len(found) <= limit or len(set(found)) == 1
    assert set(found) <= set(larger)
    assert bool(found) is bool(names)
    left = [names.count(name) for name in set(names) - set(found)]
    assert not left or len(found) + max(left) > limit, "it ends where something does not go in"


def test_they_are_from_all_over() -> None:
    places = select_subset(range(1000), 100, str)
    thirds = [sum(low <= place < low + 250 for place in places) for low in (0, 250, 500, 750)]
    assert all(12 <= number <= 40 for number in thirds), thirds


DESIGN = QuestionDesign(params=TaskParams(), trials=3, option_order=OptionOrder.BALANCED)


def ranks(names: list[str], limit: int | None, rules: int = 2) -> dict[str, int]:
    found = ranked_subset(names, replace(DESIGN, limit=limit, version=rules), str)
    return {name: rank for rank, name in found}


@settings(max_examples=40)
@given(NAMES, st.integers(1, 30), st.integers(0, 30))
def test_a_subset_has_the_first_ranks_and_keeps_them_in_a_larger_one(names: list[str], limit: int, more: int) -> None:
    few, many = ranks(names, limit), ranks(names, limit + more)
    assert list(few) == select_subset(names, limit, str), "in the order of the dataset"
    assert sorted(few.values()) == list(range(len(few)))
    assert few.items() <= many.items()
    index = {name: place for place, name in enumerate(names)}
    assert ranks(names, None) == index, "as they always were"
    assert ranks(names, limit, rules=1).items() <= index.items(), "as in runs of version 1"


@settings(max_examples=60)
@given(st.integers(2, 9), st.integers(1, 300), st.integers(1, 300), st.integers(0, 2**31))
def test_the_right_option_is_balanced_over_any_subset(options: int, items: int, limit: int, seed: int) -> None:
    """In every trial."""
    names = [f"{seed}-{number}" for number in range(items)]
    subset = ranked_subset(list(enumerate(names)), replace(DESIGN, limit=limit), lambda one: one[1])
    orders = [
        (option_orders(OptionOrder.BALANCED, options, 3, seed, rank, number % options), number % options)
        for rank, (number, _) in subset
    ]
    for trial in range(3):
        counts = Counter(of[trial].index(truth) for of, truth in orders)
        numbers = [counts[slot] for slot in range(options)]
        assert max(numbers) - min(numbers) <= 1
