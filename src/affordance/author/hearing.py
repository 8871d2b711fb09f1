"""What models say to several things that a stage asks at once."""

from collections.abc import Iterable
from typing import TypeVar

from affordance.author.tools import Tools, Unasked
from affordance.evaluation.ad_hoc import MODEL, AdHocAnswer, AdHocQuestion
from affordance.evaluation.attempts import gather_all

T = TypeVar("T")


def plays(tools: Tools, role: str = MODEL) -> bool:
    """Whether there is a model for a part."""
    return tools.desk is not None and tools.desk.has_role(role)


async def hear(tools: Tools, inquiries: Iterable[AdHocQuestion[T]], role: str = MODEL) -> list[AdHocAnswer[T]]:
    """Asked all at once, answered in their order. Where the provider fails on one, the others are waited for, and then
    `Unasked` is raised."""
    said = await gather_all(tools.asking.ask(role, one) for one in inquiries)
    if failed := next((one for one in said if one.failed), None):
        raise Unasked(failed.reason)
    return said
