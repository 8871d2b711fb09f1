"""Counterfactual twins: the same animation in another order or at another pace, which only motion can tell apart."""

from enum import StrEnum

from affordance.capture.filming import FPS, FRAME, Pace
from affordance.core.text import parse_choices

TAIL = FPS // 2  # frames after the end


class Twin(StrEnum):
    REVERSED = "reversed"  # the same frames backwards
    EASING = "easing"  # begins slowly and ends in a rush, over the same time
    SLOWER = "slower"  # half the speed
    FASTER = "faster"  # twice the speed


SPEEDS = {Twin.SLOWER: 0.5, Twin.FASTER: 2.0}
RUSH = 3  # the power of the share of the time that has gone by


def pace_of(twin: Twin, before: int, frames: int, *, ended: bool) -> Pace:
    """How a twin is filmed anew: its original took so many frames, and began so many after it was set off. One that had
    not ended has no tail."""
    tail = TAIL if ended else 0
    if twin is Twin.EASING:
        return Pace(lambda number: (before + _eased(number - before, frames)) * FRAME, before + frames + tail)
    speed = SPEEDS[twin]
    return Pace(lambda number: number * FRAME * speed, round((before + frames) / speed) + tail)


def _eased(number: int, frames: int) -> float:
    return frames * (number / frames) ** RUSH if 0 < number < frames else number


def read_twins(text: str) -> list[Twin]:
    return parse_choices(Twin, text, "twin")
