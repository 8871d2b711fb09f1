"""Waiting for what will come: a busy computer stands still for a while, and a limit is there so that a hang ends."""

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 120.0  # seconds

T = TypeVar("T")


def until(found: Callable[[], T], *, wait: Callable[[float], None] = time.sleep) -> T:
    """The first answer that is true. `wait`, for some seconds, where something has to go on meanwhile."""
    end = time.monotonic() + PATIENCE
    while not (answer := found()):
        assert time.monotonic() < end, f"it did not come within {PATIENCE:.0f} s: the last answer was {answer!r}"
        wait(0.05)
    return answer
