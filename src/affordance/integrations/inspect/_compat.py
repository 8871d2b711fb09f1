"""What inspect_ai does not offer publicly: four private names, and closing at the end of its event loop."""

from collections.abc import AsyncGenerator, Awaitable, Callable

from inspect_ai._util.error import PrerequisiteError as PrerequisiteError
from inspect_ai._util.registry import registry_find as registry_find
from inspect_ai.model._generate_config import active_generate_config as active_generate_config
from inspect_ai.scorer._scorer import scorer_register as scorer_register


async def close_at_loop_end(close: Callable[[], Awaitable[None]]) -> AsyncGenerator[None]:
    """Call `close` when the event loop ends, unless the returned generator is closed before. Keep a reference to it.

    Inspect closes no model when an evaluation ends, but its event loop ends, and closes all open generators."""

    async def pending() -> AsyncGenerator[None]:
        try:
            yield
        finally:
            await close()

    generator = pending()
    await anext(generator)
    return generator
