"""The promise that a record is going to be in the ledger."""

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class WriteFuture(Generic[T]):
    """Kept when the record is committed, or broken with an error when it cannot be; never left open. It cannot be
    cancelled: the record is going to be written, whoever waits for it. All of a ledger share one condition, where
    each `concurrent.futures.Future` makes its own, which costs more than building the rows."""

    __slots__ = ("_error", "_news", "_value", "done")

    def __init__(self) -> None:
        self.done = False
        self._value: T | None = None
        self._error: BaseException | None = None
        self._news: threading.Condition | None = None

    def attach(self, condition: threading.Condition) -> None:
        """From now on somebody else keeps it, and then notifies all who wait for the news."""
        self._news = condition

    def set_result(self, value: T) -> None:
        self._value = value
        self.done = True

    def set_exception(self, error: BaseException) -> None:
        self._error = error
        self.done = True

    def result(self, timeout: float | None = None) -> T:
        """What the ledger says of the record, once it is committed; raises what kept it from being so."""
        if not self.done:
            assert self._news is not None, "a record is waited for only after it was put into the queue"
            with self._news:
                if not self._news.wait_for(lambda: self.done, timeout):
                    raise TimeoutError
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[return-value]  # kept, so it is a T
