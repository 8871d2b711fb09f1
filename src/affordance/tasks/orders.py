"""Orders of options: permutations that are functions of seed, item and trial, and the same for every model."""

import random
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from affordance.core.digest import digest
from affordance.tasks.task import Order

OptionPermutation = tuple[int, ...]


def permutations(order: Order, options: int, trials: int, seed: int, index: int, truth: int) -> list[OptionPermutation]:
    """The order of the options for each trial of the item with this index, whose right option is the one with the
    number `truth`."""
    if not 0 <= truth < options:
        raise ValueError(f"truth: expected the number of one of {options} options, from 0, found {truth}")
    if order is Order.FIXED:
        return [tuple(range(options))] * trials
    if order is Order.SHUFFLED:
        return [_shuffle(options, seed, "shuffled", trial) for trial in range(trials)]
    return _rotated_orders(options, trials, seed, index, truth)


def _rotated_orders(options: int, trials: int, seed: int, index: int, truth: int) -> list[OptionPermutation]:
    """Blocks of rotations of a shuffled order. Within a whole block every option is in every slot once; and within
    any one trial the right option is, over as many items as there are options, as it stands one slot further in each
    than in the one before. So a last, partial block is balanced over items, and whoever always takes the same slot is
    right as often as by chance. More trials never change the earlier ones."""
    group = index // options
    orders: list[OptionPermutation] = []
    for trial in range(trials):
        block, place = divmod(trial, options)
        # Each item has its own: turned by their truths, items that come in turns could else all stand in one order.
        base = _shuffle(options, seed, "balanced", block, index)
        slot = (_shuffle(options, seed, "turns", block, group)[place] + index) % options
        turn = (base.index(truth) - slot) % options
        orders.append(base[turn:] + base[:turn])
    return orders


def balanced_orders(
    correct: Sequence[Collection[int]], options: int, trials: int, seed: int
) -> list[list[OptionPermutation]]:
    """For each item the orders of its options over trials. All items have as many options; `right` has the numbers of
    those that are right, item by item.

    In any trial, and over the first items however many, every slot has had a right option equally often, give or take
    one: slots are dealt to the right options from a shuffled deck, and a new deck begins where one ends. An item that
    gets the rest of one deck takes from the next what it does not have yet. Over trials the order of an item turns, so
    that in a block of as many trials as there are options each of them is in each slot once. More trials and more items
    never change the earlier ones."""
    orders: list[list[OptionPermutation]] = [[] for _ in correct]
    for block in range(-(-trials // options)):
        turns = _shuffle(options, seed, "dealt turns", block)[: trials - block * options]
        for item, slots in enumerate(_deal_slots([len(found) for found in correct], options, seed, block)):
            base = _place_correct(correct[item], slots, _shuffle(options, seed, "dealt options", block, item))
            orders[item] += [base[turn:] + base[:turn] for turn in turns]
    return orders


def _deal_slots(counts: Sequence[int], options: int, seed: int, block: int) -> Iterator[list[int]]:
    """As many slots for each item, from decks that hold every slot once."""
    deck: list[int] = []
    decks = 0
    for count in counts:
        slots, deck = deck[:count], deck[count:]
        if len(slots) < count:
            fresh = _shuffle(options, seed, "dealt slots", block, decks)
            decks += 1
            more = [slot for slot in fresh if slot not in slots][: count - len(slots)]
            slots, deck = slots + more, [slot for slot in fresh if slot not in more]
        yield slots


def _place_correct(correct: Collection[int], slots: Sequence[int], shuffled: OptionPermutation) -> OptionPermutation:
    """The options in an order that has the right ones in these slots."""
    at = dict(zip(slots, (option for option in shuffled if option in correct), strict=True))
    others = iter([option for option in shuffled if option not in correct])
    return tuple(at[slot] if slot in at else next(others) for slot in range(len(shuffled)))


def _shuffle(options: int, seed: int, *where: str | int) -> OptionPermutation:
    order = list(range(options))
    _generator(seed, *where).shuffle(order)
    return tuple(order)


def _generator(seed: int, *where: str | int) -> random.Random:
    return random.Random(int(digest("order", seed, list(where)), 16))


def letters(options: int) -> str:
    return "".join(islice("ABCDEFGHIJKLMNOPQRSTUVWXYZ", options))
