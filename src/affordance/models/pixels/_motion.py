"""What moves in the frames of a clip: inside the green box, while that is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.media_spec import GREEN
from affordance.models.baselines.effect_classifier import classify_effect
from affordance.models.baselines.motion_scene import NOTICEABLE, stack_frames

_PER_SECOND: Final = 10.0  # frames, as a model is shown them
_LEAST_INSIDE: Final = 16  # pixels enclosed by green lines: less is a letter
_SAME_BOX: Final = 0.7  # of what two frames enclose together
_LONGEST_SIDE: Final = 160  # of what is measured here; area averages leave the noise behind
_LEAST_CHANGED: Final = 4  # pixels
_PART: Final = 0.01  # of all that changes: less is no part of its own
_COME_BACK: Final = 0.5  # of the greatest difference: frames that are closer again show the same
_TURN: Final = 2  # steps that a pixel takes at most to turn from one thing to another


@dataclass(frozen=True, slots=True)
class MotionMeasurement:
    """Shares are from 0 to 1."""

    covered: float  # of the screen, by the box; 0 where there is none
    share: float  # of the screen, that changes at some time
    seconds: float
    lasting: float  # of what changes, that is not in the end as it was before
    cycles: float  # how often it is seen to repeat; 0 where it does not
    once: float  # of what changes, that turns from one thing to another and stays
    spread: float  # of the time, from when the first tenth of that has turned until the last tenth does
    places: int  # separate parts of the screen that change
    pieces: int  # separate spots that differ from one frame to the next, as a rule
    effect: str | None  # the primitive effect that is plainest


def measure_motion(frames: Sequence[NDArray[Any]]) -> MotionMeasurement | None:
    """None where nothing noticeable changes. The frames are RGB or grey, ten a second, of any size and number.

    Without a green box it is the whole picture that is measured, from the first frame to the last.
    """
    stack, _ = stack_frames(frames)
    if len(stack) < 2:
        return None
    inside, running = find_green_box(stack)
    # The last frame before the box and the first one after it show what was and what is in the end.
    around = slice(max(running.start - 1, 0), running.stop + 1)
    part = _cut(stack[around], inside)
    levels = _levels(part)
    changed = _span(levels) >= NOTICEABLE
    if np.count_nonzero(changed) < _LEAST_CHANGED:
        return None
    steps = np.abs(np.diff(levels, axis=0)).max(axis=3) >= NOTICEABLE
    once, spread = _turning(steps, _between(levels[0], levels[-1]) & changed, changed)
    reading = classify_effect(list(part))
    return MotionMeasurement(
        covered=0.0 if inside.all() else float(inside.mean()),
        share=float(changed.mean()) * part[0, ..., 0].size / inside.size,
        seconds=len(running) * len(frames) / len(stack) / _PER_SECOND,
        lasting=float(_between(levels[0], levels[-1])[changed].mean()),
        cycles=_cycles(levels[running.start - around.start :][: len(running), changed]),
        once=once,
        spread=spread,
        places=_parts(changed, max(_LEAST_CHANGED, _PART * np.count_nonzero(changed))),
        pieces=_pieces(steps),
        effect=reading.effect if any(reading.scores.values()) else None,
    )


def find_green_box(stack: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], range]:
    """What pure green lines enclose, in one box or several, and from which frame to which they are there.

    Everything and always, where there is no box.
    """
    enclosed = np.stack([_enclosed_area(frame) for frame in stack])
    sizes = enclosed.sum(axis=(1, 2))
    if sizes.max() < _LEAST_INSIDE:
        return np.ones(stack.shape[1:3], dtype=np.bool_), range(len(stack))
    largest = enclosed[int(sizes.argmax())]
    shared = (enclosed & largest).sum(axis=(1, 2)) / (enclosed | largest).sum(axis=(1, 2))
    shown = np.flatnonzero(shared >= _SAME_BOX)
    # In a single frame green things inside hide a piece.
    return np.logical_or.reduce(enclosed[shown], axis=0), range(int(shown[0]), int(shown[-1]) + 1)


def _enclosed_area(frame: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """What cannot be reached from outside the picture without crossing pure green."""
    free = cv2.bitwise_not(cv2.inRange(frame, GREEN, GREEN))
    padded = cv2.copyMakeBorder(free, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=255)
    cv2.floodFill(padded, None, (0, 0), 1)
    return np.asarray(padded[1:-1, 1:-1] == 255, dtype=np.bool_)


def _cut(stack: NDArray[np.uint8], inside: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The frames cut to the box around all that is inside; between several boxes nothing changes."""
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    place = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    part = stack[(slice(None), *place)].copy()
    outside = ~inside[place]
    part[:, outside] = part[0][outside]
    return part


def _levels(part: NDArray[np.uint8]) -> NDArray[np.int16]:
    height, width = part.shape[1:3]
    scale = max(1.0, max(height, width) / _LONGEST_SIDE)
    size = max(1, round(width / scale)), max(1, round(height / scale))
    return np.stack([cv2.resize(frame, size, interpolation=cv2.INTER_AREA) for frame in part]).astype(np.int16)


def _span(levels: NDArray[np.int16]) -> NDArray[np.int16]:
    return np.asarray((levels.max(axis=0) - levels.min(axis=0)).max(axis=2), dtype=np.int16)


def _between(first: NDArray[np.int16], second: NDArray[np.int16]) -> NDArray[np.bool_]:
    return np.asarray(np.abs(second - first).max(axis=2) >= NOTICEABLE, dtype=np.bool_)


def _turning(steps: NDArray[np.bool_], stayed: NDArray[np.bool_], changed: NDArray[np.bool_]) -> tuple[float, float]:
    """The share of what changed that turned once, quickly and for good, and over which share of the time it did."""
    first, last = steps.argmax(axis=0), len(steps) - 1 - steps[::-1].argmax(axis=0)
    turned = stayed & steps.any(axis=0) & (last - first < _TURN)
    if not turned.any():
        return 0.0, 0.0
    early, late = np.percentile(first[turned], (10, 90))
    return float(turned.sum() / changed.sum()), float(late - early) / len(steps)


def _cycles(values: NDArray[np.int16]) -> float:
    """How often frames come back to what they showed after having been different, at the shortest such lag."""
    lags = range(1, len(values) // 2 + 1)
    apart = [float(np.abs(values[lag:] - values[:-lag]).mean()) for lag in lags]
    for place in range(1, len(apart)):
        comes_back = apart[place] <= _COME_BACK * max(apart[:place])
        if comes_back and apart[place] <= min(apart[place : place + 2]):
            return len(values) / lags[place]
    return 0.0


def _parts(mask: NDArray[np.bool_], min_share: float) -> int:
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    return int((stats[1:, cv2.CC_STAT_AREA] >= min_share).sum())


def _pieces(steps: NDArray[np.bool_]) -> int:
    counts = [_parts(step, _LEAST_CHANGED) for step in steps if step.any()]
    return int(np.median(counts)) if counts else 0
