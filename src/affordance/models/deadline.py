"""A limit to the time that something may take, for many at once."""

import asyncio
from types import TracebackType


class Deadline:
    """A context that a task is cancelled in, and `TimeoutError` raised, once it has been in it for too long. There is
    one timer for all tasks: those that are asked with a timer of their own, as `asyncio.timeout` has, spend more on it
    than on reading what comes back."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ends: dict[asyncio.Task[object], float] = {}  # the soonest first, as all have the same time
        self._late: set[asyncio.Task[object]] = set()
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> None:
        self._ends[_task()] = asyncio.get_running_loop().time() + self._seconds
        if self._timer is None:
            self._wait()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        task = _task()
        self._ends.pop(task, None)
        if task in self._late:
            self._late.remove(task)
            # Somebody else may have cancelled it, too.
            if task.uncancel() == 0 and kind is asyncio.CancelledError:
                raise TimeoutError from error

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_at(next(iter(self._ends.values())), self._end)

    def _end(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        for task in [task for task, end in self._ends.items() if end <= now]:
            del self._ends[task]
            self._late.add(task)
            task.cancel()
        if self._ends:
            self._wait()


def _task() -> asyncio.Task[object]:
    task = asyncio.current_task()
    assert task is not None, "a deadline is for what runs in a task"
    return task
