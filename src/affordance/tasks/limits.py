"""Fewer items than there are."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from affordance.core.digest import digest
from affordance.tasks.task import Design

T = TypeVar("T")


def ranked_subset(items: Sequence[T], design: Design, name: Callable[[T], str]) -> list[tuple[int, T]]:
    """The items under a design's limit, each with the number that the orders of its options are a function of: without
    a limit its index; with one its rank among the digests of names, so that the items of any limit have the first
    numbers, and keep them under a larger one."""
    if design.limit is None or design.design_version == 1:
        return some(list(enumerate(items)), design.limit, lambda numbered: name(numbered[1]))
    by_digest = sorted(range(len(items)), key=lambda index: (_digest(name(items[index])), index))
    ranks = {index: rank for rank, index in enumerate(by_digest)}
    ranked = [(ranks[index], item) for index, item in enumerate(items)]
    return some(ranked, design.limit, lambda numbered: name(numbered[1]))


def some(items: Sequence[T], limit: int | None, name: Callable[[T], str]) -> list[T]:
    """At most `limit` items in their order, from all over the dataset: those whose names have the smallest digests. A
    larger limit takes the same ones and more, so that what was asked already counts. Items of one name are compared
    with each other, so all of them are taken or none; the first are, however many."""
    if limit is None or len(items) <= limit:
        return list(items)
    sizes = Counter(map(name, items))
    kept: set[str] = set()
    room = limit
    for one in sorted(sizes, key=_digest):
        if kept and sizes[one] > room:
            break
        kept.add(one)
        room -= sizes[one]
    return [item for item in items if name(item) in kept]


def _digest(name: str) -> str:
    return digest("some", name)
