"""A limit to the time that something may take, for many at once."""

import asyncio
from types import TracebackType


class Deadline:
    """A context that a task is cancelled in, and `TimeoutError` raised, once it has been in it for too long. There is
    one timer for all tasks of a loop: with one for each, as `asyncio.timeout` has, it takes longer than reading what
    comes back does."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        # When each has to be done, the soonest first, and how often it was cancelled before.
        self._ends: dict[asyncio.Task[object], tuple[float, int]] = {}
        self._expired: dict[asyncio.Task[object], int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None  # that of the timer

    def __enter__(self) -> None:
        task, loop = _current_task(), asyncio.get_running_loop()
        if loop is not self._loop:
            self.close()
            self._loop = loop
        self._ends[task] = loop.time() + self._seconds, task.cancelling()
        if self._timer is None:
            self._start_timer(loop)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        task = _current_task()
        self._ends.pop(task, None)
        before = self._expired.pop(task, None)
        # Somebody else may have cancelled it, too.
        if before is not None and task.uncancel() <= before and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop = None
        self._ends.clear()

    def _start_timer(self, loop: asyncio.AbstractEventLoop) -> None:
        soonest, _ = next(iter(self._ends.values()))
        self._timer = loop.call_at(soonest, self._cancel_expired, loop)

    def _cancel_expired(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        now = loop.time()
        for task in [task for task, (end, _) in self._ends.items() if end <= now]:
            _, self._expired[task] = self._ends.pop(task)
            task.cancel()
        if self._ends:
            self._start_timer(loop)


def _current_task() -> asyncio.Task[object]:
    task = asyncio.current_task()
    assert task is not None, "a deadline is for what runs in a task"
    return task
