"""Orders of options: permutations that are functions of seed, item and trial, and the same for every model."""

import random
from itertools import islice

from affordance.core.digest import digest
from affordance.suites.task import Order

Permutation = tuple[int, ...]


def permutations(order: Order, options: int, trials: int, seed: int, index: int) -> list[Permutation]:
    """The order of the options for each trial of the item with this index."""
    if order is Order.FIXED:
        return [tuple(range(options))] * trials
    if order is Order.SHUFFLED:
        return [_shuffled(options, seed, "shuffled", trial) for trial in range(trials)]
    return _balanced(options, trials, seed, index)


def _balanced(options: int, trials: int, seed: int, index: int) -> list[Permutation]:
    """Blocks of rotations of a shuffled order. Within a whole block every option is in every slot once; and within
    any one trial it is so over as many items as there are options, each being turned one further than the one before.
    So a last, partial block is balanced over items, and more trials never change the earlier ones."""
    group = index // options
    orders: list[Permutation] = []
    for trial in range(trials):
        block, place = divmod(trial, options)
        base = _shuffled(options, seed, "balanced", block, group)
        turn = (_shuffled(options, seed, "turns", block, group)[place] + index) % options
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
