"""Waiting for several things at once."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def gather_all(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """What all of it gives, in order. Where some of it raises, the rest is waited for before the first of the errors is
    raised: what was asked is paid for, and is not to be lost."""
    values: list[T] = []
    for ended in await asyncio.gather(*coroutines, return_exceptions=True):
        if isinstance(ended, BaseException):
            raise ended
        values.append(ended)
    return values
