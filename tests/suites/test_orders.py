"""Orders of options: balanced by construction, and the same for every model, process and machine."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affordance.suites.orders import Permutation, letters, permutations
from affordance.suites.task import Order

options_ = st.integers(1, 9)
trials_ = st.integers(0, 25)
seeds = st.integers(0, 2**31)
indices = st.integers(0, 400)
orders_ = st.sampled_from(Order)


def slots(orders: list[Permutation]) -> Counter[tuple[int, int]]:
    """How often each option stands in each slot."""
    return Counter((slot, option) for order in orders for slot, option in enumerate(order))


@given(orders_, options_, trials_, seeds, indices)
def test_each_trial_gets_a_permutation(order: Order, options: int, trials: int, seed: int, index: int) -> None:
    found = permutations(order, options, trials, seed, index)
    assert len(found) == trials
    assert all(sorted(one) == list(range(options)) for one in found)


@given(orders_, options_, trials_, trials_, seeds, indices)
def test_a_function_of_seed_item_and_trial_only(
    order: Order, options: int, few: int, more: int, seed: int, index: int
) -> None:
    """With more trials the earlier ones stay as they are, so that what was asked and paid for can be used again."""
    all_of_them = permutations(order, options, few + more, seed, index)
    assert permutations(order, options, few, seed, index) == all_of_them[:few]


@given(options_, st.integers(1, 4), seeds, indices)
def test_whole_blocks_are_balanced_within_an_item(options: int, blocks: int, seed: int, index: int) -> None:
    found = permutations(Order.BALANCED, options, options * blocks, seed, index)
    for block in range(blocks):
        counts = slots(found[block * options : (block + 1) * options])
        assert set(counts.values()) == {1}
        assert len(counts) == options**2


@given(options_, trials_.filter(bool), seeds, st.integers(0, 5))
def test_every_trial_is_balanced_over_items(options: int, trials: int, seed: int, group: int) -> None:
    items = range(group * options, (group + 1) * options)
    found = [permutations(Order.BALANCED, options, trials, seed, index) for index in items]
    for trial in range(trials):
        counts = slots([orders[trial] for orders in found])
        assert set(counts.values()) == {1}
        assert len(counts) == options**2


@pytest.mark.parametrize("seed", range(5))
def test_seven_clips_ten_trials(seed: int) -> None:
    """The published design: each of the seven effects stands in each of the seven slots exactly ten times."""
    found = [one for index in range(7) for one in permutations(Order.BALANCED, 7, 10, seed, index)]
    counts = slots(found)
    assert len(counts) == 49
    assert set(counts.values()) == {10}


@pytest.mark.parametrize("order", [Order.BALANCED, Order.SHUFFLED])
def test_seeds_differ(order: Order) -> None:
    assert len({tuple(permutations(order, 7, 10, seed, 0)) for seed in range(50)}) == 50


def test_balanced_trials_of_an_item_differ() -> None:
    assert all(len(set(permutations(Order.BALANCED, 7, 7, seed, 3))) == 7 for seed in range(20))


def test_items_differ_when_balanced() -> None:
    assert len({tuple(permutations(Order.BALANCED, 7, 10, 0, index)) for index in range(70)}) == 70


@given(options_, trials_, seeds, indices, indices)
def test_shuffled_is_the_same_for_all_items(options: int, trials: int, seed: int, one: int, other: int) -> None:
    assert permutations(Order.SHUFFLED, options, trials, seed, one) == permutations(
        Order.SHUFFLED, options, trials, seed, other
    )


def test_shuffled_is_near_uniform() -> None:
    counts = slots([order for seed in range(300) for order in permutations(Order.SHUFFLED, 7, 10, seed, 0)])
    expected = 3000 / 7
    statistic = sum((counts[slot, option] - expected) ** 2 / expected for slot in range(7) for option in range(7))
    assert statistic < 68  # chi-square with 36 degrees of freedom, p = 0.001


GOLDEN = {
    (Order.BALANCED, 0): "3264501 0132645 5013264 2645013 4501326 6450132 1326450 4135602 2413560 5602413",
    (Order.BALANCED, 1): "2645013 1326450 0132645 6450132 5013264 4501326 3264501 1356024 4135602 6024135",
    (Order.BALANCED, 9): "0514326 6051432 2605143 1432605 3260514 4326051 5143260 1423065 3065142 2306514",
    (Order.SHUFFLED, 0): "1206354 2536410 3206541 4306512 1263045 0613245 0162543 3026145 4521306 2051346",
}


@pytest.mark.parametrize(("order", "index"), GOLDEN)
def test_golden_orders_of_seed_0(order: Order, index: int) -> None:
    """These are in other people's ledgers: the ids of questions depend on them."""
    found = " ".join("".join(map(str, one)) for one in permutations(order, 7, 10, 0, index))
    assert found == GOLDEN[order, index]


@pytest.mark.parametrize(("count", "expected"), [(0, ""), (1, "A"), (7, "ABCDEFG"), (26, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")])
def test_letters(count: int, expected: str) -> None:
    assert letters(count) == expected
