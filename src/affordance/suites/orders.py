"""Orders of options: permutations that are functions of seed, item and trial, and the same for every model."""

import random
from itertools import islice

from affordance.core.digest import digest
from affordance.suites.task import Order

Permutation = tuple[int, ...]


def permutations(order: Order, options: int, trials: int, seed: int, index: int, truth: int) -> list[Permutation]:
    """The order of the options for each trial of the item with this index, whose right option is the one with the
    number `truth`."""
    if not 0 <= truth < options:
        raise ValueError(f"truth: expected the number of one of {options} options, from 0, found {truth}")
    if order is Order.FIXED:
        return [tuple(range(options))] * trials
    if order is Order.SHUFFLED:
        return [_shuffled(options, seed, "shuffled", trial) for trial in range(trials)]
    return _balanced(options, trials, seed, index, truth)


def _balanced(options: int, trials: int, seed: int, index: int, truth: int) -> list[Permutation]:
    """Blocks of rotations of a shuffled order. Within a whole block every option is in every slot once; and within
    any one trial the right option is, over as many items as there are options, as it stands one slot further in each
    than in the one before. So a last, partial block is balanced over items, and whoever always takes the same slot is
    right as often as by chance. More trials never change the earlier ones."""
    group = index // options
    orders: list[Permutation] = []
    for trial in range(trials):
        block, place = divmod(trial, options)
        # Each item has its own: turned by their truths, items that come in turns could else all stand in one order.
        base = _shuffled(options, seed, "balanced", block, index)
        slot = (_shuffled(options, seed, "turns", block, group)[place] + index) % options
        turn = (base.index(truth) - slot) % options
        orders.append(base[turn:] + base[:turn])
    return orders


def _shuffled(options: int, seed: int, *where: str | int) -> Permutation:
    order = list(range(options))
    _generator(seed, *where).shuffle(order)
    return tuple(order)


def _generator(seed: int, *where: str | int) -> random.Random:
    return random.Random(int(digest("order", seed, list(where)), 16))


def letters(options: int) -> str:
    return "".join(islice("ABCDEFGHIJKLMNOPQRSTUVWXYZ", options))
