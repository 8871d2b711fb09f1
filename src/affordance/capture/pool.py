"""Several pages at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


async def each(
    wanted: Sequence[T],
    workers: int,
    do: Callable[[T], Awaitable[None]],
    advance: Callable[[int, int], None] = lambda done, planned: None,
) -> None:
    """Do something for each, several at once. The first error ends it and is raised as it is."""
    queue = iter(wanted)
    done = 0

    async def work() -> None:
        nonlocal done
        for one in queue:
            await do(one)
            done += 1
            advance(done, len(wanted))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(workers, len(wanted))):
                group.create_task(work())
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
