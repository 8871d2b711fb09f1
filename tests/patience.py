"""Waiting for what will come: a busy computer stands still for a while, and a limit is there so that a hang ends."""

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 240.0  # seconds

T = TypeVar("T")


def until(
    found: Callable[[], T],
    *,
    wait: Callable[[float], None] = time.sleep,
    going: Callable[[], bool] = lambda: True,
    why: Callable[[], object] = str,
) -> T:
    """The first answer that is true. `wait`, for some seconds, where something has to go on meanwhile. Fails, with
    `why`, once it is too late, or once nobody is `going` on with what would bring it."""
    end = time.monotonic() + PATIENCE
    last = False  # looked at before the answer: what was done at the very end counts, too
    while not (answer := found()):
        assert not last, f"it will not come any more: the last answer was {answer!r} {why()}"
        assert time.monotonic() < end, (
            f"it did not come within {PATIENCE:.0f} s: the last answer was {answer!r} {why()}"
        )
        wait(0.05)
        last = not going()
    return answer
