"""The event loop that asks are driven by: uvloop, where there is one for the system, which takes less CPU time for the
same requests than Python's own."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run_async(coroutine: Coroutine[Any, Any, T]) -> T:
    """What `asyncio.run` does."""
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(coroutine)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:  # as on Windows
        return None
    return uvloop.new_event_loop
