"""Parts of sequences: evenly spaced elements and chunks."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def evenly_spaced(total: int, max_count: int) -> list[int]:
    """At most `max_count` of the indices below `total`, evenly spaced, with the first and the last."""
    if total <= max_count:
        return list(range(total))
    return [round(step * (total - 1) / (max_count - 1)) for step in range(max_count)] if max_count > 1 else [0]


def chunked(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Consecutive slices of at most `size` values."""
    return (values[start : start + size] for start in range(0, len(values), size))
