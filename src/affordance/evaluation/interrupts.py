"""The event loop of an execution, and interrupts (SIGINT, SIGTERM) in a terminal and in a thread."""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar


class Interrupted(Exception):
    """No request may be sent any more; requests in flight may finish."""


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


INTERRUPTED = "interrupted"  # how the reason begins for which a run ended early


class InterruptRelay:
    """Passes interrupts on to work in another thread than the main one, which alone gets signals. Interrupts that come
    before the work can take them are kept."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a signal may come while one is passed on
        self._pending = 0
        self._deliver: Callable[[], object] | None = None

    @property
    def has_pending(self) -> bool:
        """Whether there are interrupts that were not delivered."""
        return self._pending > 0

    def interrupt(self) -> None:
        with self._lock:
            if self._deliver is None:
                self._pending += 1
            else:
                self._deliver()

    @contextmanager
    def deliver_to(self, deliver: Callable[[], object]) -> Iterator[None]:
        with self._lock:
            self._deliver = deliver
            for _ in range(self._pending):
                deliver()
            self._pending = 0
        try:
            yield
        finally:
            with self._lock:
                self._deliver = None


INTERRUPT_RELAY: ContextVar[InterruptRelay | None] = ContextVar("presses", default=None)


@contextmanager
def handle_interrupts(interrupt: Callable[[str], None], cancel: Callable[[], object]) -> Iterator[None]:
    """In here SIGINT and SIGTERM call `interrupt`, and the next one `drop`. Only the main thread gets signals; another
    one gets what `PRESSES` are passed on."""
    loop = asyncio.get_running_loop()
    signals = 0

    def on_signal() -> None:
        nonlocal signals
        signals += 1
        if signals > 1:
            cancel()
        else:
            interrupt(INTERRUPTED)

    if threading.current_thread() is not threading.main_thread():
        with (INTERRUPT_RELAY.get() or InterruptRelay()).deliver_to(lambda: loop.call_soon_threadsafe(on_signal)):
            yield
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, on_signal)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


@contextmanager
def sigterm_as_interrupt() -> Iterator[None]:
    """In here SIGTERM is a KeyboardInterrupt, as SIGINT is: for work without an event loop."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
