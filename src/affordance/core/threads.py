"""Work on many files at once in threads."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


def map_threads(work: Callable[[_Given], _Made], items: Iterable[_Given]) -> Iterator[_Made]:
    """The results of `work` for each item, in order. A caller that stops iterating, or is interrupted, waits for
    running work only."""
    pool = ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="media")
    try:
        yield from pool.map(work, items)
    finally:
        pool.shutdown(cancel_futures=True)
