"""Event loops of tests: Playwright's counts as running for as long as its browser is open."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_running_loop() -> Iterator[None]:
    """For code that runs a loop of its own while the browser of this worker is open."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(running)
