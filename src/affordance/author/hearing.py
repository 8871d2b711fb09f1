"""What models say to several things that a stage asks at once."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from affordance.author.tools import Tools, Unasked
from affordance.run.desk import MODEL, Inquiry, Said

T = TypeVar("T")


def plays(tools: Tools, role: str = MODEL) -> bool:
    """Whether there is a model for a part."""
    return tools.desk is not None and tools.desk.plays(role)


async def hear(tools: Tools, inquiries: Iterable[Inquiry[T]], role: str = MODEL) -> list[Said[T]]:
    """Asked all at once, answered in their order. Where the provider fails on one, the others are waited for, and then
    `Unasked` is raised."""
    said = await all_of(tools.asking.ask(role, one) for one in inquiries)
    if failed := next((one for one in said if one.failed), None):
        raise Unasked(failed.reason)
    return said


async def all_of(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """What all of it gives, in order. Where some of it raises, the rest is waited for before the first of the errors is
    raised: what was asked is paid for, and is not to be lost."""
    values: list[T] = []
    for ended in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(ended, BaseException):
            raise ended
        values.append(ended)
    return values
