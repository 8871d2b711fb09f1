"""Blocking calls of work that runs an event loop, also from inside a running one."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import TypeVar

from affordance.evaluation.interrupts import INTERRUPT_RELAY, InterruptRelay

T = TypeVar("T")


def run_blocking(work: Callable[[], T]) -> T:
    """Do the work here or, where a loop is running already as in a notebook, in a thread that is waited for.

    Ctrl-C (the stop button) lets requests in flight finish, as in a terminal; pressed again, it drops them.

    Raises:
        KeyboardInterrupt: the work ended before it could react to Ctrl-C.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    relay, context = InterruptRelay(), copy_context()
    context.run(INTERRUPT_RELAY.set, relay)
    with _relayed_interrupts(relay), ThreadPoolExecutor(1) as pool:
        result = pool.submit(context.run, work).result()
    if relay.has_pending:
        raise KeyboardInterrupt
    return result


@contextmanager
def _relayed_interrupts(relay: InterruptRelay) -> Iterator[None]:
    """In here SIGINT goes to the thread. The loop's own handler would run only afterwards."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: relay.interrupt())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
