"""Work that runs an event loop, wherever it is called from."""

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


def outside_of_loops(work: Callable[[], T]) -> T:
    """Do the work here; where a loop is running already, as in a notebook, in a thread that is waited for. Ctrl-C (the
    stop button) then lets what is under way finish, as it does in a terminal; again, it drops that."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    presses, context = InterruptRelay(), copy_context()
    context.run(INTERRUPT_RELAY.set, presses)
    with _passed_on(presses), ThreadPoolExecutor(1) as pool:
        done = pool.submit(context.run, work).result()
    if presses.has_pending:
        raise KeyboardInterrupt
    return done


@contextmanager
def _passed_on(presses: InterruptRelay) -> Iterator[None]:
    """In here SIGINT is for the thread. A loop has its own idea of it, which would only be heard afterwards."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: presses.interrupt())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
