"""What decides which questions there are: the design, fixed subsets of items, and balanced orders of options."""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Any, Generic, TypeVar

from affordance.core.digest import digest, seeded_random
from affordance.core.options import OptionModel
from affordance.core.question import Question

SOURCE_TAG = "source"  # the tag of questions of two sources; those of one source have none
DESIGN_VERSION = 2  # by which questions are made: in runs of version 1 they are 1, see `QuestionDesign.version`


class OptionOrder(StrEnum):
    """How the options of a question are ordered over trials."""

    # Runs that were made when only the options were balanced are "balanced", and must not be resumed.
    BALANCED = "balanced by truth"  # the correct option in every slot equally often, by construction
    CAPTURED = "balanced by truth on captured screens"  # the same, and published questions as they are
    BOTH_ORDERS = "balanced"  # two things, each first once for every trial: what these runs ask never changed
    FIXED = "fixed"  # as published, the same throughout
    SHUFFLED = "shuffled"  # an independent seeded shuffle per trial, the same for all items

    @property
    def is_balanced_by_truth(self) -> bool:
        return self in (OptionOrder.BALANCED, OptionOrder.CAPTURED)


class TaskParams(OptionModel):
    """What can be set for a task. One field is an option of the command line, a keyword in Python, a key of
    `affordance.toml`, an option of Inspect's `-T`, and an entry of the run's record."""


P = TypeVar("P", bound=TaskParams)


@dataclass(frozen=True, slots=True)
class QuestionDesign(Generic[P]):
    """Everything that decides which questions there are.

    Attributes:
        params: the task's own parameters.
        trials: trials of each question.
        option_order: the order of options over trials.
        seed: the seed of everything that is drawn.
        limit: number of items, spread over the dataset; None for all.
        prompts: the texts of the task's prompt pack.
        version: the rules by which questions are made. Since 2, options are balanced over a limited subset, and targets
            and questions that are written in a dataset are asked in addition to those of captured outcomes.
    """

    params: P
    trials: int
    option_order: OptionOrder
    seed: int = 0
    limit: int | None = None
    prompts: Mapping[str, str] = field(default_factory=dict)
    version: int = DESIGN_VERSION


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """A question in one of its trials, numbered from 0."""

    question: Question
    trial: int


def repeat(question: Question, trials: int) -> Iterator[PlannedQuestion]:
    """The same question for each trial."""
    return (PlannedQuestion(question, trial) for trial in range(trials))


def has_both_sources(planned: Iterable[PlannedQuestion]) -> bool:
    """Whether questions that are written in the dataset were joined with those of captured outcomes."""
    return any(SOURCE_TAG in one.question.tags for one in planned)


OptionPermutation = tuple[int, ...]


def option_orders(
    order: OptionOrder, options: int, trials: int, seed: int, index: int, truth: int
) -> list[OptionPermutation]:
    """The order of the options for each trial of the item with this index, whose correct option is the one with the
    number `truth`."""
    if not 0 <= truth < options:
        raise ValueError(f"truth: expected the number of one of {options} options, from 0, found {truth}")
    if order is OptionOrder.FIXED:
        return [tuple(range(options))] * trials
    if order is OptionOrder.SHUFFLED:
        return [_shuffle(options, seed, "shuffled", trial) for trial in range(trials)]
    return _rotated_orders(options, trials, seed, index, truth)


def _rotated_orders(options: int, trials: int, seed: int, index: int, truth: int) -> list[OptionPermutation]:
    """Blocks of rotations of a shuffled order. Within a whole block every option is in every slot once; and within
    any one trial the correct option is, over as many items as there are options, as it stands one slot further in each
    than in the one before. So a last, partial block is balanced over items, and always taking the same slot is right
    as often as by chance. More trials never change the earlier ones."""
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
    """For each item the orders of its options over trials. All items have as many options; `correct` has the numbers of
    those that are right, item by item.

    In any trial, and over the first items however many, every slot has had a correct option equally often, give or take
    one: slots are dealt to the correct options from a shuffled deck, and a new deck begins where one ends. An item that
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
    """The options in an order that has the correct ones in these slots."""
    at = dict(zip(slots, (option for option in shuffled if option in correct), strict=True))
    others = iter([option for option in shuffled if option not in correct])
    return tuple(at[slot] if slot in at else next(others) for slot in range(len(shuffled)))


def _shuffle(options: int, seed: int, *where: str | int) -> OptionPermutation:
    order = list(range(options))
    _generator(seed, *where).shuffle(order)
    return tuple(order)


def _generator(seed: int, *where: str | int) -> random.Random:
    return seeded_random("order", seed, list(where))


def option_letters(options: int) -> str:
    return "".join(islice("ABCDEFGHIJKLMNOPQRSTUVWXYZ", options))


T = TypeVar("T")


def ranked_subset(items: Sequence[T], design: QuestionDesign[Any], name: Callable[[T], str]) -> list[tuple[int, T]]:
    """The items under a design's limit, each with the number that the orders of its options are a function of: without
    a limit its index; with one its rank among the digests of names, so that the items of any limit have the first
    numbers, and keep them under a larger one."""
    if design.limit is None or design.version == 1:
        return select_subset(list(enumerate(items)), design.limit, lambda numbered: name(numbered[1]))
    by_digest = sorted(range(len(items)), key=lambda index: (_subset_digest(name(items[index])), index))
    ranks = {index: rank for rank, index in enumerate(by_digest)}
    ranked = [(ranks[index], item) for index, item in enumerate(items)]
    return select_subset(ranked, design.limit, lambda numbered: name(numbered[1]))


def select_subset(items: Sequence[T], limit: int | None, name: Callable[[T], str]) -> list[T]:
    """At most `limit` items, spread over the dataset and in its order: those whose names have the smallest digests.

    A larger limit takes the same items and more, so that stored responses count. Items of one name are taken together
    or not at all; those of the first name always."""
    if limit is None or len(items) <= limit:
        return list(items)
    sizes = Counter(map(name, items))
    kept: set[str] = set()
    room = limit
    for one in sorted(sizes, key=_subset_digest):
        if kept and sizes[one] > room:
            break
        kept.add(one)
        room -= sizes[one]
    return [item for item in items if name(item) in kept]


def _subset_digest(name: str) -> str:
    return digest("some", name)
