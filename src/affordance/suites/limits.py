"""Fewer items than there are."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from affordance.core.digest import digest

T = TypeVar("T")


def some(items: Sequence[T], limit: int | None, name: Callable[[T], str]) -> list[T]:
    """At most `limit` items in their order, from all over the dataset: those whose names have the smallest digests. A
    larger limit takes the same ones and more, so that what was asked already counts. Items of one name are compared
    with each other, so all of them are taken or none; the first are, however many."""
    if limit is None or len(items) <= limit:
        return list(items)
    sizes = Counter(map(name, items))
    kept: set[str] = set()
    room = limit
    for one in sorted(sizes, key=lambda one: digest("some", one)):
        if kept and sizes[one] > room:
            break
        kept.add(one)
        room -= sizes[one]
    return [item for item in items if name(item) in kept]
