"""Orders of options: balanced by construction, and the same for every model, process and machine."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.tasks.question_design import (
    OptionOrder,
    OptionPermutation,
    balanced_orders,
    option_letters,
    option_orders,
)
from errors import raises

options_ = st.integers(1, 9)
trials_ = st.integers(0, 25)
seeds = st.integers(0, 2**31)
indices = st.integers(0, 400)
orders_ = st.sampled_from(OptionOrder)
truths = st.integers(0, 10**6)  # of as many options as there are: the remainder


def slots(orders: list[OptionPermutation]) -> Counter[tuple[int, int]]:
    """How often each option stands in each slot."""
    return Counter((slot, option) for order in orders for slot, option in enumerate(order))


def places(options: int, truths: Sequence[int], trials: int, seed: int = 0) -> list[list[int]]:
    """Of each item: the slot of its right option in each trial."""
    return [
        [order.index(truth) for order in option_orders(OptionOrder.BALANCED, options, trials, seed, index, truth)]
        for index, truth in enumerate(truths)
    ]


@settings(max_examples=40)
@given(orders_, options_, trials_, seeds, indices, truths)
def test_each_trial_gets_a_permutation(
    order: OptionOrder, options: int, trials: int, seed: int, index: int, truth: int
) -> None:
    found = option_orders(order, options, trials, seed, index, truth % options)
    assert len(found) == trials
    assert all(sorted(one) == list(range(options)) for one in found)


@settings(max_examples=40)
@given(orders_, options_, trials_, trials_, seeds, indices, truths)
def test_a_function_of_seed_item_and_trial_only(
    order: OptionOrder, options: int, few: int, more: int, seed: int, index: int, truth: int
) -> None:
    """With more trials the earlier ones stay as they are, so that what was asked and paid for can be used again."""
    all_of_them = option_orders(order, options, few + more, seed, index, truth % options)
    assert option_orders(order, options, few, seed, index, truth % options) == all_of_them[:few]


@settings(max_examples=40)
@given(options_, st.integers(1, 4), seeds, indices, truths)
def test_whole_blocks_are_balanced_within_an_item(options: int, blocks: int, seed: int, index: int, truth: int) -> None:
    found = option_orders(OptionOrder.BALANCED, options, options * blocks, seed, index, truth % options)
    for block in range(blocks):
        counts = slots(found[block * options : (block + 1) * options])
        assert set(counts.values()) == {1}
        assert len(counts) == options**2


@settings(max_examples=40)
@given(st.data(), options_, trials_.filter(bool), seeds, st.integers(1, 3))
def test_in_every_trial_the_truth_is_balanced_over_items(
    data: st.DataObject, options: int, trials: int, seed: int, groups: int
) -> None:
    """Whatever the right options are."""
    items = options * groups
    right = data.draw(st.lists(st.integers(0, options - 1), min_size=items, max_size=items))
    found = places(options, right, trials, seed)
    for trial in range(trials):
        for group in range(0, items, options):
            assert sorted(of[trial] for of in found[group : group + options]) == list(range(options))


TURNS = tuple(range(7))
DESIGNS = {  # the right options of the items, the trials, how often the truth is in each slot
    "seven clips, ten trials": (TURNS, 10, 10),
    "seven clips backwards": (TURNS[::-1], 10, 10),
    "seven clips of one effect": ((3,) * 7, 10, 10),
    "in turns, once": (TURNS * 20, 1, 20),
    "one after the other, once": (tuple(sorted(TURNS * 20)), 1, 20),
    "three times": (TURNS * 2, 3, 6),
    "a block of one item": ((5,), 7, 1),
    "two blocks of one item": ((0,), 14, 2),
}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("right", "trials", "each"), DESIGNS.values(), ids=DESIGNS.keys())
def test_the_truth_is_in_every_slot_equally_often(right: tuple[int, ...], trials: int, each: int, seed: int) -> None:
    counts = Counter(slot for of in places(7, right, trials, seed) for slot in of)
    assert counts == dict.fromkeys(range(7), each)


@pytest.mark.parametrize("truth", [-1, 7, 70])
def test_a_truth_that_is_no_option(truth: int) -> None:
    with raises(ValueError, 7, truth):
        option_orders(OptionOrder.BALANCED, 7, 1, 0, 0, truth)


@pytest.mark.parametrize("order", [OptionOrder.BALANCED, OptionOrder.SHUFFLED])
def test_seeds_differ(order: OptionOrder) -> None:
    assert len({tuple(option_orders(order, 7, 10, seed, 0, 0)) for seed in range(50)}) == 50


def test_balanced_trials_of_an_item_differ() -> None:
    assert all(len(set(option_orders(OptionOrder.BALANCED, 7, 7, seed, 3, 3))) == 7 for seed in range(20))


def test_items_differ_when_balanced() -> None:
    assert len({tuple(option_orders(OptionOrder.BALANCED, 7, 10, 0, index, index % 7)) for index in range(70)}) == 70


@settings(max_examples=40)
@given(options_, trials_, seeds, indices, indices)
def test_shuffled_is_the_same_for_all_items(options: int, trials: int, seed: int, one: int, other: int) -> None:
    assert option_orders(OptionOrder.SHUFFLED, options, trials, seed, one, 0) == option_orders(
        OptionOrder.SHUFFLED, options, trials, seed, other, options - 1
    )


def test_shuffled_is_near_uniform() -> None:
    counts = slots([order for seed in range(300) for order in option_orders(OptionOrder.SHUFFLED, 7, 10, seed, 0, 0)])
    expected = 3000 / 7
    statistic = sum((counts[slot, option] - expected) ** 2 / expected for slot in range(7) for option in range(7))
    assert statistic < 68  # chi-square with 36 degrees of freedom, p = 0.001


@st.composite
def sets_of_right(draw: st.DrawFn) -> tuple[int, list[set[int]]]:
    """A number of options, and of each item those that are right."""
    options = draw(st.integers(1, 8))
    some = st.sets(st.integers(0, options - 1), min_size=1)
    return options, draw(st.lists(some, min_size=1, max_size=30))


def spread(counts: Counter[int], options: int) -> int:
    """How far apart the most and the least frequent slot are."""
    numbers = [counts[slot] for slot in range(options)]
    return max(numbers) - min(numbers)


@settings(max_examples=60)
@given(sets_of_right(), st.integers(1, 12), seeds)
def test_right_options_are_balanced_over_any_first_items(
    of: tuple[int, list[set[int]]], trials: int, seed: int
) -> None:
    """Whatever is right of each, and in every trial."""
    options, right = of
    found = balanced_orders(right, options, trials, seed)
    assert all(sorted(order) == list(range(options)) for orders in found for order in orders)
    for trial in range(trials):
        counts: Counter[int] = Counter()
        for orders, correct in zip(found, right, strict=True):
            counts.update(orders[trial].index(option) for option in correct)
            assert spread(counts, options) <= 1
    for orders in found:
        for start in range(0, trials - options + 1, options):
            assert set(slots(orders[start : start + options]).values()) == {1}, "within an item, over a whole block"


@settings(max_examples=40)
@given(sets_of_right(), st.integers(1, 30), st.integers(1, 12), st.integers(0, 12), seeds)
def test_more_items_and_more_trials_keep_the_orders(
    of: tuple[int, list[set[int]]], items: int, trials: int, more: int, seed: int
) -> None:
    options, right = of
    every = balanced_orders(right, options, trials + more, seed)
    few = balanced_orders(right[:items], options, trials, seed)
    assert few == [orders[:trials] for orders in every[:items]]


def test_right_options_stand_in_all_combinations_of_slots() -> None:
    found = balanced_orders([{0, 1}] * 600, 4, 1, seed=0)
    assert len({frozenset((order.index(0), order.index(1))) for (order,) in found}) == 6
    assert len({order for (order,) in found}) == 24


GOLDEN = {
    (OptionOrder.BALANCED, 0): "5013264 1326450 3264501 4501326 2645013 6450132 0132645 6024135 0241356 1356024",
    (OptionOrder.BALANCED, 1): "0514326 1432605 4326051 6051432 3260514 2605143 5143260 6514230 5142306 2306514",
    (OptionOrder.BALANCED, 9): "4013526 0135264 1352640 2640135 3526401 5264013 6401352 6214350 3506214 5062143",
    (OptionOrder.SHUFFLED, 0): "1206354 2536410 3206541 4306512 1263045 0613245 0162543 3026145 4521306 2051346",
}


@pytest.mark.parametrize(("order", "index"), GOLDEN)
def test_golden_orders_of_seed_0(order: OptionOrder, index: int) -> None:
    """These are in other people's ledgers: the ids of questions depend on them."""
    found = " ".join("".join(map(str, one)) for one in option_orders(order, 7, 10, 0, index, index % 7))
    assert found == GOLDEN[order, index]


@pytest.mark.parametrize(("count", "expected"), [(0, ""), (1, "A"), (7, "ABCDEFG"), (26, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")])
def test_letters(count: int, expected: str) -> None:
    assert option_letters(count) == expected
