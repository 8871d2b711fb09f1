"""Fewer items than there are."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from affordance.core.digest import digest

T = TypeVar("T")


def some(items: Sequence[T], limit: int | None, name: Callable[[T], str]) -> list[T]:
    """At most `limit` items in their order, from all over the dataset: those whose names have the smallest digests. A
    larger limit takes the same ones and more, so that what was asked already counts."""
    if limit is None or len(items) <= limit:
        return list(items)
    chosen = sorted(items, key=lambda item: digest("some", name(item)))[:limit]
    kept = {name(item) for item in chosen}
    return [item for item in items if name(item) in kept]
